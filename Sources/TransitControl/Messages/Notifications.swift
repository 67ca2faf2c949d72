public import TransitWire

/// What a program does with a desktop notification.
public enum NotificationOperation: String, OpenWireEnum {
    /// Shows a new notification.
    case show
    /// Replaces the notification with the same key.
    case update
    /// Removes the notification with the same key.
    case withdraw
    /// A value that this version does not know.
    case other
}

/// The urgency of a notification (Desktop Notifications Specification, "Urgency Levels", without critical).
public enum NotificationUrgency: String, OpenWireEnum {
    case low
    case normal
    case high
    /// A value that this version does not know.
    case other
}

/// The kind of subject that a notification is about.
public enum NotificationSubjectKind: String, OpenWireEnum {
    case journey
    case connection
    case pinned
    case usual
    case commute
    case favorite
    case feed
    case machine
    case digest
    /// A value that this version does not know.
    case other
}

/// The subject of a notification.
public struct NotificationSubject: WireObject {
    /// journey: the first ride of a pinned journey; connection: a later ride of one; pinned: a departure that the user
    /// pinned; usual: a departure that the user usually takes; commute: the next departure of a commute in its window;
    /// favorite: a favorite route at a stop; feed: a timetable or its source; machine: the daemon or its machine; digest:
    /// several subjects. More values may be added.
    public var kind: NotificationSubjectKind
    /// The name of the subject, such as the name of a commute.
    public var name: String
}

/// What the previous notification with the same key said.
public struct PreviousNotification: WireObject {
    /// The expected departure.
    public var expected: Timestamp?
    /// The delay; null when unknown.
    /// - Unit: seconds
    public var delay: Int?
    /// The platform.
    public var platform: String?
    /// The status.
    public var status: DepartureStatus?
}

/// A button of a notification.
public struct NotificationAction: WireObject {
    /// The identifier that `notify.act` accepts: "taken", "next" or "mute-today". More values may be added.
    public var id: String
    /// The text of the button.
    public var label: String
}

/// A public event that crowds a station of a commute.
public struct CrowdingEvent: WireObject {
    /// The name of the event.
    public var name: String
    /// The venue.
    public var venue: String
    /// The station of the commute that is nearest to the venue.
    public var station: String
    /// The distance between the venue and the station.
    /// - Unit: meters
    public var distance: Int
    /// When the event begins.
    public var start: Timestamp
    /// When the event ends; null when unknown, which is usual.
    public var end: Timestamp?
}

/// The weather forecast for the arrival of a departure.
public struct WeatherOutlook: WireObject {
    /// The arrival.
    public var at: Timestamp
    /// The probability of rain.
    /// - Unit: percent
    public var rainProbability: Int?
    /// The amount of rain in the hour.
    /// - Unit: millimeters
    public var rain: Double?
    /// The amount of snow in the hour.
    /// - Unit: centimeters
    public var snowfall: Double?
}

/// One entry of a digest.
public struct NotificationItem: WireObject {
    /// The rule, such as "alert".
    public var rule: String
    /// The headline, one line of plain text.
    public var title: String
    /// Plain text.
    public var body: String
    /// The URL of a page with more information.
    public var url: String?
}

/// A notification: what hooks receive on standard input, and what subscribers of the topic `notifications` receive.
public struct NotificationEvent: WireObject {
    /// The version of this object. It increases with incompatible changes.
    public var schema: Int = 1
    /// Identifies the event. An event that is handed out again has the same value.
    public var id: String
    /// Identifies the notification. Events with the same key replace each other.
    public var key: String
    /// The number of this event among those with the same key, starting at 1.
    public var revision: Int
    /// What to do with the notification. More values may be added.
    public var op: NotificationOperation
    /// The rule that decided the event, such as "leave", "delay" or "canceled". More values may be added.
    public var rule: String
    /// The urgency. More values may be added.
    public var urgency: NotificationUrgency
    /// Whether a sound is appropriate.
    public var sound: Bool
    /// When the event was decided.
    public var at: Timestamp
    /// When the event stops being useful, by the daemon's clock. The desktop notification expires then.
    public var validUntil: Timestamp
    /// The time until `valid_until` when the event was sent.
    /// - Unit: seconds
    public var expiresIn: Int
    /// The language of the daemon's own texts, as an IETF BCP 47 language tag.
    public var language: String
    /// The language of the feeds' texts, such as names of stops and the texts of an alert, as an IETF BCP 47 language tag;
    /// null when the feed does not say it, or when feeds have different ones.
    public var feedLanguage: String?
    /// The headline, one line of plain text.
    public var title: String
    /// The text, plain, without markup. Lines are separated by line feeds.
    public var body: String
    /// The subject.
    public var subject: NotificationSubject
    /// The departure; null for other subjects, and when it is no longer in the timetable.
    public var departure: Departure?
    /// What the previous event with the same key said; null for the first one.
    public var was: PreviousNotification?
    /// When to start walking, with time to spare that depends on the headway.
    public var leaveBy: Timestamp?
    /// The walk to the stop.
    /// - Unit: seconds
    public var walk: Int?
    /// The next departures that the user can catch instead.
    public var next: [Departure] = []
    /// The alert; null for other rules.
    public var alert: AlertSummary?
    /// The public event that crowds a station; null for other rules.
    public var event: CrowdingEvent?
    /// The weather in the hour of the arrival; null when unknown.
    public var weather: WeatherOutlook?
    /// The entries of a digest.
    public var items: [NotificationItem] = []
    /// Why the event was decided, as a sentence.
    public var reason: String
    /// The buttons of the notification.
    public var actions: [NotificationAction] = []
    /// The URL of a page with more information.
    public var url: String?
    /// The sources to name when the texts are shown.
    public var attribution: [String] = []
    /// Whether the event was requested by `notify.test`.
    public var test: Bool = false
}

/// Lists the caller's current notifications: those of the last two minutes, and those that are valid and whose hooks have
/// not run yet. It is also the topic `notifications`.
public struct NotificationsParameters: ControlParameters {
    public typealias Reply = NotificationsResult
    public static let method = ControlMethod.notifications

    /// The caller's language, as an IETF BCP 47 language tag. The daemon remembers the language of the user's latest
    /// subscription that has one, and ignores a tag that is not valid.
    /// - Range: 1...35
    public var language: String?
}

/// The caller's current notifications.
public struct NotificationsResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The events, oldest first.
    public var events: [NotificationEvent]
    /// The `id` of each event whose hooks have to run. An event that was handed out and not finished is listed again only
    /// if it is urgent or a withdrawal, and no newer event has its `key`.
    public var unfinished: [String]
    /// Conditions that affect the result.
    public var notices: [Notice] = []
}

/// The stage of a notification that a program handles.
public enum NotificationStage: String, WireEnum {
    /// The program has the event and runs its hooks.
    case handedOut = "handed_out"
    /// The hooks have run.
    case done
    /// A hook failed and will not be run again.
    case failed
}

/// Records the stage of notifications that the caller's program handles. `transitd-notify` uses it, so that no hook
/// runs twice.
public struct NotifyAckParameters: ControlParameters {
    public typealias Reply = NotifyAckResult
    public static let method = ControlMethod.notifyAck

    /// The `id` of each event.
    /// - Range: 1...64
    public var ids: [String]
    /// The stage that the events have reached.
    public var stage: NotificationStage
    /// For `failed`: what failed, for `notify list`.
    /// - Range: 1...500
    public var message: String?
}

/// The result of recording a stage.
public struct NotifyAckResult: WireObject {
    /// The number of events that were found. An expired event is not found.
    public var count: Int
}
