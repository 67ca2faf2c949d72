// Generated from Sources/TransitControl/Messages/Routes.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension RouteSummary {
    public init(
        id: RouteID, shortName: String? = nil, longName: String? = nil, type: Int, color: String? = nil,
        textColor: String? = nil, _: Void = ()
    ) {
        self.init(id: id, shortName: shortName, longName: longName, type: type, color: color, textColor: textColor)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.shortName = try members.optional("short_name")
        self.longName = try members.optional("long_name")
        self.type = try members.required("type")
        self.color = try members.optional("color")
        self.textColor = try members.optional("text_color")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("short_name", self.shortName)
        writer.member("long_name", self.longName)
        writer.member("type", self.type)
        writer.member("color", self.color)
        writer.member("text_color", self.textColor)
        writer.endObject()
    }

    public static var schemaName: String { "RouteSummary" }
    public static var description: String { "A route." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", RouteID.self, "The route's identifier (`route_id`).")
        builder.member("short_name", String?.self, "The number or letter shown on the vehicle.")
        builder.member("long_name", String?.self, "The full name.")
        builder.member("type", Int.self, "The mode of transport (GTFS `route_type`): 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry; also the extended types 100 to 1799.")
        builder.member("color", String?.self, "The route's color, six uppercase hexadecimal digits.")
        builder.member("text_color", String?.self, "A color that is legible on `color`, in the same format.")
    }
}

extension RouteMatch {
    public init(
        feed: FeedID, agency: String? = nil, rank: MatchRank, route: RouteSummary,
        directions: [RouteDirectionOption]? = nil, _: Void = ()
    ) {
        self.init(feed: feed, agency: agency, rank: rank, route: route, directions: directions)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.agency = try members.optional("agency")
        self.rank = try members.required("rank")
        self.route = try members.required("route")
        self.directions = try members.optional("directions")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("agency", self.agency)
        writer.member("rank", self.rank)
        writer.member("route", self.route)
        writer.member("directions", self.directions)
        writer.endObject()
    }

    public static var schemaName: String { "RouteMatch" }
    public static var description: String { "A route that a search found." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed of the route.")
        builder.member("agency", String?.self, "The name of the agency that runs the route.")
        builder.member("rank", MatchRank.self, "How well the route matches.")
        builder.member("route", RouteSummary.self, "The route.")
        builder.member("directions", [RouteDirectionOption]?.self, "The directions that a user can choose; empty when there is only one, null unless requested.")
    }
}

extension RouteDirectionOption {
    public init(directionId: Int? = nil, headsign: String? = nil, patterns: Int, _: Void = ()) {
        self.init(directionId: directionId, headsign: headsign, patterns: patterns)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.directionId = try members.optional("direction_id")
        self.headsign = try members.optional("headsign")
        self.patterns = try members.required("patterns")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("direction_id", self.directionId)
        writer.member("headsign", self.headsign)
        writer.member("patterns", self.patterns)
        writer.endObject()
    }

    public static var schemaName: String { "RouteDirectionOption" }
    public static var description: String { "A direction of a route that a user can choose." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("direction_id", Int?.self, "The direction (`direction_id`), 0 or 1; null when the feed has none.")
        builder.member("headsign", String?.self, "The headsign of most trips in the direction.")
        builder.member("patterns", Int.self, "The number of stop patterns.")
    }
}

extension RouteGroupAgency {
    public init(agency: String? = nil, routes: [String], _: Void = ()) {
        self.init(agency: agency, routes: routes)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.agency = try members.optional("agency")
        self.routes = try members.array("routes")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("agency", self.agency)
        writer.member("routes", self.routes)
        writer.endObject()
    }

    public static var schemaName: String { "RouteGroupAgency" }
    public static var description: String { "The routes of one agency that share a number." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("agency", String?.self, "The agency's name; null when unknown.")
        builder.member("routes", [String].self, "The routes as `FEED:ROUTE_ID`.")
    }
}

extension RouteGroupSummary {
    public init(name: String, agencies: [RouteGroupAgency], _: Void = ()) {
        self.init(name: name, agencies: agencies)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.agencies = try members.array("agencies")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("agencies", self.agencies)
        writer.endObject()
    }

    public static var schemaName: String { "RouteGroupSummary" }
    public static var description: String { "Routes that share a number." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The number or name shown on the vehicle.")
        builder.member("agencies", [RouteGroupAgency].self, "The agencies that run these routes.")
    }
}

extension RoutesSearchParameters {
    public init(
        text: String = "", feed: FeedID? = nil, nextCharacters: Bool = false, directions: Bool = false, count: Int = 10,
        cursor: String? = nil, language: String? = nil, remember: Bool = true, _: Void = ()
    ) {
        self.init(
            text: text, feed: feed, nextCharacters: nextCharacters, directions: directions, count: count,
            cursor: cursor, language: language, remember: remember
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.text = try members.optional("text", in: 0...200, default: "")
        self.feed = try members.optional("feed")
        self.nextCharacters = try members.optional("next_characters", default: false)
        self.directions = try members.optional("directions", default: false)
        self.count = try members.optional("count", in: 1...500, default: 10)
        self.cursor = try members.optional("cursor")
        self.language = try members.optional("language", in: 1...35)
        self.remember = try members.optional("remember", default: true)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.text != "" { writer.member("text", self.text) }
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.nextCharacters != false { writer.member("next_characters", self.nextCharacters) }
        if self.directions != false { writer.member("directions", self.directions) }
        if self.count != 10 { writer.member("count", self.count) }
        if self.cursor != nil { writer.member("cursor", self.cursor) }
        if self.language != nil { writer.member("language", self.language) }
        if self.remember != true { writer.member("remember", self.remember) }
        writer.endObject()
    }

    public static var schemaName: String { "RoutesSearchParameters" }
    public static var description: String { "Searches for routes by name. On request, also returns the characters that can follow the text." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("text", String.self, "The beginning of the name, or text that it contains; empty for all routes.", in: 0...200, default: "")
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("next_characters", Bool.self, "Whether to return the characters that can follow the text, so that a keypad offers only existing routes.", default: false)
        builder.member("directions", Bool.self, "Whether to return the directions of each route.", default: false)
        builder.member("count", Int.self, "The maximum number of routes.", in: 1...500, default: 10)
        builder.member("cursor", String?.self, "The `next_cursor` of the previous page; omit it for the first page.")
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
        builder.member("remember", Bool.self, "Whether the text becomes one of the caller's recent searches.", default: true)
    }
}

extension RoutesSearchResult: HasNotices {
    public init(
        at: Timestamp, routes: [RouteMatch], groups: [RouteGroupSummary] = [], nextCharacters: [String]? = nil,
        isComplete: Bool? = nil, nextCursor: String? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, routes: routes, groups: groups, nextCharacters: nextCharacters, isComplete: isComplete,
            nextCursor: nextCursor, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.routes = try members.array("routes")
        self.groups = try members.optional("groups", default: [])
        self.nextCharacters = try members.optional("next_characters")
        self.isComplete = try members.optional("is_complete")
        self.nextCursor = try members.optional("next_cursor")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("routes", self.routes)
        writer.member("groups", self.groups)
        writer.member("next_characters", self.nextCharacters)
        writer.member("is_complete", self.isComplete)
        writer.member("next_cursor", self.nextCursor)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "RoutesSearchResult" }
    public static var description: String { "The routes found, best match first." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("routes", [RouteMatch].self, "Best match first. Routes without stops are not listed.")
        builder.member("groups", [RouteGroupSummary].self, "The same routes grouped by number and agency, in the order of the first route of each group.", default: [])
        builder.member("next_characters", [String]?.self, "The characters that can follow the text; null unless requested.")
        builder.member("is_complete", Bool?.self, "Whether the text is the full name of a route; null unless `next_characters` is requested.")
        builder.member("next_cursor", String?.self, "The `cursor` of the next page; null on the last page.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension AgencySummary {
    public init(
        id: AgencyID, name: String, url: String? = nil, phone: String? = nil, timezone: String, _: Void = ()
    ) {
        self.init(id: id, name: name, url: url, phone: phone, timezone: timezone)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.name = try members.required("name")
        self.url = try members.optional("url")
        self.phone = try members.optional("phone")
        self.timezone = try members.required("timezone")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("name", self.name)
        writer.member("url", self.url)
        writer.member("phone", self.phone)
        writer.member("timezone", self.timezone)
        writer.endObject()
    }

    public static var schemaName: String { "AgencySummary" }
    public static var description: String { "An agency that runs a route." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", AgencyID.self, "The agency's identifier (`agency_id`); may be empty.")
        builder.member("name", String.self, "The agency's name.")
        builder.member("url", String?.self, "The agency's web page.")
        builder.member("phone", String?.self, "The agency's telephone number.")
        builder.member("timezone", String.self, "The IANA name of the agency's time zone.")
    }
}

extension RouteDirection {
    public init(
        directionId: Int? = nil, headsigns: [String], trips: Int, first: Timestamp? = nil, last: Timestamp? = nil,
        stops: [RouteStop]? = nil, polyline: String? = nil, polylineSource: PolylineSource? = nil,
        punctuality: LearnedPunctuality? = nil, _: Void = ()
    ) {
        self.init(
            directionId: directionId, headsigns: headsigns, trips: trips, first: first, last: last, stops: stops,
            polyline: polyline, polylineSource: polylineSource, punctuality: punctuality
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.directionId = try members.optional("direction_id")
        self.headsigns = try members.array("headsigns")
        self.trips = try members.required("trips")
        self.first = try members.optional("first")
        self.last = try members.optional("last")
        self.stops = try members.optional("stops")
        self.polyline = try members.optional("polyline")
        self.polylineSource = try members.optional("polyline_source")
        self.punctuality = try members.optional("punctuality")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("direction_id", self.directionId)
        writer.member("headsigns", self.headsigns)
        writer.member("trips", self.trips)
        writer.member("first", self.first)
        writer.member("last", self.last)
        writer.member("stops", self.stops)
        writer.member("polyline", self.polyline)
        writer.member("polyline_source", self.polylineSource)
        writer.member("punctuality", self.punctuality)
        writer.endObject()
    }

    public static var schemaName: String { "RouteDirection" }
    public static var description: String { "A direction of a route on a service date." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("direction_id", Int?.self, "The direction (`direction_id`), 0 or 1; null when the feed has none.")
        builder.member("headsigns", [String].self, "The headsigns of the direction's trips, most frequent first.")
        builder.member("trips", Int.self, "The number of trips in the direction on the service date.")
        builder.member("first", Timestamp?.self, "The first departure on the service date; null when there is no service.")
        builder.member("last", Timestamp?.self, "The last departure on the service date; null when there is no service.")
        builder.member("stops", [RouteStop]?.self, "The stops in the order of travel; null unless `paths` is requested.")
        builder.member("polyline", String?.self, "The path of the pattern with the most trips, in Google's encoded polyline format with 5 decimal places; null unless `paths` is requested, and without at least two positions.")
        builder.member("polyline_source", PolylineSource?.self, "Where `polyline` comes from; null without `polyline`.")
        builder.member("punctuality", LearnedPunctuality?.self, "The distribution of delays in this direction on earlier days; null when too little is known.")
    }
}

extension RoutePattern {
    public init(
        directionId: Int? = nil, headsign: String? = nil, from: StopReference, to: StopReference, stops: Int,
        trips: Int, travelTime: Int? = nil, _: Void = ()
    ) {
        self.init(
            directionId: directionId, headsign: headsign, from: from, to: to, stops: stops, trips: trips,
            travelTime: travelTime
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.directionId = try members.optional("direction_id")
        self.headsign = try members.optional("headsign")
        self.from = try members.required("from")
        self.to = try members.required("to")
        self.stops = try members.required("stops")
        self.trips = try members.required("trips")
        self.travelTime = try members.optional("travel_time")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("direction_id", self.directionId)
        writer.member("headsign", self.headsign)
        writer.member("from", self.from)
        writer.member("to", self.to)
        writer.member("stops", self.stops)
        writer.member("trips", self.trips)
        writer.member("travel_time", self.travelTime)
        writer.endObject()
    }

    public static var schemaName: String { "RoutePattern" }
    public static var description: String { "The trips of a route that call at the same stops in the same order." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("direction_id", Int?.self, "The direction (`direction_id`).")
        builder.member("headsign", String?.self, "The headsign of most trips of the pattern.")
        builder.member("from", StopReference.self, "The first stop.")
        builder.member("to", StopReference.self, "The last stop.")
        builder.member("stops", Int.self, "The number of calls of each trip.")
        builder.member("trips", Int.self, "The number of trips in the whole timetable.")
        builder.member("travel_time", Int?.self, "The time from the first departure to the last arrival, with the running times that most trips of the pattern have; null when the feed has no times.", unit: .seconds)
    }
}

extension RoutesShowParameters {
    public init(
        route: String, feed: FeedID? = nil, date: ServiceDate? = nil, paths: Bool = false, language: String? = nil,
        _: Void = ()
    ) {
        self.init(route: route, feed: feed, date: date, paths: paths, language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.route = try members.required("route", in: 1...300)
        self.feed = try members.optional("feed")
        self.date = try members.optional("date")
        self.paths = try members.optional("paths", default: false)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("route", self.route)
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.date != nil { writer.member("date", self.date) }
        if self.paths != false { writer.member("paths", self.paths) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "RoutesShowParameters" }
    public static var description: String { "Returns a route with its directions, first and last departures, and patterns." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("route", String.self, "The route: `FEED:ROUTE_ID`, a route ID, or a name that matches a single route.", in: 1...300)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("date", ServiceDate?.self, "The service date. The default is today.")
        builder.member("paths", Bool.self, "Whether to return the stops and the path of each direction.", default: false)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
    }
}

extension RoutesShowResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, agency: AgencySummary, route: RouteSummary, serviceDate: ServiceDate,
        directions: [RouteDirection], patterns: [RoutePattern], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, feed: feed, agency: agency, route: route, serviceDate: serviceDate, directions: directions,
            patterns: patterns, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.agency = try members.required("agency")
        self.route = try members.required("route")
        self.serviceDate = try members.required("service_date")
        self.directions = try members.array("directions")
        self.patterns = try members.array("patterns")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("agency", self.agency)
        writer.member("route", self.route)
        writer.member("service_date", self.serviceDate)
        writer.member("directions", self.directions)
        writer.member("patterns", self.patterns)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "RoutesShowResult" }
    public static var description: String { "A route with its directions and patterns." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed of the route.")
        builder.member("agency", AgencySummary.self, "The agency that runs the route.")
        builder.member("route", RouteSummary.self, "The route.")
        builder.member("service_date", ServiceDate.self, "The service date of `directions`.")
        builder.member("directions", [RouteDirection].self, "The directions of the route.")
        builder.member("patterns", [RoutePattern].self, "The patterns of the route, most trips first.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension RouteStop {
    public init(sequence: Int, stop: StopSummary, isOnEveryTrip: Bool, travelTime: Int? = nil, _: Void = ()) {
        self.init(sequence: sequence, stop: stop, isOnEveryTrip: isOnEveryTrip, travelTime: travelTime)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.sequence = try members.required("sequence")
        self.stop = try members.required("stop")
        self.isOnEveryTrip = try members.required("is_on_every_trip")
        self.travelTime = try members.optional("travel_time")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sequence", self.sequence)
        writer.member("stop", self.stop)
        writer.member("is_on_every_trip", self.isOnEveryTrip)
        writer.member("travel_time", self.travelTime)
        writer.endObject()
    }

    public static var schemaName: String { "RouteStop" }
    public static var description: String { "A stop of a route." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("sequence", Int.self, "The position along the direction, from 1.")
        builder.member("stop", StopSummary.self, "The stop.")
        builder.member("is_on_every_trip", Bool.self, "Whether every trip in the direction calls at the stop.")
        builder.member("travel_time", Int?.self, "The time from the departure at the first stop to the arrival at this stop, with the running times that most trips of the direction's pattern with the most trips have; null at a stop outside of that pattern, and when the feed has no times.", unit: .seconds)
    }
}

extension RouteStopList {
    public init(directionId: Int? = nil, headsign: String? = nil, stops: [RouteStop], _: Void = ()) {
        self.init(directionId: directionId, headsign: headsign, stops: stops)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.directionId = try members.optional("direction_id")
        self.headsign = try members.optional("headsign")
        self.stops = try members.array("stops")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("direction_id", self.directionId)
        writer.member("headsign", self.headsign)
        writer.member("stops", self.stops)
        writer.endObject()
    }

    public static var schemaName: String { "RouteStopList" }
    public static var description: String { "The stops of one direction of a route." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("direction_id", Int?.self, "The direction (`direction_id`).")
        builder.member("headsign", String?.self, "The headsign of most trips in the direction.")
        builder.member("stops", [RouteStop].self, "The stops in the order of travel.")
    }
}

extension RoutesStopsParameters {
    public init(route: String, feed: FeedID? = nil, directionId: Int? = nil, language: String? = nil, _: Void = ()) {
        self.init(route: route, feed: feed, directionId: directionId, language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.route = try members.required("route", in: 1...300)
        self.feed = try members.optional("feed")
        self.directionId = try members.optional("direction_id", in: 0...1)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("route", self.route)
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.directionId != nil { writer.member("direction_id", self.directionId) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "RoutesStopsParameters" }
    public static var description: String { "Lists the stops of a route in order, by direction." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("route", String.self, "The route: `FEED:ROUTE_ID`, a route ID, or a name that matches a single route.", in: 1...300)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("direction_id", Int?.self, "Limits the result to this direction (`direction_id`).", in: 0...1)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
    }
}

extension RoutesStopsResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, route: RouteSummary, directions: [RouteStopList], notices: [Notice] = [],
        _: Void = ()
    ) {
        self.init(at: at, feed: feed, route: route, directions: directions, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.route = try members.required("route")
        self.directions = try members.array("directions")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("route", self.route)
        writer.member("directions", self.directions)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "RoutesStopsResult" }
    public static var description: String { "The stops of a route." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed of the route.")
        builder.member("route", RouteSummary.self, "The route.")
        builder.member("directions", [RouteStopList].self, "One list for each direction.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
