internal import Synchronization
internal import TransitModel
internal import TransitSystem

/// Holds the time of the next tick and lets one task wait until this time changes.
///
/// This is not an `AsyncStream`, because canceling a task that iterates over a stream ends the stream permanently.
/// Here, the wait is canceled whenever the timer fires first.
final class WakeTimer: Sendable {
    /// The state of the timer when it was read.
    struct Snapshot: Sendable {
        /// `nil` if no tick is scheduled.
        var moment: BootTime?
        fileprivate var number: UInt64
    }

    private struct State {
        var moment: BootTime?
        /// The number of changes so far.
        var number: UInt64 = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var snapshot: Snapshot { state.withLock { Snapshot(moment: $0.moment, number: $0.number) } }

    func set(_ moment: BootTime) { change { _ in moment } }

    /// Sets the time unless one is set, for work that waits for the next tick.
    func setIfUnset(_ moment: BootTime) { change { $0 ?? moment } }

    /// Sets the time unless an earlier one is set.
    func setIfEarlier(_ moment: BootTime) { change { min($0 ?? moment, moment) } }

    private func change(_ next: (BootTime?) -> BootTime) {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            let moment = next(state.moment)
            guard state.moment != moment else { return nil }
            state.moment = moment
            state.number += 1
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Clears the time after its tick was sent. No tick is scheduled until the next call to ``set(_:)``.
    func clear(_ snapshot: Snapshot) {
        state.withLock { state in
            if state.number == snapshot.number { state.moment = nil }
        }
    }

    /// Returns when the time has changed since it was read or when the task is canceled. Only one task may wait at a
    /// time.
    func changed(since snapshot: Snapshot) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasChanged = state.withLock { state in
                    guard state.number == snapshot.number else { return true }
                    state.waiter = continuation
                    return false
                }
                if hasChanged { return continuation.resume() }
                // The task was canceled before its continuation was stored.
                if Task.isCancelled { release() }
            }
        } onCancel: {
            release()
        }
    }

    /// Waits for the time that was read. Returns false if the time changes in the meantime or the task is canceled.
    func waitUntilDue(_ snapshot: Snapshot, by clock: any DaemonClock) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            if let moment = snapshot.moment {
                group.addTask {
                    do { try await clock.sleep(until: moment) } catch { return false }
                    return true
                }
            }
            group.addTask {
                await self.changed(since: snapshot)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }

    /// Calls `tick` at each scheduled time until the task is canceled.
    func runAtEachTime(_ clock: any DaemonClock, _ tick: () async -> Void) async {
        while !Task.isCancelled {
            let snapshot = snapshot
            guard await waitUntilDue(snapshot, by: clock) else { continue }
            // The time is cleared before the tick, because the tick may schedule the next one.
            clear(snapshot)
            await tick()
        }
    }

    private func release() { state.withLock { $0.waiter.take() }?.resume() }
}
