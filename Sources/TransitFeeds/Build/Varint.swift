/// Variable-length encoding of unsigned integers: seven bits per byte, low bits first. The top bit is set on all bytes
/// but the last.
enum Varint {
    @inline(__always)
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Reads numbers written by ``append(_:to:)``. The reader does not validate its input, so it must only read bytes
    /// that this process wrote.
    struct Reader {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var position = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        /// Returns the next bytes, at most `count`.
        mutating func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8> {
            let end = min(bytes.count, position + max(0, count))
            defer { position = end }
            return UnsafeBufferPointer(rebasing: bytes[position..<end])
        }

        mutating func next() -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            return value
        }
    }
}
