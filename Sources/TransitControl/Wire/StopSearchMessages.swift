public import TransitModel

/// Finds stops by name, code or identifier, without regard to case and accents.
public struct StopsSearchParameters: ControlParameters {
    public typealias Reply = StopsSearchResult
    public static let method = ControlMethod.stopsSearch

    public var text: String
    public var feed: FeedID?
    public var count: Int
    public var cursor: String?
    public var route: String?
    public var favorite: String?
    public var language: String?

    public init(
        text: String, feed: FeedID? = nil, count: Int = 10, cursor: String? = nil, route: String? = nil,
        favorite: String? = nil, language: String? = nil
    ) {
        self.text = text
        self.feed = feed
        self.count = count
        self.cursor = cursor
        self.route = route
        self.favorite = favorite
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "StopsSearchParameters",
        """
        Finds stops by name in any language, code or identifier, without regard to case and accents.
        """, Self.init,
        Field("text", \.text, "What to look for.", in: 1...200),
        Field("feed", \.feed, "Only in this feed."),
        Field("count", \.count, "How many at most.", in: 1...100, default: 10),
        Field("cursor", \.cursor, "Where to go on: `next_cursor` of the answer before."),
        Field("route", \.route, "Only where this route calls: an identifier or a name.", in: 1...300),
        Field(
            "favorite", \.favorite, "Only where the route of this favorite calls: its name or number.", in: 1...64),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// Stops by name, best first.
public struct StopsSearchResult: WireObject {
    public var at: Timestamp
    public var stops: [StopSearchMatch]
    public var nextCursor: String?
    public var notices: [Notice]

    public init(at: Timestamp, stops: [StopSearchMatch], nextCursor: String? = nil, notices: [Notice] = []) {
        self.at = at
        self.stops = stops
        self.nextCursor = nextCursor
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "StopsSearchResult", "Stops by name, best first.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("stops", \.stops, "The stops, best first."),
        Field("next_cursor", \.nextCursor, "What to give as `cursor` for more; null at the end."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Finds the stops around a place. One of `place` and `position` is given.
public struct StopsNearParameters: ControlParameters {
    public typealias Reply = StopsNearResult
    public static let method = ControlMethod.stopsNear

    public var place: String?
    public var position: Position?
    public var radius: Int?
    public var feed: FeedID?
    public var count: Int
    public var route: String?
    public var favorite: String?
    public var language: String?

    public init(
        place: String? = nil, position: Position? = nil, radius: Int? = nil, feed: FeedID? = nil, count: Int = 10,
        route: String? = nil, favorite: String? = nil, language: String? = nil
    ) {
        self.place = place
        self.position = position
        self.radius = radius
        self.feed = feed
        self.count = count
        self.route = route
        self.favorite = favorite
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "StopsNearParameters", "Finds the stops around a place. One of `place` and `position` is given.", Self.init,
        Field("place", \.place, "A place of the caller, such as \"home\".", in: 1...64),
        Field("position", \.position, "Coordinates."),
        Field(
            "radius", \.radius, "How far away at most; 1000 when left out, and 3000 when there is nothing nearer.",
            unit: .meters, in: 1...20000),
        Field("feed", \.feed, "Only in this feed."),
        Field("count", \.count, "How many at most.", in: 1...100, default: 10),
        Field("route", \.route, "Only where this route calls: an identifier or a name.", in: 1...300),
        Field(
            "favorite", \.favorite, "Only where the route of this favorite calls: its name or number.", in: 1...64),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// Stops around a place, nearest first.
public struct StopsNearResult: WireObject {
    public var at: Timestamp
    public var center: Position
    public var radius: Int
    public var stops: [NearbyStop]
    public var total: Int?
    public var notices: [Notice]

    public init(
        at: Timestamp, center: Position, radius: Int, stops: [NearbyStop], total: Int? = nil, notices: [Notice] = []
    ) {
        self.at = at
        self.center = center
        self.radius = radius
        self.stops = stops
        self.total = total
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "StopsNearResult", "Stops around a place, nearest first.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("center", \.center, "The middle of the search."),
        Field("radius", \.radius, "How far was looked.", unit: .meters),
        Field("stops", \.stops, "The stops, nearest first."),
        Field("total", \.total, "How many there are within the radius, with those that are not listed."),
        Field("notices", \.notices, "What to know about this answer."))
}
