internal import TransitModel
internal import TransitWire

/// One user's settings: the defaults, the machine's defaults from the configuration, and the user's own values.
package struct NotificationSettings: Sendable {
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
    /// Dates on which only what is pinned for the date is shown.
    package var daysOff = DaysOff()
    /// The language that the user chose for names and alert texts, as an IETF BCP 47 language tag; `nil` for that of the
    /// user's session.
    package private(set) var language: String?
    /// The values that cannot be used. The settings have their defaults instead.
    package private(set) var problems: [NotificationSettingError] = []

    /// The stored values of ``SettingDefinition``, and where they come from.
    private var values: [String: Int] = [:]
    private var sources: [String: Source] = [:]
    /// The values with their types, which are read once.
    private var typed = TypedSettings.standard

    package init() {}

    /// Reads the machine's defaults and the user's values, by `rule.key`. A value that cannot be used is ignored, and is
    /// one of ``problems``. The user's `days_off` is a list of dates; the machine's is ignored.
    ///
    /// - Parameters:
    ///   - machine: The values from the configuration file.
    ///   - personal: The user's values. `notifications.on` turns notifications on.
    package init(machine: [String: String], personal: [String: String]) {
        for (source, texts) in [(Source.configuration, machine), (.user, personal)] {
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                do throws(NotificationSettingError) { try read(name, text, source) } catch { problems.append(error) }
            }
        }
        typed = TypedSettings(values)
    }

    private mutating func read(_ name: String, _ text: String, _ source: Source) throws(NotificationSettingError) {
        switch name {
        case "notifications.on" where source == .user:
            let isOn = ["on": true, "true": true, "off": false, "false": false][text]
            guard let isOn else {
                throw NotificationSettingError(
                    name: name, value: text, source: source, problem: "It must be on or off.")
            }
            isEnabled = isOn
        case "days_off.dates" where source == .user:
            do { daysOff = try DaysOff(list: text) } catch {
                throw NotificationSettingError(name: name, value: text, source: source, problem: error.description)
            }
        default: try store(name, text, source)
        }
    }

    /// Checks one value, as `notify set` and the configuration do.
    package static func check(_ name: String, _ text: String) throws(NotificationSettingError) {
        var settings = NotificationSettings()
        try settings.read(name, text, .user)
    }

    /// Sets one value; `notify rehearse --set` uses it.
    package mutating func set(_ name: String, to text: String) throws(NotificationSettingError) {
        try store(name, text, .user)
        typed = TypedSettings(values)
    }

    private mutating func store(_ name: String, _ text: String, _ source: Source) throws(NotificationSettingError) {
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
                problem: "It must be \(definition.rangeText)\(definition.example).")
        }
        if definition.kind == .language { language = value == 0 ? nil : text }
        values[name] = value
        sources[name] = source
    }

    /// All settings with their values, in the order of ``SettingDefinition/all``, and then those of
    /// ``SettingDefinition/personal``.
    package var entries: [Entry] {
        (SettingDefinition.all + SettingDefinition.personal).map { definition in
            let text = definition.kind == .language ? language : nil
            return Entry(
                definition: definition, text: text ?? definition.text(values[definition.name] ?? definition.standard),
                source: sources[definition.name] ?? .standard)
        }
    }

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

/// The values of all settings with their types.
private struct TypedSettings: Sendable {
    let subjects: WatchSettings
    let quiet: QuietSettings
    let bucket: BucketSettings
    /// The settings of each ``Rule``.
    var rules: [ObjectIdentifier: any RuleSettings] = [:]
    var timing: DepartureTiming.Settings
    private(set) var on: Set<NotificationRule> = []
    private(set) var onForFavorites: Set<NotificationRule> = []

    static let standard = TypedSettings([:])

    init(_ values: [String: Int]) {
        func read<Settings: RuleSettings>(_ group: String, as type: Settings.Type) -> Settings {
            var reader = SettingReader(group, values: values)
            return Settings(&reader)
        }
        subjects = read("subjects", as: WatchSettings.self)
        quiet = read("quiet", as: QuietSettings.self)
        bucket = read("bucket", as: BucketSettings.self)
        timing = DepartureTiming.Settings(
            leave: read(LeaveRule.group, as: LeaveRule.Settings.self),
            early: read(EarlyRule.group, as: EarlyRule.Settings.self))
        func settings<R: Rule>(of rule: R.Type) -> any RuleSettings { read(rule.group, as: R.Settings.self) }
        for rule in Rules.all { rules[ObjectIdentifier(rule)] = settings(of: rule) }
        for rule in NotificationRule.allCases {
            var reader = SettingReader(rule.rawValue, values: values)
            let switches = RuleSwitches(rule, &reader)
            if switches.isOn { on.insert(rule) }
            if switches.isOnForFavorites { onForFavorites.insert(rule) }
        }
    }
}

extension NotificationSettings {
    /// The settings of a rule.
    package subscript<R: Rule>(rule: R.Type) -> R.Settings {
        get {
            if let settings = typed.rules[ObjectIdentifier(rule)] as? R.Settings { return settings }
            var reader = SettingReader(rule.group)
            return R.Settings(&reader)
        }
        set { typed.rules[ObjectIdentifier(rule)] = newValue }
    }

    package var subjects: WatchSettings { typed.subjects }
    package var quiet: QuietSettings { typed.quiet }
    package var bucket: BucketSettings { typed.bucket }
    /// The settings that the timing of each departure depends on, which is computed often.
    var timing: DepartureTiming.Settings { typed.timing }

    /// Whether a rule is on.
    package func isOn(_ rule: NotificationRule) -> Bool { typed.on.contains(rule) }

    /// Whether a rule is on for subjects of a kind.
    package func isOn(_ rule: NotificationRule, for kind: SubjectKind) -> Bool {
        // A rule without kinds of its own adds to the notifications of others.
        (rule.subjects.isEmpty || rule.subjects.contains(kind))
            && (kind == .favorite ? typed.onForFavorites : typed.on).contains(rule)
    }
}
