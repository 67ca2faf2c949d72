// Generated from Sources/TransitControl/Messages/Stops.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension StopReference {
    public init(id: StopID, name: String, _: Void = ()) {
        self.init(id: id, name: name)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.name = try members.required("name")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("name", self.name)
        writer.endObject()
    }

    public static var schemaName: String { "StopReference" }
    public static var description: String { "The identifier and name of a stop." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", StopID.self, "The stop's identifier (`stop_id`).")
        builder.member("name", String.self, "The stop's name for riders.")
    }
}

extension StopSummary {
    public init(
        feed: FeedID, id: StopID, code: String? = nil, name: String, platform: String? = nil, kind: StopKind,
        position: Position? = nil, parent: StopReference? = nil, wheelchair: AccessibilityLevel, _: Void = ()
    ) {
        self.init(
            feed: feed, id: id, code: code, name: name, platform: platform, kind: kind, position: position,
            parent: parent, wheelchair: wheelchair
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.id = try members.required("id")
        self.code = try members.optional("code")
        self.name = try members.required("name")
        self.platform = try members.optional("platform")
        self.kind = try members.required("kind")
        self.position = try members.optional("position")
        self.parent = try members.optional("parent")
        self.wheelchair = try members.required("wheelchair")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("id", self.id)
        writer.member("code", self.code)
        writer.member("name", self.name)
        writer.member("platform", self.platform)
        writer.member("kind", self.kind)
        writer.member("position", self.position)
        writer.member("parent", self.parent)
        writer.member("wheelchair", self.wheelchair)
        writer.endObject()
    }

    public static var schemaName: String { "StopSummary" }
    public static var description: String { "A stop, station or other location of stops.txt." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed of the stop.")
        builder.member("id", StopID.self, "The stop's identifier (`stop_id`).")
        builder.member("code", String?.self, "The short code on the sign (`stop_code`).")
        builder.member("name", String.self, "The stop's name for riders.")
        builder.member("platform", String?.self, "The platform's number or letter.")
        builder.member("kind", StopKind.self, "The kind of location. More values may be added.")
        builder.member("position", Position?.self, "The coordinates.")
        builder.member("parent", StopReference?.self, "The station that the stop belongs to.")
        builder.member("wheelchair", AccessibilityLevel.self, "Whether wheelchair users can board at the stop.")
    }
}

extension TransferSummary {
    public init(to: StopReference, kind: TransferKind, minTransferTime: Int? = nil, _: Void = ()) {
        self.init(to: to, kind: kind, minTransferTime: minTransferTime)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.to = try members.required("to")
        self.kind = try members.required("kind")
        self.minTransferTime = try members.optional("min_transfer_time")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("to", self.to)
        writer.member("kind", self.kind)
        writer.member("min_transfer_time", self.minTransferTime)
        writer.endObject()
    }

    public static var schemaName: String { "TransferSummary" }
    public static var description: String { "A transfer from a stop (transfers.txt)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("to", StopReference.self, "The destination of the transfer.")
        builder.member("kind", TransferKind.self, "The kind of transfer. More values may be added.")
        builder.member("min_transfer_time", Int?.self, "The minimum transfer time.", unit: .seconds)
    }
}

extension StopSearchMatch {
    public init(rank: MatchRank, stop: StopSummary, routes: [String], sameAs: StopSummary? = nil, _: Void = ()) {
        self.init(rank: rank, stop: stop, routes: routes, sameAs: sameAs)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rank = try members.required("rank")
        self.stop = try members.required("stop")
        self.routes = try members.array("routes")
        self.sameAs = try members.optional("same_as")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rank", self.rank)
        writer.member("stop", self.stop)
        writer.member("routes", self.routes)
        writer.member("same_as", self.sameAs)
        writer.endObject()
    }

    public static var schemaName: String { "StopSearchMatch" }
    public static var description: String { "A stop that a search found." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rank", MatchRank.self, "How well the stop matches.")
        builder.member("stop", StopSummary.self, "The stop.")
        builder.member("routes", [String].self, "The names of the routes that serve the stop, at most 12.")
        builder.member("same_as", StopSummary?.self, "The same stop in the agency's other feed, if one of the two feeds supplements the other; null when there is none.")
    }
}

extension NearbyStop {
    public init(
        stop: StopSummary, reference: String? = nil, distance: Int, walk: Int, routes: [String],
        sameAs: StopSummary? = nil, _: Void = ()
    ) {
        self.init(stop: stop, reference: reference, distance: distance, walk: walk, routes: routes, sameAs: sameAs)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.stop = try members.required("stop")
        self.reference = try members.optional("reference")
        self.distance = try members.required("distance")
        self.walk = try members.required("walk")
        self.routes = try members.array("routes")
        self.sameAs = try members.optional("same_as")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("stop", self.stop)
        writer.member("reference", self.reference)
        writer.member("distance", self.distance)
        writer.member("walk", self.walk)
        writer.member("routes", self.routes)
        writer.member("same_as", self.sameAs)
        writer.endObject()
    }

    public static var schemaName: String { "NearbyStop" }
    public static var description: String { "A stop near a place." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("stop", StopSummary.self, "The stop; the nearest platform of a stop with several platforms but without a station.")
        builder.member("reference", String?.self, "The stop with all its platforms, as commands accept it: \"hk:A1 + hk:B2\". Null if it is `stop` alone.")
        builder.member("distance", Int.self, "The straight-line distance.", unit: .meters)
        builder.member("walk", Int.self, "The estimated walking time.", unit: .seconds)
        builder.member("routes", [String].self, "The names of the routes that serve the stop, at most 12.")
        builder.member("same_as", StopSummary?.self, "The same stop in the agency's other feed, if one of the two feeds supplements the other; null when there is none.")
    }
}

extension RouteHeadsigns {
    public init(route: RouteID, headsigns: [String], _: Void = ()) {
        self.init(route: route, headsigns: headsigns)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.route = try members.required("route")
        self.headsigns = try members.array("headsigns")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("route", self.route)
        writer.member("headsigns", self.headsigns)
        writer.endObject()
    }

    public static var schemaName: String { "RouteHeadsigns" }
    public static var description: String { "The headsigns of a route at a stop." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("route", RouteID.self, "The route's identifier (`route_id`).")
        builder.member("headsigns", [String].self, "The headsigns of the trips that continue from the stop, most frequent first, at most 5; empty when all trips end at the stop or no headsign is known.")
    }
}

extension StopsShowParameters {
    public init(stop: String, feed: FeedID? = nil, language: String? = nil, _: Void = ()) {
        self.init(stop: stop, feed: feed, language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.stop = try members.required("stop", in: 1...300)
        self.feed = try members.optional("feed")
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("stop", self.stop)
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "StopsShowParameters" }
    public static var description: String { "Returns a stop with its platforms, routes and transfers." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("stop", String.self, "The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop.", in: 1...300)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
    }
}

extension StopsShowResult: HasNotices {
    public init(
        at: Timestamp, stop: StopSummary, wholeStop: String? = nil, timezone: String, children: [StopSummary],
        routes: [RouteSummary], headsigns: [RouteHeadsigns] = [], transfers: [TransferSummary],
        sameAs: StopSummary? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, stop: stop, wholeStop: wholeStop, timezone: timezone, children: children, routes: routes,
            headsigns: headsigns, transfers: transfers, sameAs: sameAs, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.stop = try members.required("stop")
        self.wholeStop = try members.optional("whole_stop")
        self.timezone = try members.required("timezone")
        self.children = try members.array("children")
        self.routes = try members.array("routes")
        self.headsigns = try members.optional("headsigns", default: [])
        self.transfers = try members.array("transfers")
        self.sameAs = try members.optional("same_as")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("stop", self.stop)
        writer.member("whole_stop", self.wholeStop)
        writer.member("timezone", self.timezone)
        writer.member("children", self.children)
        writer.member("routes", self.routes)
        writer.member("headsigns", self.headsigns)
        writer.member("transfers", self.transfers)
        writer.member("same_as", self.sameAs)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "StopsShowResult" }
    public static var description: String { "A stop with its platforms, routes and transfers." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("stop", StopSummary.self, "The stop.")
        builder.member("whole_stop", String?.self, "The stop with all its platforms, as commands accept it, if `stop` is one of several platforms of one name that have no station. Other platforms may have other routes. Null for any other stop.")
        builder.member("timezone", String.self, "The IANA name of the stop's time zone.")
        builder.member("children", [StopSummary].self, "The platforms, entrances and other parts of a station.")
        builder.member("routes", [RouteSummary].self, "The routes that serve the stop. Routes that only the agency's other feed or the provider lists come last.")
        builder.member("headsigns", [RouteHeadsigns].self, "The headsigns of each route at the stop, one element for each element of `routes`, in the same order.", default: [])
        builder.member("transfers", [TransferSummary].self, "The transfers from the stop (transfers.txt).")
        builder.member("same_as", StopSummary?.self, "The same stop in the agency's other feed, if one of the two feeds supplements the other; null when there is none.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension StopsSearchParameters {
    public init(
        text: String, feed: FeedID? = nil, count: Int = 10, cursor: String? = nil, route: String? = nil,
        favorite: String? = nil, language: String? = nil, remember: Bool = true, _: Void = ()
    ) {
        self.init(
            text: text, feed: feed, count: count, cursor: cursor, route: route, favorite: favorite, language: language,
            remember: remember
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.text = try members.required("text", in: 1...200)
        self.feed = try members.optional("feed")
        self.count = try members.optional("count", in: 1...100, default: 10)
        self.cursor = try members.optional("cursor")
        self.route = try members.optional("route", in: 1...300)
        self.favorite = try members.optional("favorite", in: 1...64)
        self.language = try members.optional("language", in: 1...35)
        self.remember = try members.optional("remember", default: true)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("text", self.text)
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.count != 10 { writer.member("count", self.count) }
        if self.cursor != nil { writer.member("cursor", self.cursor) }
        if self.route != nil { writer.member("route", self.route) }
        if self.favorite != nil { writer.member("favorite", self.favorite) }
        if self.language != nil { writer.member("language", self.language) }
        if self.remember != true { writer.member("remember", self.remember) }
        writer.endObject()
    }

    public static var schemaName: String { "StopsSearchParameters" }
    public static var description: String { "Searches for stops by code, by identifier, or by name in any language. Ignores case and accents." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("text", String.self, "The text to search for.", in: 1...200)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("count", Int.self, "The maximum number of stops.", in: 1...100, default: 10)
        builder.member("cursor", String?.self, "The `next_cursor` of the previous page; omit it for the first page.")
        builder.member("route", String?.self, "Limits the result to stops of this route, given by identifier or name.", in: 1...300)
        builder.member("favorite", String?.self, "Limits the result to stops of this favorite's route. The favorite is given by name or number.", in: 1...64)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
        builder.member("remember", Bool.self, "Whether the text becomes one of the caller's recent searches.", default: true)
    }
}

extension StopsSearchResult: HasNotices {
    public init(
        at: Timestamp, stops: [StopSearchMatch], nextCursor: String? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, stops: stops, nextCursor: nextCursor, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.stops = try members.array("stops")
        self.nextCursor = try members.optional("next_cursor")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("stops", self.stops)
        writer.member("next_cursor", self.nextCursor)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "StopsSearchResult" }
    public static var description: String { "The stops found, best match first." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("stops", [StopSearchMatch].self, "Best match first.")
        builder.member("next_cursor", String?.self, "The `cursor` of the next page; null on the last page.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension StopsNearParameters {
    public init(
        place: String? = nil, position: Position? = nil, radius: Int? = nil, feed: FeedID? = nil, count: Int = 10,
        route: String? = nil, favorite: String? = nil, language: String? = nil, _: Void = ()
    ) {
        self.init(
            place: place, position: position, radius: radius, feed: feed, count: count, route: route,
            favorite: favorite, language: language
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.place = try members.optional("place", in: 1...64)
        self.position = try members.optional("position")
        self.radius = try members.optional("radius", in: 1...20000)
        self.feed = try members.optional("feed")
        self.count = try members.optional("count", in: 1...100, default: 10)
        self.route = try members.optional("route", in: 1...300)
        self.favorite = try members.optional("favorite", in: 1...64)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.place != nil { writer.member("place", self.place) }
        if self.position != nil { writer.member("position", self.position) }
        if self.radius != nil { writer.member("radius", self.radius) }
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.count != 10 { writer.member("count", self.count) }
        if self.route != nil { writer.member("route", self.route) }
        if self.favorite != nil { writer.member("favorite", self.favorite) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "StopsNearParameters" }
    public static var description: String { "Lists the stops near a place. Requires either `place` or `position`." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("place", String?.self, "A place of the caller, such as \"home\".", in: 1...64)
        builder.member("position", Position?.self, "The coordinates of the center.")
        builder.member("radius", Int?.self, "The search radius. The default is 1000, or 3000 if there are no stops within 1000.", unit: .meters, in: 1...20000)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("count", Int.self, "The maximum number of stops.", in: 1...100, default: 10)
        builder.member("route", String?.self, "Limits the result to stops of this route, given by identifier or name.", in: 1...300)
        builder.member("favorite", String?.self, "Limits the result to stops of this favorite's route. The favorite is given by name or number.", in: 1...64)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
    }
}

extension StopsNearResult: HasNotices {
    public init(
        at: Timestamp, center: Position, radius: Int, stops: [NearbyStop], total: Int? = nil,
        units: MeasurementUnits = .automatic, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, center: center, radius: radius, stops: stops, total: total, units: units, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.center = try members.required("center")
        self.radius = try members.required("radius")
        self.stops = try members.array("stops")
        self.total = try members.optional("total")
        self.units = try members.optional("units", default: .automatic)
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("center", self.center)
        writer.member("radius", self.radius)
        writer.member("stops", self.stops)
        writer.member("total", self.total)
        writer.member("units", self.units)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "StopsNearResult" }
    public static var description: String { "The stops near a place, nearest first." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("center", Position.self, "The center of the search.")
        builder.member("radius", Int.self, "The search radius.", unit: .meters)
        builder.member("stops", [NearbyStop].self, "Nearest first.")
        builder.member("total", Int?.self, "The number of stops within the radius, including those not listed.")
        builder.member("units", MeasurementUnits.self, "The units to show. The members of this result are in metric units.", default: .automatic)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
