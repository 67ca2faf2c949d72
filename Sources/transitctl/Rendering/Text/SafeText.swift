internal import TransitModel

/// Makes text from a feed, a file or the daemon safe to print on a terminal.
///
/// Names come from untrusted sources. An escape sequence in a stop name must not move the cursor, change the window
/// title or hide a line. ``Line`` sanitizes all displayed text once.
enum SafeText {
    /// Replaces tabs and line breaks with spaces, replaces other control characters (C0, DEL, C1) with U+FFFD, and removes
    /// invisible characters that change the direction of text (Unicode Technical Report 36, section 3.1).
    static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replacement = replacement(scalar) { scalars.append(replacement) }
        }
        return String(scalars)
    }

    /// Returns the replacement of a scalar, or `nil` to remove it.
    private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
        case 0x00...0x1F, 0x7F...0x9F: "\u{FFFD}"
        default: scalar.isDisplayControl ? nil : scalar
        }
    }
}

/// Makes JSON safe to print on a terminal without changing its meaning.
enum SafeJSON {
    /// Escapes display controls as `\uXXXX`. They can occur only in strings. JSON already escapes C0 controls.
    static func clean(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: isSuspicious) else { return json }
        var cleaned: [UInt8] = []
        cleaned.reserveCapacity(json.count)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            // Remaining scalars below U+0020 are whitespace between values.
            if scalar.value >= 0x20, scalar.isDisplayControl {
                let digits = String(scalar.value, radix: 16)
                cleaned.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            } else {
                cleaned.append(contentsOf: String(scalar).utf8)
            }
        }
        return cleaned
    }

    /// Returns whether a UTF-8 byte is, or can begin, a display control.
    private static func isSuspicious(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x7F, 0xC2, 0xD8, 0xE2, 0xEF: true
        default: false
        }
    }
}
