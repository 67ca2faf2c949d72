/// Text from a feed, a file or the daemon, made harmless for a terminal.
///
/// Names come from strangers: an escape sequence in a stop's name must not move the cursor, change the window's title or
/// hide a line. Every text that is shown passes through here once, in ``Line``.
enum SafeText {
    /// Blanks for tabs and line ends, U+FFFD for every other control character (C0, DEL, C1), nothing for the invisible
    /// characters that change the direction of writing (Unicode Technical Report 36, section 3.1).
    static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replacement = replacement(scalar) { scalars.append(replacement) }
        }
        return String(scalars)
    }

    /// `nil`: dropped.
    private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
        case 0x00...0x1F, 0x7F...0x9F: "\u{FFFD}"
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: nil
        default: scalar
        }
    }
}

/// JSON of the daemon, made harmless for a terminal without changing what it says.
enum SafeJSON {
    /// Writes DEL and the C1 controls as `\u00XX`. They can stand only inside strings; C0 is escaped by JSON itself.
    static func clean(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return json }
        var cleaned: [UInt8] = []
        cleaned.reserveCapacity(json.count)
        var position = 0
        while position < json.count {
            let byte = json[position]
            let next = position + 1 < json.count ? json[position + 1] : 0
            if byte == 0x7F {
                cleaned.append(contentsOf: "\\u007f".utf8)
            } else if byte == 0xC2, (0x80...0x9F).contains(next) {
                cleaned.append(contentsOf: "\\u00\(String(next, radix: 16))".utf8)
                position += 1
            } else {
                cleaned.append(byte)
            }
            position += 1
        }
        return cleaned
    }
}
