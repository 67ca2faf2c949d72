public import TransitModel

/// The demand for an arrivals query, with the host to which the query is sent.
public struct ArrivalsDemand: Hashable, Sendable {
    public var query: ArrivalsQueryID
    /// `nil` if the query needs no network.
    public var host: HostID?
    /// The number of seconds for which the response stays fresh; `nil` for the lifetime in the source's policy.
    public var lifetime: Int?

    public init(_ query: ArrivalsQueryID, host: HostID?, lifetime: Int? = nil) {
        self.query = query
        self.host = host
        self.lifetime = lifetime
    }
}

/// One request ordered by an ``ArrivalsScheduler``, to be sent once and completed with the same ticket.
public struct ArrivalsRequest: Hashable, Sendable {
    /// Unique among the requests of the scheduler.
    public var ticket: UInt64
    public var query: ArrivalsQueryID
    public var priority: FetchPriority
    /// The charge to the budget; `nil` if the requests are unmetered.
    public var spend: BudgetSpend?
}

/// The outcome of an arrivals request.
public enum ArrivalsOutcome: Hashable, Sendable {
    /// The response is in use, even if it contains no arrivals.
    case answered
    /// The response could not be parsed. The associated value is a sentence that gives the reason.
    case unreadable(String)
    /// - Parameter retryAfter: The `Retry-After` header as received.
    case failed(FetchFailure, retryAfter: String? = nil)
    /// The request was canceled because the demand ended.
    case canceled
}

/// The reason why an arrivals query has no response.
public enum ArrivalsFailure: Hashable, Sendable, CustomStringConvertible {
    /// The upstream rejects this query (403, 422). The query is not repeated for a long time.
    case refused(status: Int)
    case unreadable(String)
    case failed(FetchFailure)

    public var description: String {
        switch self {
        case .refused(let status): "the source rejected the request (HTTP status \(status))"
        case .unreadable(let reason): reason
        case .failed(let failure): "\(failure)"
        }
    }
}

/// The status of one query.
public struct ArrivalsStatus: Hashable, Sendable {
    /// The number of seconds since the last response; `nil` if there was none.
    public var age: Int?
    /// Whether the response is within its lifetime.
    public var isFresh: Bool
    public var isInFlight: Bool
    /// The time at which the query may be sent; `nil` while it is in flight or waits for an event without a known time.
    public var next: BootTime?
    /// The reason for the wait.
    public var reason: DueReason
    /// What the query waits for if the reason is ``DueReason/budget``.
    public var hold: BudgetHold?
    /// The last failure since the last response.
    public var lastFailure: ArrivalsFailure?
    public var failures: Int
    /// Whether the request would only test whether its host has recovered. Callers do not wait for such a request.
    public var isProbe = false

    /// Whether a response may arrive by a time.
    public func isComing(by moment: BootTime) -> Bool {
        !isFresh && !isProbe && (isInFlight || reason == .busy || next.map { $0 <= moment } ?? false)
    }
}

/// The status of all queries of a source.
public struct ArrivalsSummary: Hashable, Sendable {
    /// The number of known queries.
    public var known: Int
    /// The number of queries with a fresh response.
    public var fresh: Int
    /// The number of queries whose last request failed.
    public var failing: Int
    public var lastAnswer: BootTime?
    public var lastRequested: BootTime?
    /// The number of failures of all queries since the source's last response.
    public var failures: Int
    /// The last failure, while ``failures`` is not 0.
    public var lastFailure: ArrivalsFailure?
    /// The time of the next request; `nil` if there is no demand, or if the request waits for an event without a known
    /// time.
    public var next: BootTime?
    /// The reason for the wait.
    public var reason: DueReason
}
