internal import Dispatch
internal import Foundation
internal import Synchronization

/// Wakes tasks at their time, from one thread that otherwise waits. `Task.sleep` would use libdispatch's pool; see
/// ``DaemonExecutor``.
final class Alarm: Sendable {
    private struct Sleeper {
        var deadline: DispatchTime
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var sleepers: [Int: Sleeper] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())
    /// Tells the thread that somebody came or left.
    private let changed = DispatchSemaphore(value: 0)

    init() {
        let thread = Thread { [self] in wakeSleepers() }
        thread.name = "alarm"
        thread.start()
    }

    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(seconds: Double) async throws {
        let deadline = DispatchTime.now() + seconds
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.sleepers[ticket] = Sleeper(deadline: deadline, continuation: continuation) }
                changed.signal()
                // Cancelled before it slept.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func cancel(_ ticket: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: ticket) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private func wakeSleepers() {
        while true {
            let now = DispatchTime.now()
            let (due, next) = state.withLock { state in
                let due = state.sleepers.filter { $0.value.deadline <= now }
                for ticket in due.keys { state.sleepers[ticket] = nil }
                return (due.values.map(\.continuation), state.sleepers.values.map(\.deadline).min())
            }
            for continuation in due { continuation.resume() }
            _ = changed.wait(timeout: next ?? .distantFuture)
        }
    }
}
