internal import Glibc
internal import TransitSystem

/// Whether the machine has a network connection.
enum NetworkConnectivity: Hashable, Sendable {
    /// A default route exists, for IPv4 or IPv6.
    case online
    case offline
    /// The routing tables cannot be read. The daemon then behaves as if it were online.
    case unknown(reason: String)

    var isOnline: Bool { self != .offline }

    /// Returns the seconds of real time after which the state must be checked again; `nil` if the system reports
    /// changes.
    ///
    /// If the machine is offline, the state is polled even though changes are reported. Otherwise a single lost kernel
    /// message could leave the daemon without realtime data for the rest of the day.
    func pollInterval(isWatched: Bool) -> Double? { isWatched && isOnline ? nil : 30 }

    static func read() -> NetworkConnectivity {
        // These paths avoid the symbolic link /proc/net, which is missing in a sandbox that shows only processes
        // (ProcSubset=pid).
        read(four: "/proc/self/net/route", six: "/proc/self/net/ipv6_route")
    }

    /// - Parameter six: The path of the IPv6 routing table, which does not exist if the kernel lacks IPv6.
    static func read(four: String, six: String) -> NetworkConnectivity {
        let (four, six) = (table(four), table(six))
        if case .failure(let failure) = four, case .failure = six { return .unknown(reason: "\(failure)") }
        let hasDefaultRoute = (try? four.get()).map(hasDefault4) ?? false || (try? six.get()).map(hasDefault6) ?? false
        return hasDefaultRoute ? .online : .offline
    }

    private static func table(_ path: String) -> Result<String, FileContents.Failure> {
        FileContents.read(path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Searches `/proc/net/route` for a default route, that is, one that is up (flag 1) and has the mask 0. Columns:
    /// interface, destination, gateway, flags, …, mask.
    static func hasDefault4(_ table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, let flags = Int(fields[3], radix: 16) else { return false }
            return fields[1] == "00000000" && fields[7] == "00000000" && flags & 1 != 0
        }
    }

    /// Searches `/proc/net/ipv6_route` for a default route. Columns: destination, prefix length, …, flags, interface.
    /// Reject routes (flag 0x200) and routes of the loopback interface are ignored.
    static func hasDefault6(_ table: String) -> Bool {
        table.split(separator: "\n").contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, let flags = Int(fields[8], radix: 16) else { return false }
            return fields[1] == "00" && fields[0].allSatisfy { $0 == "0" } && flags & 1 != 0 && flags & 0x200 == 0
                && fields[9] != "lo"
        }
    }
}
