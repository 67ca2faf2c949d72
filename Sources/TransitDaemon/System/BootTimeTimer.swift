internal import CLinux
internal import Foundation
internal import Glibc
internal import Synchronization

/// Wakes tasks at their time, from one thread that otherwise waits. `Task.sleep` would use libdispatch's pool; see
/// ``DaemonExecutor``.
///
/// The time is that of `CLOCK_BOOTTIME`: a machine that was suspended past the deadline wakes its tasks as it resumes.
final class BootTimeTimer: Sendable {
    private struct Sleeper {
        /// Nanoseconds of `CLOCK_BOOTTIME`.
        var deadline: Int64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var sleepers: [Int: Sleeper] = [:]
        var lastTicket = 0
        /// For when the timer is set; `nil`: it is not.
        var armed: Int64?
    }

    private let state = Mutex(State())
    private let timer: Descriptor
    private let epoll: Descriptor

    /// - Throws: when the system has no descriptors left.
    init() throws(SystemFailure) {
        timer = try Descriptor(opening: "timerfd_create", linux_boot_timer_create())
        epoll = try Descriptor(opening: "epoll_create1", linux_epoll_create())
        guard
            linux_epoll_watch(epoll.number, Int32(LINUX_WATCH_ADD), timer.number, UInt32(LINUX_EVENT_READABLE), 0) == 0
        else { throw SystemFailure("epoll_ctl") }
        Thread.start("alarm") { [self] in wakeSleepers() }
    }

    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(seconds: Double) async throws {
        // A time that no clock reaches is as good as any other.
        let deadline = SystemClock.bootNanoseconds() + Int64(min(max(0, seconds), 1e9) * 1e9)
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.sleepers[ticket] = Sleeper(deadline: deadline, continuation: continuation)
                    arm(&state)
                }
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

    /// Sets the timer for the first sleeper, unless it goes off before that anyway.
    private func arm(_ state: inout State) {
        guard let first = state.sleepers.values.map(\.deadline).min() else { return }
        if let armed = state.armed, armed <= first { return }
        state.armed = first
        _ = linux_timer_set(timer.number, max(1, first))
    }

    private func wakeSleepers() {
        var (events, key): (UInt32, UInt64) = (0, 0)
        while true {
            guard linux_epoll_wait(epoll.number, &events, &key) == 1 else { continue }
            linux_drain(timer.number)
            let now = SystemClock.bootNanoseconds()
            let due = state.withLock { state in
                let due = state.sleepers.filter { $0.value.deadline <= now }
                for ticket in due.keys { state.sleepers[ticket] = nil }
                state.armed = nil
                arm(&state)
                return due.values.map(\.continuation)
            }
            for continuation in due { continuation.resume() }
        }
    }
}
