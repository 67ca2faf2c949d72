internal import Glibc

/// Whether the machine can reach anything but itself.
enum NetworkState: Hashable, Sendable {
    /// There is a default route, of either version of IP.
    case online
    case offline
    /// The tables of routes cannot be read. Sources are then asked as if there were a way.
    case unknown(reason: String)

    var isOnline: Bool { self != .offline }

    /// Real seconds after which somebody has to look again, for no change is told before; `nil`: the watch tells.
    ///
    /// A machine that is offline is looked at although it is watched: whoever waits for the network for good because one
    /// message of the kernel was lost has no live data for the rest of the day.
    func pause(isWatched: Bool) -> Double? { isWatched && isOnline ? nil : 30 }

    static func read() -> NetworkState {
        // Not /proc/net, which is a link to it: where a sandbox shows processes alone (ProcSubset=pid) that is missing.
        read(four: "/proc/self/net/route", six: "/proc/self/net/ipv6_route")
    }

    /// - Parameter six: is missing where the kernel has no version 6 of IP.
    static func read(four: String, six: String) -> NetworkState {
        let (four, six) = (table(four), table(six))
        if case .failure(let failure) = four, case .failure = six { return .unknown(reason: "\(failure)") }
        let leadsOut = (try? four.get()).map(hasDefault4) ?? false || (try? six.get()).map(hasDefault6) ?? false
        return leadsOut ? .online : .offline
    }

    private static func table(_ path: String) -> Result<String, FileContents.Failure> {
        FileContents.read(path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
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
