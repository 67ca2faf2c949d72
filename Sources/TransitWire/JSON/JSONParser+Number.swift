extension JSONParser {
    /// Parses a number whose first byte is a digit or a minus sign.
    mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        let firstDigit = position
        try skipDigits()
        if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
            throw failure("number with a leading zero")
        }
        let endOfInteger = position
        if consume(UInt8(ascii: ".")) { try skipDigits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try skipDigits()
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        if endOfInteger == position, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else { throw failure("number out of range") }
        return .double(value)
    }

    /// Skips one or more digits.
    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while position < bytes.count, bytes[position] >= UInt8(ascii: "0"), bytes[position] <= UInt8(ascii: "9") {
            position += 1
        }
        if position == start { throw failure("missing digit") }
    }
}
