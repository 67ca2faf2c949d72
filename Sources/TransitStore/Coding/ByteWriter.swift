internal import TransitModel

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

    /// Writes an optional index: 0 for `nil`, otherwise the index plus one.
    mutating func put<Subject>(_ index: Index<Subject>?) {
        put(index.map { $0.rawValue &+ 1 } ?? 0)
    }

    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(bytes more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends the ``Checksum`` of all bytes, which completes the blob.
    mutating func seal() {
        let sum = bytes.withUnsafeBytes { Checksum.of($0) }
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: sum >> shift)) }
    }
}
