public import TransitModel
public import TransitWire

/// Lists the stored timetable versions of a feed.
public struct FeedVersionsParameters: ControlParameters {
    public typealias Reply = FeedVersionsResult
    public static let method = ControlMethod.feedVersions

    public var feed: FeedID

    public init(feed: FeedID) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "FeedVersionsParameters", "Lists the stored timetable versions of a feed.", Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64))
}

/// The stored timetable versions of a feed.
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
        "FeedVersionsResult", "The stored timetable versions of a feed.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed."),
        Field("versions", \.versions, "Newest first."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Makes an earlier timetable version of a feed current.
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
        "FeedRollbackParameters", "Makes an earlier timetable version of a feed current.", Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field(
            "version", \.version, "The version. The default is the version before the current one.",
            in: 1...1_000_000_000))
}

/// The current timetable version after a rollback.
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
        "FeedRollbackResult", "The current timetable version after a rollback.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed."),
        Field("version", \.version, "The version that is current now."),
        Field("previous", \.previous, "The number of the version that was current before."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
