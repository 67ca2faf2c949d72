internal import Synchronization
internal import TransitModel

/// The moment of the engine's next tick, with a way to wait until it is another one.
///
/// Not an `AsyncStream`: to cancel a task that iterates one ends the stream for good, and here the wait is cancelled
/// whenever the moment comes first.
final class WakeTimer: Sendable {
    /// The moment as it stood when it was looked at.
    struct Look: Sendable {
        /// `nil`: no tick is wanted until the moment is set again.
        var moment: BootTime?
        fileprivate var number: UInt64
    }

    private struct State {
        var moment: BootTime?
        /// Counts the changes.
        var number: UInt64 = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var look: Look { state.withLock { Look(moment: $0.moment, number: $0.number) } }

    func set(_ moment: BootTime) {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.moment != moment else { return nil }
            state.moment = moment
            state.number += 1
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// The tick of a moment has been sent: there is no other one before the next ``set(_:)``.
    func clear(_ look: Look) {
        state.withLock { state in
            if state.number == look.number { state.moment = nil }
        }
    }

    /// Returns when the moment was set after the look, and when the task is cancelled. For one task at a time.
    func changed(since look: Look) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasChanged = state.withLock { state in
                    guard state.number == look.number else { return true }
                    state.waiter = continuation
                    return false
                }
                if hasChanged { return continuation.resume() }
                // Cancelled before it waited.
                if Task.isCancelled { release() }
            }
        } onCancel: {
            release()
        }
    }

    /// Waits for the moment of a look; false when it is another one meanwhile, or the task is cancelled.
    func comes(_ look: Look, by clock: any DaemonClock) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            if let moment = look.moment {
                group.addTask {
                    do { try await clock.sleep(until: moment) } catch { return false }
                    return true
                }
            }
            group.addTask {
                await self.changed(since: look)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }

    /// Calls `tick` whenever the moment has come that was set last, until the task is cancelled.
    func keep(_ clock: any DaemonClock, _ tick: () -> Void) async {
        while !Task.isCancelled {
            let look = look
            guard await comes(look, by: clock) else { continue }
            // Before the tick: whoever hears of it names the next moment.
            clear(look)
            tick()
        }
    }

    private func release() { state.withLock { $0.waiter.take() }?.resume() }
}
