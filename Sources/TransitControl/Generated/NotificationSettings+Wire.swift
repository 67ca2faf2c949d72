// Generated from Sources/TransitControl/Messages/NotificationSettings.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension NotificationSetting {
    public init(
        key: String, value: String, origin: SettingOrigin, description: String, unit: String? = nil,
        defaultValue: String = "", _: Void = ()
    ) {
        self.init(
            key: key, value: value, origin: origin, description: description, unit: unit, defaultValue: defaultValue
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.key = try members.required("key")
        self.value = try members.required("value")
        self.origin = try members.required("origin")
        self.description = try members.required("description")
        self.unit = try members.optional("unit")
        self.defaultValue = try members.optional("default_value", default: "")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("key", self.key)
        writer.member("value", self.value)
        writer.member("origin", self.origin)
        writer.member("description", self.description)
        writer.member("unit", self.unit)
        writer.member("default_value", self.defaultValue)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationSetting" }
    public static var description: String { "A setting of a rule." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("key", String.self, "The name that `notify.set` accepts, such as \"delay.first\".")
        builder.member("value", String.self, "The value as `notify.set` accepts it, such as \"3\".")
        builder.member("origin", SettingOrigin.self, "Where the value comes from. More values may be added.")
        builder.member("description", String.self, "What the setting does, with its unit.")
        builder.member("unit", String?.self, "The unit of the value, such as \"min\"; null for texts, times of day, and settings that are on or off.")
        builder.member("default_value", String.self, "The value that applies if neither the user nor the configuration sets one.", default: "")
    }
}

extension NotificationRuleStatus {
    public init(
        rule: String, description: String, isOn: Bool, mutedUntil: Timestamp? = nil, settings: [NotificationSetting],
        next: String? = nil, _: Void = ()
    ) {
        self.init(
            rule: rule, description: description, isOn: isOn, mutedUntil: mutedUntil, settings: settings, next: next
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.required("rule")
        self.description = try members.required("description")
        self.isOn = try members.required("is_on")
        self.mutedUntil = try members.optional("muted_until")
        self.settings = try members.array("settings")
        self.next = try members.optional("next")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", self.rule)
        writer.member("description", self.description)
        writer.member("is_on", self.isOn)
        writer.member("muted_until", self.mutedUntil)
        writer.member("settings", self.settings)
        writer.member("next", self.next)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationRuleStatus" }
    public static var description: String { "A rule of notifications, or a group of settings that concern all rules." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String.self, "The rule, such as \"delay\", or the group, such as \"quiet\".")
        builder.member("description", String.self, "What the rule does, as a sentence.")
        builder.member("is_on", Bool.self, "Whether the rule is on. Always true for a group of settings.")
        builder.member("muted_until", Timestamp?.self, "When the mute of the rule ends; null when it is not muted.")
        builder.member("settings", [NotificationSetting].self, "The settings, in the order of transitctl(1).")
        builder.member("next", String?.self, "What the rule is expected to do next, as a sentence; null when nothing is expected.")
    }
}

extension WatchedSubjectStatus {
    public init(
        kind: NotificationSubjectKind, name: String, stop: String? = nil, route: String? = nil,
        scheduled: Timestamp? = nil, expected: Timestamp? = nil, problem: String? = nil, rules: [String] = [],
        _: Void = ()
    ) {
        self.init(
            kind: kind, name: name, stop: stop, route: route, scheduled: scheduled, expected: expected,
            problem: problem, rules: rules
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.name = try members.required("name")
        self.stop = try members.optional("stop")
        self.route = try members.optional("route")
        self.scheduled = try members.optional("scheduled")
        self.expected = try members.optional("expected")
        self.problem = try members.optional("problem")
        self.rules = try members.optional("rules", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("name", self.name)
        writer.member("stop", self.stop)
        writer.member("route", self.route)
        writer.member("scheduled", self.scheduled)
        writer.member("expected", self.expected)
        writer.member("problem", self.problem)
        writer.member("rules", self.rules)
        writer.endObject()
    }

    public static var schemaName: String { "WatchedSubjectStatus" }
    public static var description: String { "A subject that the daemon watches for the caller." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", NotificationSubjectKind.self, "The kind of subject. More values may be added.")
        builder.member("name", String.self, "The name of the subject, such as the name of a commute.")
        builder.member("stop", String?.self, "The stop of the next departure.")
        builder.member("route", String?.self, "The route of the next departure, such as \"Tram 5\".")
        builder.member("scheduled", Timestamp?.self, "When the next departure is scheduled; null when none is known.")
        builder.member("expected", Timestamp?.self, "When it is expected; null without realtime data.")
        builder.member("problem", String?.self, "Why the subject cannot be watched, as a sentence; null when it can.")
        builder.member("rules", [String].self, "The rules that are on and watch the subject, such as \"leave\".", default: [])
    }
}

extension NotificationLogEntry {
    public init(
        id: String, at: Timestamp, rule: String, op: NotificationOperation, title: String, stage: String,
        reason: String? = nil, attribution: [String] = [], _: Void = ()
    ) {
        self.init(
            id: id, at: at, rule: rule, op: op, title: title, stage: stage, reason: reason, attribution: attribution
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.at = try members.required("at")
        self.rule = try members.required("rule")
        self.op = try members.required("op")
        self.title = try members.required("title")
        self.stage = try members.required("stage")
        self.reason = try members.optional("reason")
        self.attribution = try members.optional("attribution", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("at", self.at)
        writer.member("rule", self.rule)
        writer.member("op", self.op)
        writer.member("title", self.title)
        writer.member("stage", self.stage)
        writer.member("reason", self.reason)
        writer.member("attribution", self.attribution)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationLogEntry" }
    public static var description: String { "A notification that was decided." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "Identifies the event.")
        builder.member("at", Timestamp.self, "When it was decided.")
        builder.member("rule", String.self, "The rule.")
        builder.member("op", NotificationOperation.self, "What happened to the notification. More values may be added.")
        builder.member("title", String.self, "The headline.")
        builder.member("stage", String.self, "How far it was handled: \"decided\", \"handed_out\", \"done\", \"failed\", \"suppressed\", or \"replaced\" if a later event with its key made it needless before a hook ran. More values may be added.")
        builder.member("reason", String?.self, "Why it was not shown, or what failed, as a sentence; null otherwise.")
        builder.member("attribution", [String].self, "The sources to name when the headline is shown.", default: [])
    }
}

extension NotificationAgentStatus {
    public init(
        lastContact: Timestamp? = nil, subscribers: Int, failures: Int, lastFailure: String? = nil, _: Void = ()
    ) {
        self.init(lastContact: lastContact, subscribers: subscribers, failures: failures, lastFailure: lastFailure)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.lastContact = try members.optional("last_contact")
        self.subscribers = try members.required("subscribers")
        self.failures = try members.required("failures")
        self.lastFailure = try members.optional("last_failure")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("last_contact", self.lastContact)
        writer.member("subscribers", self.subscribers)
        writer.member("failures", self.failures)
        writer.member("last_failure", self.lastFailure)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationAgentStatus" }
    public static var description: String { "The program that shows the caller's notifications." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("last_contact", Timestamp?.self, "When a program last confirmed a notification; null if none has since the daemon started.")
        builder.member("subscribers", Int.self, "The number of connected subscribers to the topic `notifications`.")
        builder.member("failures", Int.self, "The number of notifications of the last week that a program could not show.")
        builder.member("last_failure", String?.self, "The latest of these failures, as a sentence.")
    }
}

extension NotificationSummary {
    public init(isOn: Bool, agent: NotificationAgentStatus, _: Void = ()) {
        self.init(isOn: isOn, agent: agent)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.isOn = try members.required("is_on")
        self.agent = try members.required("agent")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("is_on", self.isOn)
        writer.member("agent", self.agent)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationSummary" }
    public static var description: String { "Whether the caller's notifications are on and shown." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("is_on", Bool.self, "Whether the caller turned notifications on.")
        builder.member("agent", NotificationAgentStatus.self, "The program that shows them.")
    }
}

extension NotifyListParameters {
    public init(log: Bool = false, suppressed: Bool = false, count: Int = 20, _: Void = ()) {
        self.init(log: log, suppressed: suppressed, count: count)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.log = try members.optional("log", default: false)
        self.suppressed = try members.optional("suppressed", default: false)
        self.count = try members.optional("count", in: 1...200, default: 20)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.log != false { writer.member("log", self.log) }
        if self.suppressed != false { writer.member("suppressed", self.suppressed) }
        if self.count != 20 { writer.member("count", self.count) }
        writer.endObject()
    }

    public static var schemaName: String { "NotifyListParameters" }
    public static var description: String { "Lists the caller's rules with their settings, the subjects that are watched, and what was decided recently." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("log", Bool.self, "Whether to list the notifications that were decided, newest first.", default: false)
        builder.member("suppressed", Bool.self, "Whether to list the notifications that were not shown, newest first.", default: false)
        builder.member("count", Int.self, "The maximum number of notifications in the list.", in: 1...200, default: 20)
    }
}

extension NotifyListResult: HasNotices {
    public init(
        at: Timestamp, isOn: Bool, mutedUntil: Timestamp? = nil, agent: NotificationAgentStatus,
        subjects: [WatchedSubjectStatus], rules: [NotificationRuleStatus], daysOff: [ServiceDate],
        log: [NotificationLogEntry] = [], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, isOn: isOn, mutedUntil: mutedUntil, agent: agent, subjects: subjects, rules: rules,
            daysOff: daysOff, log: log, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.isOn = try members.required("is_on")
        self.mutedUntil = try members.optional("muted_until")
        self.agent = try members.required("agent")
        self.subjects = try members.array("subjects")
        self.rules = try members.array("rules")
        self.daysOff = try members.array("days_off")
        self.log = try members.optional("log", default: [])
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("is_on", self.isOn)
        writer.member("muted_until", self.mutedUntil)
        writer.member("agent", self.agent)
        writer.member("subjects", self.subjects)
        writer.member("rules", self.rules)
        writer.member("days_off", self.daysOff)
        writer.member("log", self.log)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyListResult" }
    public static var description: String { "The caller's notifications and their settings." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("is_on", Bool.self, "Whether the caller turned notifications on.")
        builder.member("muted_until", Timestamp?.self, "When the mute of all notifications ends; null when they are not muted.")
        builder.member("agent", NotificationAgentStatus.self, "The program that shows the notifications.")
        builder.member("subjects", [WatchedSubjectStatus].self, "The subjects.")
        builder.member("rules", [NotificationRuleStatus].self, "The rules and groups of settings.")
        builder.member("days_off", [ServiceDate].self, "The coming days off, in ascending order.")
        builder.member("log", [NotificationLogEntry].self, "The notifications that were requested with `log` or `suppressed`.", default: [])
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}

extension NotifyEnableParameters {
    public init(isOn: Bool, _: Void = ()) {
        self.init(isOn: isOn)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.isOn = try members.required("is_on")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("is_on", self.isOn)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyEnableParameters" }
    public static var description: String { "Turns the caller's notifications on or off." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("is_on", Bool.self, "Whether notifications are on.")
    }
}

extension NotifySetParameters {
    public init(key: String, value: String? = nil, _: Void = ()) {
        self.init(key: key, value: value)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.key = try members.required("key", in: 1...64)
        self.value = try members.optional("value", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("key", self.key)
        if self.value != nil { writer.member("value", self.value) }
        writer.endObject()
    }

    public static var schemaName: String { "NotifySetParameters" }
    public static var description: String { "Sets a setting of the caller's notifications, or resets it." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("key", String.self, "The setting, such as \"delay.first\", or a rule, such as \"delay\", which `on` or `off` turns on or off.", in: 1...64)
        builder.member("value", String?.self, "The value; null to use the configuration's or the built-in value again.", in: 1...64)
    }
}

extension NotifySetResult: HasNotices {
    public init(at: Timestamp, setting: NotificationSetting, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, setting: setting, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.setting = try members.required("setting")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("setting", self.setting)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotifySetResult" }
    public static var description: String { "The setting after the change." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("setting", NotificationSetting.self, "The setting.")
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}

extension NotifyMuteParameters {
    public init(rule: String? = nil, duration: Int? = nil, _: Void = ()) {
        self.init(rule: rule, duration: duration)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.optional("rule", in: 1...64)
        self.duration = try members.optional("duration", in: 0...2_678_400)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.rule != nil { writer.member("rule", self.rule) }
        if self.duration != nil { writer.member("duration", self.duration) }
        writer.endObject()
    }

    public static var schemaName: String { "NotifyMuteParameters" }
    public static var description: String { "Mutes the caller's notifications for a while." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String?.self, "The rule to mute; null for all.", in: 1...64)
        builder.member("duration", Int?.self, "For how long. Null mutes until the end of the day, or a rule until it is unmuted; 0 ends muting.", unit: .seconds, in: 0...2_678_400)
    }
}

extension NotifyMuteResult: HasNotices {
    public init(at: Timestamp, rule: String? = nil, until: Timestamp? = nil, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, rule: rule, until: until, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.rule = try members.optional("rule")
        self.until = try members.optional("until")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("rule", self.rule)
        writer.member("until", self.until)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyMuteResult" }
    public static var description: String { "What is muted." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("rule", String?.self, "The rule; null for all.")
        builder.member("until", Timestamp?.self, "When the mute ends; null when nothing is muted any longer.")
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}

extension NotifyTestParameters {
    public init(rule: String = "leave", _: Void = ()) {
        self.init(rule: rule)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.optional("rule", in: 1...64, default: "leave")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.rule != "leave" { writer.member("rule", self.rule) }
        writer.endObject()
    }

    public static var schemaName: String { "NotifyTestParameters" }
    public static var description: String { "Makes a test notification, which the caller's program shows like any other." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String.self, "The rule whose hooks to test.", in: 1...64, default: "leave")
    }
}

extension NotifyTestResult: HasNotices {
    public init(at: Timestamp, event: NotificationEvent, subscribers: Int, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, event: event, subscribers: subscribers, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.event = try members.required("event")
        self.subscribers = try members.required("subscribers")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("event", self.event)
        writer.member("subscribers", self.subscribers)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyTestResult" }
    public static var description: String { "The test notification." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("event", NotificationEvent.self, "The event.")
        builder.member("subscribers", Int.self, "The number of connected subscribers, to which the event is sent.")
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}

extension NotifyActParameters {
    public init(id: String, action: String, _: Void = ()) {
        self.init(id: id, action: action)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id", in: 1...500)
        self.action = try members.required("action", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("action", self.action)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyActParameters" }
    public static var description: String { "Performs an action of a notification." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "The `id` of the event, or its `key`.", in: 1...500)
        builder.member("action", String.self, "The action: \"taken\", \"next\" or \"mute-today\".", in: 1...64)
    }
}

extension NotifyActResult: HasNotices {
    public init(at: Timestamp, message: String, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, message: message, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.message = try members.required("message")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("message", self.message)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyActResult" }
    public static var description: String { "What the action did." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}

extension NotifyDaysOffParameters {
    public init(
        add: [DateSpan] = [], remove: [DateSpan] = [], calendar: String? = nil, busyOnly: Bool = false, _: Void = ()
    ) {
        self.init(add: add, remove: remove, calendar: calendar, busyOnly: busyOnly)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.add = try members.optional("add", in: 0...400, default: [])
        self.remove = try members.optional("remove", in: 0...400, default: [])
        self.calendar = try members.optional("calendar", in: 1...60_000)
        self.busyOnly = try members.optional("busy_only", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.add != [] { writer.member("add", self.add) }
        if self.remove != [] { writer.member("remove", self.remove) }
        if self.calendar != nil { writer.member("calendar", self.calendar) }
        if self.busyOnly != false { writer.member("busy_only", self.busyOnly) }
        writer.endObject()
    }

    public static var schemaName: String { "NotifyDaysOffParameters" }
    public static var description: String { "Adds or removes days off, on which only departures that are pinned for that date raise notifications." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("add", [DateSpan].self, "The ranges to add.", in: 0...400, default: [])
        builder.member("remove", [DateSpan].self, "The ranges to remove.", in: 0...400, default: [])
        builder.member("calendar", String?.self, "The text of an iCalendar file (RFC 5545). Its events add the dates of the coming two years that they cover from midnight to midnight. Only these properties are read, and others can be left out: `DTSTART`, `DTEND`, `DURATION`, `RRULE`, `EXRULE`, `RDATE`, `EXDATE`, `RECURRENCE-ID`, `UID`, `TRANSP` and `STATUS` of events, and `TZID`, `TZOFFSETTO`, `DTSTART` and `RRULE` of time zones.", in: 1...60_000)
        builder.member("busy_only", Bool.self, "Whether to skip the events of `calendar` that are marked as free time (`TRANSP:TRANSPARENT`).", default: false)
    }
}

extension ImportedCalendarEntry {
    public init(index: Int, days: Int, spans: [DateSpan] = [], reason: String? = nil, _: Void = ()) {
        self.init(index: index, days: days, spans: spans, reason: reason)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.index = try members.required("index")
        self.days = try members.required("days")
        self.spans = try members.optional("spans", default: [])
        self.reason = try members.optional("reason")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("index", self.index)
        writer.member("days", self.days)
        writer.member("spans", self.spans)
        writer.member("reason", self.reason)
        writer.endObject()
    }

    public static var schemaName: String { "ImportedCalendarEntry" }
    public static var description: String { "The result for one event of an iCalendar file." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("index", Int.self, "The position of the event in the file, counted from 0.")
        builder.member("days", Int.self, "The number of days off that it adds.")
        builder.member("spans", [DateSpan].self, "The first of these days, as ranges in ascending order, at most 20.", default: [])
        builder.member("reason", String?.self, "Why it adds none, as a sentence; null when it adds some.")
    }
}

extension NotifyDaysOffResult: HasNotices {
    public init(
        at: Timestamp, days: [ServiceDate], entries: [ImportedCalendarEntry] = [], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, days: days, entries: entries, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.days = try members.array("days")
        self.entries = try members.optional("entries", default: [])
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("days", self.days)
        writer.member("entries", self.entries)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyDaysOffResult" }
    public static var description: String { "The caller's days off." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("days", [ServiceDate].self, "The coming days off, in ascending order.")
        builder.member("entries", [ImportedCalendarEntry].self, "The result for each event of `calendar`, in the order of the file.", default: [])
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}

extension NotifyRehearseParameters {
    public init(days: Int = 30, set: [String] = [], _: Void = ()) {
        self.init(days: days, set: set)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.days = try members.optional("days", in: 1...60, default: 30)
        self.set = try members.optional("set", in: 0...32, default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.days != 30 { writer.member("days", self.days) }
        if self.set != [] { writer.member("set", self.set) }
        writer.endObject()
    }

    public static var schemaName: String { "NotifyRehearseParameters" }
    public static var description: String { "Repeats the decisions about departures of past days with other settings. It uses past observations of the subjects that are watched now." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("days", Int.self, "The number of past days.", in: 1...60, default: 30)
        builder.member("set", [String].self, "The settings to try, such as \"delay.first=5\".", in: 0...32, default: [])
    }
}

extension RehearsedNotification {
    public init(rule: String, title: String, before: Timestamp? = nil, after: Timestamp? = nil, _: Void = ()) {
        self.init(rule: rule, title: title, before: before, after: after)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.required("rule")
        self.title = try members.required("title")
        self.before = try members.optional("before")
        self.after = try members.optional("after")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", self.rule)
        writer.member("title", self.title)
        writer.member("before", self.before)
        writer.member("after", self.after)
        writer.endObject()
    }

    public static var schemaName: String { "RehearsedNotification" }
    public static var description: String { "A notification that only one of two sets of settings sends." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String.self, "The rule.")
        builder.member("title", String.self, "The headline.")
        builder.member("before", Timestamp?.self, "When the current settings send it; null when they do not.")
        builder.member("after", Timestamp?.self, "When the other settings send it; null when they do not.")
    }
}

extension NotifyRehearseResult: HasNotices {
    public init(
        at: Timestamp, days: Int, before: Int, after: Int, soundingBefore: Int = 0, soundingAfter: Int = 0,
        logged: Int = 0, differences: [RehearsedNotification], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, days: days, before: before, after: after, soundingBefore: soundingBefore,
            soundingAfter: soundingAfter, logged: logged, differences: differences, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.days = try members.required("days")
        self.before = try members.required("before")
        self.after = try members.required("after")
        self.soundingBefore = try members.optional("sounding_before", default: 0)
        self.soundingAfter = try members.optional("sounding_after", default: 0)
        self.logged = try members.optional("logged", default: 0)
        self.differences = try members.array("differences")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("days", self.days)
        writer.member("before", self.before)
        writer.member("after", self.after)
        writer.member("sounding_before", self.soundingBefore)
        writer.member("sounding_after", self.soundingAfter)
        writer.member("logged", self.logged)
        writer.member("differences", self.differences)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyRehearseResult" }
    public static var description: String { "The notifications that other settings would have sent." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("days", Int.self, "The number of days with observations.")
        builder.member("before", Int.self, "The number of notifications about departures with the current settings. Updates count, as in the log; withdrawals do not.")
        builder.member("after", Int.self, "The number of notifications about departures with the other settings.")
        builder.member("sounding_before", Int.self, "How many of `before` make a sound.", default: 0)
        builder.member("sounding_after", Int.self, "How many of `after` make a sound.", default: 0)
        builder.member("logged", Int.self, "The number of notifications of the same rules that the log has for the same days. It differs from `before` if subjects, settings or mutes were different then, or if the daemon was not running.", default: 0)
        builder.member("differences", [RehearsedNotification].self, "The first notifications of each rule about a departure that only one of them sends, in the order of time, at most 200.")
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}
