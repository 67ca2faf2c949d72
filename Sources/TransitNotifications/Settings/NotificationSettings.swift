internal import TransitModel
internal import TransitWire

/// One user's settings: the defaults, the machine's defaults from the configuration, and the user's own values.
package struct NotificationSettings: Hashable, Sendable {
    /// Where a value comes from.
    package enum Source: String, Hashable, Sendable {
        case standard = "default"
        case configuration
        case user
    }

    /// A setting, its value and where the value comes from.
    package struct Entry: Hashable, Sendable {
        package var definition: SettingDefinition
        /// The value as text that ``SettingDefinition/parse(_:)`` accepts.
        package var text: String
        package var source: Source
    }

    /// Whether the user turned notifications on.
    package var isEnabled = false
    /// Dates on which only what is pinned for the date is told.
    package var daysOff = DaysOff()
    /// The language that the user chose for names and alert texts, as an IETF BCP 47 language tag; `nil` for that of the
    /// user's session.
    package private(set) var language: String?

    private var values: [String: Int] = [:]
    private var sources: [String: Source] = [:]
    /// The settings of the rules about departures, which are read often.
    private(set) var rules = DepartureRuleSettings()

    package init() { rules = DepartureRuleSettings(self) }

    /// Reads the machine's defaults and the user's values, by `rule.key`. A value that cannot be used is ignored, and is
    /// listed in `errors`. The user's `days_off` is a list of dates; the machine's is ignored.
    ///
    /// - Parameters:
    ///   - machine: The values from the configuration file.
    ///   - personal: The user's values. `notifications.on` turns notifications on.
    package init(
        machine: [String: String], personal: [String: String], errors: inout [NotificationSettingError]
    ) {
        for (source, texts) in [(Source.configuration, machine), (.user, personal)] {
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                switch name {
                case "notifications.on" where source == .user: isEnabled = text == "on" || text == "true"
                case "days_off.dates" where source == .user:
                    do { daysOff = try DaysOff(list: text) } catch {
                        errors.append(
                            NotificationSettingError(
                                name: name, value: text, source: source, problem: error.description))
                    }
                default:
                    do { try set(name, to: text, source: source) } catch { errors.append(error) }
                }
            }
        }
        rules = DepartureRuleSettings(self)
    }

    package init(machine: [String: String], personal: [String: String]) {
        var errors: [NotificationSettingError] = []
        self.init(machine: machine, personal: personal, errors: &errors)
    }

    /// Checks one value, as `notify set` and the configuration do.
    package static func check(_ name: String, _ text: String) throws(NotificationSettingError) {
        if name == "days_off.dates" {
            do { _ = try DaysOff(list: text) } catch {
                throw NotificationSettingError(name: name, value: text, source: .user, problem: error.description)
            }
            return
        }
        var settings = NotificationSettings()
        try settings.set(name, to: text, source: .user)
    }

    /// Sets one value; `notify rehearse --set` uses it.
    package mutating func set(
        _ name: String, to text: String, source: Source = .user
    ) throws(NotificationSettingError) {
        guard let definition = Self.definitions[name] else {
            let group = String(name.prefix { $0 != "." })
            let known = SettingDefinition.all.map(\.name).filter { $0.hasPrefix(group + ".") }
            let remedy =
                known.isEmpty
                ? "`transitctl notify list` lists the settings."
                : "Settings of \(group): \(known.joined(separator: ", "))."
            throw NotificationSettingError(
                name: name, value: text, source: source, problem: "There is no such setting. \(remedy)")
        }
        guard let value = definition.parse(text) else {
            throw NotificationSettingError(
                name: name, value: text, source: source,
                problem: "It must be \(definition.rangeText), such as \(definition.text(definition.standard)).")
        }
        if definition.kind == .language { language = value == 0 ? nil : text }
        values[name] = value
        sources[name] = source
        rules = DepartureRuleSettings(self)
    }

    /// All settings with their values, in the order of ``SettingDefinition/all``, and then those of
    /// ``SettingDefinition/personal``.
    package var entries: [Entry] {
        (SettingDefinition.all + SettingDefinition.personal).map { definition in
            let text = definition.kind == .language ? language : nil
            return Entry(
                definition: definition, text: text ?? definition.text(self[definition.name]),
                source: sources[definition.name] ?? .standard)
        }
    }

    /// The stored value of a setting: 0 or 1 for a flag, seconds for durations and times of day, tenths for decimals.
    package subscript(name: String) -> Int { values[name] ?? Self.definitions[name]?.standard ?? 0 }

    /// Whether a rule is on.
    package func isOn(_ rule: NotificationRule) -> Bool { self["\(rule.rawValue).on"] != 0 }

    private static let definitions = Dictionary(
        uniqueKeysWithValues: (SettingDefinition.all + SettingDefinition.personal).map { ($0.name, $0) })
}

/// A value of a setting that cannot be used.
package struct NotificationSettingError: Error, Hashable, Sendable, CustomStringConvertible {
    package var name: String
    package var value: String
    package var source: NotificationSettings.Source
    /// What is wrong, with the range and the remedy.
    package var problem: String

    package var description: String { "\(name) = \"\(value.prefix(60))\" is not valid. \(problem)" }
}

/// The settings of the rules about departures, in seconds.
struct DepartureRuleSettings: Hashable, Sendable {
    var ahead = 0
    var notice = 0, withoutPlace = 0, marginShort = 0, marginMedium = 0, marginLong = 0, perWindow = 0
    var delayFirst = 0, delayNear = 0, delayChange = 0, delayChangePercent = 0, delayNormal = 0
    var unseenBefore = 0, earlyFirst = 0, platformWithin = 0, platformSound = 0, lastBefore = 0
    var getoffBefore = 0, getoffAge = 0
    var weather = ArrivalForecast.Thresholds()
    private var on: Set<NotificationRule> = []
    private var onForFavorites: Set<NotificationRule> = []

    init() {}

    init(_ settings: NotificationSettings) {
        ahead = settings["subjects.ahead"]
        notice = settings["leave.notice"]
        withoutPlace = settings["leave.without_place"]
        marginShort = settings["leave.margin_short"]
        marginMedium = settings["leave.margin_medium"]
        marginLong = settings["leave.margin_long"]
        perWindow = settings["leave.per_window"]
        delayFirst = settings["delay.first"]
        delayNear = settings["delay.near"]
        delayChange = settings["delay.change"]
        delayChangePercent = settings["delay.change_percent"]
        delayNormal = settings["delay.normal"]
        unseenBefore = settings["unseen.before"]
        earlyFirst = settings["early.first"]
        platformWithin = settings["platform.within"]
        platformSound = settings["platform.sound"]
        lastBefore = settings["last.before"]
        getoffBefore = settings["getoff.before"]
        getoffAge = settings["getoff.age"]
        weather = NetworkThresholds(settings).weather
        on = Set(NotificationRule.allCases.filter { settings.isOn($0) })
        onForFavorites = on.filter { settings["\($0.rawValue).favorites"] != 0 }
    }

    func isOn(_ rule: NotificationRule, for kind: SubjectKind) -> Bool {
        (kind == .favorite ? onForFavorites : on).contains(rule)
    }
}
