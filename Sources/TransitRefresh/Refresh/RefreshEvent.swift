public import TransitModel

/// A user's request to fetch datasets now.
public struct RefreshRequest: Hashable, Sendable {
    public enum Scope: Hashable, Sendable {
        case all
        case feed(FeedID)
        case dataset(DatasetID)
    }

    /// Assigned by the caller and contained in every result.
    public var id: UInt64
    public var scope: Scope
    /// Whether to also fetch datasets that are still fresh. The upstream's limits still apply.
    public var force: Bool
    /// Whether to omit cache validators from the requests.
    public var isWhole: Bool

    /// - Parameter isWhole: The default is the value of `force`.
    public init(id: UInt64, scope: Scope, force: Bool = false, isWhole: Bool? = nil) {
        self.id = id
        self.scope = scope
        self.force = force
        self.isWhole = isWhole ?? force
    }
}

/// The result of a request for one dataset.
public enum RefreshAnswer: Hashable, Sendable {
    /// The dataset was fetched, with this outcome.
    case ended(UpdateRecord)
    /// The dataset is fresh; its age is in seconds.
    case fresh(age: Int)
    /// The dataset may not be fetched before `until`; `nil` if the time is unknown.
    case held(DueReason, until: Instant?)
    /// The dataset is no longer configured.
    case removed
}

/// Whether a fetch may send another request after its first request.
public enum StepPermission: Hashable, Sendable {
    /// The request may be sent. The request is charged and recorded in the ledger.
    case allowed
    /// The fetch must ask again at this time.
    case held(until: BootTime)
    /// The fetch has been canceled.
    case canceled
}

/// The properties of a feed that are not in the ledger.
public struct FeedCalendarInfo: Hashable, Sendable {
    /// The agency's time zone, in which its quiet hours are defined.
    public var zone: ServiceZone
    /// The last date with service in the current timetable version.
    public var lastDate: ServiceDate?

    public init(zone: ServiceZone, lastDate: ServiceDate? = nil) {
        self.zone = zone
        self.lastDate = lastDate
    }
}

/// An event that the engine handles.
public enum RefreshEvent: Hashable, Sendable {
    /// The time of ``RefreshEffect/wake(at:)`` has come. The event can also be sent at any other time.
    case tick
    /// The configuration has changed.
    case configured(RefreshConfiguration)
    case feedCalendar(FeedID, FeedCalendarInfo)
    case demand(FeedID, Demand)
    /// A request was for a feed without a timetable.
    case requestedWithoutTimetable(FeedID)
    case requested(RefreshRequest)
    /// The client no longer waits for the request.
    case withdrawn(id: UInt64)
    case fetchEnded(FetchOutcome)
    /// The stored content of the dataset was lost, for example because its file is corrupt. It is fetched again without
    /// conditions, as soon as the limits allow, even if a fetch in flight ends without a failure: what that fetch stored may
    /// be what was lost.
    case contentLost(DatasetID)
    /// A fetch in flight is ready to send another request. The engine replies with ``RefreshEffect/step(ticket:_:)``.
    case step(ticket: UInt64, DatasetID)
    /// A fetch in flight is about to read the timetable that it has received, or, if `isReading` is false, waits until it
    /// may. The engine replies to the former with ``RefreshEffect/step(ticket:_:)`` when the ledger contains it.
    case importing(ticket: UInt64, DatasetID, isReading: Bool)
    /// Whether the ledger has been saved.
    case saved(Bool)
    case network(isOnline: Bool)
    /// The feed's key has changed.
    case keyChanged(FeedID)
    /// The machine has resumed from suspend. The engine also detects a resume by itself.
    case resumed
    /// The daemon is shutting down. Fetches in flight end without a failure. Only ``saved(_:)`` events follow.
    case stopping
}

/// An action that the engine requests. Actions must be carried out in order.
public enum RefreshEffect: Hashable, Sendable {
    /// Save the changes immediately and send ``RefreshEvent/saved(_:)``. The engine requests no second save before
    /// that.
    case save(LedgerChanges)
    case fetch(DatasetFetch)
    /// Cancel the fetch. The fetch must still end with an outcome.
    case cancel(ticket: UInt64, DatasetID)
    /// Send ``RefreshEvent/tick`` at this time, which replaces the previous one.
    case wake(at: BootTime)
    case notice(RefreshNotice)
    /// A request concerns these datasets. The request is answered exactly once for each dataset, unless it is
    /// withdrawn.
    case accepted(id: UInt64, [DatasetID])
    case answered(id: UInt64, DatasetID, RefreshAnswer)
    /// Whether a fetch may send its next request or begin its import.
    case step(ticket: UInt64, StepPermission)
}
