/// Prepares publishers' texts for display.
public enum PublishedText {
    /// Removes leading and trailing white space. Returns `nil` if nothing remains.
    public static func trimmed(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return String(scalars[first...last])
    }

    /// Returns a URL that can be opened: "www.example.org/fair " becomes "https://www.example.org/fair". GTFS-Realtime
    /// requires a full URL (*Alert*, `url`), but some publishers omit the scheme. Returns `nil` if the text is not a
    /// web address.
    public static func address(_ text: String) -> String? {
        guard let text = trimmed(text), !text.unicodeScalars.contains(where: { isBlank($0) || isControl($0) }) else {
            return nil
        }
        if let scheme = scheme(of: text) { return ["http", "https"].contains(scheme) ? text : nil }
        let host = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != ":" }
        return host.contains(".") && host.first != "." ? "https://" + text : nil
    }

    /// Returns the text before "://" in lowercase.
    private static func scheme(of text: String) -> String? {
        let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return text[name.endIndex...].hasPrefix("://") ? name.lowercased() : nil
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets this scalar instead of displaying it: the C0 and C1 controls, DEL, the line and
    /// paragraph separators, the directional formatting characters (Unicode Standard Annex 9, section 2), and U+FEFF.
    ///
    /// Untrusted text that contains these scalars must not reach a terminal or a log. The scalars could move the
    /// cursor, hide part of a line, or reorder it.
    public var isDisplayControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension String {
    /// Returns the beginning of a text of a source: at most this many characters and four times as many bytes. A character can
    /// have any number of combining marks.
    package func limited(to count: Int) -> String {
        var text = String(prefix(count))
        guard text.utf8.count > 4 * count else { return text }
        var bytes = 0
        text = String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix { scalar in
                    bytes += UTF8.width(scalar)
                    return bytes <= 4 * count
                }))
        return text
    }
}
