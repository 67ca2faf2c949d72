internal import TransitControl
internal import TransitModel
internal import TransitServer
internal import TransitWire

/// A topic as one user watches it.
struct UserTopic: Hashable, Sendable {
    var topic: Topic
    var uid: UInt32
}

/// A change that may affect the results of topics.
enum TopicChange: Hashable, Sendable {
    /// A change of a feed: its timetable, realtime data, alerts or status.
    case feed(FeedID)
    /// The commutes, places or favorites of a user.
    case personal(uid: UInt32)
    /// The notifications of a user.
    case notifications(uid: UInt32)
    /// The status of the daemon. Does not affect the results for travelers.
    case status
    /// A change that may affect all topics, such as a new configuration.
    case everything
}

/// The conditions under which the result of a topic changes.
struct TopicConditions: Hashable, Sendable {
    /// The time of the newest realtime data in the result; `nil` without realtime data.
    var measured: Instant?
    /// The feeds whose changes may affect the result; `nil` for all feeds.
    var feeds: Set<FeedID>?
    /// Milliseconds of real time until the result may change without new data; `nil` if it cannot change.
    var expires: Int?
}

/// The result of a topic at one moment, encoded once for all subscribers.
struct TopicSnapshot: WatchedResult {
    /// The part of a result that is compared with the previous one.
    private enum Content: Sendable {
        case result(any SubscribableResult)
        case error(ControlError)
    }

    private let topic: UserTopic
    let conditions: TopicConditions
    private let payload: EventPayload
    private let content: Content

    /// - Parameter at: The time for which the result was computed.
    init(_ topic: UserTopic, _ result: any SubscribableResult, at: Timestamp, _ conditions: TopicConditions) {
        self.topic = topic
        self.conditions = conditions
        payload = EventPayload(
            topic: topic.topic.topic, at: at, age: Self.age(conditions, at), answer: .success(result))
        content = .result(result.content)
    }

    /// Creates the result of a topic that cannot be evaluated. It may change with every change.
    init(_ topic: UserTopic, _ error: ControlError, at: Timestamp) {
        self.topic = topic
        conditions = TopicConditions()
        payload = EventPayload(topic: topic.topic.topic, at: at, age: nil, answer: .failure(error))
        content = .error(error)
    }

    var size: Int { payload.answer.count }
    var expires: Int? { conditions.expires }

    func differs(from other: TopicSnapshot) -> Bool {
        switch (content, other.content) {
        case (.result(let new), .result(let old)): !new.isSameContent(as: old)
        case (.error(let new), .error(let old)): new != old
        default: true
        }
    }

    func isAffected(by change: TopicChange) -> Bool {
        switch change {
        case .everything: true
        case .status: topic.topic.topic == .status
        case .personal(let uid):
            // The walks and directions of a board depend on the places.
            topic.uid == uid
                && [.next, .departures, .alerts, .status, .favorite, .notifications].contains(topic.topic.topic)
        case .notifications(let uid): topic.uid == uid && topic.topic.topic == .notifications
        case .feed(let feed): conditions.feeds?.contains(feed) ?? true
        }
    }

    func eventLine(subscription: Int, sequence: Int) -> [UInt8] {
        payload.line(subscription: subscription, sequence: sequence)
    }

    /// The result as JSON.
    var data: JSONValue { (try? JSONValue(parsing: payload.answer)) ?? .null }

    /// The age of the realtime data behind the result in seconds.
    func age(at: Timestamp) -> Int? { Self.age(conditions, at) }

    private static func age(_ conditions: TopicConditions, _ at: Timestamp) -> Int? {
        conditions.measured.map { max(0, $0.seconds(to: at.instant)) }
    }
}
