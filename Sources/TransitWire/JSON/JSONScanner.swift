/// Scans the tokens of JSON (RFC 8259): white space, literals, strings, escape sequences and numbers.
///
/// The readers of JSON are built on it. They decide what is an error, and where; after a failed scan, the position is
/// that of the faulty byte, and for an escape sequence that of its backslash. The scanner never reads past the end of
/// its bytes.
///
/// It is inlinable because readers in other modules use it for messages of several megabytes.
public struct JSONScanner {
    /// The first byte of the input.
    public let origin: UnsafePointer<UInt8>
    /// The next byte.
    public var position: UnsafePointer<UInt8>
    public let end: UnsafePointer<UInt8>

    /// The bytes must stay valid while the scanner is in use.
    @inlinable
    public init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // The address of an empty buffer can be `nil`. Any address works instead, because it is never read.
        origin = bytes.baseAddress ?? ("" as StaticString).utf8Start
        position = origin
        end = origin + bytes.count
    }

    /// The number of bytes before the position.
    @inlinable public var offset: Int { position - origin }
    @inlinable public var isAtEnd: Bool { position == end }
    /// The byte at the position; `nil` at the end.
    @inlinable public var next: UInt8? { position < end ? position.pointee : nil }

    /// Returns the bytes from an earlier position to the current one.
    @inlinable
    public func bytes(from start: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start, count: position - start)
    }

    /// Skips the next byte if it equals `byte`, and returns whether it did.
    @inlinable
    public mutating func consume(_ byte: UInt8) -> Bool {
        guard position < end, position.pointee == byte else { return false }
        position += 1
        return true
    }

    @inlinable
    public mutating func skipWhitespace() {
        while position < end {
            // In compact JSON, most tokens are not surrounded by white space.
            guard position.pointee <= 0x20 else { return }
            switch position.pointee {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    // MARK: Literals and numbers

    /// The result of comparing the input with a literal.
    public enum LiteralMatch: Sendable {
        /// The literal was skipped.
        case complete
        /// The input ends within the literal.
        case truncated
        case different
    }

    /// Skips a literal such as `true`. Otherwise, the position does not change.
    @inlinable
    public mutating func skipLiteral(_ literal: StaticString) -> LiteralMatch {
        for index in 0..<literal.utf8CodeUnitCount {
            guard position + index < end else { return .truncated }
            guard position[index] == literal.utf8Start[index] else { return .different }
        }
        position += literal.utf8CodeUnitCount
        return .complete
    }

    /// The result of scanning a number.
    public enum NumberForm: Sendable {
        /// The number has neither a fraction nor an exponent.
        case integer
        case decimal
        /// A digit is missing at the position.
        case missingDigit
    }

    /// Skips a number whose first byte is a digit or a minus sign. Ends after a leading zero that another digit follows.
    @inlinable
    public mutating func skipNumber() -> NumberForm {
        if position.pointee == UInt8(ascii: "-") { position += 1 }
        if !consume(UInt8(ascii: "0")) {
            guard skipDigits() else { return .missingDigit }
        }
        guard position < end else { return .integer }
        var form = NumberForm.integer
        if position.pointee == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() else { return .missingDigit }
            form = .decimal
        }
        if position < end, position.pointee | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            guard skipDigits() else { return .missingDigit }
            form = .decimal
        }
        return form
    }

    /// Skips digits, and returns whether there was one.
    @inlinable
    public mutating func skipDigits() -> Bool {
        let start = position
        while position < end, position.pointee &- UInt8(ascii: "0") <= 9 { position += 1 }
        return position > start
    }

    // MARK: Strings

    /// Skips the part of a string that needs no decoding. Stops at a quote, a backslash, a control character or the end.
    ///
    /// - Returns: whether all skipped bytes are ASCII.
    @inlinable
    public mutating func skipPlainText() -> Bool {
        var union: UInt64 = 0
        while end - position >= 8 {
            let bytes = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
            let special = Self.specialBytes(in: bytes)
            if special != 0 {
                // The lowest bit belongs to the first special byte.
                let plainBits = special.trailingZeroBitCount & ~7
                position += plainBits >> 3
                return (union | (bytes & ((1 &<< UInt64(plainBits)) &- 1))) & 0x8080_8080_8080_8080 == 0
            }
            union |= bytes
            position += 8
        }
        while position < end {
            let byte = position.pointee
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            union |= UInt64(byte)
            position += 1
        }
        return union & 0x8080_8080_8080_8080 == 0
    }

    /// Returns a word in which the lowest bit that is set is the highest bit of the first byte, in memory order on a
    /// little-endian machine, that is a quote, a backslash or a control character; 0 if there is none.
    ///
    /// Subtracting `n` from a byte below 128 sets its highest bit if the byte is less than `n` ("Bit Twiddling Hacks",
    /// `hasless`). A borrow can set bits only above the first such byte.
    @inlinable
    public static func specialBytes(in bytes: UInt64) -> UInt64 {
        let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let controls = (bytes &- ones &* 0x20) & ~bytes
        let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
        return (controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)) & highest
    }

    /// The reason why an escape sequence is invalid.
    public enum EscapeFault: Error, Sendable {
        /// The input ends within the escape sequence.
        case truncated
        /// The character after the backslash is not one that can be escaped.
        case letter
        /// The byte at this distance from the backslash is not a hexadecimal digit.
        case digit(distance: Int)
    }

    /// Reads the escape sequence whose backslash is the next byte. Returns a UTF-16 code unit, which may be half of a
    /// surrogate pair. The position does not change if the escape sequence is invalid.
    @inlinable
    public mutating func readEscape() throws(EscapeFault) -> UInt16 {
        guard end - position >= 2 else { throw .truncated }
        let unit: UInt16
        switch position[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unit = UInt16(position[1])
        case UInt8(ascii: "b"): unit = 0x08
        case UInt8(ascii: "f"): unit = 0x0C
        case UInt8(ascii: "n"): unit = 0x0A
        case UInt8(ascii: "r"): unit = 0x0D
        case UInt8(ascii: "t"): unit = 0x09
        case UInt8(ascii: "u"):
            unit = try hexadecimalUnit()
            position += 4
        default: throw .letter
        }
        position += 2
        return unit
    }

    @inlinable
    func hexadecimalUnit() throws(EscapeFault) -> UInt16 {
        var unit: UInt16 = 0
        for distance in 2..<6 {
            guard position + distance < end else { throw .truncated }
            let byte = position[distance]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw .digit(distance: distance)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Returns the character of a surrogate pair; `nil` if the code units are not a pair.
    @inlinable
    public static func scalar(_ lead: UInt16, _ trail: UInt16) -> Unicode.Scalar? {
        guard UTF16.isLeadSurrogate(lead), UTF16.isTrailSurrogate(trail) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(lead) - 0xD800) << 10 + (UInt32(trail) - 0xDC00))
    }
}
