/// The time window of a budget limit.
public enum BudgetWindow: Hashable, Sendable {
    /// A sliding window of the given length.
    case rolling(seconds: Int)
    /// From midnight to midnight in a time zone.
    case calendarDay(ServiceZone)

    /// The nominal length in seconds.
    public var seconds: Int {
        switch self {
        case .rolling(let seconds): max(1, seconds)
        case .calendarDay: 24 * 3600
        }
    }
}

/// A maximum number of fetches in one window.
public struct BudgetLimit: Hashable, Sendable {
    public var window: BudgetWindow
    /// The maximum, 1 or more.
    public var fetches: Int

    public init(_ fetches: Int, per window: BudgetWindow) {
        self.fetches = max(1, fetches)
        self.window = window
    }
}

/// The limits of one API key. All of them apply together.
public struct BudgetPolicy: Hashable, Sendable {
    public var key: KeyName
    public var limits: [BudgetLimit]

    public init(key: KeyName, limits: [BudgetLimit]) {
        self.key = key
        self.limits = limits
    }
}

/// One fetch charged to a budget. A fetch is charged when it starts, regardless of its outcome.
public struct BudgetSpend: Hashable, Sendable {
    public var key: KeyName
    public var dataset: DatasetID
    public var priority: FetchPriority
    public var at: ClockReading

    public init(key: KeyName, dataset: DatasetID, priority: FetchPriority, at: ClockReading) {
        self.key = key
        self.dataset = dataset
        self.priority = priority
        self.at = at
    }
}

/// The state of one key's budget, as shown by the `budget` command.
public struct BudgetReport: Hashable, Sendable {
    /// The state of one limit.
    public struct Window: Hashable, Sendable {
        public var limit: BudgetLimit
        public var spent: Int
        /// The number of fetches that user requests can still make now.
        public var left: Int
        /// The projected number of fetches in the window that ends at ``ends``, extrapolated from the last quarter of a
        /// window.
        public var forecast: Int
        /// The time at which the window ends: the next midnight or, for a rolling window, the time at which the oldest
        /// counted fetch leaves the window.
        public var ends: Instant

        public init(limit: BudgetLimit, spent: Int, left: Int, forecast: Int, ends: Instant) {
            self.limit = limit
            self.spent = spent
            self.left = left
            self.forecast = forecast
            self.ends = ends
        }
    }

    /// The use of the budget by one dataset at one priority within the longest window.
    public struct Spender: Hashable, Sendable {
        public var dataset: DatasetID
        public var priority: FetchPriority
        public var fetches: Int

        public init(dataset: DatasetID, priority: FetchPriority, fetches: Int) {
            self.dataset = dataset
            self.priority = priority
            self.fetches = fetches
        }
    }

    public var key: KeyName
    public var windows: [Window]
    /// In descending order of the number of fetches.
    public var spenders: [Spender]

    public init(key: KeyName, windows: [Window], spenders: [Spender]) {
        self.key = key
        self.windows = windows
        self.spenders = spenders
    }
}
