public import TransitModel
public import TransitWire

/// Reports how much of each source's request limits is used, by which datasets, and how much remains.
public struct BudgetParameters: ControlParameters {
    public typealias Reply = BudgetResult
    public static let method = ControlMethod.budget

    public var feed: FeedID?

    public init(feed: FeedID? = nil) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "BudgetParameters",
        """
        Reports how much of each source's request limits is used, by which datasets, and how much remains.
        """,
        Self.init,
        Field("feed", \.feed, "Limits the result to the keys of this feed.", in: 1...64))
}

/// The reason for an HTTP request to a source.
public enum SpendingPriority: String, WireEnum {
    /// A client waited for the result.
    case user
    /// A commute was in its time window, or a client was subscribed.
    case commute
    /// A routine refresh.
    case background
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The requests that one dataset has made under a limit.
public struct BudgetSpending: WireObject {
    public var feed: FeedID
    public var dataset: DatasetName
    public var priority: SpendingPriority
    public var spent: Int

    public init(feed: FeedID, dataset: DatasetName, priority: SpendingPriority, spent: Int) {
        self.feed = feed
        self.dataset = dataset
        self.priority = priority
        self.spent = spent
    }

    public static let wireSchema = WireSchema(
        "BudgetSpending", "The requests that one dataset has made under a limit.", Self.init,
        Field("feed", \.feed, "The feed."),
        Field("dataset", \.dataset, "The dataset. More values may be added."),
        Field(
            "priority", \.priority,
            """
            The reason for the requests. user: a client waited for the result; commute: a commute was in its time \
            window, or a client was subscribed; background: routine refresh. More values may be added.
            """
        ),
        Field("spent", \.spent, "The number of requests."))
}

/// The type of time window of a request limit.
public enum WindowKind: String, WireEnum {
    /// A window of fixed length that ends now.
    case rolling
    /// Midnight to midnight in the source's time zone.
    case calendarDay = "calendar_day"
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// One request limit of a key: a number of requests per time window.
public struct WindowStatus: WireObject {
    public var kind: WindowKind
    public var requests: Int
    public var seconds: Int
    public var spent: Int
    public var left: Int
    public var nextFree: Timestamp?
    public var ends: Timestamp?
    public var forecast: Int

    public init(
        kind: WindowKind, requests: Int, seconds: Int, spent: Int, left: Int, nextFree: Timestamp? = nil,
        ends: Timestamp? = nil, forecast: Int
    ) {
        self.kind = kind
        self.requests = requests
        self.seconds = seconds
        self.spent = spent
        self.left = left
        self.nextFree = nextFree
        self.ends = ends
        self.forecast = forecast
    }

    public static let wireSchema = WireSchema(
        "WindowStatus", "One request limit of a key: a number of requests per time window.", Self.init,
        Field(
            "kind", \.kind,
            """
            The type of window. rolling: the last `seconds` before now; calendar_day: midnight to midnight in the \
            source's time zone. More values may be added.
            """
        ),
        Field("requests", \.requests, "The number of requests allowed per window."),
        Field("seconds", \.seconds, "The length of the window.", unit: .seconds),
        Field("spent", \.spent, "The number of requests made in the current window."),
        Field("left", \.left, "The number of requests still available now."),
        Field(
            "next_free", \.nextFree, "The time when the next request becomes available; null when one is available now."
        ),
        Field("ends", \.ends, "The time when all used requests become available again; null when none are used."),
        Field(
            "forecast", \.forecast,
            "The number of requests that the current plan will have used at the end of the window."))
}

/// The request limits that apply to one key.
public struct BudgetKey: WireObject {
    public var key: String
    public var feeds: [FeedID]
    public var windows: [WindowStatus]
    public var spending: [BudgetSpending]

    public init(key: String, feeds: [FeedID], windows: [WindowStatus], spending: [BudgetSpending]) {
        self.key = key
        self.feeds = feeds
        self.windows = windows
        self.spending = spending
    }

    public static let wireSchema = WireSchema(
        "BudgetKey", "The request limits that apply to one key.", Self.init,
        Field("key", \.key, "A label for the key, such as \"api.511.org\"; never the key itself."),
        Field("feeds", \.feeds, "The feeds that share the key."),
        Field("windows", \.windows, "The limits of the key. All of them apply."),
        Field("spending", \.spending, "The requests by dataset, most requests first."))
}

/// The remaining request limits of the sources.
public struct BudgetResult: WireObject {
    public var at: Timestamp
    public var keys: [BudgetKey]
    public var notices: [Notice]

    public init(at: Timestamp, keys: [BudgetKey], notices: [Notice] = []) {
        self.at = at
        self.keys = keys
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "BudgetResult", "The remaining request limits of the sources.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("keys", \.keys, "The keys that have limits."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
