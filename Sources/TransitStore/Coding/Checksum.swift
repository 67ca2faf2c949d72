/// A 32-bit checksum that detects corrupt bytes in a blob. It does not protect against forgery.
///
/// It mixes in eight bytes per multiplication, so that it takes less time than decoding the blob.
enum Checksum {
    static let size = 4

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var sum = UInt64(bytes.count) &* multiplier
        var position = 0
        while position + 8 <= bytes.count {
            sum = mix(sum, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            position += 8
        }
        var tail: UInt64 = 0
        while position < bytes.count {
            tail = tail << 8 | UInt64(bytes[position])
            position += 1
        }
        sum = mix(sum, tail)
        return UInt32(truncatingIfNeeded: sum ^ (sum >> 32))
    }

    private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* multiplier
        return product ^ (product >> 29)
    }
}
