public import TransitModel

/// Asks sources now and waits for the outcomes. Cooldowns and the sources' limits hold always.
public struct RefreshParameters: ControlParameters {
    public typealias Reply = RefreshResult
    public static let method = ControlMethod.refresh

    public var feed: FeedID?
    public var dataset: DatasetName?
    public var force: Bool
    public var all: Bool
    public var progress: Bool

    public init(
        feed: FeedID? = nil, dataset: DatasetName? = nil, force: Bool = false, all: Bool = false, progress: Bool = false
    ) {
        self.feed = feed
        self.dataset = dataset
        self.force = force
        self.all = all
        self.progress = progress
    }

    public static let wireSchema = WireSchema(
        "RefreshParameters",
        "Asks sources now and waits for the outcomes. Cooldowns and the sources' limits hold always.", Self.init,
        Field("feed", \.feed, "Only this feed; every feed when left out.", in: 1...64),
        Field("dataset", \.dataset, "Only this dataset; those that are not fresh when left out."),
        Field(
            "force", \.force,
            """
            Ask also for what is fresh, and take it as new although it did not change. Only for root and the \
            daemon's own user.
            """,
            default: false),
        Field(
            "all", \.all,
            """
            Every dataset, also those that nobody waits for; needed with `force` when no feed is named. Only \
            for root and the daemon's own user.
            """,
            default: false),
        Field("progress", \.progress, "Send `progress` notifications while it runs.", default: false))
}

/// What a refresh came to for one dataset.
public enum RefreshOutcome: String, WireEnum {
    case updated
    case unchanged
    case refused
    case failed
    case canceled
    /// Not asked: it is fresh.
    case fresh
    /// Not asked: it was asked just now.
    case cooldown
    /// Not asked: the source fails, and is given time.
    case backoff
    /// Not asked: the key's limit is spent.
    case budget
    /// Not asked: there is no network.
    case offline
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// What a refresh came to for one dataset.
public struct DatasetRefresh: WireObject {
    public var feed: FeedID
    public var dataset: DatasetName
    public var outcome: RefreshOutcome
    public var message: String
    public var until: Timestamp?
    public var bytes: Int?
    public var latency: Int?

    public init(
        feed: FeedID, dataset: DatasetName, outcome: RefreshOutcome, message: String, until: Timestamp? = nil,
        bytes: Int? = nil, latency: Int? = nil
    ) {
        self.feed = feed
        self.dataset = dataset
        self.outcome = outcome
        self.message = message
        self.until = until
        self.bytes = bytes
        self.latency = latency
    }

    public static let wireSchema = WireSchema(
        "DatasetRefresh", "What a refresh came to for one dataset.", Self.init,
        Field("feed", \.feed, "The feed."),
        Field("dataset", \.dataset, "The dataset. More may follow."),
        Field(
            "outcome", \.outcome,
            """
            updated; unchanged: the source has nothing new; refused: what came is unusable; failed; canceled; \
            or why it was not asked: fresh, cooldown, backoff, budget, offline. More may follow.
            """
        ),
        Field("message", \.message, "A sentence for people."),
        Field("until", \.until, "Until when it is fresh, or is not asked."),
        Field("bytes", \.bytes, "How much came over the network.", unit: .bytes),
        Field("latency", \.latency, "How long the source took.", unit: .milliseconds))
}

/// What a refresh came to.
public struct RefreshResult: WireObject {
    public var at: Timestamp
    public var datasets: [DatasetRefresh]
    public var notices: [Notice]

    public init(at: Timestamp, datasets: [DatasetRefresh], notices: [Notice] = []) {
        self.at = at
        self.datasets = datasets
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "RefreshResult", "What a refresh came to.", Self.init,
        Field("at", \.at, "When it ended."),
        Field("datasets", \.datasets, "In the order of the configuration."),
        Field("notices", \.notices, "What to know about this answer."))
}
