public import TransitModel
public import TransitWire

/// Searches for routes by name. On request, also returns the characters that can follow the text.
public struct RoutesSearchParameters: ControlParameters {
    public typealias Reply = RoutesSearchResult
    public static let method = ControlMethod.routesSearch

    public var text: String
    public var feed: FeedID?
    public var nextCharacters: Bool
    public var directions: Bool
    public var count: Int
    public var cursor: String?
    public var language: String?

    public init(
        text: String = "", feed: FeedID? = nil, nextCharacters: Bool = false, directions: Bool = false,
        count: Int = 10, cursor: String? = nil, language: String? = nil
    ) {
        self.text = text
        self.feed = feed
        self.nextCharacters = nextCharacters
        self.directions = directions
        self.count = count
        self.cursor = cursor
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "RoutesSearchParameters",
        """
        Searches for routes by name. On request, also returns the characters that can follow the text.
        """, Self.init,
        Field(
            "text", \.text,
            "The beginning of the name, or text that it contains; empty for all routes.", in: 0...200, default: ""),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field(
            "next_characters", \.nextCharacters,
            """
            Whether to return the characters that can follow the text, so that a keypad offers only existing \
            routes.
            """, default: false),
        Field(
            "directions", \.directions, "Whether to return the directions of each route.",
            default: false),
        Field("count", \.count, "The maximum number of routes.", in: 1...500, default: 10),
        Field("cursor", \.cursor, "The `next_cursor` of the previous page; omit it for the first page."),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// The routes found, best match first.
public struct RoutesSearchResult: WireObject {
    public var at: Timestamp
    public var routes: [RouteMatch]
    public var groups: [RouteGroupSummary]
    public var nextCharacters: [String]?
    public var isComplete: Bool?
    public var nextCursor: String?
    public var notices: [Notice]

    public init(
        at: Timestamp, routes: [RouteMatch], groups: [RouteGroupSummary] = [], nextCharacters: [String]? = nil,
        isComplete: Bool? = nil, nextCursor: String? = nil, notices: [Notice] = []
    ) {
        self.at = at
        self.routes = routes
        self.groups = groups
        self.nextCharacters = nextCharacters
        self.isComplete = isComplete
        self.nextCursor = nextCursor
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "RoutesSearchResult", "The routes found, best match first.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("routes", \.routes, "Best match first. Routes without stops are not listed."),
        Field(
            "groups", \.groups,
            "The same routes grouped by number and agency, in the order of the first route of each group.",
            default: []),
        Field(
            "next_characters", \.nextCharacters,
            "The characters that can follow the text; null unless requested."),
        Field(
            "is_complete", \.isComplete,
            "Whether the text is the full name of a route; null unless `next_characters` is requested."),
        Field("next_cursor", \.nextCursor, "The `cursor` of the next page; null on the last page."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
