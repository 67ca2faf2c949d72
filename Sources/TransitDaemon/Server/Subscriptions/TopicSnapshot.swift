public import TransitControl
public import TransitModel
public import TransitWire

/// The result of a topic at one moment, with the conditions under which it changes.
public struct TopicSnapshot: Sendable {
    /// The time for which the result was computed.
    public var at: Timestamp
    /// The result of the topic's method.
    public var data: any WireValue
    /// The time of the newest realtime data in the result; `nil` without realtime data.
    public var measured: Instant?
    /// The feeds whose changes may affect the result; `nil` for all feeds.
    public var feeds: Set<FeedID>?
    /// Milliseconds of real time until the result may change without new data; `nil` if it cannot change.
    public var expires: Int?

    public init(
        at: Timestamp, data: any WireValue, measured: Instant? = nil, feeds: Set<FeedID>? = nil, expires: Int? = nil
    ) {
        self.at = at
        self.data = data
        self.measured = measured
        self.feeds = feeds
        self.expires = expires
    }
}

/// A change that may affect the results of topics.
public enum TopicChange: Hashable, Sendable {
    /// A change of a feed: its timetable, realtime data, alerts or status.
    case feed(FeedID)
    /// The commutes, places or favorites of a user.
    case personal(uid: UInt32)
    /// The status of the daemon. Does not affect the results for travelers.
    case status
    /// A change that may affect all topics, such as a new configuration.
    case everything
}

/// A topic that is currently watched. Several subscriptions of a user to the same topic are listed once, with the
/// number of subscribers.
public struct SubscribedTopic: Hashable, Sendable {
    public var topic: Topic
    public var uid: UInt32
    /// The feeds that the last result depends on; `nil` for all feeds.
    public var feeds: Set<FeedID>?
    public var subscribers: Int
}

extension RequestHandling {
    /// Handles the topic's method as a normal request. The result then has no known dependencies.
    public func snapshot(
        of topic: Topic, for caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> TopicSnapshot {
        let data = try answer(try topic.checkedRequest(), from: caller, slowWork: slowWork)
        return TopicSnapshot(at: greeting(for: caller).at, data: data)
    }
}

extension Topic {
    func checkedRequest() throws(ControlError) -> ControlRequest {
        do { return try request() } catch { throw ControlError(error) }
    }
}
