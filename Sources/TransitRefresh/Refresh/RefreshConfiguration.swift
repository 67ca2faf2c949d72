public import TransitModel

/// The datasets that the engine keeps fresh, and the limits that it observes.
public struct RefreshConfiguration: Hashable, Sendable {
    /// The source and refresh policy of one dataset.
    public struct Dataset: Hashable, Sendable {
        public var source: DatasetSource
        public var policy: RefreshPolicy
        /// Whether the dataset is collected with many requests, which the fetcher spaces. A collection can take hours
        /// if the budget requires long pauses, and no other fetch waits for it to end.
        public var isCollected: Bool

        public init(source: DatasetSource, policy: RefreshPolicy, isCollected: Bool = false) {
            self.source = source
            self.policy = policy
            self.isCollected = isCollected
        }
    }

    public var datasets: [DatasetID: Dataset]
    public var budgets: [KeyName: BudgetPolicy]
    /// The number of seconds between the first requests of a run to a host, for hosts whose provider requires such a
    /// spacing.
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

/// The limits for all datasets.
public struct RefreshLimits: Hashable, Sendable {
    /// The maximum number of simultaneous fetches.
    public var fetches = 4
    /// The maximum number of simultaneous fetches from one host.
    public var fetchesPerHost = 2
    /// The number of seconds between two requests to one endpoint.
    public var endpointSpacing = 5
    /// The number of seconds between the fetches of a catch-up.
    public var catchUpSpacing = 2
    /// The age in seconds below which an unforced request does not fetch a dataset. If a quarter of the dataset's
    /// interval is less, that value is used instead.
    public var freshness = 30

    public init() {}
}
