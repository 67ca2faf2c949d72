/// Converts UTF-16 to UTF-8 piece by piece. Unpaired surrogates become U+FFFD.
struct UTF16Decoder: ~Copyable {
    private static let pieceSize = 128 << 10

    private let isBigEndian: Bool
    /// The first byte of a code unit whose second byte is in the next piece.
    private var firstByte: UInt8?
    private var highSurrogate: UInt16?
    private let memory = ChunkMemory(capacity: pieceSize)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Passes the converted text to `body` in pieces. The decoder owns their memory.
    mutating func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnpackedChunk) throws(FeedError) -> Void
    ) throws(FeedError) {
        let output = memory.buffer
        var count = 0
        for byte in bytes {
            guard let first = firstByte else {
                firstByte = byte
                continue
            }
            firstByte = nil
            append(isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first), output, &count)
            // One code unit can add U+FFFD for an unpaired surrogate and another character.
            if count > Self.pieceSize - 8 {
                try body(memory.chunk(count: count))
                count = 0
            }
        }
        if count > 0 { try body(memory.chunk(count: count)) }
    }

    private mutating func append(_ unit: UInt16, _ output: UnsafeMutableRawBufferPointer, _ count: inout Int) {
        if let high = highSurrogate {
            highSurrogate = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                return Self.append(Unicode.Scalar(value), output, &count)
            }
            Self.append(nil, output, &count)
        }
        if UTF16.isLeadSurrogate(unit) {
            highSurrogate = unit
        } else {
            Self.append(Unicode.Scalar(unit), output, &count)
        }
    }

    private static func append(_ scalar: Unicode.Scalar?, _ output: UnsafeMutableRawBufferPointer, _ count: inout Int) {
        for byte in UTF8.encode(scalar ?? "\u{FFFD}")! {
            output[count] = byte
            count += 1
        }
    }
}
