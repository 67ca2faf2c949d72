internal import Glibc
internal import Synchronization
public import TransitModel

/// The time zones of this machine. Reads the TZif files of the system's zone database and caches them.
///
/// Thread-safe.
public final class TimeZoneDatabase: Sendable {
    /// The folder of the TZif files.
    public let directory: String
    /// The cached zones; `nil` for a name without a readable file, so that it is not looked up again.
    private let zones = Mutex<[String: ServiceZone?]>([:])

    /// The largest known file is about 4 kB in size.
    private static let sizeLimit = 256 * 1024
    /// Feeds use only a few zones. The limit keeps a caller that requests many names from exhausting memory.
    private static let cacheLimit = 1024

    public init(directory: String) { self.directory = directory }

    /// Uses the database in `$TZDIR` or, if the variable is not set, in `/usr/share/zoneinfo` (tzset(3)).
    public convenience init() {
        self.init(directory: getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo")
    }

    /// Returns the zone with an IANA name such as "Europe/Berlin", or `nil` if there is no usable file for it.
    public func zone(named name: String) -> ServiceZone? {
        if let known = zones.withLock({ $0[name] }) { return known }
        guard Self.isName(name) else { return nil }
        let zone = load(name)
        zones.withLock { zones in
            if zones.count >= Self.cacheLimit { zones.removeAll() }
            zones[name] = .some(zone)
        }
        return zone
    }

    private func load(_ name: String) -> ServiceZone? {
        guard let bytes = try? FileSystem.read(directory + "/" + name, limit: Self.sizeLimit) else { return nil }
        return try? ServiceZone(name: name, tzif: bytes)
    }

    /// Whether a string is a valid zone name. Names are paths below the folder, so only the characters of the
    /// database's own names are accepted: components of letters, digits, "_", "+" and "-" that do not begin with "-",
    /// joined by "/" (the tz database's rules, *Theory*, "Names of timezones").
    static func isName(_ name: String) -> Bool {
        guard name.utf8.count <= 64 else { return false }
        return name.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, first != 0x2D else { return false }
            return part.allSatisfy(isNameByte)
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2B, 0x2D: true
        default: false
        }
    }
}
