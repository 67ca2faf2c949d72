// Generated from Sources/TransitControl/Messages/Notifications.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension NotificationSubject {
    public init(kind: NotificationSubjectKind, name: String, _: Void = ()) {
        self.init(kind: kind, name: name)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.name = try members.required("name")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("name", self.name)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationSubject" }
    public static var description: String { "The subject of a notification." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", NotificationSubjectKind.self, "journey: the first ride of a pinned journey; connection: a later ride of one; pinned: a departure that the user pinned; usual: a departure that the user usually takes; commute: the next departure of a commute in its window; favorite: a favorite route at a stop; feed: a timetable or its source; machine: the daemon or its machine; digest: several subjects. More values may be added.")
        builder.member("name", String.self, "The name of the subject, such as the name of a commute.")
    }
}

extension PreviousNotification {
    public init(
        expected: Timestamp? = nil, delay: Int? = nil, platform: String? = nil, status: DepartureStatus? = nil,
        _: Void = ()
    ) {
        self.init(expected: expected, delay: delay, platform: platform, status: status)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.expected = try members.optional("expected")
        self.delay = try members.optional("delay")
        self.platform = try members.optional("platform")
        self.status = try members.optional("status")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("expected", self.expected)
        writer.member("delay", self.delay)
        writer.member("platform", self.platform)
        writer.member("status", self.status)
        writer.endObject()
    }

    public static var schemaName: String { "PreviousNotification" }
    public static var description: String { "What the previous notification with the same key said." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("expected", Timestamp?.self, "The expected departure.")
        builder.member("delay", Int?.self, "The delay; null when unknown.", unit: .seconds)
        builder.member("platform", String?.self, "The platform.")
        builder.member("status", DepartureStatus?.self, "The status.")
    }
}

extension NotificationAction {
    public init(id: String, label: String, _: Void = ()) {
        self.init(id: id, label: label)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.label = try members.required("label")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("label", self.label)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationAction" }
    public static var description: String { "A button of a notification." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "The identifier that `notify.act` accepts: \"taken\", \"next\" or \"mute-today\". More values may be added.")
        builder.member("label", String.self, "The text of the button.")
    }
}

extension CrowdingEvent {
    public init(
        name: String, venue: String, station: String, distance: Int, start: Timestamp, end: Timestamp? = nil,
        _: Void = ()
    ) {
        self.init(name: name, venue: venue, station: station, distance: distance, start: start, end: end)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.venue = try members.required("venue")
        self.station = try members.required("station")
        self.distance = try members.required("distance")
        self.start = try members.required("start")
        self.end = try members.optional("end")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("venue", self.venue)
        writer.member("station", self.station)
        writer.member("distance", self.distance)
        writer.member("start", self.start)
        writer.member("end", self.end)
        writer.endObject()
    }

    public static var schemaName: String { "CrowdingEvent" }
    public static var description: String { "A public event that crowds a station of a commute." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The name of the event.")
        builder.member("venue", String.self, "The venue.")
        builder.member("station", String.self, "The station of the commute that is nearest to the venue.")
        builder.member("distance", Int.self, "The distance between the venue and the station.", unit: .meters)
        builder.member("start", Timestamp.self, "When the event begins.")
        builder.member("end", Timestamp?.self, "When the event ends; null when unknown, which is usual.")
    }
}

extension WeatherOutlook {
    public init(
        at: Timestamp, rainProbability: Int? = nil, rain: Double? = nil, snowfall: Double? = nil, _: Void = ()
    ) {
        self.init(at: at, rainProbability: rainProbability, rain: rain, snowfall: snowfall)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.rainProbability = try members.optional("rain_probability")
        self.rain = try members.optional("rain")
        self.snowfall = try members.optional("snowfall")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("rain_probability", self.rainProbability)
        writer.member("rain", self.rain)
        writer.member("snowfall", self.snowfall)
        writer.endObject()
    }

    public static var schemaName: String { "WeatherOutlook" }
    public static var description: String { "The weather forecast for the arrival of a departure." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "The arrival.")
        builder.member("rain_probability", Int?.self, "The probability of rain.", unit: .percent)
        builder.member("rain", Double?.self, "The amount of rain in the hour.", unit: .millimeters)
        builder.member("snowfall", Double?.self, "The amount of snow in the hour.", unit: .centimeters)
    }
}

extension NotificationItem {
    public init(rule: String, title: String, body: String, url: String? = nil, _: Void = ()) {
        self.init(rule: rule, title: title, body: body, url: url)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.required("rule")
        self.title = try members.required("title")
        self.body = try members.required("body")
        self.url = try members.optional("url")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", self.rule)
        writer.member("title", self.title)
        writer.member("body", self.body)
        writer.member("url", self.url)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationItem" }
    public static var description: String { "One entry of a digest." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String.self, "The rule, such as \"alert\".")
        builder.member("title", String.self, "The headline, one line of plain text.")
        builder.member("body", String.self, "Plain text.")
        builder.member("url", String?.self, "The URL of a page with more information.")
    }
}

extension NotificationEvent {
    public init(
        schema: Int = 1, id: String, key: String, revision: Int, op: NotificationOperation, rule: String,
        urgency: NotificationUrgency, sound: Bool, at: Timestamp, validUntil: Timestamp, expiresIn: Int,
        language: String, feedLanguage: String? = nil, title: String, body: String, subject: NotificationSubject,
        departure: Departure? = nil, was: PreviousNotification? = nil, leaveBy: Timestamp? = nil, walk: Int? = nil,
        next: [Departure] = [], alert: AlertSummary? = nil, event: CrowdingEvent? = nil, weather: WeatherOutlook? = nil,
        items: [NotificationItem] = [], reason: String, actions: [NotificationAction] = [], url: String? = nil,
        attribution: [String] = [], test: Bool = false, _: Void = ()
    ) {
        self.init(
            schema: schema, id: id, key: key, revision: revision, op: op, rule: rule, urgency: urgency, sound: sound,
            at: at, validUntil: validUntil, expiresIn: expiresIn, language: language, feedLanguage: feedLanguage,
            title: title, body: body, subject: subject, departure: departure, was: was, leaveBy: leaveBy, walk: walk,
            next: next, alert: alert, event: event, weather: weather, items: items, reason: reason, actions: actions,
            url: url, attribution: attribution, test: test
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.schema = try members.optional("schema", default: 1)
        self.id = try members.required("id")
        self.key = try members.required("key")
        self.revision = try members.required("revision")
        self.op = try members.required("op")
        self.rule = try members.required("rule")
        self.urgency = try members.required("urgency")
        self.sound = try members.required("sound")
        self.at = try members.required("at")
        self.validUntil = try members.required("valid_until")
        self.expiresIn = try members.required("expires_in")
        self.language = try members.required("language")
        self.feedLanguage = try members.optional("feed_language")
        self.title = try members.required("title")
        self.body = try members.required("body")
        self.subject = try members.required("subject")
        self.departure = try members.optional("departure")
        self.was = try members.optional("was")
        self.leaveBy = try members.optional("leave_by")
        self.walk = try members.optional("walk")
        self.next = try members.optional("next", default: [])
        self.alert = try members.optional("alert")
        self.event = try members.optional("event")
        self.weather = try members.optional("weather")
        self.items = try members.optional("items", default: [])
        self.reason = try members.required("reason")
        self.actions = try members.optional("actions", default: [])
        self.url = try members.optional("url")
        self.attribution = try members.optional("attribution", default: [])
        self.test = try members.optional("test", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("schema", self.schema)
        writer.member("id", self.id)
        writer.member("key", self.key)
        writer.member("revision", self.revision)
        writer.member("op", self.op)
        writer.member("rule", self.rule)
        writer.member("urgency", self.urgency)
        writer.member("sound", self.sound)
        writer.member("at", self.at)
        writer.member("valid_until", self.validUntil)
        writer.member("expires_in", self.expiresIn)
        writer.member("language", self.language)
        writer.member("feed_language", self.feedLanguage)
        writer.member("title", self.title)
        writer.member("body", self.body)
        writer.member("subject", self.subject)
        writer.member("departure", self.departure)
        writer.member("was", self.was)
        writer.member("leave_by", self.leaveBy)
        writer.member("walk", self.walk)
        writer.member("next", self.next)
        writer.member("alert", self.alert)
        writer.member("event", self.event)
        writer.member("weather", self.weather)
        writer.member("items", self.items)
        writer.member("reason", self.reason)
        writer.member("actions", self.actions)
        writer.member("url", self.url)
        writer.member("attribution", self.attribution)
        writer.member("test", self.test)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationEvent" }
    public static var description: String { "A notification: what hooks receive on standard input, and what subscribers of the topic `notifications` receive." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("schema", Int.self, "The version of this object. It increases with incompatible changes.", default: 1)
        builder.member("id", String.self, "Identifies the event. An event that is handed out again has the same value.")
        builder.member("key", String.self, "Identifies the notification. Events with the same key replace each other.")
        builder.member("revision", Int.self, "The number of this event among those with the same key, starting at 1.")
        builder.member("op", NotificationOperation.self, "What to do with the notification. More values may be added.")
        builder.member("rule", String.self, "The rule that decided the event, such as \"leave\", \"delay\" or \"canceled\". More values may be added.")
        builder.member("urgency", NotificationUrgency.self, "The urgency. More values may be added.")
        builder.member("sound", Bool.self, "Whether a sound is appropriate.")
        builder.member("at", Timestamp.self, "When the event was decided.")
        builder.member("valid_until", Timestamp.self, "When the event stops being useful, by the daemon's clock. The desktop notification expires then.")
        builder.member("expires_in", Int.self, "The time until `valid_until` when the event was sent.", unit: .seconds)
        builder.member("language", String.self, "The language of the daemon's own texts, as an IETF BCP 47 language tag.")
        builder.member("feed_language", String?.self, "The language of the feeds' texts, such as names of stops and the texts of an alert, as an IETF BCP 47 language tag; null when the feed does not say it, or when feeds have different ones.")
        builder.member("title", String.self, "The headline, one line of plain text.")
        builder.member("body", String.self, "The text, plain, without markup. Lines are separated by line feeds.")
        builder.member("subject", NotificationSubject.self, "The subject.")
        builder.member("departure", Departure?.self, "The departure; null for other subjects, and when it is no longer in the timetable.")
        builder.member("was", PreviousNotification?.self, "What the previous event with the same key said; null for the first one.")
        builder.member("leave_by", Timestamp?.self, "When to start walking, with time to spare that depends on the headway.")
        builder.member("walk", Int?.self, "The walk to the stop.", unit: .seconds)
        builder.member("next", [Departure].self, "The next departures that the user can catch instead.", default: [])
        builder.member("alert", AlertSummary?.self, "The alert; null for other rules.")
        builder.member("event", CrowdingEvent?.self, "The public event that crowds a station; null for other rules.")
        builder.member("weather", WeatherOutlook?.self, "The weather in the hour of the arrival; null when unknown.")
        builder.member("items", [NotificationItem].self, "The entries of a digest.", default: [])
        builder.member("reason", String.self, "Why the event was decided, as a sentence.")
        builder.member("actions", [NotificationAction].self, "The buttons of the notification.", default: [])
        builder.member("url", String?.self, "The URL of a page with more information.")
        builder.member("attribution", [String].self, "The sources to name when the texts are shown.", default: [])
        builder.member("test", Bool.self, "Whether the event was requested by `notify.test`.", default: false)
    }
}

extension NotificationsParameters {
    public init(language: String? = nil, _: Void = ()) {
        self.init(language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "NotificationsParameters" }
    public static var description: String { "Lists the caller's current notifications: those of the last two minutes, and those that are valid and whose hooks have not run yet. It is also the topic `notifications`." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("language", String?.self, "The caller's language, as an IETF BCP 47 language tag. The daemon remembers the language of the user's latest subscription that has one, and ignores a tag that is not valid.", in: 1...35)
    }
}

extension NotificationsResult: HasNotices {
    public init(
        at: Timestamp, events: [NotificationEvent], unfinished: [String], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, events: events, unfinished: unfinished, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.events = try members.array("events")
        self.unfinished = try members.array("unfinished")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("events", self.events)
        writer.member("unfinished", self.unfinished)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationsResult" }
    public static var description: String { "The caller's current notifications." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("events", [NotificationEvent].self, "The events, oldest first.")
        builder.member("unfinished", [String].self, "The `id` of each event whose hooks have to run. An event that was handed out and not finished is listed again only if it is urgent or a withdrawal, and no newer event has its `key`.")
        builder.member("notices", [Notice].self, "Conditions that affect the result.", default: [])
    }
}

extension NotifyAckParameters {
    public init(ids: [String], stage: NotificationStage, message: String? = nil, _: Void = ()) {
        self.init(ids: ids, stage: stage, message: message)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.ids = try members.required("ids", in: 1...64)
        self.stage = try members.required("stage")
        self.message = try members.optional("message", in: 1...500)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("ids", self.ids)
        writer.member("stage", self.stage)
        if self.message != nil { writer.member("message", self.message) }
        writer.endObject()
    }

    public static var schemaName: String { "NotifyAckParameters" }
    public static var description: String { "Records the stage of notifications that the caller's program handles. `transitd-notify` uses it, so that no hook runs twice." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("ids", [String].self, "The `id` of each event.", in: 1...64)
        builder.member("stage", NotificationStage.self, "The stage that the events have reached.")
        builder.member("message", String?.self, "For `failed`: what failed, for `notify list`.", in: 1...500)
    }
}

extension NotifyAckResult {
    public init(count: Int, _: Void = ()) {
        self.init(count: count)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.count = try members.required("count")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("count", self.count)
        writer.endObject()
    }

    public static var schemaName: String { "NotifyAckResult" }
    public static var description: String { "The result of recording a stage." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("count", Int.self, "The number of events that were found. An expired event is not found.")
    }
}
