/// Decides how to continue the collection of a network after each response: the next step, the pause before it, and
/// whether to give up the attempt. The caller saves the responses, so the next attempt continues where the previous one
/// ended.
public struct CollectionRetryPolicy: Hashable, Sendable {
    /// The outcome of a request.
    public enum StepOutcome: Hashable, Sendable {
        /// The response was parsed.
        case parsed
        /// The response could not be parsed.
        case unreadable
        /// - Parameter retryAfter: The `Retry-After` value in seconds.
        case failed(FetchFailure, retryAfter: Int?)
    }

    public enum Decision: Hashable, Sendable {
        /// Request the next open step, which may be the same step again, after this number of milliseconds.
        case request(after: Int)
        /// Skip the step, which the upstream rejects, and request the next step after this number of milliseconds.
        case skip(status: Int, after: Int)
        /// Request the step again after all others, then decide again.
        case postpone(after: Int)
        /// Give up the attempt. The refresh engine decides when to start another one.
        case giveUp(FetchFailure)
    }

    /// The properties of the requested step on which the decision depends.
    public struct Step: Hashable, Sendable {
        /// Unique within the collection.
        public var name: String
        /// The part of the network that is missing if the step is skipped. Several steps can share a part, such as the
        /// two directions of a route. `nil` if the collection requires the step.
        public var part: String?

        public init(name: String, part: String?) {
            self.name = name
            self.part = part
        }
    }

    /// The number of milliseconds between two requests.
    private let spacing: Int
    /// Whether requests carry a key. If so, a 403 rejects the key; otherwise, it rejects the step.
    private let hasKey: Bool
    /// The number of requests in this attempt.
    private(set) var requests = 0
    /// The number of failures of the open step.
    private var failures = 0
    /// The number of unparsable responses to the open step.
    private var unreadable = 0
    /// The number of consecutive skipped steps.
    private var consecutiveSkips = 0
    /// The steps that received 403 once and are requested again at the end.
    private var postponed: Set<String> = []
    /// The number of consecutive requests that received 403.
    private var consecutiveDenials = 0
    /// The parts that the collection skips because the second response was also 403.
    private var skipped: Set<String> = []

    /// The maximum number of requests of an attempt. No network requires more, so a collection that reaches the maximum
    /// is in a loop.
    public static let maximumRequests = 20_000
    /// The number of consecutive skipped steps that ends the attempt, because the upstream appears to have changed.
    static let maximumConsecutiveSkips = 50
    /// The maximum number of parts that may be skipped because of 403. Hong Kong has about 120 such routes. An upstream
    /// that rejects more parts is rejecting the client, not individual steps.
    static let maximumSkippedParts = 200
    /// The number of consecutive 403 responses that ends the attempt. Each skipped route takes two requests.
    static let maximumConsecutiveDenials = 2 * maximumSkippedParts
    /// The maximum pause within an attempt in seconds. If the upstream requests a longer pause, the refresh engine
    /// schedules the next attempt.
    static let maximumPause = 300
    /// The pauses after transient failures in seconds.
    static let pauses = [1, 2, 4, 30]
    /// The first pause in seconds if an overloaded host does not specify how long to wait. The pause doubles with each
    /// failure.
    private static let overloadPause = 30
    private static let maximumOverloads = 4
    private static let maximumUnreadable = 3

    /// - Parameters:
    ///   - spacing: The number of milliseconds between two requests.
    ///   - hasKey: Whether requests carry a key.
    public init(spacing: Int, hasKey: Bool = false) {
        self.spacing = max(0, spacing)
        self.hasKey = hasKey
    }

    public mutating func decision(after answer: StepOutcome, of step: Step) -> Decision {
        requests += 1
        guard requests < Self.maximumRequests else {
            return .giveUp(.local("the collection requires too many requests"))
        }
        if case .failed(.status(403), _) = answer { return decision(afterForbidden: step) }
        consecutiveDenials = 0
        switch answer {
        case .parsed:
            (failures, unreadable, consecutiveSkips) = (0, 0, 0)
            return .request(after: spacing)
        case .unreadable:
            unreadable += 1
            // A partial response or a proxy's page; the next one may be complete.
            guard unreadable >= Self.maximumUnreadable else { return .request(after: max(spacing, 2000)) }
            return skip(status: 200)
        case .failed(let failure, let retryAfter): return decision(after: failure, retryAfter)
        }
    }

    private mutating func decision(after failure: FetchFailure, _ retryAfter: Int?) -> Decision {
        // 404 and 410: the resource does not exist. 400 and 422: the upstream does not recognize the request.
        if case .status(let status) = failure, [400, 404, 410, 422].contains(status) {
            return skip(status: status)
        }
        // The other datasets of the host must pause too, so the refresh engine schedules the next attempt.
        if failure == .status(429), retryAfter == nil { return .giveUp(failure) }
        failures += 1
        switch failure.kind {
        case .transient:
            guard failures <= Self.pauses.count else { return .giveUp(failure) }
            return .request(after: max(spacing, Self.pauses[failures - 1] * 1000))
        case .overloaded:
            let pause =
                retryAfter
                ?? RetryPolicy.doubled(
                    Self.overloadPause, times: failures - 1, atMost: Self.maximumPause)
            guard failures <= Self.maximumOverloads, pause <= Self.maximumPause else { return .giveUp(failure) }
            return .request(after: max(spacing, pause * 1000))
        case .permanent, .local: return .giveUp(failure)
        }
    }

    /// Returns the decision after a 403. If requests carry a key, the key was rejected. Otherwise, either a busy host
    /// rejects requests temporarily, or the host always rejects the step, as Citybus does for the stops of some routes.
    private mutating func decision(afterForbidden step: Step) -> Decision {
        (failures, unreadable) = (0, 0)
        consecutiveDenials += 1
        guard !hasKey, let part = step.part else { return .giveUp(.status(403)) }
        guard !postponed.insert(step.name).inserted else {
            return consecutiveDenials > Self.maximumConsecutiveDenials
                ? .giveUp(.status(403)) : .postpone(after: spacing)
        }
        skipped.insert(part)
        return skipped.count > Self.maximumSkippedParts ? .giveUp(.status(403)) : .skip(status: 403, after: spacing)
    }

    private mutating func skip(status: Int) -> Decision {
        (failures, unreadable) = (0, 0)
        consecutiveSkips += 1
        guard consecutiveSkips < Self.maximumConsecutiveSkips else { return .giveUp(.status(status)) }
        return .skip(status: status, after: spacing)
    }
}
