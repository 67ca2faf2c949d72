internal import Glibc
public import TransitModel

/// Zones of the machine's own tzdata, for tests: `TZDIR`, else /usr/share/zoneinfo.
///
/// Time code is tested against real zones; `make check` installs tzdata where it is missing.
public func systemZone(_ name: String) throws -> ServiceZone {
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    guard let file = fopen("\(folder)/\(name)", "rb") else { throw MissingZone(name: name) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return try ServiceZone(name: name, tzif: Array(bytes[..<count]))
}

/// The machine has no such time zone: the package tzdata is missing.
public struct MissingZone: Error {
    public var name: String
}
