internal import TransitWire

/// A value that is neither an object nor an array. Its string or number points into the bytes of the document.
package enum JSONScalar {
    case text(JSONText)
    case number(JSONNumber)
    case boolean(Bool)
    case null
}

/// A string in a document, not decoded yet.
package struct JSONText {
    /// The bytes between the quotes.
    let raw: UnsafeBufferPointer<UInt8>
    let hasEscapes: Bool

    /// The decoded string. Invalid UTF-8 is replaced with U+FFFD.
    package var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// The string in lowercase without underscores and hyphens, so that `stop_id`, `stopId` and `StopId` are equal.
    package var folded: String {
        JSONName.fold(string)
    }

    /// Calls `body` with the unescaped bytes of the string, which may be invalid UTF-8.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard hasEscapes else { return body(raw) }
        return unescaped().withUnsafeBufferPointer(body)
    }

    private func unescaped() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var scanner = JSONScanner(raw)
        while true {
            let plain = scanner.position
            _ = scanner.skipPlainText()
            text.append(contentsOf: scanner.bytes(from: plain))
            guard let byte = scanner.next else { return text }
            if let scalar = Self.escapedScalar(&scanner) {
                text.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init())
            } else {
                // A control character.
                text.append(byte)
                scanner.position += 1
            }
        }
    }

    /// Reads an escape sequence, or two that form a surrogate pair. An unpaired surrogate becomes U+FFFD. Returns `nil`
    /// if the next byte is not the backslash of an escape sequence.
    private static func escapedScalar(_ scanner: inout JSONScanner) -> Unicode.Scalar? {
        guard scanner.next == 0x5C, let first = try? scanner.readEscape() else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        var ahead = scanner
        guard ahead.next == 0x5C, let second = try? ahead.readEscape(), let pair = JSONScanner.scalar(first, second)
        else { return "\u{FFFD}" }
        scanner = ahead
        return pair
    }
}

/// A number in a document, not decoded yet.
package struct JSONNumber {
    let raw: UnsafeBufferPointer<UInt8>

    /// The number as written in the document.
    package var string: String { String(decoding: raw, as: UTF8.self) }

    /// The value as an integer, or `nil` if it is a fraction or out of range.
    package var integer: Int64? { Self.integer(raw) }

    /// The value, or `nil` if it is too large.
    package var double: Double? { Self.double(raw) }

    /// Parses an integer, which may also be written as `1e3` or `5.0`.
    static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = text.first == 0x2D
        var value: Int64 = 0
        var position = isNegative ? 1 : 0
        guard position < text.count else { return nil }
        while position < text.count {
            guard (0x30...0x39).contains(text[position]) else { return double(text).flatMap(Int64.init(exactly:)) }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(text[position] - 0x30)
            let (sum, isOver) = product.addingReportingOverflow(isNegative ? -digit : digit)
            guard !isTooLarge, !isOver else { return nil }
            value = sum
            position += 1
        }
        return value
    }

    static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        // A string can contain "inf", "nan" or a hexadecimal number, all of which the standard library would accept.
        let isNumber = text.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
        guard isNumber, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}

/// Normalizes member names, because their spelling depends on the serializer.
package enum JSONName {
    /// Returns the name in lowercase without underscores and hyphens. "stop_id", "stopId", "StopId", "STOP_ID" and
    /// "_stop_id" become "stopid".
    package static func fold(_ name: String) -> String {
        String(decoding: name.utf8.lazy.filter { $0 != 0x5F && $0 != 0x2D }.map(lowercased), as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
