public import TransitModel
public import TransitWire

/// Fetches data from sources now and waits for the outcome. Cooldowns and the sources' request limits always apply.
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
        """
        Fetches data from sources now and waits for the outcome. Cooldowns and the sources' request limits always \
        apply.
        """, Self.init,
        Field("feed", \.feed, "Limits the refresh to this feed. The default is all feeds.", in: 1...64),
        Field(
            "dataset", \.dataset,
            "Limits the refresh to this dataset. The default is all datasets that are not fresh."),
        Field(
            "force", \.force,
            """
            Whether to fetch data that is still fresh, and to process it even if it has not changed. Requires root \
            or the daemon's user.
            """,
            default: false),
        Field(
            "all", \.all,
            """
            Whether to fetch all datasets, including those without demand. Required with `force` if no feed is \
            given. Requires root or the daemon's user.
            """,
            default: false),
        Field("progress", \.progress, "Whether to send `progress` notifications.", default: false))
}

/// The outcome of a refresh for one dataset, or the reason why no request was sent to the source.
public enum RefreshOutcome: String, WireEnum {
    case updated
    case unchanged
    case refused
    case failed
    case canceled
    /// No request was sent: the data is fresh.
    case fresh
    /// No request was sent: the previous request was too recent.
    case cooldown
    /// No request was sent: earlier requests failed, and the retry is not due yet.
    case backoff
    /// No request was sent: the key's request limit is exhausted.
    case budget
    /// No request was sent: there is no network connection.
    case offline
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The outcome of a refresh for one dataset.
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
        "DatasetRefresh", "The outcome of a refresh for one dataset.", Self.init,
        Field("feed", \.feed, "The feed."),
        Field("dataset", \.dataset, "The dataset. More values may be added."),
        Field(
            "outcome", \.outcome,
            """
            The outcome. updated: new data was fetched; unchanged: the source has no new data; refused: the new \
            data is unusable; failed; canceled; or the reason why no request was sent to the source: fresh, cooldown, \
            backoff, budget, offline. More values may be added.
            """
        ),
        Field("message", \.message, "A human-readable sentence."),
        Field("until", \.until, "The time until which the data is fresh or no request is sent to the source."),
        Field("bytes", \.bytes, "The amount of data transferred over the network.", unit: .bytes),
        Field("latency", \.latency, "The response time of the source.", unit: .milliseconds))
}

/// The outcome of a refresh.
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
        "RefreshResult", "The outcome of a refresh.", Self.init,
        Field("at", \.at, "When the refresh ended."),
        Field("datasets", \.datasets, "In configuration order."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
