internal import Synchronization
internal import TransitModel
internal import TransitSystem

/// Tasks that wait until something has changed, such as the arrivals of a source. The conditions that they wait for are
/// evaluated after each change.
final class ConditionWaiters: Sendable {
    private struct Waiter {
        var isSatisfied: @Sendable () -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Returns when the condition holds, the task is canceled, or the waiters are closed.
    func wait(until isSatisfied: @escaping @Sendable () -> Bool) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isEntered = state.withLock { state in
                    guard !state.isClosed else { return false }
                    state.waiters[id] = Waiter(isSatisfied: isSatisfied, continuation: continuation)
                    return true
                }
                guard isEntered else { return continuation.resume() }
                // The condition may have been met, or the task canceled, before the waiter was added.
                if Task.isCancelled || isSatisfied() { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Returns when the condition holds, but no later than `moment`. Does not block a thread.
    func wait(
        until moment: BootTime, _ clock: any DaemonClock, for isSatisfied: @escaping @Sendable () -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(until: isSatisfied) }
            group.addTask { try? await clock.sleep(until: moment) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Evaluates the conditions. Call this after every change that may satisfy a condition, while holding no lock
    /// that a condition takes.
    func resumeSatisfied() {
        let waiting = state.withLock { $0.waiters }
        for (id, waiter) in waiting where waiter.isSatisfied() { leave(id) }
    }

    /// Resumes all waiters and rejects new ones.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in left { waiter.continuation.resume() }
    }

    private func leave(_ id: UInt64) { state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume() }
}
