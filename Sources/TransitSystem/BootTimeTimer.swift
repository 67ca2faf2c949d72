internal import CLinux
internal import Glibc
internal import Synchronization

/// Resumes sleeping tasks at and in the order of their deadlines, from one thread that waits in the kernel. `Task.sleep` would use
/// libdispatch's pool; see ``DaemonExecutor``.
///
/// Deadlines refer to `CLOCK_BOOTTIME`, so a task whose deadline passes while the machine is suspended resumes as
/// soon as the machine does.
package final class BootTimeTimer: Sendable {
    private struct Sleeper {
        /// Nanoseconds of `CLOCK_BOOTTIME`.
        var deadline: Int64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var sleepers: [Int: Sleeper] = [:]
        var lastTicket = 0
        /// The time to which the timer is set; `nil` if it is not set.
        var armed: Int64?
    }

    private let state = Mutex(State())
    private let timer: Descriptor
    private let epoll: Descriptor

    /// - Throws: An error if the system is out of file descriptors or threads.
    package init() throws(SystemFailure) {
        timer = try Descriptor(opening: "timerfd_create", linux_boot_timer_create())
        epoll = try Descriptor(opening: "epoll_create1", linux_epoll_create())
        guard
            linux_epoll_watch(epoll.number, Int32(LINUX_WATCH_ADD), timer.number, UInt32(LINUX_EVENT_READABLE), 0) == 0
        else { throw SystemFailure("epoll_ctl") }
        try NamedThread.start("alarm") { [self] in wakeSleepers() }
    }

    /// - Throws: `CancellationError` if the task is canceled.
    package func sleep(seconds: Double) async throws {
        // Limits the time, so that the conversion to an integer does not overflow.
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
                // The task was canceled before it was added.
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

    /// Sets the timer for the first deadline, unless it is already set to an earlier time.
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
                return due.values.sorted { $0.deadline < $1.deadline }.map(\.continuation)
            }
            for continuation in due { continuation.resume() }
        }
    }
}
