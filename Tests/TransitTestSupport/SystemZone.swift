internal import Glibc
public import TransitModel

/// Returns a zone of the machine's time zone database in `TZDIR` or, if the variable is not set, in
/// /usr/share/zoneinfo.
///
/// Time code is tested with real zones. `make check` installs tzdata if it is missing.
public func systemZone(_ name: String) throws -> ServiceZone {
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    guard let file = fopen("\(folder)/\(name)", "rb") else { throw MissingZone(name: name) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return try ServiceZone(name: name, tzif: Array(bytes[..<count]))
}

/// The machine has no such time zone, because the package tzdata is missing.
public struct MissingZone: Error {
    public var name: String
}
