public import TransitModel

/// Asks a feed's source for a new version and waits for the outcome.
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
        "FeedUpdateParameters", "Asks a feed's source for a new version and waits for the outcome.", Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field("force", \.force, "Import also when nothing has changed.", default: false),
        Field("progress", \.progress, "Send `progress` notifications while it runs.", default: false))
}

/// What an update came to.
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
        "FeedUpdateResult", "What an update came to.", Self.init,
        Field("at", \.at, "When it ended."),
        Field("feed", \.feed, "The feed."),
        Field("outcome", \.outcome, "updated or unchanged; a refused or failed update is an error."),
        Field("message", \.message, "A sentence for people."),
        Field("version", \.version, "The version that is live now."),
        Field("previous", \.previous, "The number of the version that was live before, when it changed."),
        Field("downloaded", \.downloaded, "How much came over the network or from the file.", unit: .bytes),
        Field("seconds", \.seconds, "How long it took.", unit: .seconds),
        Field("notices", \.notices, "What to know about this answer."))
}
