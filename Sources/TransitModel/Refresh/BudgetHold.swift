/// The reason why a request with a key must wait for the key's budget.
public struct BudgetHold: Hashable, Sendable {
    /// What the request waits for.
    public enum Cause: Hashable, Sendable {
        /// All requests of the limit have been sent.
        case exhausted
        /// The requests that remain are reserved for higher priorities.
        case reserved
        /// Requests are spread over the window, and the last one was sent a moment ago.
        case spread
    }

    public var cause: Cause
    public var limit: BudgetLimit
    /// The number of requests that were sent within the window of the limit.
    public var used: Int
    /// The number of requests that the priority of the waiting request may use.
    public var allowed: Int
    /// The mean number of seconds between two requests. `nil` unless the cause is ``Cause/spread``.
    public var spacing: Int?
    /// The dataset of the last request with the key.
    public var last: DatasetID?

    public init(
        cause: Cause, limit: BudgetLimit, used: Int, allowed: Int, spacing: Int? = nil, last: DatasetID? = nil
    ) {
        self.cause = cause
        self.limit = limit
        self.used = used
        self.allowed = allowed
        self.spacing = spacing
        self.last = last
    }
}
