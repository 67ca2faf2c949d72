/// Encodes numbers and bytes as the blobs of a timetable file.
///
/// Numbers have variable length: seven bits per byte, low bits first, with the high bit set on all bytes but the last.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Removes all bytes but keeps the capacity for the next blob.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func put(_ value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func put(_ count: Int) { put(UInt32(clamping: count)) }

    /// Writes a signed number. 0, -1, 1, -2, … are written as 0, 1, 2, 3, …, so that small numbers of either sign stay
    /// short.
    mutating func putSigned(_ value: Int32) { put(UInt32(bitPattern: (value << 1) ^ (value >> 31))) }

    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(bytes more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends the ``Checksum`` of all bytes, which completes the blob.
    mutating func seal() {
        let sum = bytes.withUnsafeBytes { Checksum.of($0) }
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: sum >> shift)) }
    }
}

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
