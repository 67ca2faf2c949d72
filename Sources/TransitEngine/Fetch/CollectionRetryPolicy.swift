/// Decides how a network is collected from many answers: what follows each of them, after which pause, and when the attempt
/// is given up. Whoever asks keeps what came, so that the next attempt goes on where this one ended.
public struct CollectionRetryPolicy: Hashable, Sendable {
    /// What became of a request.
    public enum Answer: Hashable, Sendable {
        /// It was read.
        case taken
        /// It came and makes no sense.
        case unreadable
        /// - Parameter retryAfter: Seconds for which the host wants to be left alone.
        case failed(FetchFailure, retryAfter: Int?)
    }

    public enum Decision: Hashable, Sendable {
        /// The step that is open next: another one, or the same again. Not before so many milliseconds have passed.
        case ask(after: Int)
        /// The collection is to do without the step, which the upstream will not answer; then as above.
        case leaveOut(status: Int, after: Int)
        /// Request the step again after all others, then decide again.
        case postpone(after: Int)
        /// The attempt has failed; the refresh engine says when there is another one.
        case giveUp(FetchFailure)
    }

    /// The properties of the requested step on which the decision depends.
    public struct Step: Hashable, Sendable {
        /// Unique within the collection.
        public var name: String
        /// The part of the network that is missing without the step. Several steps can share a part, such as the two
        /// directions of a route. `nil`: the collection requires the step.
        public var part: String?

        public init(name: String, part: String?) {
            self.name = name
            self.part = part
        }
    }

    /// Milliseconds between two requests.
    private let spacing: Int
    /// Whether requests carry a key. A 403 then concerns the key, otherwise the step.
    private let hasKey: Bool
    /// Requests of this attempt.
    private(set) var requests = 0
    /// Of the step that is open: how often it failed.
    private var failures = 0
    /// Of the step that is open: how often it made no sense.
    private var unreadable = 0
    /// Steps in a row that were left out.
    private var leftOut = 0
    /// Steps that were answered 403 once and are requested again at the end.
    private var postponed: Set<String> = []
    /// The number of consecutive requests that were answered 403.
    private var denials = 0
    /// Parts that the collection skips because the second answer was 403 too.
    private var skipped: Set<String> = []

    /// No network needs more requests: a collection that never ends is one that goes in circles.
    public static let maximumRequests = 20_000
    /// An upstream that answers none of so many steps in a row is another one than it was.
    static let maximumConsecutiveSkips = 50
    /// The maximum number of parts that may be skipped because of 403. Hong Kong has about 120 such routes. An upstream
    /// that denies more rejects the client and not single steps.
    static let maximumSkippedParts = 200
    /// The number of consecutive denied requests that ends the attempt. A skipped route takes two requests.
    static let maximumConsecutiveDenials = 2 * maximumSkippedParts
    /// The longest pause within an attempt, in seconds: an upstream that wants more is left to the refresh engine.
    static let maximumPause = 300
    /// Pauses after failures that may be over soon, in seconds.
    static let pauses = [1, 2, 4, 30]
    /// The first pause where a host has too much to do and does not say for how long; it doubles.
    private static let overloadPause = 30
    private static let maximumOverloads = 4
    private static let maximumUnreadable = 3

    /// - Parameters:
    ///   - spacing: milliseconds between two requests.
    ///   - hasKey: whether requests carry a key.
    public init(spacing: Int, hasKey: Bool = false) {
        self.spacing = max(0, spacing)
        self.hasKey = hasKey
    }

    public mutating func decision(after answer: Answer, of step: Step) -> Decision {
        requests += 1
        guard requests < Self.maximumRequests else { return .giveUp(.local("it takes too many requests")) }
        if case .failed(.status(403), _) = answer { return decision(afterDenied: step) }
        denials = 0
        switch answer {
        case .taken:
            (failures, unreadable, leftOut) = (0, 0, 0)
            return .ask(after: spacing)
        case .unreadable:
            unreadable += 1
            // Half of an answer, or somebody else's page: it may be whole in a moment.
            guard unreadable >= Self.maximumUnreadable else { return .ask(after: max(spacing, 2000)) }
            return leaveOut(status: 200)
        case .failed(let failure, let retryAfter): return decision(after: failure, retryAfter)
        }
    }

    private mutating func decision(after failure: FetchFailure, _ retryAfter: Int?) -> Decision {
        // 404 and 410: there is none. 400 and 422: the upstream does not know what we ask for.
        if case .status(let status) = failure, [400, 404, 410, 422].contains(status) {
            return leaveOut(status: status)
        }
        failures += 1
        switch failure.kind {
        case .transient:
            guard failures <= Self.pauses.count else { return .giveUp(failure) }
            return .ask(after: max(spacing, Self.pauses[failures - 1] * 1000))
        case .overloaded:
            let pause =
                retryAfter
                ?? RetryPolicy.doubled(
                    Self.overloadPause, times: failures - 1, atMost: Self.maximumPause)
            guard failures <= Self.maximumOverloads, pause <= Self.maximumPause else { return .giveUp(failure) }
            return .ask(after: max(spacing, pause * 1000))
        case .lasting, .local: return .giveUp(failure)
        }
    }

    /// Decides after a 403. With a key, a 403 rejects the key. Without one, it is either a temporary refusal by a busy
    /// host, or a permanent refusal of the step, such as Citybus's for the stops of some routes.
    private mutating func decision(afterDenied step: Step) -> Decision {
        (failures, unreadable) = (0, 0)
        denials += 1
        guard !hasKey, let part = step.part else { return .giveUp(.status(403)) }
        guard !postponed.insert(step.name).inserted else {
            return denials > Self.maximumConsecutiveDenials ? .giveUp(.status(403)) : .postpone(after: spacing)
        }
        skipped.insert(part)
        return skipped.count > Self.maximumSkippedParts ? .giveUp(.status(403)) : .leaveOut(status: 403, after: spacing)
    }

    private mutating func leaveOut(status: Int) -> Decision {
        (failures, unreadable) = (0, 0)
        leftOut += 1
        guard leftOut < Self.maximumConsecutiveSkips else { return .giveUp(.status(status)) }
        return .leaveOut(status: status, after: spacing)
    }
}
