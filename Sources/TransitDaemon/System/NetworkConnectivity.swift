internal import Glibc

/// Whether the machine has a network connection.
enum NetworkConnectivity: Hashable, Sendable {
    /// A default route exists, for IPv4 or IPv6.
    case online
    case offline
    /// The routing tables cannot be read. The daemon then behaves as if it were online.
    case unknown(reason: String)

    var isOnline: Bool { self != .offline }

    /// Real seconds after which the state must be checked again, because changes may not be reported; `nil`: changes
    /// are reported.
    ///
    /// An offline machine is checked although it is watched. Otherwise a single lost kernel message could leave the
    /// daemon without realtime data for the rest of the day.
    func pollInterval(isWatched: Bool) -> Double? { isWatched && isOnline ? nil : 30 }

    static func read() -> NetworkConnectivity {
        // Avoids the link /proc/net, which is missing in a sandbox that shows only processes (ProcSubset=pid).
        read(four: "/proc/self/net/route", six: "/proc/self/net/ipv6_route")
    }

    /// - Parameter six: a file that is missing if the kernel lacks IPv6.
    static func read(four: String, six: String) -> NetworkConnectivity {
        let (four, six) = (table(four), table(six))
        if case .failure(let failure) = four, case .failure = six { return .unknown(reason: "\(failure)") }
        let leadsOut = (try? four.get()).map(hasDefault4) ?? false || (try? six.get()).map(hasDefault6) ?? false
        return leadsOut ? .online : .offline
    }

    private static func table(_ path: String) -> Result<String, FileContents.Failure> {
        FileContents.read(path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
    }

    /// `/proc/net/route`: interface, destination, gateway, flags, …, mask. A default route is up (flag 1) with mask 0.
    static func hasDefault4(_ table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, let flags = Int(fields[3], radix: 16) else { return false }
            return fields[1] == "00000000" && fields[7] == "00000000" && flags & 1 != 0
        }
    }

    /// `/proc/net/ipv6_route`: destination, its length, …, flags, interface. Reject routes (flag 0x200) and routes of
    /// the loopback interface do not count.
    static func hasDefault6(_ table: String) -> Bool {
        table.split(separator: "\n").contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, let flags = Int(fields[8], radix: 16) else { return false }
            return fields[1] == "00" && fields[0].allSatisfy { $0 == "0" } && flags & 1 != 0 && flags & 0x200 == 0
                && fields[9] != "lo"
        }
    }
}
