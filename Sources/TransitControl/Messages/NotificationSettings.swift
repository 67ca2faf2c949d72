public import TransitModel
public import TransitWire

/// Where the value of a setting comes from.
public enum SettingOrigin: String, OpenWireEnum {
    /// The user set it.
    case user
    /// The configuration file sets it for all users.
    case configuration
    /// It is built in.
    case builtIn = "default"
    /// A value that this version does not know.
    case other
}

/// A setting of a rule.
public struct NotificationSetting: WireObject {
    /// The name that `notify.set` accepts, such as "delay.first".
    public var key: String
    /// The value as `notify.set` accepts it, such as "3".
    public var value: String
    /// Where the value comes from. More values may be added.
    public var origin: SettingOrigin
    /// What the setting does, with its unit.
    public var description: String
    /// The unit of the value, such as "min"; null for texts, times of day, and settings that are on or off.
    public var unit: String?
    /// The value that applies if neither the user nor the configuration sets one.
    public var defaultValue: String = ""
}

/// A rule of notifications, or a group of settings that concern all rules.
public struct NotificationRuleStatus: WireObject {
    /// The rule, such as "delay", or the group, such as "quiet".
    public var rule: String
    /// What the rule does, as a sentence.
    public var description: String
    /// Whether the rule is on. Always true for a group of settings.
    public var isOn: Bool
    /// When the mute of the rule ends; null when it is not muted.
    public var mutedUntil: Timestamp?
    /// The settings, in the order of transitctl(1).
    public var settings: [NotificationSetting]
    /// What the rule is expected to do next, as a sentence; null when nothing is expected.
    public var next: String?
}

/// A subject that the daemon watches for the caller.
public struct WatchedSubjectStatus: WireObject {
    /// The kind of subject. More values may be added.
    public var kind: NotificationSubjectKind
    /// The name of the subject, such as the name of a commute.
    public var name: String
    /// The stop of the next departure.
    public var stop: String?
    /// The route of the next departure, such as "Tram 5".
    public var route: String?
    /// When the next departure is scheduled; null when none is known.
    public var scheduled: Timestamp?
    /// When it is expected; null without realtime data.
    public var expected: Timestamp?
    /// Why the subject cannot be watched, as a sentence; null when it can.
    public var problem: String?
    /// The rules that are on and watch the subject, such as "leave".
    public var rules: [String] = []
}

/// A notification that was decided.
public struct NotificationLogEntry: WireObject {
    /// Identifies the event.
    public var id: String
    /// When it was decided.
    public var at: Timestamp
    /// The rule.
    public var rule: String
    /// What happened to the notification. More values may be added.
    public var op: NotificationOperation
    /// The headline.
    public var title: String
    /// How far it was handled: "decided", "handed_out", "done", "failed", "suppressed", or "replaced" if a later event
    /// with its key made it needless before a hook ran. More values may be added.
    public var stage: String
    /// Why it was not shown, or what failed, as a sentence; null otherwise.
    public var reason: String?
    /// The sources to name when the headline is shown.
    public var attribution: [String] = []
}

/// The program that shows the caller's notifications.
public struct NotificationAgentStatus: WireObject {
    /// When a program last confirmed a notification; null if none has since the daemon started.
    public var lastContact: Timestamp?
    /// The number of connected subscribers to the topic `notifications`.
    public var subscribers: Int
    /// The number of notifications of the last week that a program could not show.
    public var failures: Int
    /// The latest of these failures, as a sentence.
    public var lastFailure: String?
}

/// Whether the caller's notifications are on and shown.
public struct NotificationSummary: WireObject {
    /// Whether the caller turned notifications on.
    public var isOn: Bool
    /// The program that shows them.
    public var agent: NotificationAgentStatus
}

/// Lists the caller's rules with their settings, the subjects that are watched, and what was decided recently.
public struct NotifyListParameters: ControlParameters {
    public typealias Reply = NotifyListResult
    public static let method = ControlMethod.notifyList

    /// Whether to list the notifications that were decided, newest first.
    public var log: Bool = false
    /// Whether to list the notifications that were not shown, newest first.
    public var suppressed: Bool = false
    /// The maximum number of notifications in the list.
    /// - Range: 1...200
    public var count: Int = 20
}

/// The caller's notifications and their settings.
public struct NotifyListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Whether the caller turned notifications on.
    public var isOn: Bool
    /// When the mute of all notifications ends; null when they are not muted.
    public var mutedUntil: Timestamp?
    /// The program that shows the notifications.
    public var agent: NotificationAgentStatus
    /// The subjects.
    public var subjects: [WatchedSubjectStatus]
    /// The rules and groups of settings.
    public var rules: [NotificationRuleStatus]
    /// The coming days off, in ascending order.
    public var daysOff: [ServiceDate]
    /// The notifications that were requested with `log` or `suppressed`.
    public var log: [NotificationLogEntry] = []
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}

/// Turns the caller's notifications on or off.
public struct NotifyEnableParameters: ControlParameters {
    public typealias Reply = NotifyListResult
    public static let method = ControlMethod.notifyEnable

    /// Whether notifications are on.
    public var isOn: Bool
}

/// Sets a setting of the caller's notifications, or resets it.
public struct NotifySetParameters: ControlParameters {
    public typealias Reply = NotifySetResult
    public static let method = ControlMethod.notifySet

    /// The setting, such as "delay.first", or a rule, such as "delay", which `on` or `off` turns on or off.
    /// - Range: 1...64
    public var key: String
    /// The value; null to use the configuration's or the built-in value again.
    /// - Range: 1...64
    public var value: String?
}

/// The setting after the change.
public struct NotifySetResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The setting.
    public var setting: NotificationSetting
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}

/// Mutes the caller's notifications for a while.
public struct NotifyMuteParameters: ControlParameters {
    public typealias Reply = NotifyMuteResult
    public static let method = ControlMethod.notifyMute

    /// The rule to mute; null for all.
    /// - Range: 1...64
    public var rule: String?
    /// For how long. Null mutes until the end of the day, or a rule until it is unmuted; 0 ends muting.
    /// - Unit: seconds
    /// - Range: 0...2_678_400
    public var duration: Int?
}

/// What is muted.
public struct NotifyMuteResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The rule; null for all.
    public var rule: String?
    /// When the mute ends; null when nothing is muted any longer.
    public var until: Timestamp?
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}

/// Makes a test notification, which the caller's program shows like any other.
public struct NotifyTestParameters: ControlParameters {
    public typealias Reply = NotifyTestResult
    public static let method = ControlMethod.notifyTest

    /// The rule whose hooks to test.
    /// - Range: 1...64
    public var rule: String = "leave"
}

/// The test notification.
public struct NotifyTestResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The event.
    public var event: NotificationEvent
    /// The number of connected subscribers, to which the event is sent.
    public var subscribers: Int
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}

/// Performs an action of a notification.
public struct NotifyActParameters: ControlParameters {
    public typealias Reply = NotifyActResult
    public static let method = ControlMethod.notifyAct

    /// The `id` of the event, or its `key`.
    /// - Range: 1...500
    public var id: String
    /// The action: "taken", "next" or "mute-today".
    /// - Range: 1...64
    public var action: String
}

/// What the action did.
public struct NotifyActResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// A human-readable sentence.
    public var message: String
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}

/// Adds or removes days off, on which only departures that are pinned for that date raise notifications.
public struct NotifyDaysOffParameters: ControlParameters {
    public typealias Reply = NotifyDaysOffResult
    public static let method = ControlMethod.notifyDaysOff

    /// The ranges to add.
    /// - Range: 0...400
    public var add: [DateSpan] = []
    /// The ranges to remove.
    /// - Range: 0...400
    public var remove: [DateSpan] = []
    /// The text of an iCalendar file (RFC 5545). Its events add the dates of the coming two years that they cover from
    /// midnight to midnight. Only these properties are read, and others can be left out: `DTSTART`, `DTEND`, `DURATION`,
    /// `RRULE`, `EXRULE`, `RDATE`, `EXDATE`, `RECURRENCE-ID`, `UID`, `TRANSP` and `STATUS` of events, and `TZID`,
    /// `TZOFFSETTO`, `DTSTART` and `RRULE` of time zones.
    /// - Range: 1...60_000
    public var calendar: String?
    /// Whether to skip the events of `calendar` that are marked as free time (`TRANSP:TRANSPARENT`).
    public var busyOnly: Bool = false
}

/// The result for one event of an iCalendar file.
public struct ImportedCalendarEntry: WireObject {
    /// The position of the event in the file, counted from 0.
    public var index: Int
    /// The number of days off that it adds.
    public var days: Int
    /// The first of these days, as ranges in ascending order, at most 20.
    public var spans: [DateSpan] = []
    /// Why it adds none, as a sentence; null when it adds some.
    public var reason: String?
}

/// The caller's days off.
public struct NotifyDaysOffResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The coming days off, in ascending order.
    public var days: [ServiceDate]
    /// The result for each event of `calendar`, in the order of the file.
    public var entries: [ImportedCalendarEntry] = []
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}

/// Repeats the decisions about departures of past days with other settings. It uses past observations of the subjects
/// that are watched now.
public struct NotifyRehearseParameters: ControlParameters {
    public typealias Reply = NotifyRehearseResult
    public static let method = ControlMethod.notifyRehearse

    /// The number of past days.
    /// - Range: 1...60
    public var days: Int = 30
    /// The settings to try, such as "delay.first=5".
    /// - Range: 0...32
    public var set: [String] = []
}

/// A notification that only one of two sets of settings sends.
public struct RehearsedNotification: WireObject {
    /// The rule.
    public var rule: String
    /// The headline.
    public var title: String
    /// When the current settings send it; null when they do not.
    public var before: Timestamp?
    /// When the other settings send it; null when they do not.
    public var after: Timestamp?
}

/// The notifications that other settings would have sent.
public struct NotifyRehearseResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The number of days with observations.
    public var days: Int
    /// The number of notifications about departures with the current settings. Updates count, as in the log;
    /// withdrawals do not.
    public var before: Int
    /// The number of notifications about departures with the other settings.
    public var after: Int
    /// How many of `before` make a sound.
    public var soundingBefore: Int = 0
    /// How many of `after` make a sound.
    public var soundingAfter: Int = 0
    /// The number of notifications of the same rules that the log has for the same days. It differs from `before` if
    /// subjects, settings or mutes were different then, or if the daemon was not running.
    public var logged: Int = 0
    /// The first notifications of each rule about a departure that only one of them sends, in the order of time, at most
    /// 200.
    public var differences: [RehearsedNotification]
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}
