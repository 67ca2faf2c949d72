internal import CLinux
internal import Glibc
internal import TransitSystem

/// Reports when the wall clock is set and when the machine's network changes, from one thread that waits in the kernel.
final class SystemChangeMonitor: Sendable {
    enum Change: UInt64, Hashable, Sendable {
        case clock
        case network
        /// The timer of ``scheduleCheck(after:)`` has expired.
        case time
    }

    private let epoll: Descriptor
    private let clock: Descriptor
    private let timer: Descriptor
    /// `nil` if the process is not allowed to watch the network, as in a sandbox without AF_NETLINK.
    private let network: Descriptor?
    /// The reason why network changes are not reported; `nil` if they are.
    let networkFailure: SystemFailure?
    private let changes = ChangeNotifier<Change>()

    /// - Parameter openNetwork: A closure that returns the descriptor for network changes. Tests replace it.
    /// - Throws: An error if the system is out of file descriptors or threads.
    init(openNetwork: () -> Int32 = linux_network_watch_create) throws(SystemFailure) {
        epoll = try Descriptor(opening: "epoll_create1", linux_epoll_create())
        clock = try Descriptor(opening: "timerfd_create", linux_clock_watch_create())
        timer = try Descriptor(opening: "timerfd_create", linux_boot_timer_create())
        let number = openNetwork()
        networkFailure = number < 0 ? SystemFailure("socket(AF_NETLINK)") : nil
        network = number < 0 ? nil : Descriptor(number)
        try watch(clock, .clock)
        try watch(timer, .time)
        if let network { try watch(network, .network) }
        _ = linux_clock_watch_arm(clock.number)
        try NamedThread.start("machine") { [self] in wait() }
    }

    /// Reports changes to `body` from now on, on the thread that waits for them.
    func listen(_ body: @escaping @Sendable (Change) -> Void) { changes.listen(body) }

    /// Reports ``Change/time`` after this many seconds of real time. Replaces an earlier timer; `nil` removes it.
    func scheduleCheck(after seconds: Double?) {
        let moment = seconds.map { SystemClock.bootNanoseconds() + Int64($0 * 1e9) }
        _ = linux_timer_set(timer.number, moment ?? 0)
    }

    private func watch(_ descriptor: Descriptor, _ change: Change) throws(SystemFailure) {
        let code = linux_epoll_watch(
            epoll.number, Int32(LINUX_WATCH_ADD), descriptor.number, UInt32(LINUX_EVENT_READABLE), change.rawValue)
        guard code == 0 else { throw SystemFailure("epoll_ctl") }
    }

    private func wait() {
        var (events, key): (UInt32, UInt64) = (0, 0)
        while true {
            guard linux_epoll_wait(epoll.number, &events, &key) == 1, let change = Change(rawValue: key) else {
                continue
            }
            switch change {
            case .clock:
                linux_drain(clock.number)
                _ = linux_clock_watch_arm(clock.number)
            case .time: linux_drain(timer.number)
            case .network: if let network { linux_drain(network.number) }
            }
            changes.notify(change)
        }
    }
}
