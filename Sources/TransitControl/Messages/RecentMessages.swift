public import TransitWire

/// The kind of object that a search was for.
public enum SearchKind: String, WireEnum {
    case stops
    case routes
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A recent search of the caller.
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
        "RecentSearch", "A recent search of the caller.", Self.init,
        Field("kind", \.kind, "The kind of object that the search was for. More values may be added."),
        Field("text", \.text, "The text as entered."),
        Field("at", \.at, "When the search was last made."))
}

/// Lists the caller's recent `stops.search` and `routes.search` requests.
public struct RecentListParameters: ControlParameters {
    public typealias Reply = RecentListResult
    public static let method = ControlMethod.recentList

    public var count: Int

    public init(count: Int = 10) {
        self.count = count
    }

    public static let wireSchema = WireSchema(
        "RecentListParameters", "Lists the caller's recent `stops.search` and `routes.search` requests.",
        Self.init,
        Field("count", \.count, "The maximum number of searches.", in: 1...30, default: 10))
}

/// Clears the caller's search history.
public struct RecentClearParameters: ControlParameters {
    public typealias Reply = RecentListResult
    public static let method = ControlMethod.recentClear

    public init() {}

    public static let wireSchema = WireSchema("RecentClearParameters", "Clears the caller's search history.", Self.init)
}

/// The caller's recent searches.
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
        "RecentListResult", "The caller's recent searches.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field(
            "searches", \.searches,
            """
            Newest first. Up to 30 searches are stored for each user, and only searches that found something.
            """),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
