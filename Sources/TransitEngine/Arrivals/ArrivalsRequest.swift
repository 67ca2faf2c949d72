public import TransitModel

/// A question about arrivals, with the host that it goes to.
public struct ArrivalsDemand: Hashable, Sendable {
    public var query: ArrivalsQueryID
    /// `nil` for what needs no network.
    public var host: HostID?
    /// Seconds for which its answer is as good as a new one; `nil`: as the source's pace says.
    public var lifetime: Int?

    public init(_ query: ArrivalsQueryID, host: HostID?, lifetime: Int? = nil) {
        self.query = query
        self.host = host
        self.lifetime = lifetime
    }
}

/// One request that an ``ArrivalsScheduler`` wants made: begun once, and ended with the same ticket.
public struct ArrivalsRequest: Hashable, Sendable {
    /// Names the request; no other one of this plan has it.
    public var ticket: UInt64
    public var query: ArrivalsQueryID
    public var priority: FetchPriority
    /// What it costs, where somebody counts.
    public var spend: BudgetSpend?
}

/// How a request for arrivals ended.
public enum ArrivalsOutcome: Hashable, Sendable {
    /// The answer is in use; also one that says that nothing comes.
    case answered
    /// An answer came that cannot be read; a sentence.
    case unreadable(String)
    /// - Parameter retryAfter: as the server wrote it.
    case failed(FetchFailure, retryAfter: String? = nil)
    /// Nobody wanted it any more.
    case canceled
}

/// Why there is no answer to a question about arrivals.
public enum ArrivalsFailure: Hashable, Sendable, CustomStringConvertible {
    /// The upstream does not answer this one (403, 422); it is not asked again for long.
    case refused(status: Int)
    case unreadable(String)
    case failed(FetchFailure)

    public var description: String {
        switch self {
        case .refused(let status): "the source refused to answer (HTTP status \(status))"
        case .unreadable(let reason): reason
        case .failed(let failure): "\(failure)"
        }
    }
}

/// How one question stands.
public struct ArrivalsStatus: Hashable, Sendable {
    /// Seconds since it was answered last; `nil`: never.
    public var age: Int?
    /// Whether the answer is as good as a new one.
    public var isFresh: Bool
    public var isInFlight: Bool
    /// When it may be asked; `nil` while it is under way, or when something without a time has to happen first.
    public var next: BootTime?
    /// What holds it until then.
    public var reason: DueReason
    /// Since it was answered last.
    public var trouble: ArrivalsFailure?
    public var failures: Int
    /// Whether the request would only test whether its host has recovered. Callers do not wait for that.
    public var isProbe = false

    /// Whether an answer may come by a moment.
    public func isComing(by moment: BootTime) -> Bool {
        !isFresh && !isProbe && (isInFlight || reason == .busy || next.map { $0 <= moment } ?? false)
    }
}

/// How all the questions to a source stand.
public struct ArrivalsSummary: Hashable, Sendable {
    /// Questions that are remembered.
    public var known: Int
    /// Of them, those with an answer that is as good as a new one.
    public var fresh: Int
    /// Of them, those that were not answered when they were asked last.
    public var failing: Int
    public var lastAnswer: BootTime?
    public var lastRequested: BootTime?
    /// In a row, of any question, since the source answered last.
    public var failures: Int
    /// The last one, while ``failures`` is not 0.
    public var trouble: ArrivalsFailure?
    /// When something is asked next; `nil`: nothing is wanted, or it waits for what has no time.
    public var next: BootTime?
    /// What holds it until then.
    public var reason: DueReason
}
