public import TransitModel

/// What a user wants fetched now.
public struct RefreshRequest: Hashable, Sendable {
    public enum Scope: Hashable, Sendable {
        case all
        case feed(FeedID)
        case dataset(DatasetID)
    }

    /// Given by the caller; every answer has it.
    public var id: UInt64
    public var scope: Scope
    /// Whether to fetch also what is new enough, and whole. The upstream's limits hold all the same.
    public var force: Bool

    public init(id: UInt64, scope: Scope, force: Bool = false) {
        self.id = id
        self.scope = scope
        self.force = force
    }
}

/// What became of a request, for one dataset.
public enum RefreshAnswer: Hashable, Sendable {
    /// It was fetched, and that is how it ended.
    case ended(UpdateRecord)
    /// It is new enough, so many seconds old.
    case fresh(age: Int)
    /// It may not be fetched before then; `nil`: not known when.
    case held(DueReason, until: Instant?)
    /// The configuration does not have it any more.
    case gone
}

/// Whether another request of a fetch may be sent, one of those that it takes besides the first.
public enum StepAnswer: Hashable, Sendable {
    /// It is paid for: the ledger has it.
    case allowed
    /// It is to ask again then.
    case held(until: BootTime)
    /// The fetch is not wanted any more.
    case gone
}

/// What is known of a feed apart from its ledger.
public struct FeedServiceInfo: Hashable, Sendable {
    /// The agency's, for its quiet hours.
    public var zone: ServiceZone
    /// The last date with service of the timetable in use.
    public var lastDate: ServiceDate?

    public init(zone: ServiceZone, lastDate: ServiceDate? = nil) {
        self.zone = zone
        self.lastDate = lastDate
    }
}

/// What the engine hears of.
public enum RefreshEvent: Hashable, Sendable {
    /// The moment of ``RefreshEffect/wake(at:)`` has come; also welcome at any other time.
    case tick
    /// Another configuration is in force.
    case configured(RefreshConfiguration)
    case facts(FeedID, FeedServiceInfo)
    case demand(FeedID, Demand)
    /// A request concerned a feed without a timetable.
    case missed(FeedID)
    case asked(RefreshRequest)
    /// The one who asked does not wait any more.
    case withdrawn(id: UInt64)
    case fetchEnded(FetchOutcome)
    /// A fetch under way that takes several requests is about to send another one; answered by ``RefreshEffect/step(ticket:_:)``.
    case step(ticket: UInt64, DatasetID)
    /// The ledger was written, or could not be.
    case saved(Bool)
    case network(isOnline: Bool)
    /// The feed's key is another one.
    case keyChanged(FeedID)
    /// The machine was suspended; the engine also finds out by itself.
    case woke
    /// The daemon is shutting down. Fetches under way end without a failure. Only ``saved(_:)`` events follow.
    case stopping
}

/// What the engine wants done, in this order.
public enum RefreshEffect: Hashable, Sendable {
    /// To be written at once, and answered by ``RefreshEvent/saved(_:)``. There is never a second one before that.
    case save(LedgerChanges)
    case fetch(DatasetFetch)
    /// Nobody wants the fetch any more. It still has to end with an outcome.
    case cancel(ticket: UInt64, DatasetID)
    /// When to send ``RefreshEvent/tick``; takes the place of the one before it.
    case wake(at: BootTime)
    case notice(RefreshNotice)
    /// A request concerns these datasets; each is answered exactly once, unless it is withdrawn.
    case accepted(id: UInt64, [DatasetID])
    case answered(id: UInt64, DatasetID, RefreshAnswer)
    /// Whether a fetch may send its next request.
    case step(ticket: UInt64, StepAnswer)
}
