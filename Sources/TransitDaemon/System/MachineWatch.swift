internal import CLinux
internal import Foundation
internal import Glibc
internal import Synchronization

/// Tells when somebody sets the wall clock, and when the machine's network changes. One thread that otherwise waits.
final class MachineWatch: Sendable {
    enum Change: Hashable, Sendable {
        case clock
        case network
    }

    private let epoll: Descriptor
    private let clock: Descriptor
    /// `nil` where the system does not let this process watch (a sandbox without AF_NETLINK).
    private let network: Descriptor?
    private let listener = Mutex<Listener<Change>?>(nil)

    init() throws(SystemFailure) {
        epoll = try Descriptor(opening: "epoll_create1", linux_epoll_create())
        clock = try Descriptor(opening: "timerfd_create", linux_clock_watch_create())
        let number = linux_network_watch_create()
        network = number >= 0 ? Descriptor(number) : nil
        watch(clock.number, .clock)
        if let network { watch(network.number, .network) }
        _ = linux_clock_watch_arm(clock.number)
        let thread = Thread { [self] in wait() }
        thread.name = "machine"
        thread.start()
    }

    /// Changes are told to `body` from now on, on the thread that waits for them.
    func listen(_ body: @escaping @Sendable (Change) -> Void) { listener.withLock { $0 = Listener(tell: body) } }

    private func watch(_ descriptor: Int32, _ change: Change) {
        _ = linux_epoll_watch(
            epoll.number, Int32(LINUX_WATCH_ADD), descriptor, UInt32(LINUX_EVENT_READABLE), change == .clock ? 0 : 1)
    }

    private func wait() {
        var (events, key): (UInt32, UInt64) = (0, 0)
        while true {
            guard linux_epoll_wait(epoll.number, &events, &key) == 1 else { continue }
            if key == 0 {
                linux_drain(clock.number)
                _ = linux_clock_watch_arm(clock.number)
            } else if let network {
                linux_drain(network.number)
            }
            listener.withLock { $0 }?.tell(key == 0 ? .clock : .network)
        }
    }
}

/// Whether the machine can reach anything but itself.
enum NetworkState {
    /// True when there is a default route, of either version of IP, and when that cannot be found out.
    static func isOnline() -> Bool {
        let (four, six) = (table("/proc/net/route"), table("/proc/net/ipv6_route"))
        if four == nil, six == nil { return true }
        return four.map(hasDefault4) ?? false || six.map(hasDefault6) ?? false
    }

    private static func table(_ path: String) -> String? {
        guard case .success(let bytes) = FileContents.read(path, limit: 1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `/proc/net/route`: interface, destination, gateway, flags, …, mask; the route is up (flag 1) and leads everywhere.
    static func hasDefault4(_ table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, let flags = Int(fields[3], radix: 16) else { return false }
            return fields[1] == "00000000" && fields[7] == "00000000" && flags & 1 != 0
        }
    }

    /// `/proc/net/ipv6_route`: destination, its length, …, flags, interface. Routes that reject (flag 0x200) and those of
    /// the loopback interface lead nowhere.
    static func hasDefault6(_ table: String) -> Bool {
        table.split(separator: "\n").contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, let flags = Int(fields[8], radix: 16) else { return false }
            return fields[1] == "00" && fields[0].allSatisfy { $0 == "0" } && flags & 1 != 0 && flags & 0x200 == 0
                && fields[9] != "lo"
        }
    }
}
