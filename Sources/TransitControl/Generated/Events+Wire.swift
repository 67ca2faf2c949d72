// Generated from Sources/TransitControl/Messages/Events.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension EventsParameters {
    public init(
        date: String? = nil, days: Int? = nil, category: String? = nil, stop: String? = nil, radius: Int? = nil,
        allVenues: Bool = false, count: Int = 50, language: String? = nil, _: Void = ()
    ) {
        self.init(
            date: date, days: days, category: category, stop: stop, radius: radius, allVenues: allVenues, count: count,
            language: language
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.date = try members.optional("date", in: 1...64)
        self.days = try members.optional("days", in: 1...60)
        self.category = try members.optional("category", in: 1...100)
        self.stop = try members.optional("stop", in: 1...300)
        self.radius = try members.optional("radius", in: 1...16100)
        self.allVenues = try members.optional("all_venues", default: false)
        self.count = try members.optional("count", in: 1...200, default: 50)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.date != nil { writer.member("date", self.date) }
        if self.days != nil { writer.member("days", self.days) }
        if self.category != nil { writer.member("category", self.category) }
        if self.stop != nil { writer.member("stop", self.stop) }
        if self.radius != nil { writer.member("radius", self.radius) }
        if self.allVenues != false { writer.member("all_venues", self.allVenues) }
        if self.count != 50 { writer.member("count", self.count) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "EventsParameters" }
    public static var description: String { "Lists public events near stations, such as concerts and games, whose crowds may travel with you." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("date", String?.self, "The first date: \"today\", \"tomorrow\", a day such as \"sat\", a date such as \"2026-03-28\", or a time in the format of `at` in `next`. The default is today.", in: 1...64)
        builder.member("days", Int?.self, "The number of days. The default is 1 if a date is given, otherwise 7.", in: 1...60)
        builder.member("category", String?.self, "Limits the result to events whose category or genre contains this text, such as \"sports\".", in: 1...100)
        builder.member("stop", String?.self, "Limits the result to events near this stop, given as in `departures`. The default is all stops.", in: 1...300)
        builder.member("radius", Int?.self, "The maximum distance between the venue and the stop, at least 800 (0.5 miles). The default is 2,414 (1.5 miles); without a value, a venue that the configuration always lists is also listed with its nearest stop within 16,100 (10 miles).", unit: .meters, in: 1...16100)
        builder.member("all_venues", Bool.self, "Whether to list all venues. The default is venues that are large or that the configuration always lists.", default: false)
        builder.member("count", Int.self, "The maximum number of events.", in: 1...200, default: 50)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\".", in: 1...35)
    }
}

extension VenueSummary {
    public init(
        name: String, city: String? = nil, capacity: Int? = nil, isLarge: Bool, position: Position? = nil, _: Void = ()
    ) {
        self.init(name: name, city: city, capacity: capacity, isLarge: isLarge, position: position)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.city = try members.optional("city")
        self.capacity = try members.optional("capacity")
        self.isLarge = try members.required("is_large")
        self.position = try members.optional("position")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("city", self.city)
        writer.member("capacity", self.capacity)
        writer.member("is_large", self.isLarge)
        writer.member("position", self.position)
        writer.endObject()
    }

    public static var schemaName: String { "VenueSummary" }
    public static var description: String { "The venue of an event." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The name.")
        builder.member("city", String?.self, "The city.")
        builder.member("capacity", Int?.self, "The capacity as a number of people; null when unknown.")
        builder.member("is_large", Bool.self, "Whether the venue is large or always listed.")
        builder.member("position", Position?.self, "The position.")
    }
}

extension EventSummary {
    public init(
        name: String, date: ServiceDate? = nil, start: Timestamp? = nil, end: Timestamp? = nil, status: EventState,
        category: String? = nil, genre: String? = nil, venue: VenueSummary, station: StopReference, feed: FeedID,
        distance: Int, url: String? = nil, _: Void = ()
    ) {
        self.init(
            name: name, date: date, start: start, end: end, status: status, category: category, genre: genre,
            venue: venue, station: station, feed: feed, distance: distance, url: url
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.date = try members.optional("date")
        self.start = try members.optional("start")
        self.end = try members.optional("end")
        self.status = try members.required("status")
        self.category = try members.optional("category")
        self.genre = try members.optional("genre")
        self.venue = try members.required("venue")
        self.station = try members.required("station")
        self.feed = try members.required("feed")
        self.distance = try members.required("distance")
        self.url = try members.optional("url")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("date", self.date)
        writer.member("start", self.start)
        writer.member("end", self.end)
        writer.member("status", self.status)
        writer.member("category", self.category)
        writer.member("genre", self.genre)
        writer.member("venue", self.venue)
        writer.member("station", self.station)
        writer.member("feed", self.feed)
        writer.member("distance", self.distance)
        writer.member("url", self.url)
        writer.endObject()
    }

    public static var schemaName: String { "EventSummary" }
    public static var description: String { "A public event near a station." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The name of the event.")
        builder.member("date", ServiceDate?.self, "The local date; null when it has not been announced.")
        builder.member("start", Timestamp?.self, "When the event begins; null when the time has not been announced.")
        builder.member("end", Timestamp?.self, "When the event ends; null when unknown, which is usual.")
        builder.member("status", EventState.self, "Whether the event takes place as announced. scheduled; rescheduled: `start` is the new time; postponed: to an unknown time; canceled. More values may be added.")
        builder.member("category", String?.self, "The kind of event, such as \"Sports\".")
        builder.member("genre", String?.self, "A more specific kind, such as \"Basketball\".")
        builder.member("venue", VenueSummary.self, "The venue.")
        builder.member("station", StopReference.self, "The nearest stop, or the requested one.")
        builder.member("feed", FeedID.self, "The feed of the stop.")
        builder.member("distance", Int.self, "The distance between the venue and the stop.", unit: .meters)
        builder.member("url", String?.self, "A page about the event.")
    }
}

extension EventsResult: HasNotices {
    public init(
        at: Timestamp, date: ServiceDate, days: Int, events: [EventSummary], total: Int, knownFrom: ServiceDate? = nil,
        knownUntil: ServiceDate? = nil, age: Int? = nil, attribution: String, units: MeasurementUnits = .automatic,
        notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, date: date, days: days, events: events, total: total, knownFrom: knownFrom, knownUntil: knownUntil,
            age: age, attribution: attribution, units: units, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.date = try members.required("date")
        self.days = try members.required("days")
        self.events = try members.array("events")
        self.total = try members.required("total")
        self.knownFrom = try members.optional("known_from")
        self.knownUntil = try members.optional("known_until")
        self.age = try members.optional("age")
        self.attribution = try members.required("attribution")
        self.units = try members.optional("units", default: .automatic)
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("date", self.date)
        writer.member("days", self.days)
        writer.member("events", self.events)
        writer.member("total", self.total)
        writer.member("known_from", self.knownFrom)
        writer.member("known_until", self.knownUntil)
        writer.member("age", self.age)
        writer.member("attribution", self.attribution)
        writer.member("units", self.units)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "EventsResult" }
    public static var description: String { "Public events near stations." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("date", ServiceDate.self, "The first date.")
        builder.member("days", Int.self, "The number of days.")
        builder.member("events", [EventSummary].self, "The events in the order of their times.")
        builder.member("total", Int.self, "The number of events, including those that `count` leaves out.")
        builder.member("known_from", ServiceDate?.self, "The first date whose events are known; null when there is no list.")
        builder.member("known_until", ServiceDate?.self, "The last date whose events are known; null when there is no list.")
        builder.member("age", Int?.self, "The age of the list of events; null when there is none.", unit: .seconds)
        builder.member("attribution", String.self, "The attribution that the terms of the source require wherever the data is shown.")
        builder.member("units", MeasurementUnits.self, "The units to show. The members of this result are in metric units.", default: .automatic)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
