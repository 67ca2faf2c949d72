// Generated from Sources/TransitControl/Messages/Alerts.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension AlertPeriod {
    public init(start: Timestamp? = nil, end: Timestamp? = nil, _: Void = ()) {
        self.init(start: start, end: end)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.start = try members.optional("start")
        self.end = try members.optional("end")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("start", self.start)
        writer.member("end", self.end)
        writer.endObject()
    }

    public static var schemaName: String { "AlertPeriod" }
    public static var description: String { "A period during which an alert is in effect." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("start", Timestamp?.self, "The start of the period; null when it has no start.")
        builder.member("end", Timestamp?.self, "The end of the period, exclusive; null when it has no end.")
    }
}

extension AlertSubject {
    public init(
        agency: AgencyID? = nil, route: RouteID? = nil, routeName: String? = nil, routeType: Int? = nil,
        directionId: Int? = nil, trip: TripID? = nil, stop: StopID? = nil, stopName: String? = nil,
        stopKind: StopKind? = nil, stationName: String? = nil, _: Void = ()
    ) {
        self.init(
            agency: agency, route: route, routeName: routeName, routeType: routeType, directionId: directionId,
            trip: trip, stop: stop, stopName: stopName, stopKind: stopKind, stationName: stationName
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.agency = try members.optional("agency")
        self.route = try members.optional("route")
        self.routeName = try members.optional("route_name")
        self.routeType = try members.optional("route_type")
        self.directionId = try members.optional("direction_id")
        self.trip = try members.optional("trip")
        self.stop = try members.optional("stop")
        self.stopName = try members.optional("stop_name")
        self.stopKind = try members.optional("stop_kind")
        self.stationName = try members.optional("station_name")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("agency", self.agency)
        writer.member("route", self.route)
        writer.member("route_name", self.routeName)
        writer.member("route_type", self.routeType)
        writer.member("direction_id", self.directionId)
        writer.member("trip", self.trip)
        writer.member("stop", self.stop)
        writer.member("stop_name", self.stopName)
        writer.member("stop_kind", self.stopKind)
        writer.member("station_name", self.stationName)
        writer.endObject()
    }

    public static var schemaName: String { "AlertSubject" }
    public static var description: String { "A part of the network that an alert affects. The alert applies only where all members that are present match." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("agency", AgencyID?.self, "The agency (`agency_id`).")
        builder.member("route", RouteID?.self, "The route (`route_id`).")
        builder.member("route_name", String?.self, "The route's name for riders.")
        builder.member("route_type", Int?.self, "The mode of transport (`route_type`).")
        builder.member("direction_id", Int?.self, "The direction (`direction_id`), 0 or 1.")
        builder.member("trip", TripID?.self, "The trip (`trip_id`).")
        builder.member("stop", StopID?.self, "The stop (`stop_id`).")
        builder.member("stop_name", String?.self, "The stop's name for riders.")
        builder.member("stop_kind", StopKind?.self, "The kind of stop, since alerts can also apply to entrances and elevators; null when the stop is not in the timetable.")
        builder.member("station_name", String?.self, "The name of the station that the stop belongs to.")
    }
}

extension AlertSummary {
    public init(
        feed: FeedID, id: String, severity: AlertSeverityName, cause: AlertCauseName, effect: AlertEffectName,
        header: String? = nil, description: String? = nil, url: String? = nil, isActive: Bool,
        activePeriods: [AlertPeriod], informedEntities: [AlertSubject], informedEntityCount: Int? = nil,
        age: Int? = nil, _: Void = ()
    ) {
        self.init(
            feed: feed, id: id, severity: severity, cause: cause, effect: effect, header: header,
            description: description, url: url, isActive: isActive, activePeriods: activePeriods,
            informedEntities: informedEntities, informedEntityCount: informedEntityCount, age: age
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.id = try members.required("id")
        self.severity = try members.required("severity")
        self.cause = try members.required("cause")
        self.effect = try members.required("effect")
        self.header = try members.optional("header")
        self.description = try members.optional("description")
        self.url = try members.optional("url")
        self.isActive = try members.required("is_active")
        self.activePeriods = try members.array("active_periods")
        self.informedEntities = try members.array("informed_entities")
        self.informedEntityCount = try members.optional("informed_entity_count")
        self.age = try members.optional("age")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("id", self.id)
        writer.member("severity", self.severity)
        writer.member("cause", self.cause)
        writer.member("effect", self.effect)
        writer.member("header", self.header)
        writer.member("description", self.description)
        writer.member("url", self.url)
        writer.member("is_active", self.isActive)
        writer.member("active_periods", self.activePeriods)
        writer.member("informed_entities", self.informedEntities)
        writer.member("informed_entity_count", self.informedEntityCount)
        writer.member("age", self.age)
        writer.endObject()
    }

    public static var schemaName: String { "AlertSummary" }
    public static var description: String { "A service alert for riders." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed that published the alert.")
        builder.member("id", String.self, "The alert's identifier in the feed, as listed in a departure's `alerts`.")
        builder.member("severity", AlertSeverityName.self, "The severity. More values may be added.")
        builder.member("cause", AlertCauseName.self, "The cause. More values may be added.")
        builder.member("effect", AlertEffectName.self, "The effect on service. More values may be added.")
        builder.member("header", String?.self, "The headline, one line.")
        builder.member("description", String?.self, "The full text.")
        builder.member("url", String?.self, "The URL of a page with more information.")
        builder.member("is_active", Bool.self, "Whether the alert is in effect at the requested time.")
        builder.member("active_periods", [AlertPeriod].self, "The periods during which the alert is in effect; it is always in effect when the list is empty. At most 100 of those that have not ended.")
        builder.member("informed_entities", [AlertSubject].self, "The parts of the network that the alert affects, at most 100. Those that match the request come first.")
        builder.member("informed_entity_count", Int?.self, "The number of parts of the network that the alert affects, including those that are not listed.")
        builder.member("age", Int?.self, "The age of the feed's alerts.", unit: .seconds)
    }
}

extension AlertsParameters {
    public init(
        feed: FeedID? = nil, route: String? = nil, stop: String? = nil, commute: String? = nil, at: String? = nil,
        count: Int = 100, cursor: String? = nil, language: String? = nil, _: Void = ()
    ) {
        self.init(
            feed: feed, route: route, stop: stop, commute: commute, at: at, count: count, cursor: cursor,
            language: language
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.optional("feed", in: 1...64)
        self.route = try members.optional("route", in: 1...300)
        self.stop = try members.optional("stop", in: 1...300)
        self.commute = try members.optional("commute", in: 1...64)
        self.at = try members.optional("at", in: 1...64)
        self.count = try members.optional("count", in: 1...500, default: 100)
        self.cursor = try members.optional("cursor", in: 1...300)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.route != nil { writer.member("route", self.route) }
        if self.stop != nil { writer.member("stop", self.stop) }
        if self.commute != nil { writer.member("commute", self.commute) }
        if self.at != nil { writer.member("at", self.at) }
        if self.count != 100 { writer.member("count", self.count) }
        if self.cursor != nil { writer.member("cursor", self.cursor) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "AlertsParameters" }
    public static var description: String { "Lists service alerts." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID?.self, "Limits the result to this feed.", in: 1...64)
        builder.member("route", String?.self, "Limits the result to alerts for this route, given by identifier or name.", in: 1...300)
        builder.member("stop", String?.self, "Limits the result to alerts for this stop.", in: 1...300)
        builder.member("commute", String?.self, "Limits the result to alerts for this commute of the caller.", in: 1...64)
        builder.member("at", String?.self, "Limits the result to alerts in effect at this time, in the format of `at` in `next`; for a day, at any time of it. When omitted, all alerts that have not ended are listed.", in: 1...64)
        builder.member("count", Int.self, "The maximum number of alerts. A page with many long alerts has fewer.", in: 1...500, default: 100)
        builder.member("cursor", String?.self, "The `next_cursor` of the previous page; omit it for the first page.", in: 1...300)
        builder.member("language", String?.self, "The language for texts, as an IETF BCP 47 language tag such as \"de\". Texts are translated only if the feed has translations.", in: 1...35)
    }
}

extension AlertsResult: HasNotices {
    public init(
        at: Timestamp, requestedTime: Timestamp? = nil, alerts: [AlertSummary], nextCursor: String? = nil,
        notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, requestedTime: requestedTime, alerts: alerts, nextCursor: nextCursor, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.requestedTime = try members.optional("requested_time")
        self.alerts = try members.array("alerts")
        self.nextCursor = try members.optional("next_cursor")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("requested_time", self.requestedTime)
        writer.member("alerts", self.alerts)
        writer.member("next_cursor", self.nextCursor)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "AlertsResult" }
    public static var description: String { "A list of service alerts." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("requested_time", Timestamp?.self, "The time that `at` of the request means, or the beginning of its day; null without it.")
        builder.member("alerts", [AlertSummary].self, "Alerts in effect now come first, then the most severe.")
        builder.member("next_cursor", String?.self, "The `cursor` of the next page; null on the last page.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
