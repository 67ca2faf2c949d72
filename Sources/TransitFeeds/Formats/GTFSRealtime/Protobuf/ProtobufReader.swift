/// Reads the fields of a protobuf message (protobuf documentation, *Encoding*) without copying its bytes.
struct ProtobufReader {
    typealias Bytes = UnsafePointer<UInt8>

    /// The start of the whole body. Offsets are relative to it.
    private let origin: Bytes
    private var position: Bytes
    private let end: Bytes
    /// The end of the whole body. Bytes from ``end`` to here are readable but do not belong to this message.
    private let limit: Bytes

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // The address of an empty buffer can be `nil`. Any address works instead, because it is never read.
        let base = bytes.baseAddress ?? Self.placeholder
        self.init(origin: base, position: base, end: base + bytes.count, limit: base + bytes.count)
    }

    private init(origin: Bytes, position: Bytes, end: Bytes, limit: Bytes) {
        self.origin = origin
        self.position = position
        self.end = end
        self.limit = limit
    }

    var offset: Int { position - origin }

    /// Returns the tag of the next field (its number and wire type), or `nil` at the end of the message.
    @inline(__always)
    mutating func nextTag() throws(MalformedMessageError) -> UInt32? {
        guard position < end else { return nil }
        let tag = try varint()
        guard tag <= UInt64(UInt32.max), tag >= 8 else { throw MalformedMessageError(.tag, at: offset) }
        return UInt32(truncatingIfNeeded: tag)
    }

    /// Consumes the next tag and returns true if it equals `tag`, which must be a tag of one byte.
    ///
    /// Nearly all writers order the fields by number. Testing for the tags in this order is faster than a switch over
    /// each tag.
    @inline(__always)
    mutating func consume(_ tag: UInt32) -> Bool {
        guard position < end, UInt32(position.pointee) == tag else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func varint() throws(MalformedMessageError) -> UInt64 {
        guard position < end else { throw MalformedMessageError(.truncated, at: offset) }
        let byte = position.pointee
        guard byte >= 0x80 else {
            position += 1
            return UInt64(byte)
        }
        return try longVarint()
    }

    /// Reads a varint of several bytes by loading eight bytes at once. Most of these numbers are times, which take five
    /// bytes.
    private mutating func longVarint() throws(MalformedMessageError) -> UInt64 {
        guard limit - position >= 8 else { return try bytewiseVarint() }
        let word = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
        // The last byte of a number has a clear top bit.
        let ends = ~word & 0x8080_8080_8080_8080
        let size = (ends.trailingZeroBitCount + 1) / 8
        guard ends != 0, size <= end - position else { return try bytewiseVarint() }
        position += size
        // The seven payload bits of each byte are joined pairwise, then in groups of four, then all eight.
        var value = word & (ends ^ (ends &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
        value = value & 0x007F_007F_007F_007F | (value & 0x7F00_7F00_7F00_7F00) >> 1
        value = value & 0x0000_3FFF_0000_3FFF | (value & 0x3FFF_0000_3FFF_0000) >> 2
        return value & 0x0000_0000_0FFF_FFFF | (value & 0x0FFF_FFFF_0000_0000) >> 4
    }

    /// Reads a varint byte by byte. It handles numbers of up to ten bytes and detects truncated and overlong numbers.
    private mutating func bytewiseVarint() throws(MalformedMessageError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end {
            let byte = position.pointee
            position += 1
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return value }
            shift += 7
            guard shift < 70 else { throw MalformedMessageError(.varint, at: offset) }
        }
        throw MalformedMessageError(.truncated, at: offset)
    }

    /// Reads an `int32`, which takes ten bytes if it is negative.
    @inline(__always)
    mutating func int32() throws(MalformedMessageError) -> Int32 { Int32(truncatingIfNeeded: try varint()) }

    @inline(__always)
    mutating func uint32() throws(MalformedMessageError) -> UInt32 { UInt32(truncatingIfNeeded: try varint()) }

    mutating func float() throws(MalformedMessageError) -> Float {
        let bytes = try consumeBytes(4)
        return Float(bitPattern: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self).littleEndian)
    }

    /// Reads the bytes of a length-delimited field.
    @inline(__always)
    mutating func bytes() throws(MalformedMessageError) -> UnsafeBufferPointer<UInt8> {
        let count = try varint()
        return UnsafeBufferPointer(start: try consumeBytes(count), count: Int(truncatingIfNeeded: count))
    }

    /// Returns a reader for an embedded message.
    @inline(__always)
    mutating func message() throws(MalformedMessageError) -> ProtobufReader {
        let count = try varint()
        let start = try consumeBytes(count)
        return ProtobufReader(origin: origin, position: start, end: position, limit: limit)
    }

    @inline(__always)
    private mutating func consumeBytes(_ count: UInt64) throws(MalformedMessageError) -> Bytes {
        guard count <= UInt64(end - position) else { throw MalformedMessageError(.truncated, at: offset) }
        defer { position += Int(truncatingIfNeeded: count) }
        return position
    }

    private static var placeholder: Bytes { ("" as StaticString).utf8Start }
}

// MARK: - Skipped fields
extension ProtobufReader {
    /// The maximum nesting of skipped groups. Only malicious messages exceed it.
    private static let groupDepth = 64

    mutating func skip(_ tag: UInt32) throws(MalformedMessageError) { try skip(tag, depth: 0) }

    private mutating func skip(_ tag: UInt32, depth: Int) throws(MalformedMessageError) {
        switch tag & 7 {
        case 0: _ = try varint()
        case 1: _ = try consumeBytes(8)
        case 2: _ = try bytes()
        case 3: try skipGroup(tag >> 3, depth: depth + 1)
        case 5: _ = try consumeBytes(4)
        default: throw MalformedMessageError(.tag, at: offset)
        }
    }

    private mutating func skipGroup(_ number: UInt32, depth: Int) throws(MalformedMessageError) {
        guard depth <= Self.groupDepth else { throw MalformedMessageError(.depth, at: offset) }
        while let tag = try nextTag() {
            if tag & 7 == 4 {
                guard tag >> 3 == number else { throw MalformedMessageError(.tag, at: offset) }
                return
            }
            try skip(tag, depth: depth)
        }
        throw MalformedMessageError(.truncated, at: offset)
    }
}

/// The tags of fields: the field number combined with the wire type.
enum ProtobufTag {
    @inline(__always)
    static func varint(_ number: UInt32) -> UInt32 { number << 3 }
    @inline(__always)
    static func bytes(_ number: UInt32) -> UInt32 { number << 3 | 2 }
    @inline(__always)
    static func fixed64(_ number: UInt32) -> UInt32 { number << 3 | 1 }
    @inline(__always)
    static func fixed32(_ number: UInt32) -> UInt32 { number << 3 | 5 }
}
