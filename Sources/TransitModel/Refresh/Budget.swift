/// Over which time a limit counts.
public enum BudgetWindow: Hashable, Sendable {
    /// The last so many seconds, at every moment.
    case rolling(seconds: Int)
    /// From midnight to midnight on the wall clock of a zone.
    case calendarDay(ServiceZone)

    /// Its usual length in seconds.
    public var seconds: Int {
        switch self {
        case .rolling(let seconds): max(1, seconds)
        case .calendarDay: 24 * 3600
        }
    }
}

/// So many fetches in one window.
public struct BudgetLimit: Hashable, Sendable {
    public var window: BudgetWindow
    /// 1 or more.
    public var fetches: Int

    public init(_ fetches: Int, per window: BudgetWindow) {
        self.fetches = max(1, fetches)
        self.window = window
    }
}

/// What one API key may spend: every limit holds at once.
public struct BudgetPolicy: Hashable, Sendable {
    public var key: KeyName
    public var limits: [BudgetLimit]

    public init(key: KeyName, limits: [BudgetLimit]) {
        self.key = key
        self.limits = limits
    }
}

/// One fetch that was paid from a budget. It counts from the moment at which it begins, whatever becomes of it.
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

/// What `budget` shows of one key.
public struct BudgetReport: Hashable, Sendable {
    /// One limit as it stands.
    public struct Window: Hashable, Sendable {
        public var limit: BudgetLimit
        public var spent: Int
        /// What a user who asks could still spend now.
        public var left: Int
        /// How much will have been spent in the window that ends at ``ends``, if it goes on as in its last quarter.
        public var forecast: Int
        /// When the window ends: the next midnight; for a rolling one, when today's oldest spend stops to count.
        public var ends: Instant

        public init(limit: BudgetLimit, spent: Int, left: Int, forecast: Int, ends: Instant) {
            self.limit = limit
            self.spent = spent
            self.left = left
            self.forecast = forecast
            self.ends = ends
        }
    }

    /// Who spent it, within the longest window.
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
    /// The largest first.
    public var spenders: [Spender]

    public init(key: KeyName, windows: [Window], spenders: [Spender]) {
        self.key = key
        self.windows = windows
        self.spenders = spenders
    }
}
