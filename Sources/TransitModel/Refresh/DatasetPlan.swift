/// The reason why a dataset is not fetched before its due time. The raw values are used on the wire.
public enum DueReason: String, Hashable, Sendable, CaseIterable {
    /// The data is fresh until the due time.
    case fresh
    /// The data is fresh for the longer interval that applies while no client uses it.
    case idle
    /// Nothing delays the fetch.
    case due
    /// A fetch is in progress.
    case inFlight = "in_flight"
    /// The last fetch failed and is retried at the due time.
    case retrying
    /// The content was refused, or the upstream server has no content. The dataset is checked again at the due time.
    case refused
    /// The upstream server rejected the key (HTTP status 401 or 403). The fetch is retried at the due time or, if the
    /// key changes, earlier.
    case keyRejected = "key_rejected"
    /// The machine has no network connection.
    case offline
    /// Requests to the host failed repeatedly, so no request is sent to it until the due time.
    case circuitOpen = "circuit_open"
    /// The host requested a delay (`Retry-After`).
    case retryAfter = "retry_after"
    /// The key's budget delays the fetch; ``DatasetPlan/hold`` gives the cause.
    case budget
    /// The minimum interval between requests to the endpoint or its host has not elapsed.
    case spacing
    /// The limit on concurrent fetches is reached.
    case busy
    /// The fetch waits for its turn after the daemon started, the machine resumed or the network returned.
    case catchUp = "catch_up"
    /// The ledger cannot be written, and no fetch uses a key's budget without being recorded.
    case ledger
}

/// The engine's plan for one dataset.
public struct DatasetPlan: Hashable, Sendable {
    public var id: DatasetID
    /// The time of the next fetch if nothing changes, or `nil` while the machine is offline or the fetch is in
    /// progress.
    public var due: ClockReading?
    public var reason: DueReason
    /// The current interval between two refreshes in seconds.
    public var interval: Int
    /// The priority at which the fetch would be charged to the budget.
    public var priority: FetchPriority
    /// What the fetch waits for if the reason is ``DueReason/budget``.
    public var hold: BudgetHold?

    public init(
        id: DatasetID, due: ClockReading?, reason: DueReason, interval: Int, priority: FetchPriority,
        hold: BudgetHold? = nil
    ) {
        self.hold = hold
        self.id = id
        self.due = due
        self.reason = reason
        self.interval = interval
        self.priority = priority
    }
}

/// An event that is reported once when it occurs, not at every fetch.
public enum RefreshNotice: Hashable, Sendable {
    /// The last service date of the timetable is near or has passed.
    case expiring(FeedID, ExpiryWarning)
    /// The realtime data has not changed since the given time, although the upstream server responds.
    case unchanging(DatasetID, since: Instant)
    /// The upstream server sends the full content each time and ignores the validators in the request.
    case ignoresConditionalRequests(DatasetID)
    /// The upstream server reported changed content as not modified. Requests are unconditional from now on.
    case falseNotModified(DatasetID)
    case circuitOpened(HostID, until: Instant)
    case circuitClosed(HostID)
    case budgetExhausted(KeyName, until: Instant)
    case budgetAvailable(KeyName)
    /// The ledger cannot be written. Datasets with a budget are not fetched until it can be written.
    case ledgerUnsaved
    case ledgerSaved
    /// The wall clock was adjusted by the given number of seconds.
    case clockJumped(seconds: Int)
}
