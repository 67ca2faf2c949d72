public import TransitModel

/// Finds routes by name; says on request which characters can follow.
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
        "RoutesSearchParameters", "Finds routes by name; says on request which characters can follow.", Self.init,
        Field(
            "text", \.text,
            "What the name begins with or contains; empty for all routes.", in: 0...200, default: ""),
        Field("feed", \.feed, "Only in this feed."),
        Field(
            "next_characters", \.nextCharacters,
            """
            Also say which characters can follow the text, so that a keypad never offers a route that \
            does not exist.
            """, default: false),
        Field(
            "directions", \.directions, "Also say for each route which directions there are to choose from.",
            default: false),
        Field("count", \.count, "How many routes at most.", in: 1...500, default: 10),
        Field("cursor", \.cursor, "Where to go on: `next_cursor` of the answer before."),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// Routes by name, best first.
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
        "RoutesSearchResult", "Routes by name, best first.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("routes", \.routes, "The routes, best first. Those without stops are not among them."),
        Field(
            "groups", \.groups, "The same routes by number and company, in the order of the first of each.",
            default: []),
        Field(
            "next_characters", \.nextCharacters,
            "The characters that lead on to a route; null when they were not asked for."),
        Field(
            "is_complete", \.isComplete,
            "Whether the text is already the name of a route; null when the characters were not asked for."),
        Field("next_cursor", \.nextCursor, "What to give as `cursor` for more; null at the end."),
        Field("notices", \.notices, "What to know about this answer."))
}
