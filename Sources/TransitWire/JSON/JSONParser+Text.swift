extension JSONParser {
    /// Parses a string, including both quotes.
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
                // ASCII text is always valid UTF-8, and validating it would take longer than the rest of the function.
                let text = union < 0x80 ? String(decoding: content, as: UTF8.self) : try text(content)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                return try parseEscapedString(from: start)
            case 0..<0x20:
                throw failure("control character in a string")
            default:
                position += 1
            }
        }
        throw failure("unterminated string")
    }

    /// Parses the rest of a string from its first escape sequence. `start` is the position after the opening quote.
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
                throw failure("control character in a string")
            default:
                unescaped.append(byte)
                position += 1
            }
        }
        throw failure("unterminated string")
    }

    private mutating func parseEscape(into unescaped: inout [UInt8]) throws(JSONError) {
        guard position < bytes.count else { throw failure("unterminated string") }
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
            throw failure("invalid escape sequence")
        }
    }

    /// Parses the digits after `\u`, and the second half of a surrogate pair.
    private mutating func parseScalar() throws(JSONError) -> Character {
        let first = try parseFourDigits()
        var value = UInt32(first)
        if (0xD800...0xDBFF).contains(first) {
            guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else { throw failure("lone surrogate") }
            let second = try parseFourDigits()
            guard (0xDC00...0xDFFF).contains(second) else { throw failure("lone surrogate") }
            value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw failure("lone surrogate") }
        return Character(scalar)
    }

    private mutating func parseFourDigits() throws(JSONError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw failure("unterminated string") }
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Self.hexadecimal(bytes[position]) else {
                throw failure("\\u without four hexadecimal digits")
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
        guard let text = String(validating: buffer, as: UTF8.self) else { throw failure("invalid UTF-8 in a string") }
        return text
    }
}
