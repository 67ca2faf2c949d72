public import TransitControl
public import TransitModel

/// The answer of a topic at one moment, with what the server must know to keep it up to date.
public struct TopicSnapshot: Sendable {
    /// The time that the answer is for.
    public var at: Timestamp
    /// The result of the topic's method.
    public var data: any WireValue
    /// When the newest live data behind it was measured; `nil` without any.
    public var measured: Instant?
    /// The feeds whose changes may change it; `nil`: any may.
    public var feeds: Set<FeedID>?
    /// Real milliseconds until time alone may change it; `nil`: never.
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

/// What has changed, so that answers may differ from those before.
public enum TopicChange: Hashable, Sendable {
    /// Anything about a feed: its timetable, its live data, its alerts, how it stands.
    case feed(FeedID)
    /// The commutes, places or favourites of a user.
    case personal(uid: UInt32)
    /// How the daemon stands, but no answer to a traveller.
    case status
    /// More than can be said, such as a new configuration.
    case everything
}

/// What is watched at present: the same topic of the same user counts once, with the number of those who watch.
public struct TopicDemand: Hashable, Sendable {
    public var topic: Topic
    public var uid: UInt32
    /// The feeds behind the last answer; `nil`: all of them.
    public var feeds: Set<FeedID>?
    public var subscribers: Int
}

extension RequestHandling {
    /// The topic's method asked as if by itself, of which the server knows nothing more.
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
