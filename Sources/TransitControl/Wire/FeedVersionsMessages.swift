public import TransitModel

/// Lists the versions of a feed that are kept.
public struct FeedVersionsParameters: ControlParameters {
    public typealias Reply = FeedVersionsResult
    public static let method = ControlMethod.feedVersions

    public var feed: FeedID

    public init(feed: FeedID) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "FeedVersionsParameters", "Lists the versions of a feed that are kept.", Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64))
}

/// The versions of a feed.
public struct FeedVersionsResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var versions: [FeedVersion]
    public var notices: [Notice]

    public init(at: Timestamp, feed: FeedID, versions: [FeedVersion], notices: [Notice] = []) {
        self.at = at
        self.feed = feed
        self.versions = versions
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FeedVersionsResult", "The versions of a feed.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed."),
        Field("versions", \.versions, "The newest first."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Makes an earlier version of a feed live again.
public struct FeedRollbackParameters: ControlParameters {
    public typealias Reply = FeedRollbackResult
    public static let method = ControlMethod.feedRollback

    public var feed: FeedID
    public var version: Int?

    public init(feed: FeedID, version: Int? = nil) {
        self.feed = feed
        self.version = version
    }

    public static let wireSchema = WireSchema(
        "FeedRollbackParameters", "Makes an earlier version of a feed live again.", Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field("version", \.version, "Which version; the one before the live one when left out.", in: 1...1_000_000_000))
}

/// The version that is live after a rollback.
public struct FeedRollbackResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var version: FeedVersion
    public var previous: Int
    public var notices: [Notice]

    public init(at: Timestamp, feed: FeedID, version: FeedVersion, previous: Int, notices: [Notice] = []) {
        self.at = at
        self.feed = feed
        self.version = version
        self.previous = previous
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FeedRollbackResult", "The version that is live after a rollback.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed."),
        Field("version", \.version, "The version that is live now."),
        Field("previous", \.previous, "The number of the version that was live before."),
        Field("notices", \.notices, "What to know about this answer."))
}
