internal import TransitModel

/// Words and limits that the texts of notifications share.
enum GeneralText {
    /// The maximum length of a title and of a body in characters.
    static let maximumTitle = 120
    static let maximumBody = 600

    /// Returns a publisher's text on one line, without control characters and repeated white space. `nil` if nothing
    /// remains.
    static func line(_ text: String?, limit: Int = maximumTitle) -> String? {
        guard let text else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        let joined = words.map { word in String(String.UnicodeScalarView(word.unicodeScalars.filter(isShown))) }
            .filter { !$0.isEmpty }.joined(separator: " ")
        return joined.isEmpty ? nil : limited(joined, to: limit)
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool { !scalar.isDisplayControl }

    /// Shortens a text at the end of a word.
    static func limited(_ text: String, to limit: Int) -> String {
        guard text.count > limit else { return text }
        let cut = text.prefix(max(1, limit - 1))
        let words = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
        return (words.isEmpty ? cut : words) + "…"
    }

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    static func name(of weekday: Weekday) -> String { weekdays[Int(weekday.rawValue)] }

    /// A date in a sentence: "today", "tomorrow", "Monday" within the next six days, else "Monday, April 6".
    static func date(_ date: ServiceDate, from today: ServiceDate) -> String {
        switch today.days(to: date) {
        case 0: return "today"
        case 1: return "tomorrow"
        case 2...6: return name(of: date.weekday)
        default: return fullDate(date)
        }
    }

    /// "Monday, April 6".
    static func fullDate(_ date: ServiceDate) -> String {
        "\(name(of: date.weekday)), \(months[date.components.month - 1]) \(date.components.day)"
    }

    /// "a", "a and b", "a, b and 3 more".
    static func list(_ names: [String], showing count: Int = 3) -> String {
        let rest = names.count - count
        // "and 1 more" is as long as the name itself.
        if rest > 1 { return names.prefix(count).joined(separator: ", ") + " and \(rest) more" }
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// "1 day", "3 days".
    static func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }
}
