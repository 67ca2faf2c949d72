public import TransitModel
public import TransitWire

/// Searches for stops by code, by identifier, or by name in any language. Ignores case and accents.
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
        Searches for stops by code, by identifier, or by name in any language. Ignores case and accents.
        """, Self.init,
        Field("text", \.text, "The text to search for.", in: 1...200),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field("count", \.count, "The maximum number of stops.", in: 1...100, default: 10),
        Field("cursor", \.cursor, "The `next_cursor` of the previous page; omit it for the first page."),
        Field("route", \.route, "Limits the result to stops of this route, given by identifier or name.", in: 1...300),
        Field(
            "favorite", \.favorite,
            """
            Limits the result to stops of this favorite's route. The favorite is given by name or number.
            """, in: 1...64),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// The stops found, best match first.
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
        "StopsSearchResult", "The stops found, best match first.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("stops", \.stops, "Best match first."),
        Field("next_cursor", \.nextCursor, "The `cursor` of the next page; null on the last page."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Lists the stops near a place. Requires either `place` or `position`.
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
        "StopsNearParameters", "Lists the stops near a place. Requires either `place` or `position`.", Self.init,
        Field("place", \.place, "A place of the caller, such as \"home\".", in: 1...64),
        Field("position", \.position, "The coordinates of the center."),
        Field(
            "radius", \.radius, "The search radius. The default is 1000, or 3000 if there are no stops within 1000.",
            unit: .meters, in: 1...20000),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field("count", \.count, "The maximum number of stops.", in: 1...100, default: 10),
        Field("route", \.route, "Limits the result to stops of this route, given by identifier or name.", in: 1...300),
        Field(
            "favorite", \.favorite,
            """
            Limits the result to stops of this favorite's route. The favorite is given by name or number.
            """, in: 1...64),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// The stops near a place, nearest first.
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
        "StopsNearResult", "The stops near a place, nearest first.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("center", \.center, "The center of the search."),
        Field("radius", \.radius, "The search radius.", unit: .meters),
        Field("stops", \.stops, "Nearest first."),
        Field("total", \.total, "The number of stops within the radius, including those not listed."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
