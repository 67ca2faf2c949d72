internal import TransitSystem

/// The result of evaluating a topic once, with the conditions under which it changes.
public protocol WatchedResult: Sendable {
    associatedtype Change: Sendable

    /// The size of the encoded result in bytes.
    var size: Int { get }
    /// Milliseconds of real time until the result may change without a ``Change``; `nil` if it cannot.
    var expires: Int? { get }
    /// Whether subscribers who have the other result of the same topic get an event.
    func differs(from other: Self) -> Bool
    /// Whether the topic must be evaluated again after a change.
    func isAffected(by change: Change) -> Bool
    /// Returns the event with this result as a line.
    func eventLine(subscription: Int, sequence: Int) -> [UInt8]
}

/// A topic that is currently watched. Several subscriptions of a user to the same topic are listed once, with the
/// number of subscribers.
public struct TopicDemand<Topic: Sendable, Result: Sendable>: Sendable {
    public var topic: Topic
    /// The last result.
    public var result: Result
    public var subscribers: Int
}

/// A topic with subscribers, and its last result.
struct WatchedTopic<Result: WatchedResult> {
    struct Subscriber {
        var connection: UInt64
        var number: Int
        /// The sequence number of the last event sent.
        var sequence = 1
        /// The ``WatchedTopic/version`` of the last result sent. If it differs from the current version, an event is
        /// due.
        var version: UInt64
        /// Whether events are held back because the first result has not been sent yet.
        var isHeld = true
    }

    /// The first subscriber, for whom the topic is refreshed.
    let caller: Caller
    var subscribers: [Subscriber] = []
    /// Number of results that differed from the previous one.
    private(set) var version: UInt64 = 0
    private(set) var result: Result
    /// The time at which the result may change without new data.
    private(set) var expires: MonotonicInstant?
    /// The time of the last refresh.
    private(set) var lastRefresh: MonotonicInstant
    /// Whether a change has occurred since the last refresh.
    var isDirty = false
    var isRefreshing = false

    init(caller: Caller, result: Result, at now: MonotonicInstant) {
        self.caller = caller
        self.result = result
        lastRefresh = now
    }

    mutating func update(with new: Result, at now: MonotonicInstant) {
        if new.differs(from: result) { version &+= 1 }
        result = new
        expires = new.expires.map { now.advanced(milliseconds: max(0, $0)) }
    }

    mutating func beginRefresh(at now: MonotonicInstant) {
        isDirty = false
        isRefreshing = true
        expires = nil
        lastRefresh = now
    }

    mutating func forEachSubscriber(_ body: (inout Subscriber) -> Void) {
        for position in subscribers.indices { body(&subscribers[position]) }
    }
}
