/// The hash of an identifier in timetable files.
public enum IdentifierHash {
    /// Returns the 64-bit FNV-1a hash with a final mixing step. Files contain these hashes, so the function must never
    /// change.
    @inlinable
    public static func of(_ id: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Returns the hash of a text.
    public static func of(_ id: String) -> UInt64 {
        var id = id
        return id.withUTF8 { of($0) }
    }
}
