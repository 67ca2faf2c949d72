/// Why a dataset is not fetched before its due time. The raw values are their spelling on the wire.
public enum DueReason: String, Hashable, Sendable, CaseIterable {
    /// It is new enough until then.
    case fresh
    /// The same, and nobody could use it sooner.
    case idle
    /// Nothing holds it back: it is fetched at that moment.
    case due
    /// It is being fetched.
    case inFlight = "in_flight"
    /// The last fetch failed; it is tried again then.
    case retrying
    /// The content was refused, or the upstream says that it has none; it is looked at again then.
    case refused
    /// The upstream rejected the key (HTTP status 401 or 403); it is asked again then, or when the key is another one.
    case keyRejected = "key_rejected"
    /// The machine has no network.
    case offline
    /// The host fails; it is left alone until then.
    case circuitOpen = "circuit_open"
    /// The host asked to wait (`Retry-After`).
    case retryAfter = "retry_after"
    /// The key's budget is spent, or kept for what matters more.
    case budget
    /// The endpoint, or its host, was asked just now.
    case spacing
    /// Others are being fetched.
    case busy
    /// It comes in its turn after a start, a wake or a time without network.
    case catchUp = "catch_up"
    /// The ledger cannot be written, and a key's budget is not spent without.
    case ledger
}

/// What the engine means to do about one dataset.
public struct DatasetPlan: Hashable, Sendable {
    public var id: DatasetID
    /// When it is fetched next, if nothing changes; `nil` while it is offline or in flight.
    public var due: ClockReading?
    public var reason: DueReason
    /// Seconds between two refreshes at present.
    public var interval: Int
    /// What it would be paid as.
    public var priority: FetchPriority

    public init(id: DatasetID, due: ClockReading?, reason: DueReason, interval: Int, priority: FetchPriority) {
        self.id = id
        self.due = due
        self.reason = reason
        self.interval = interval
        self.priority = priority
    }
}

/// Something about the refreshes that people should hear once, not at every fetch.
public enum RefreshNotice: Hashable, Sendable {
    /// The timetable's last date with service is so many days ahead; 0 when it has ended.
    case expiring(FeedID, ExpiryWarning)
    /// The live data has not changed since then, although the upstream answers.
    case unchanging(DatasetID, since: Instant)
    /// The upstream sends the whole content each time, although it was told which one is here.
    case ignoresConditionalRequests(DatasetID)
    /// The upstream called content unchanged that was not. It is asked for the whole from now on.
    case falseNotModified(DatasetID)
    case circuitOpened(HostID, until: Instant)
    case circuitClosed(HostID)
    case budgetExhausted(KeyName, until: Instant)
    case budgetAvailable(KeyName)
    /// The ledger cannot be written: datasets with a budget wait.
    case ledgerUnsaved
    case ledgerSaved
    /// The wall clock was set by so many seconds.
    case clockJumped(seconds: Int)
}
