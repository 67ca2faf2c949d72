extension JSONParser {
    /// A string from its opening to its closing quote.
    mutating func parseString() throws(JSONError) -> String {
        position += 1
        let start = position
        var union: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            union |= byte
            switch byte {
            case UInt8(ascii: "\""):
                let content = UnsafeBufferPointer(rebasing: bytes[start..<position])
                // ASCII is valid UTF-8; to have it validated costs more than all the rest.
                let text = union < 0x80 ? String(decoding: content, as: UTF8.self) : try text(content)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                return try parseEscapedString(from: start)
            case 0..<0x20:
                throw failure("a control character inside a text")
            default:
                position += 1
            }
        }
        throw failure("a text has no end")
    }

    /// The rest of a string in which an escape was met; `start` is its first byte.
    private mutating func parseEscapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(unescaped)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                position += 1
                try parseEscape(into: &unescaped)
            case 0..<0x20:
                throw failure("a control character inside a text")
            default:
                unescaped.append(byte)
                position += 1
            }
        }
        throw failure("a text has no end")
    }

    private mutating func parseEscape(into unescaped: inout [UInt8]) throws(JSONError) {
        guard position < bytes.count else { throw failure("a text has no end") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): unescaped.append(contentsOf: String(try parseScalar()).utf8)
        default:
            position -= 1
            throw failure("an escape that JSON does not have")
        }
    }

    /// The digits after `\u`, and those of the second half when they are the first half of a pair.
    private mutating func parseScalar() throws(JSONError) -> Character {
        let first = try parseFourDigits()
        var value = UInt32(first)
        if (0xD800...0xDBFF).contains(first) {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure("half of a surrogate pair") }
            let second = try parseFourDigits()
            guard (0xDC00...0xDFFF).contains(second) else { throw failure("half of a surrogate pair") }
            value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw failure("half of a surrogate pair") }
        return Character(scalar)
    }

    private mutating func parseFourDigits() throws(JSONError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw failure("a text has no end") }
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Self.hexadecimal(bytes[position]) else {
                throw failure("four hexadecimal digits are missing")
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private func text(_ buffer: some Sequence<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: buffer, as: UTF8.self) else { throw failure("a text that is not UTF-8") }
        return text
    }
}
