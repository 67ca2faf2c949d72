/// Defines the settings of a group, and reads their values.
///
/// A setting is one line of ``RuleSettings/init(_:)``: its name, the default, the range and a sentence, which `notify list`
/// and the errors show. The result is the value that applies: the user's, else the configuration's, else the default.
package struct SettingReader {
    /// The part of the names before the period: a rule, or another group, such as `quiet`.
    let group: String
    private let values: [String: Int]
    private(set) var definitions: [SettingDefinition] = []

    /// - Parameter values: The stored values of the settings that the user or the configuration has, by `group.key`.
    init(_ group: String, values: [String: Int] = [:]) {
        self.group = group
        self.values = values
    }

    /// A setting that is on or off.
    mutating func flag(_ key: String, _ standard: Bool, _ sentence: String) -> Bool {
        value(key, .flag, standard ? 1 : 0, sentence) != 0
    }

    /// A whole number of a unit.
    mutating func number(
        _ key: String, _ unit: String, _ standard: Int, _ range: ClosedRange<Int>, _ sentence: String
    ) -> Int {
        value(key, .number(unit: unit, range: range), standard, sentence)
    }

    /// A number of a unit with one decimal. The default and the range are in tenths.
    mutating func tenths(
        _ key: String, _ unit: String, _ standard: Int, _ range: ClosedRange<Int>, _ sentence: String
    ) -> Double {
        Double(value(key, .tenths(unit: unit, range: range), standard, sentence)) / 10
    }

    /// A duration in seconds. The default and the range are in the unit.
    mutating func duration(
        _ key: String, _ unit: SettingDefinition.DurationUnit, _ standard: Int, _ range: ClosedRange<Int>,
        _ sentence: String
    ) -> Int {
        let seconds = range.lowerBound * unit.rawValue...range.upperBound * unit.rawValue
        return value(key, .duration(unit: unit, range: seconds), standard * unit.rawValue, sentence)
    }

    /// A time of day in seconds after midnight. The default is an hour.
    mutating func time(_ key: String, _ hour: Int, _ sentence: String) -> Int {
        value(key, .timeOfDay, hour * 3600, sentence)
    }

    private mutating func value(
        _ key: String, _ kind: SettingDefinition.Kind, _ standard: Int, _ sentence: String
    ) -> Int {
        let name = "\(group).\(key)"
        definitions.append(SettingDefinition(name: name, kind: kind, standard: standard, sentence: sentence))
        return values[name] ?? standard
    }
}

extension SettingDefinition {
    /// All settings, in the order in which `notify list` shows them.
    package static let all: [SettingDefinition] =
        definitions("subjects", WatchSettings.self) + NotificationRule.allCases.flatMap(definitions)
        + definitions("quiet", QuietSettings.self) + definitions("bucket", BucketSettings.self)

    /// The settings that only a user has. The configuration has no defaults for them.
    package static let personal = [
        SettingDefinition(
            name: "language", kind: .language, standard: 0,
            sentence:
                "The language of names and alert texts, where the feeds have translations. With auto, the language "
                + "of your session.")
    ]

    private static func definitions(_ group: String, _ settings: any RuleSettings.Type) -> [SettingDefinition] {
        var reader = SettingReader(group)
        _ = settings.init(&reader)
        return reader.definitions
    }

    /// `on`, the settings of the rule itself, and `favorites`.
    private static func definitions(of rule: NotificationRule) -> [SettingDefinition] {
        var reader = SettingReader(rule.rawValue)
        _ = RuleSwitches(rule, &reader)
        let switches = reader.definitions
        let own = Rules.all.filter { $0.group == rule.rawValue }.flatMap { definitions($0.group, $0.settingsType) }
        return switches.prefix(1) + own + switches.dropFirst()
    }
}

extension Rule {
    fileprivate static var settingsType: any RuleSettings.Type { Settings.self }
}

/// Whether a rule is on.
struct RuleSwitches {
    let isOn: Bool
    let isOnForFavorites: Bool

    init(_ rule: NotificationRule, _ read: inout SettingReader) {
        isOn = read.flag("on", rule.isOnByDefault, rule.sentence)
        let favorites = rule.isOnForFavoritesByDefault.map {
            read.flag("favorites", $0, "Whether the rule also applies to the next departure of each favorite.")
        }
        isOnForFavorites = isOn && favorites ?? false
    }
}

/// The settings about what is watched.
package struct WatchSettings: RuleSettings {
    /// How long before it a departure is watched, in seconds, unless it is one of a commute.
    package var ahead: Int

    package init(_ read: inout SettingReader) {
        ahead = read.duration(
            "ahead", .minutes, 90, 10...240,
            "Start watching departures that belong to no commute this long before they leave.")
    }
}

/// The settings of quiet hours.
package struct QuietSettings: RuleSettings {
    package var isOn: Bool
    /// In seconds after midnight.
    package var from: Int
    /// In seconds after midnight.
    package var until: Int

    package init(_ read: inout SettingReader) {
        isOn = read.flag(
            "on", true,
            "Shows nothing during quiet hours, except about pinned departures and journeys: when to leave, cancellations, "
                + "changes that you miss, and the last journey of the day.")
        from = read.time("from", 22, "When quiet hours begin.")
        until = read.time("until", 7, "When quiet hours end.")
    }
}

/// The settings of the limits of notifications.
package struct BucketSettings: RuleSettings {
    /// The average number of notifications an hour.
    package var perHour: Int
    /// The number of notifications in quick succession.
    package var burst: Int

    package init(_ read: inout SettingReader) {
        perHour = read.number(
            "per_hour", "notifications an hour", 6, 1...60,
            "The average number of notifications per hour; cancellations are exempt, and notices to leave count separately."
        )
        burst = read.number(
            "burst", "notifications", 3, 1...20, "The maximum number of notifications in quick succession.")
    }
}
