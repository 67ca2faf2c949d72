public import TransitModel

/// What the engine is to keep fresh, and how politely.
public struct RefreshConfiguration: Hashable, Sendable {
    /// One dataset: where it comes from and how often.
    public struct Dataset: Hashable, Sendable {
        public var source: DatasetSource
        public var policy: RefreshPolicy
        /// Whether it is put together from many requests, which whoever makes the fetch keeps apart: it takes hours where a
        /// budget wants it, and nobody else waits for its end.
        public var isCollected: Bool

        public init(source: DatasetSource, policy: RefreshPolicy, isCollected: Bool = false) {
            self.source = source
            self.policy = policy
            self.isCollected = isCollected
        }
    }

    public var datasets: [DatasetID: Dataset]
    public var budgets: [KeyName: BudgetPolicy]
    /// Seconds between the first calls of a run to a host, where its provider asks for it.
    public var startSpacing: [HostID: Int]
    public var limits: RefreshLimits

    public init(
        datasets: [DatasetID: Dataset] = [:], budgets: [KeyName: BudgetPolicy] = [:],
        startSpacing: [HostID: Int] = [:], limits: RefreshLimits = RefreshLimits()
    ) {
        self.datasets = datasets
        self.budgets = budgets
        self.startSpacing = startSpacing
        self.limits = limits
    }
}

/// Limits that hold for everybody.
public struct RefreshLimits: Hashable, Sendable {
    /// Fetches at a time.
    public var fetches = 4
    /// Fetches at a time from one host.
    public var fetchesPerHost = 2
    /// Seconds between two calls of one endpoint.
    public var endpointSpacing = 5
    /// Seconds between the fetches of a catch-up.
    public var catchUpSpacing = 2
    /// A dataset that is newer than so many seconds is not fetched for who asks without force; a quarter of its
    /// interval where that is less.
    public var freshness = 30

    public init() {}
}
