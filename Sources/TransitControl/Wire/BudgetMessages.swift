public import TransitModel

/// Tells how much of each source's limits is spent, by whom, and how far the rest goes.
public struct BudgetParameters: ControlParameters {
    public typealias Reply = BudgetResult
    public static let method = ControlMethod.budget

    public var feed: FeedID?

    public init(feed: FeedID? = nil) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "BudgetParameters", "Tells how much of each source's limits is spent, by whom, and how far the rest goes.",
        Self.init,
        Field("feed", \.feed, "Only the keys of this feed.", in: 1...64))
}

/// For whom a request was made.
public enum SpendingPriority: String, WireEnum {
    /// Somebody waited for the answer.
    case user
    /// A commute was in its window, or somebody watched.
    case commute
    /// To keep what is there fresh.
    case background
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// What one dataset spent of a limit.
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
        "BudgetSpending", "What one dataset spent of a limit.", Self.init,
        Field("feed", \.feed, "The feed."),
        Field("dataset", \.dataset, "The dataset. More may follow."),
        Field(
            "priority", \.priority,
            """
            user: somebody waited for the answer; commute: a commute was in its window, or somebody \
            watched; background. More may follow.
            """
        ),
        Field("spent", \.spent, "How many requests."))
}

/// Which time a limit counts.
public enum WindowKind: String, WireEnum {
    /// The last seconds, at every moment.
    case rolling
    /// From midnight to midnight at the source's place.
    case calendarDay = "calendar_day"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// One limit of a key: so many requests in so long a time.
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
        "WindowStatus", "One limit of a key: so many requests in so long a time.", Self.init,
        Field(
            "kind", \.kind,
            """
            rolling: the last `seconds`, at every moment; calendar_day: from midnight to midnight at the \
            source's place. More may follow.
            """
        ),
        Field("requests", \.requests, "How many requests the limit allows."),
        Field("seconds", \.seconds, "In how long a time.", unit: .seconds),
        Field("spent", \.spent, "How many were made in the time that counts now."),
        Field("left", \.left, "How many may still be made now."),
        Field("next_free", \.nextFree, "When one more may be made; null when one may be made now."),
        Field("ends", \.ends, "When all that was spent is free again; null when nothing is spent."),
        Field("forecast", \.forecast, "How many will be spent at the end of the window, when it goes on as planned."))
}

/// The limits that share one key.
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
        "BudgetKey", "The limits that share one key.", Self.init,
        Field("key", \.key, "A name for the key, such as \"api.511.org\"; never the key itself."),
        Field("feeds", \.feeds, "Who shares it."),
        Field("windows", \.windows, "Its limits; all of them hold."),
        Field("spending", \.spending, "Who spent it, the most first."))
}

/// What is left of the sources' limits.
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
        "BudgetResult", "What is left of the sources' limits.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("keys", \.keys, "The keys with limits."),
        Field("notices", \.notices, "What to know about this answer."))
}
