/// The text encoding of a table.
enum TextEncoding: Hashable {
    /// UTF-8. Individual fields that are not UTF-8 are detected later.
    case utf8(markSize: Int)
    case utf16(isBigEndian: Bool, markSize: Int)

    /// The size of the byte order mark in bytes.
    var markSize: Int {
        switch self {
        case .utf8(let size), .utf16(_, let size): size
        }
    }

    /// Detects the encoding from the byte order mark, or UTF-16 from alternating zero bytes at the start.
    static func recognize(_ start: UnsafeBufferPointer<UInt8>) -> TextEncoding {
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8(markSize: 3) }
        if start.starts(with: [0xFE, 0xFF]) { return .utf16(isBigEndian: true, markSize: 2) }
        if start.starts(with: [0xFF, 0xFE]) { return .utf16(isBigEndian: false, markSize: 2) }
        guard start.count >= 4, (start[0] == 0) != (start[1] == 0), (start[0] == 0) == (start[2] == 0),
            (start[1] == 0) == (start[3] == 0)
        else { return .utf8(markSize: 0) }
        return .utf16(isBigEndian: start[0] == 0, markSize: 0)
    }
}

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
