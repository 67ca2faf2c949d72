public import TransitModel
public import TransitWire

/// Fetches data from sources now and waits for the outcome. Cooldowns and the sources' request limits always apply.
public struct RefreshParameters: ControlParameters {
    public typealias Reply = RefreshResult
    public static let method = ControlMethod.refresh

    /// Limits the refresh to this feed. The default is all feeds.
    /// - Range: 1...64
    public var feed: FeedID?
    /// Limits the refresh to this dataset. The default is all datasets that are not fresh.
    public var dataset: DatasetName?
    /// Whether to fetch data that is still fresh, and to process it even if it has not changed. Requires root or the
    /// daemon's user.
    public var force: Bool = false
    /// Whether to fetch all datasets, including those without demand. Required with `force` if no feed is given.
    /// Requires root or the daemon's user.
    public var all: Bool = false
    /// Whether to send `progress` notifications.
    public var progress: Bool = false
}

/// The outcome of a refresh for one dataset, or the reason why no request was sent to the source.
public enum RefreshOutcome: String, OpenWireEnum {
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
}

/// The outcome of a refresh for one dataset.
public struct DatasetRefresh: WireObject {
    /// The feed.
    public var feed: FeedID
    /// The dataset. More values may be added.
    public var dataset: DatasetName
    /// The outcome. updated: new data was fetched; unchanged: the source has no new data; refused: the new data is
    /// unusable; failed; canceled; or the reason why no request was sent to the source: fresh, cooldown, backoff,
    /// budget, offline. More values may be added.
    public var outcome: RefreshOutcome
    /// A human-readable sentence.
    public var message: String
    /// The time until which the data is fresh or no request is sent to the source.
    public var until: Timestamp?
    /// The amount of data transferred over the network.
    /// - Unit: bytes
    public var bytes: Int?
    /// The response time of the source.
    /// - Unit: milliseconds
    public var latency: Int?
}

/// The outcome of a refresh.
public struct RefreshResult: WireObject {
    /// When the refresh ended.
    public var at: Timestamp
    /// In configuration order.
    public var datasets: [DatasetRefresh]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Reports how much of each source's request limits is used, by which datasets, and how much remains.
public struct BudgetParameters: ControlParameters {
    public typealias Reply = BudgetResult
    public static let method = ControlMethod.budget

    /// Limits the result to the keys of this feed.
    /// - Range: 1...64
    public var feed: FeedID?
}

/// The reason for an HTTP request to a source.
public enum SpendingPriority: String, OpenWireEnum {
    /// A client waited for the result.
    case user
    /// A commute was in its time window, or a client was subscribed.
    case commute
    /// A routine refresh.
    case background
    /// A value that this version does not know.
    case other
}

/// The requests that one dataset has made under a limit.
public struct BudgetSpending: WireObject {
    /// The feed.
    public var feed: FeedID
    /// The dataset. More values may be added.
    public var dataset: DatasetName
    /// The reason for the requests. user: a client waited for the result; commute: a commute was in its time window, or
    /// a client was subscribed; background: routine refresh. More values may be added.
    public var priority: SpendingPriority
    /// The number of requests.
    public var spent: Int
}

/// The type of time window of a request limit.
public enum WindowKind: String, OpenWireEnum {
    /// A window of fixed length that ends now.
    case rolling
    /// Midnight to midnight in the source's time zone.
    case calendarDay = "calendar_day"
    /// A value that this version does not know.
    case other
}

/// One request limit of a key: a number of requests per time window.
public struct WindowStatus: WireObject {
    /// The type of window. rolling: the last `seconds` before now; calendar_day: midnight to midnight in the source's
    /// time zone. More values may be added.
    public var kind: WindowKind
    /// The number of requests allowed per window.
    public var requests: Int
    /// The length of the window.
    /// - Unit: seconds
    public var seconds: Int
    /// The number of requests made in the current window.
    public var spent: Int
    /// The number of requests still available now.
    public var left: Int
    /// The time when the next request becomes available; null when one is available now.
    public var nextFree: Timestamp?
    /// The time when all used requests become available again; null when none are used.
    public var ends: Timestamp?
    /// The number of requests that the current plan will have used at the end of the window.
    public var forecast: Int
}

/// The request limits that apply to one key.
public struct BudgetKey: WireObject {
    /// A label for the key, such as "api.511.org"; never the key itself.
    public var key: String
    /// The feeds that share the key.
    public var feeds: [FeedID]
    /// The limits of the key. All of them apply.
    public var windows: [WindowStatus]
    /// The requests by dataset, most requests first.
    public var spending: [BudgetSpending]
}

/// The remaining request limits of the sources.
public struct BudgetResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The keys that have limits.
    public var keys: [BudgetKey]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
