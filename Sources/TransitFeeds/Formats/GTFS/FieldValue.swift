internal import TransitModel

/// Parses the values of GTFS fields from bytes without creating a `String` (GTFS reference, "Field Types").
enum FieldValue {
    /// Parses up to ten digits with an optional sign. Returns `nil` for anything else.
    static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var digits = text[...]
        var isNegative = false
        if let sign = digits.first, sign == 0x2D || sign == 0x2B {
            isNegative = sign == 0x2D
            digits = digits.dropFirst()
        }
        guard !digits.isEmpty, digits.count <= 10 else { return nil }
        var value = 0
        for byte in digits {
            let digit = byte &- 0x30
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return isNegative ? -value : value
    }

    /// Parses an integer, which some publishers write as a decimal, for example "3.0" for 3. Returns `nil` if the value
    /// is not an integer.
    static func wholeNumber(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        if let value = integer(text) { return value }
        guard let value = decimal(text), value.rounded() == value, abs(value) < 4_294_967_296 else { return nil }
        return Int(value)
    }

    /// Parses a decimal number with or without an exponent. Returns `nil` for anything else, including NaN and
    /// infinity.
    static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        quickDecimal(text) ?? slowDecimal(text)
    }

    /// Parses a number of up to 15 digits without an exponent.
    ///
    /// Integers of up to 15 digits and powers of ten up to 22 are exact in a `Double`, so their quotient is the nearest
    /// value (Clinger, "How to read floating point numbers accurately", 1990).
    @inline(__always)
    private static func quickDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var position = 0
        let isNegative = text.first == 0x2D
        if isNegative { position = 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var fraction = -1
        while position < text.count {
            let byte = text[position]
            if byte == 0x2E {
                guard fraction < 0 else { return nil }
                fraction = 0
            } else {
                let digit = byte &- 0x30
                guard digit <= 9 else { return nil }
                mantissa = mantissa &* 10 &+ UInt64(digit)
                digits += 1
                if fraction >= 0 { fraction += 1 }
            }
            position += 1
        }
        guard digits > 0, digits <= 15 else { return nil }
        let value = Double(mantissa) / powersOfTen[max(0, fraction)]
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    private static func slowDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let allowed = text.allSatisfy { byte in
            byte &- 0x30 <= 9 || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte | 0x20 == 0x65
        }
        guard allowed, text.count <= 64, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    /// Returns whether a number is a valid `route_type`: 0...7, 11 or 12 (GTFS reference, routes.txt), or an extended
    /// type in 100...1799.
    static func isRouteType(_ type: Int) -> Bool {
        switch type {
        case 0...7, 11, 12, 100...1799: true
        default: false
        }
    }

    /// Returns six hexadecimal digits in uppercase, without a leading "#", or `nil` if the value is not a color.
    static func color(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        let digits = text.first == 0x23 ? text.dropFirst() : text[...]
        guard digits.count == 6 else { return nil }
        var upper: [UInt8] = []
        for byte in digits {
            switch byte {
            case 0x30...0x39, 0x41...0x46: upper.append(byte)
            case 0x61...0x66: upper.append(byte - 0x20)
            default: return nil
            }
        }
        return String(decoding: upper, as: UTF8.self)
    }

    /// Returns the text shortened to 64 characters for a message.
    static func excerpt(_ text: UnsafeBufferPointer<UInt8>) -> String {
        excerpt(String(decoding: text.prefix(400), as: UTF8.self))
    }

    static func excerpt(_ text: String) -> String { text.count <= 64 ? text : String(text.prefix(63)) + "…" }
}
