public import TransitModel
public import TransitWire

/// Checks a feed's source for a new version, imports it and waits for the outcome.
public struct FeedUpdateParameters: ControlParameters {
    public typealias Reply = FeedUpdateResult
    public static let method = ControlMethod.feedUpdate

    public var feed: FeedID
    public var force: Bool
    public var progress: Bool

    public init(feed: FeedID, force: Bool = false, progress: Bool = false) {
        self.feed = feed
        self.force = force
        self.progress = progress
    }

    public static let wireSchema = WireSchema(
        "FeedUpdateParameters", "Checks a feed's source for a new version, imports it and waits for the outcome.",
        Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field("force", \.force, "Whether to import the feed even if it has not changed.", default: false),
        Field("progress", \.progress, "Whether to send `progress` notifications.", default: false))
}

/// The outcome of an update.
public struct FeedUpdateResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var outcome: AttemptOutcome
    public var message: String
    public var version: FeedVersion?
    public var previous: Int?
    public var downloaded: Int
    public var seconds: Double
    public var notices: [Notice]

    public init(
        at: Timestamp, feed: FeedID, outcome: AttemptOutcome, message: String, version: FeedVersion? = nil,
        previous: Int? = nil, downloaded: Int, seconds: Double, notices: [Notice] = []
    ) {
        self.at = at
        self.feed = feed
        self.outcome = outcome
        self.message = message
        self.version = version
        self.previous = previous
        self.downloaded = downloaded
        self.seconds = seconds
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FeedUpdateResult", "The outcome of an update.", Self.init,
        Field("at", \.at, "When the update ended."),
        Field("feed", \.feed, "The feed."),
        Field(
            "outcome", \.outcome,
            "The outcome: updated or unchanged. A rejected or failed update is reported as an error."),
        Field("message", \.message, "A human-readable sentence."),
        Field("version", \.version, "The version that is current now."),
        Field("previous", \.previous, "The number of the previous version, if the current version changed."),
        Field("downloaded", \.downloaded, "The amount of data downloaded or read from a file.", unit: .bytes),
        Field("seconds", \.seconds, "The duration of the update.", unit: .seconds),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
