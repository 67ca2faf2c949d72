/// Decides how a network is collected from many answers: what follows each of them, after which pause, and when the attempt
/// is given up. Whoever asks keeps what came, so that the next attempt goes on where this one ended.
public struct CollectionCourse: Hashable, Sendable {
    /// What became of a request.
    public enum Answer: Hashable, Sendable {
        /// It was read.
        case taken
        /// It came and makes no sense.
        case unreadable
        /// - Parameter retryAfter: Seconds for which the host wants to be left alone.
        case failed(FetchFailure, retryAfter: Int?)
    }

    public enum Turn: Hashable, Sendable {
        /// The step that is open next: another one, or the same again. Not before so many milliseconds have passed.
        case ask(after: Int)
        /// The collection is to do without the step, which the upstream will not answer; then as above.
        case leaveOut(status: Int, after: Int)
        /// The attempt has failed; the refresh engine says when there is another one.
        case giveUp(FetchFailure)
    }

    /// Milliseconds between two requests.
    private let spacing: Int
    /// Requests of this attempt.
    private(set) var requests = 0
    /// Of the step that is open: how often it failed.
    private var failures = 0
    /// Of the step that is open: how often it made no sense.
    private var unreadable = 0
    /// Steps in a row that were left out.
    private var leftOut = 0

    /// No network needs more requests: a collection that never ends is one that goes in circles.
    public static let mostRequests = 20_000
    /// An upstream that answers none of so many steps in a row is another one than it was.
    static let mostLeftOut = 50
    /// The longest pause within an attempt, in seconds: an upstream that wants more is left to the refresh engine.
    static let longestPause = 300
    /// Pauses after failures that may be over soon, in seconds.
    static let pauses = [1, 2, 4, 30]
    /// The first pause where a host has too much to do and does not say for how long; it doubles.
    private static let overloadPause = 30
    private static let mostOverloads = 4
    private static let mostUnreadable = 3

    /// - Parameter spacing: Thousandths of a second between two requests.
    public init(spacing: Int) { self.spacing = max(0, spacing) }

    public mutating func turn(after answer: Answer) -> Turn {
        requests += 1
        guard requests < Self.mostRequests else { return .giveUp(.local("it takes too many requests")) }
        switch answer {
        case .taken:
            (failures, unreadable, leftOut) = (0, 0, 0)
            return .ask(after: spacing)
        case .unreadable:
            unreadable += 1
            // Half of an answer, or somebody else's page: it may be whole in a moment.
            guard unreadable >= Self.mostUnreadable else { return .ask(after: max(spacing, 2000)) }
            return leaveOut(status: 200)
        case .failed(let failure, let retryAfter): return turn(after: failure, retryAfter)
        }
    }

    private mutating func turn(after failure: FetchFailure, _ retryAfter: Int?) -> Turn {
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
                    Self.overloadPause, times: failures - 1, atMost: Self.longestPause)
            guard failures <= Self.mostOverloads, pause <= Self.longestPause else { return .giveUp(failure) }
            return .ask(after: max(spacing, pause * 1000))
        case .lasting, .local: return .giveUp(failure)
        }
    }

    private mutating func leaveOut(status: Int) -> Turn {
        (failures, unreadable) = (0, 0)
        leftOut += 1
        guard leftOut < Self.mostLeftOut else { return .giveUp(.status(status)) }
        return .leaveOut(status: status, after: spacing)
    }
}
