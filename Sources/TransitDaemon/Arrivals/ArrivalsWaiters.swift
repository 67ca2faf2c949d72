internal import Synchronization

/// Who waits for answers about arrivals. The conditions are looked at whenever something has ended.
final class ArrivalsWaiters: Sendable {
    private struct Waiter {
        var isServed: @Sendable () -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Returns when the condition holds, when the task is cancelled, and when nobody is served any more.
    func wait(until isServed: @escaping @Sendable () -> Bool) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isEntered = state.withLock { state in
                    guard !state.isClosed else { return false }
                    state.waiters[id] = Waiter(isServed: isServed, continuation: continuation)
                    return true
                }
                guard isEntered else { return continuation.resume() }
                // What it waits for may have come, and it may have been cancelled, before it was entered.
                if Task.isCancelled || isServed() { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// To be called after anything that may serve somebody; not with a lock that a condition takes.
    func look() {
        let waiting = state.withLock { $0.waiters }
        for (id, waiter) in waiting where waiter.isServed() { leave(id) }
    }

    /// Nobody is served any more.
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
