/// Among what was looked for.
public enum SearchKind: String, WireEnum {
    case stops
    case routes
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Something that the caller looked for.
public struct RecentSearch: WireObject {
    public var kind: SearchKind
    public var text: String
    public var at: Timestamp

    public init(kind: SearchKind, text: String, at: Timestamp) {
        self.kind = kind
        self.text = text
        self.at = at
    }

    public static let wireSchema = WireSchema(
        "RecentSearch", "Something that the caller looked for.", Self.init,
        Field("kind", \.kind, "Among what. More may follow."),
        Field("text", \.text, "As it was typed."),
        Field("at", \.at, "When it was last looked for."))
}

/// Lists what the caller looked for with `stops.search` and `routes.search`.
public struct RecentListParameters: ControlParameters {
    public typealias Reply = RecentListResult
    public static let method = ControlMethod.recentList

    public var count: Int

    public init(count: Int = 10) {
        self.count = count
    }

    public static let wireSchema = WireSchema(
        "RecentListParameters", "Lists what the caller looked for with `stops.search` and `routes.search`.", Self.init,
        Field("count", \.count, "How many at most.", in: 1...30, default: 10))
}

/// Forgets what the caller looked for.
public struct RecentClearParameters: ControlParameters {
    public typealias Reply = RecentListResult
    public static let method = ControlMethod.recentClear

    public init() {}

    public static let wireSchema = WireSchema("RecentClearParameters", "Forgets what the caller looked for.", Self.init)
}

/// What the caller looked for.
public struct RecentListResult: WireObject {
    public var at: Timestamp
    public var searches: [RecentSearch]
    public var notices: [Notice]

    public init(at: Timestamp, searches: [RecentSearch], notices: [Notice] = []) {
        self.at = at
        self.searches = searches
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "RecentListResult", "What the caller looked for.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("searches", \.searches, "Newest first; of every user 30 are kept, and only what was found."),
        Field("notices", \.notices, "What to know about this answer."))
}
