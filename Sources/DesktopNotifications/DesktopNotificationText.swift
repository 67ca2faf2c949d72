internal import TransitModel

/// Prepares texts of events for a notification server. They can contain texts of sources, which are not trusted.
package enum DesktopNotificationText {
    /// The maximum length of a title in characters.
    package static let maximumTitleLength = 120
    /// The maximum length of a body in characters.
    package static let maximumBodyLength = 1200
    /// The maximum number of lines of a body.
    package static let maximumLineCount = 16

    /// Returns the text in one line without characters that change how other text is displayed. A text that is too long
    /// ends in an ellipsis.
    package static func line(_ text: String, maximumLength: Int = maximumTitleLength) -> String {
        var clean = String.UnicodeScalarView()
        // Characters have few scalars. The limit also holds for a text of combining marks.
        for scalar in text.unicodeScalars.prefix(8 * maximumLength) {
            if scalar.value == 0x09 || scalar.value == 0x0A {
                clean.append(" ")
            } else if !scalar.isDisplayControl {
                clean.append(scalar)
            }
        }
        return shortened(trimmed(String(clean)), to: maximumLength)
    }

    /// The length of a title in characters that servers show in one line. Xfce and GNOME cut off the rest.
    package static let headlineLength = 46

    /// Divides a title that is too long into one that servers show in full and the first line of the body: at its first
    /// colon, else after the words that fit, and the line is then the whole title.
    package static func headline(_ title: String) -> (title: String, line: String?) {
        guard title.count > headlineLength else { return (title, nil) }
        var start = title.prefix(headlineLength - 1)
        if let colon = start.indices.first(where: { title[$0...].hasPrefix(": ") }), colon > title.startIndex {
            return (String(title[..<colon]), trimmed(String(title[colon...].dropFirst())))
        }
        if let space = start.lastIndex(of: " ") { start = start[..<space] }
        return (trimmed(String(start)) + "…", title)
    }

    /// Returns the lines of a text, each as ``line(_:maximumLength:)`` does. Empty lines at both ends are left out.
    package static func body(_ text: String) -> String {
        var lines = text.unicodeScalars.prefix(8 * maximumBodyLength).split(
            separator: "\n", maxSplits: 4 * maximumLineCount, omittingEmptySubsequences: false
        ).map { line(String($0), maximumLength: maximumBodyLength) }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        if lines.count > maximumLineCount { lines = lines.prefix(maximumLineCount - 1) + ["…"] }
        return shortened(lines.joined(separator: "\n"), to: maximumBodyLength)
    }

    /// Escapes the characters that begin markup (Desktop Notifications Specification, "Markup").
    package static func escapingMarkup(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private static func shortened(_ text: String, to length: Int) -> String {
        // The second condition limits a text of many combining marks, which are one character.
        if text.count <= length, text.unicodeScalars.count <= 4 * length { return text }
        var short = ""
        var scalars = 0
        for character in text.prefix(length - 1) {
            scalars += character.unicodeScalars.count
            if scalars > 4 * length { break }
            short.append(character)
        }
        return trimmed(short) + "…"
    }

    private static func trimmed(_ text: String) -> String { PublishedText.trimmed(text) ?? "" }
}
