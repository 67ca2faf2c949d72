internal import TransitModel

/// A setting of notifications: what `notify set` accepts and `notify list` explains.
package struct SettingDefinition: Hashable, Sendable {
    /// What a value is.
    package enum Kind: Hashable, Sendable {
        /// `on` or `off`, stored as 1 or 0.
        case flag
        /// A whole number of a unit.
        case number(unit: String, range: ClosedRange<Int>)
        /// A number of a unit with one decimal, stored in tenths.
        case tenths(unit: String, range: ClosedRange<Int>)
        /// A duration, stored in seconds and written in its unit. `5`, `5m`, `300s` and `5 min` are accepted.
        case duration(unit: DurationUnit, range: ClosedRange<Int>)
        /// A time of day as `HH:MM`, stored in seconds after midnight.
        case timeOfDay
        /// `auto`, stored as 0, or an IETF BCP 47 language tag, stored as 1 besides its text.
        case language
    }

    package enum DurationUnit: Int, Hashable, Sendable {
        case seconds = 1
        case minutes = 60
        case hours = 3600
        case days = 86_400

        package var name: String {
            switch self {
            case .seconds: "s"
            case .minutes: "min"
            case .hours: "h"
            case .days: "days"
            }
        }
    }

    /// `rule.key`, such as `delay.first`.
    package var name: String
    package var kind: Kind
    /// The stored value of the default.
    package var standard: Int
    /// What the setting does, as one sentence.
    package var sentence: String

    /// The part before the period: a rule, or `subjects`, `quiet` or `bucket`.
    package var group: String { String(name.prefix { $0 != "." }) }

    /// The range as text, for errors and `notify list`.
    package var rangeText: String {
        switch kind {
        case .flag: "on or off"
        case .timeOfDay: "a time of day from 00:00 to 23:59"
        case .language: "auto or a language tag, such as de or zh-Hant"
        case .number(let unit, let range): "\(range.lowerBound) to \(range.upperBound) \(unit)"
        case .tenths(let unit, let range):
            "\(Self.tenths(range.lowerBound)) to \(Self.tenths(range.upperBound)) \(unit)"
        case .duration(let unit, let range):
            "\(range.lowerBound / unit.rawValue) to \(range.upperBound / unit.rawValue) \(unit.name)"
        }
    }

    /// The default as an example after ``rangeText``; empty if the range lists all values or has examples.
    package var example: String {
        switch kind {
        case .flag, .language: ""
        case .timeOfDay, .number, .tenths, .duration: ", such as \(text(standard))"
        }
    }

    /// A stored value as text that ``parse(_:)`` accepts.
    package func text(_ value: Int) -> String {
        switch kind {
        case .flag: value == 0 ? "off" : "on"
        case .number: String(value)
        case .tenths: Self.tenths(value)
        case .duration(let unit, _):
            value % unit.rawValue == 0 ? "\(value / unit.rawValue)" : "\(value)s"
        case .timeOfDay: NotificationText.timeOfDay(seconds: value)
        case .language: Self.automaticLanguage
        }
    }

    /// The unit of the text; `nil` for flags and times of day.
    package var unit: String? {
        switch kind {
        case .flag, .timeOfDay, .language: nil
        case .number(let unit, _), .tenths(let unit, _): unit
        case .duration(let unit, _): unit.name
        }
    }

    /// Returns the stored value; `nil` if the text is not a value of the setting or is out of its range.
    package func parse(_ text: String) -> Int? {
        if kind == .language { return Self.parseLanguage(text) }
        let text = text.split(separator: " ").joined().lowercased()
        guard !text.isEmpty, text.utf8.count <= 20 else { return nil }
        switch kind {
        case .flag:
            return switch text {
            case "on", "true", "yes", "1": 1
            case "off", "false", "no", "0": 0
            default: nil
            }
        case .number(_, let range): return Int(text).flatMap { range.contains($0) ? $0 : nil }
        case .tenths(_, let range): return Self.parseTenths(text).flatMap { range.contains($0) ? $0 : nil }
        case .duration(let unit, let range):
            return Self.parseDuration(text, unit: unit).flatMap { range.contains($0) ? $0 : nil }
        case .timeOfDay: return Self.parseTimeOfDay(text)
        case .language: return Self.parseLanguage(text)
        }
    }

    /// The value of the setting `language` with which the language of the session is used.
    package static let automaticLanguage = "auto"
    /// The maximum length of a language tag in bytes, which is that of the protocol.
    private static let maximumTagLength = 35

    private static func parseLanguage(_ text: String) -> Int? {
        if text.lowercased() == automaticLanguage { return 0 }
        return text.utf8.count <= maximumTagLength && LanguageTag.isWellFormed(text) ? 1 : nil
    }

    private static func tenths(_ value: Int) -> String {
        value % 10 == 0 ? "\(value / 10)" : "\(value / 10).\(value % 10)"
    }

    private static func parseTenths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = Int(parts[0]), whole >= 0, whole < 1_000_000, parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return whole * 10 }
        guard parts[1].utf8.count == 1, let digit = Int(parts[1]) else { return nil }
        return whole * 10 + digit
    }

    private static func parseDuration(_ text: String, unit: DurationUnit) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count < 1_000_000 else { return nil }
        let factor: Int? =
            switch text.dropFirst(digits.count) {
            case "": unit.rawValue
            case "s", "sec", "seconds": 1
            case "m", "min", "minutes": 60
            case "h", "hours": 3600
            case "d", "days": 86_400
            default: nil
            }
        return factor.map { count * $0 }
    }

    private static func parseTimeOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 2, (1...2).contains(parts[0].utf8.count),
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        return hour * 3600 + minute * 60
    }
}
