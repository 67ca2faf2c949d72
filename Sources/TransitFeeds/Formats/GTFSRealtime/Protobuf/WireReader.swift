/// Walks the fields of a protobuf message (protobuf documentation, *Encoding*), without a copy of its bytes.
struct WireReader {
    typealias Bytes = UnsafePointer<UInt8>

    /// Of the whole body, from which offsets count.
    private let origin: Bytes
    private var position: Bytes
    private let end: Bytes
    /// The end of the whole body: up to it bytes may be looked at, though what lies behind ``end`` is not this message's.
    private let limit: Bytes

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address: any will do, as it is never read.
        let base = bytes.baseAddress ?? Self.nowhere
        self.init(origin: base, position: base, end: base + bytes.count, limit: base + bytes.count)
    }

    private init(origin: Bytes, position: Bytes, end: Bytes, limit: Bytes) {
        self.origin = origin
        self.position = position
        self.end = end
        self.limit = limit
    }

    var offset: Int { position - origin }

    /// The next field's tag: its number and its type as they stand on the wire; `nil` at the end of the message.
    @inline(__always)
    mutating func nextTag() throws(MalformedMessageError) -> UInt32? {
        guard position < end else { return nil }
        let tag = try varint()
        guard tag <= UInt64(UInt32.max), tag >= 8 else { throw MalformedMessageError(.tag, at: offset) }
        return UInt32(truncatingIfNeeded: tag)
    }

    /// Passes over a tag of one byte when it is the next one. Nearly all writers put the fields in the order of their numbers:
    /// looked for in this order, they cost less than a switch over what has come.
    @inline(__always)
    mutating func passes(_ tag: UInt32) -> Bool {
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

    /// Eight bytes at once: most numbers of several bytes are moments, of five.
    private mutating func longVarint() throws(MalformedMessageError) -> UInt64 {
        guard limit - position >= 8 else { return try maximumVarintLength() }
        let word = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
        // A byte without its uppermost bit is the last one of a number.
        let ends = ~word & 0x8080_8080_8080_8080
        let size = (ends.trailingZeroBitCount + 1) / 8
        guard ends != 0, size <= end - position else { return try maximumVarintLength() }
        position += size
        // Seven bits of each byte, pushed together in pairs, in fours and in all.
        var value = word & (ends ^ (ends &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
        value = value & 0x007F_007F_007F_007F | (value & 0x7F00_7F00_7F00_7F00) >> 1
        value = value & 0x0000_3FFF_0000_3FFF | (value & 0x3FFF_0000_3FFF_0000) >> 2
        return value & 0x0000_0000_0FFF_FFFF | (value & 0x0FFF_FFFF_0000_0000) >> 4
    }

    /// Byte by byte: up to ten of them, and what is cut or too long.
    private mutating func maximumVarintLength() throws(MalformedMessageError) -> UInt64 {
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

    /// `int32`, which is ten bytes long when negative.
    @inline(__always)
    mutating func int32() throws(MalformedMessageError) -> Int32 { Int32(truncatingIfNeeded: try varint()) }

    @inline(__always)
    mutating func uint32() throws(MalformedMessageError) -> UInt32 { UInt32(truncatingIfNeeded: try varint()) }

    mutating func float() throws(MalformedMessageError) -> Float {
        let bytes = try take(4)
        return Float(bitPattern: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self).littleEndian)
    }

    /// The bytes of a text or of a message inside this one.
    @inline(__always)
    mutating func bytes() throws(MalformedMessageError) -> UnsafeBufferPointer<UInt8> {
        let count = try varint()
        return UnsafeBufferPointer(start: try take(count), count: Int(truncatingIfNeeded: count))
    }

    /// A reader of the message inside this one.
    @inline(__always)
    mutating func message() throws(MalformedMessageError) -> WireReader {
        let count = try varint()
        let start = try take(count)
        return WireReader(origin: origin, position: start, end: position, limit: limit)
    }

    @inline(__always)
    private mutating func take(_ count: UInt64) throws(MalformedMessageError) -> Bytes {
        guard count <= UInt64(end - position) else { throw MalformedMessageError(.truncated, at: offset) }
        defer { position += Int(truncatingIfNeeded: count) }
        return position
    }

    private static var nowhere: Bytes { ("" as StaticString).utf8Start }
}

// MARK: - Fields that nobody reads
extension WireReader {
    /// Groups in groups that are skipped; more is an attack.
    private static let groupDepth = 64

    mutating func skip(_ tag: UInt32) throws(MalformedMessageError) { try skip(tag, depth: 0) }

    private mutating func skip(_ tag: UInt32, depth: Int) throws(MalformedMessageError) {
        switch tag & 7 {
        case 0: _ = try varint()
        case 1: _ = try take(8)
        case 2: _ = try bytes()
        case 3: try skipGroup(tag >> 3, depth: depth + 1)
        case 5: _ = try take(4)
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

/// Tags as they stand on the wire: the number of the field and how its value is written.
enum WireTag {
    @inline(__always)
    static func varint(_ number: UInt32) -> UInt32 { number << 3 }
    @inline(__always)
    static func bytes(_ number: UInt32) -> UInt32 { number << 3 | 2 }
    @inline(__always)
    static func fixed64(_ number: UInt32) -> UInt32 { number << 3 | 1 }
    @inline(__always)
    static func fixed32(_ number: UInt32) -> UInt32 { number << 3 | 5 }
}
