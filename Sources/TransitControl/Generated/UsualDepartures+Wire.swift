// Generated from Sources/TransitControl/Messages/UsualDepartures.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension UsualDeparture {
    public init(
        number: Int, feed: FeedID, route: RouteID, routeName: String, routeType: Int? = nil, directionId: Int? = nil,
        stop: StopReference, time: String, days: [String], date: ServiceDate? = nil, commute: String? = nil,
        pinned: Bool, problem: String? = nil, _: Void = ()
    ) {
        self.init(
            number: number, feed: feed, route: route, routeName: routeName, routeType: routeType,
            directionId: directionId, stop: stop, time: time, days: days, date: date, commute: commute, pinned: pinned,
            problem: problem
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.number = try members.required("number")
        self.feed = try members.required("feed")
        self.route = try members.required("route")
        self.routeName = try members.required("route_name")
        self.routeType = try members.optional("route_type")
        self.directionId = try members.optional("direction_id")
        self.stop = try members.required("stop")
        self.time = try members.required("time")
        self.days = try members.array("days")
        self.date = try members.optional("date")
        self.commute = try members.optional("commute")
        self.pinned = try members.required("pinned")
        self.problem = try members.optional("problem")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", self.number)
        writer.member("feed", self.feed)
        writer.member("route", self.route)
        writer.member("route_name", self.routeName)
        writer.member("route_type", self.routeType)
        writer.member("direction_id", self.directionId)
        writer.member("stop", self.stop)
        writer.member("time", self.time)
        writer.member("days", self.days)
        writer.member("date", self.date)
        writer.member("commute", self.commute)
        writer.member("pinned", self.pinned)
        writer.member("problem", self.problem)
        writer.endObject()
    }

    public static var schemaName: String { "UsualDeparture" }
    public static var description: String { "A departure that the caller pinned or usually takes." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("number", Int.self, "The number by which other methods refer to the departure. It changes with the list.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("route", RouteID.self, "The route's identifier (`route_id`).")
        builder.member("route_name", String.self, "The route as riders call it.")
        builder.member("route_type", Int?.self, "The mode of transport (GTFS `route_type`); null if the timetable lacks the route.")
        builder.member("direction_id", Int?.self, "The direction of the trip (`direction_id`).")
        builder.member("stop", StopReference.self, "The stop.")
        builder.member("time", String.self, "The scheduled time of day, such as \"08:12\". It passes 24:00 for a departure after midnight of its service date.")
        builder.member("days", [String].self, "The service days: \"mon\" to \"sun\".")
        builder.member("date", ServiceDate?.self, "The only service date of a departure that is pinned for one date.")
        builder.member("commute", String?.self, "The commute; null when unknown.")
        builder.member("pinned", Bool.self, "Whether the caller pinned the departure. Otherwise it was learned.")
        builder.member("problem", String?.self, "A sentence that explains why the departure cannot be found in the timetable; null when it can.")
    }
}

extension UsualListParameters {
    public init(_: Void = ()) {
        self.init()
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        _ = try WireMembers.of(Self.self, in: value, as: role)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.endObject()
    }

    public static var schemaName: String { "UsualListParameters" }
    public static var description: String { "Lists the caller's pinned and usual departures." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension UsualListResult: HasNotices {
    public init(at: Timestamp, departures: [UsualDeparture], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, departures: departures, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.departures = try members.array("departures")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("departures", self.departures)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "UsualListResult" }
    public static var description: String { "The caller's pinned and usual departures." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("departures", [UsualDeparture].self, "The pinned departures, then the learned ones, each in order of time.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension UsualPinParameters {
    public init(departure: String, days: [String] = [], once: Bool = false, _: Void = ()) {
        self.init(departure: departure, days: days, once: once)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure", in: 1...300)
        self.days = try members.optional("days", in: 0...7, default: [])
        self.once = try members.optional("once", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        if self.days != [] { writer.member("days", self.days) }
        if self.once != false { writer.member("once", self.once) }
        writer.endObject()
    }

    public static var schemaName: String { "UsualPinParameters" }
    public static var description: String { "Pins a departure, so that it is a usual departure whatever was learned." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The number or time of a usual departure, a departure's `id`, or a description in the format of `departure` in `explain`.", in: 1...300)
        builder.member("days", [String].self, "The service days: \"mon\" to \"sun\", \"weekdays\", \"weekends\", or a range such as \"mon-fri\". The default is Monday to Friday, or the departure's day of the week on a weekend.", in: 0...7, default: [])
        builder.member("once", Bool.self, "Whether to pin the departure only on its service date.", default: false)
    }
}

extension UsualUnpinParameters {
    public init(departure: String, _: Void = ()) {
        self.init(departure: departure)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure", in: 1...300)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        writer.endObject()
    }

    public static var schemaName: String { "UsualUnpinParameters" }
    public static var description: String { "Removes a pin. If the departure is also a learned one, it is listed as such again." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The number, or the time if only one departure has it, such as \"08:12\".", in: 1...300)
    }
}

extension UsualForgetParameters {
    public init(departure: String, _: Void = ()) {
        self.init(departure: departure)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure", in: 1...300)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        writer.endObject()
    }

    public static var schemaName: String { "UsualForgetParameters" }
    public static var description: String { "Removes a learned departure. It is learned again only from what the caller does later." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The number, or the time if only one departure has it, such as \"08:12\".", in: 1...300)
    }
}

extension UsualExplainParameters {
    public init(departure: String, _: Void = ()) {
        self.init(departure: departure)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure", in: 1...300)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        writer.endObject()
    }

    public static var schemaName: String { "UsualExplainParameters" }
    public static var description: String { "Explains why a departure is a usual one." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The number, or the time if only one departure has it, such as \"08:12\".", in: 1...300)
    }
}

extension UsualResult: HasNotices {
    public init(at: Timestamp, departure: UsualDeparture, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, departure: departure, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.departure = try members.required("departure")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("departure", self.departure)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "UsualResult" }
    public static var description: String { "The usual departure that was changed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("departure", UsualDeparture.self, "The departure after the change, or before its removal.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension UsualExplainResult: HasNotices {
    public init(
        at: Timestamp, departure: UsualDeparture, facts: [ExplainedFact], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, departure: departure, facts: facts, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.departure = try members.required("departure")
        self.facts = try members.array("facts")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("departure", self.departure)
        writer.member("facts", self.facts)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "UsualExplainResult" }
    public static var description: String { "The explanation of a usual departure." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("departure", UsualDeparture.self, "The departure.")
        builder.member("facts", [ExplainedFact].self, "The facts from which it was learned.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
