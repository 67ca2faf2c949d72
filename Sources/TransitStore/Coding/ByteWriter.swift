internal import TransitModel

/// Packs numbers and bytes into the blobs of a timetable file.
///
/// Numbers are variable-length: seven bits a byte, low bits first, the high bit set on all but the last byte.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Keeps the memory for the next blob.
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

    /// Small numbers of either sign stay short: 0, -1, 1, -2, … become 0, 1, 2, 3, ….
    mutating func putSigned(_ value: Int32) { put(UInt32(bitPattern: (value << 1) ^ (value >> 31))) }

    /// `nil` as 0, everything else one higher.
    mutating func put<Subject>(_ index: Index<Subject>?) {
        put(index.map { $0.rawValue &+ 1 } ?? 0)
    }

    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(bytes more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Puts the ``Checksum`` of everything so far behind it. The blob is complete with it.
    mutating func seal() {
        let sum = bytes.withUnsafeBytes { Checksum.of($0) }
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: sum >> shift)) }
    }
}
