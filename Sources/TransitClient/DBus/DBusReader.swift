/// Decodes values of the D-Bus wire format in either byte order. It never reads past the end of its input.
package struct DBusReader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    package var position = 0

    /// Creates a reader for a message.
    ///
    /// - Throws: ``DBusDecodingError`` if the bytes do not begin with the header of a version 1 message.
    package init(header bytes: [UInt8]) throws(DBusDecodingError) {
        guard bytes.count >= DBusMessage.prefix, bytes[3] == 1 else { throw DBusDecodingError() }
        switch bytes[0] {
        case UInt8(ascii: "l"): isBigEndian = false
        case UInt8(ascii: "B"): isBigEndian = true
        default: throw DBusDecodingError()
        }
        self.bytes = bytes
    }

    package mutating func align(to width: Int) { position = (position + width - 1) / width * width }

    package mutating func byte() throws(DBusDecodingError) -> UInt8 {
        guard let byte = try readBytes(1).first else { throw DBusDecodingError() }
        return byte
    }

    package mutating func uint32() throws(DBusDecodingError) -> UInt32 { UInt32(truncatingIfNeeded: try number(of: 4)) }

    /// The value of a header field: a string, object path or signature, or a number.
    package enum FieldValue {
        case text(String)
        case number(UInt32)
    }

    package mutating func fieldValue() throws(DBusDecodingError) -> FieldValue {
        switch try signature() {
        case "s", "o": .text(try string())
        case "g": .text(try signature())
        case "u": .number(try uint32())
        default: throw DBusDecodingError()
        }
    }

    /// Decodes the values of a body.
    ///
    /// - Throws: ``DBusDecodingError`` for invalid data and unsupported types.
    package mutating func values(_ signature: String) throws(DBusDecodingError) -> [DBusValue] {
        var values: [DBusValue] = []
        var types = signature[...]
        while let type = types.popFirst() {
            if type == "a" {
                guard types.popFirst() == "s" else { throw DBusDecodingError() }
                values.append(.strings(try strings()))
            } else {
                values.append(try value(type, depth: 0))
            }
        }
        return values
    }

    private mutating func strings() throws(DBusDecodingError) -> [String] {
        guard let length = Int(exactly: try uint32()), position <= bytes.count, length <= bytes.count - position else {
            throw DBusDecodingError()
        }
        let end = position + length
        var texts: [String] = []
        while position < end { texts.append(try string()) }
        guard position == end else { throw DBusDecodingError() }
        return texts
    }

    private mutating func value(_ type: Character, depth: Int) throws(DBusDecodingError) -> DBusValue {
        switch type {
        case "b": return .boolean(try uint32() != 0)
        case "u": return .uint32(try uint32())
        case "d": return .double(Double(bitPattern: try number(of: 8)))
        case "s": return .string(try string())
        case "o": return .objectPath(try string())
        case "v":
            let inner = try signature()
            // The specification allows 64 levels. The values used here have one.
            guard inner.count == 1, let type = inner.first, depth < 4 else { throw DBusDecodingError() }
            return .variant(try value(type, depth: depth + 1))
        default: throw DBusDecodingError()
        }
    }

    private mutating func number(of width: Int) throws(DBusDecodingError) -> UInt64 {
        align(to: width)
        let taken = try readBytes(width)
        return (isBigEndian ? Array(taken) : taken.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func string() throws(DBusDecodingError) -> String {
        guard let count = Int(exactly: try uint32()) else { throw DBusDecodingError() }
        return try text(count)
    }

    private mutating func signature() throws(DBusDecodingError) -> String { try text(Int(try byte())) }

    /// Reads a string of `count` bytes and its terminating NUL.
    private mutating func text(_ count: Int) throws(DBusDecodingError) -> String {
        guard count <= bytes.count else { throw DBusDecodingError() }
        return String(decoding: try readBytes(count + 1).dropLast(), as: UTF8.self)
    }

    private mutating func readBytes(_ count: Int) throws(DBusDecodingError) -> ArraySlice<UInt8> {
        guard position <= bytes.count, count <= bytes.count - position else { throw DBusDecodingError() }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
