// Generated from Sources/TransitControl/Messages/Favorites.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension FavoriteSummary {
    public init(
        number: Int, name: String, category: String? = nil, kind: FavoriteKind, feed: FeedID,
        stop: StopReference? = nil, route: RouteSummary? = nil, problem: String? = nil, _: Void = ()
    ) {
        self.init(
            number: number, name: name, category: category, kind: kind, feed: feed, stop: stop, route: route,
            problem: problem
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.number = try members.required("number")
        self.name = try members.required("name")
        self.category = try members.optional("category")
        self.kind = try members.required("kind")
        self.feed = try members.required("feed")
        self.stop = try members.optional("stop")
        self.route = try members.optional("route")
        self.problem = try members.optional("problem")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", self.number)
        writer.member("name", self.name)
        writer.member("category", self.category)
        writer.member("kind", self.kind)
        writer.member("feed", self.feed)
        writer.member("stop", self.stop)
        writer.member("route", self.route)
        writer.member("problem", self.problem)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteSummary" }
    public static var description: String { "A favorite of the caller." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("number", Int.self, "The position in the list, from 1. It can change when the list is reordered.")
        builder.member("name", String.self, "The favorite's name, unique for the caller.")
        builder.member("category", String?.self, "The category; null when there is none.")
        builder.member("kind", FavoriteKind.self, "The kind of favorite. More values may be added.")
        builder.member("feed", FeedID.self, "The feed of the stop and route.")
        builder.member("stop", StopReference?.self, "The stop; null for a favorite route. While the stop is unknown, its name is the `stop_id`.")
        builder.member("route", RouteSummary?.self, "The route; null for a favorite stop. While the route is unknown, only `id` is valid.")
        builder.member("problem", String?.self, "A sentence that explains why the favorite cannot be queried now; null when it can be queried.")
    }
}

extension FavoriteBoard {
    public init(
        favorite: FavoriteSummary, at: Timestamp, boardingStops: [StopReference] = [], departures: [Departure] = [],
        emptyReason: String? = nil, _: Void = ()
    ) {
        self.init(
            favorite: favorite, at: at, boardingStops: boardingStops, departures: departures, emptyReason: emptyReason
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.favorite = try members.required("favorite")
        self.at = try members.required("at")
        self.boardingStops = try members.optional("boarding_stops", default: [])
        self.departures = try members.optional("departures", default: [])
        self.emptyReason = try members.optional("empty_reason")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("favorite", self.favorite)
        writer.member("at", self.at)
        writer.member("boarding_stops", self.boardingStops)
        writer.member("departures", self.departures)
        writer.member("empty_reason", self.emptyReason)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteBoard" }
    public static var description: String { "A favorite and its next departures." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("favorite", FavoriteSummary.self, "The favorite.")
        builder.member("at", Timestamp.self, "The time of the query.")
        builder.member("boarding_stops", [StopReference].self, "For a favorite route, the stop in each direction that is nearest to the origin of the caller's commute.", default: [])
        builder.member("departures", [Departure].self, "The departures in order of departure time.", default: [])
        builder.member("empty_reason", String?.self, "A sentence that explains why there are no departures; null when there are departures.")
    }
}

extension FavoriteListParameters {
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

    public static var schemaName: String { "FavoriteListParameters" }
    public static var description: String { "Lists the caller's favorites." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension FavoriteListResult: HasNotices {
    public init(at: Timestamp, favorites: [FavoriteSummary], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, favorites: favorites, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.favorites = try members.array("favorites")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("favorites", self.favorites)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteListResult" }
    public static var description: String { "The caller's favorites." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("favorites", [FavoriteSummary].self, "In the caller's order, grouped by category.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FavoriteShowParameters {
    public init(
        favorite: String? = nil, category: String? = nil, at: String? = nil, count: Int = 3, language: String? = nil,
        interactive: Bool = false, _: Void = ()
    ) {
        self.init(
            favorite: favorite, category: category, at: at, count: count, language: language, interactive: interactive
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.favorite = try members.optional("favorite", in: 1...64)
        self.category = try members.optional("category", in: 1...64)
        self.at = try members.optional("at", in: 1...64)
        self.count = try members.optional("count", in: 1...20, default: 3)
        self.language = try members.optional("language", in: 1...35)
        self.interactive = try members.optional("interactive", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.favorite != nil { writer.member("favorite", self.favorite) }
        if self.category != nil { writer.member("category", self.category) }
        if self.at != nil { writer.member("at", self.at) }
        if self.count != 3 { writer.member("count", self.count) }
        if self.language != nil { writer.member("language", self.language) }
        if self.interactive != false { writer.member("interactive", self.interactive) }
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteShowParameters" }
    public static var description: String { "Returns the next departures for each favorite." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("favorite", String?.self, "Limits the result to this favorite, given by name or number.", in: 1...64)
        builder.member("category", String?.self, "Limits the result to favorites in this category.", in: 1...64)
        builder.member("at", String?.self, "The time to query, in the format of `at` in `next`. The default is now.", in: 1...64)
        builder.member("count", Int.self, "The maximum number of departures for each favorite.", in: 1...20, default: 3)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
        builder.member("interactive", Bool.self, "Whether a person made the request by hand. Usual departures are learned from such requests. A program that repeats requests, such as a status bar, leaves it false.", default: false)
    }
}

extension FavoriteShowResult: HasNotices {
    public init(at: Timestamp, boards: [FavoriteBoard], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, boards: boards, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.boards = try members.array("boards")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("boards", self.boards)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteShowResult" }
    public static var description: String { "The next departures for each favorite." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("boards", [FavoriteBoard].self, "The boards in the order of `favorite.list`.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FavoriteAddParameters {
    public init(
        stop: String? = nil, route: String? = nil, feed: FeedID? = nil, name: String? = nil, category: String? = nil,
        _: Void = ()
    ) {
        self.init(stop: stop, route: route, feed: feed, name: name, category: category)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.stop = try members.optional("stop", in: 1...300)
        self.route = try members.optional("route", in: 1...300)
        self.feed = try members.optional("feed")
        self.name = try members.optional("name", in: 1...64)
        self.category = try members.optional("category", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.stop != nil { writer.member("stop", self.stop) }
        if self.route != nil { writer.member("route", self.route) }
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.name != nil { writer.member("name", self.name) }
        if self.category != nil { writer.member("category", self.category) }
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteAddParameters" }
    public static var description: String { "Adds a favorite at the end of the list. Requires `stop`, `route` or both." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("stop", String?.self, "The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop.", in: 1...300)
        builder.member("route", String?.self, "The route: `FEED:ROUTE_ID`, a route ID or a name.", in: 1...300)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("name", String?.self, "The favorite's name. The default is the name of the stop, the route or both.", in: 1...64)
        builder.member("category", String?.self, "The category under which the favorite is listed.", in: 1...64)
    }
}

extension FavoriteRenameParameters {
    public init(favorite: String, name: String, _: Void = ()) {
        self.init(favorite: favorite, name: name)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.favorite = try members.required("favorite", in: 1...64)
        self.name = try members.required("name", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("favorite", self.favorite)
        writer.member("name", self.name)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteRenameParameters" }
    public static var description: String { "Renames a favorite." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("favorite", String.self, "The favorite's current name or number.", in: 1...64)
        builder.member("name", String.self, "The new name.", in: 1...64)
    }
}

extension FavoriteCategoryParameters {
    public init(favorite: String, category: String? = nil, _: Void = ()) {
        self.init(favorite: favorite, category: category)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.favorite = try members.required("favorite", in: 1...64)
        self.category = try members.optional("category", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("favorite", self.favorite)
        if self.category != nil { writer.member("category", self.category) }
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteCategoryParameters" }
    public static var description: String { "Sets or clears the category of a favorite." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("favorite", String.self, "The favorite's name or number.", in: 1...64)
        builder.member("category", String?.self, "The new category. When omitted, the category is cleared.", in: 1...64)
    }
}

extension FavoriteOrderParameters {
    public init(favorites: [String], _: Void = ()) {
        self.init(favorites: favorites)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.favorites = try members.required("favorites", in: 1...200)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("favorites", self.favorites)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteOrderParameters" }
    public static var description: String { "Moves favorites to the beginning of the list, in the given order. The remaining favorites keep their order." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("favorites", [String].self, "The names or numbers of the favorites.", in: 1...200)
    }
}

extension FavoriteRemoveParameters {
    public init(favorite: String, _: Void = ()) {
        self.init(favorite: favorite)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.favorite = try members.required("favorite", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("favorite", self.favorite)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteRemoveParameters" }
    public static var description: String { "Removes a favorite." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("favorite", String.self, "The favorite's name or number.", in: 1...64)
    }
}

extension FavoriteResult: HasNotices {
    public init(at: Timestamp, favorite: FavoriteSummary, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, favorite: favorite, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.favorite = try members.required("favorite")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("favorite", self.favorite)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FavoriteResult" }
    public static var description: String { "The favorite that was changed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("favorite", FavoriteSummary.self, "The favorite after the change, or before its removal.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension RecentSearch {
    public init(kind: SearchKind, text: String, at: Timestamp, _: Void = ()) {
        self.init(kind: kind, text: text, at: at)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.text = try members.required("text")
        self.at = try members.required("at")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("text", self.text)
        writer.member("at", self.at)
        writer.endObject()
    }

    public static var schemaName: String { "RecentSearch" }
    public static var description: String { "A recent search of the caller." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", SearchKind.self, "The kind of object that the search was for. More values may be added.")
        builder.member("text", String.self, "The text as entered.")
        builder.member("at", Timestamp.self, "When the search was last made.")
    }
}

extension RecentListParameters {
    public init(count: Int = 10, _: Void = ()) {
        self.init(count: count)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.count = try members.optional("count", in: 1...30, default: 10)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.count != 10 { writer.member("count", self.count) }
        writer.endObject()
    }

    public static var schemaName: String { "RecentListParameters" }
    public static var description: String { "Lists the caller's recent `stops.search` and `routes.search` requests." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("count", Int.self, "The maximum number of searches.", in: 1...30, default: 10)
    }
}

extension RecentClearParameters {
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

    public static var schemaName: String { "RecentClearParameters" }
    public static var description: String { "Clears the caller's search history." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension RecentListResult: HasNotices {
    public init(at: Timestamp, searches: [RecentSearch], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, searches: searches, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.searches = try members.array("searches")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("searches", self.searches)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "RecentListResult" }
    public static var description: String { "The caller's recent searches." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("searches", [RecentSearch].self, "Newest first. Up to 30 searches are stored for each user, and only searches that found something.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
