internal import TransitControl
internal import TransitModel
internal import TransitSystem

/// A topic with subscribers, and its last result.
struct WatchedTopic {
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

        init(connection: UInt64, number: Int, version: UInt64) {
            self.connection = connection
            self.number = number
            self.version = version
        }
    }

    /// The first subscriber, for whom the topic is refreshed.
    let caller: Caller
    var subscribers: [Subscriber] = []
    /// Number of results that differed from the previous one.
    private(set) var version: UInt64 = 0
    private(set) var payload: EventPayload
    private var fingerprint: [UInt8]
    private(set) var measured: Instant?
    private(set) var feeds: Set<FeedID>?
    /// The time at which the result may change without new data.
    private(set) var expires: MonotonicInstant?
    /// The time of the last refresh.
    private(set) var lastRefresh: MonotonicInstant
    /// Whether a change has occurred since the last refresh.
    var isDirty = false
    var isRefreshing = false

    init(caller: Caller, result: TopicResult, at now: MonotonicInstant) {
        self.caller = caller
        payload = result.payload
        fingerprint = result.fingerprint
        lastRefresh = now
    }

    mutating func update(with result: TopicResult, at now: MonotonicInstant) {
        if fingerprint != result.fingerprint { version &+= 1 }
        payload = result.payload
        fingerprint = result.fingerprint
        measured = result.measured
        feeds = result.feeds
        expires = result.expires.map { now.advanced(milliseconds: max(0, $0)) }
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

    func isAffected(by change: TopicChange, _ key: SubscriptionRegistry.WatchedTopicKey) -> Bool {
        switch change {
        case .everything: true
        case .status: key.topic.topic == .status
        case .personal(let uid): key.uid == uid && [.next, .alerts, .status, .favorite].contains(key.topic.topic)
        case .feed(let feed): feeds?.contains(feed) ?? true
        }
    }
}

/// The result of refreshing a topic.
struct TopicResult {
    var payload: EventPayload
    /// See ``ResultFingerprint``.
    var fingerprint: [UInt8]
    var measured: Instant?
    /// `nil` for all feeds.
    var feeds: Set<FeedID>?
    /// In milliseconds.
    var expires: Int?
}

extension TopicResult {
    /// - Parameter limit: The maximum size of a result in bytes. A larger result becomes an error.
    init(
        _ topic: TopicKind, _ outcome: Result<TopicSnapshot, ControlError>, at: Timestamp, limit: Int = .max
    ) {
        switch outcome {
        case .failure(let error):
            payload = EventPayload(topic: topic, at: at, age: nil, answer: .failure(error))
        case .success(let snapshot):
            measured = snapshot.measured
            feeds = snapshot.feeds
            expires = snapshot.expires
            let age = snapshot.measured.map { max(0, $0.seconds(to: snapshot.at.instant)) }
            payload = EventPayload(topic: topic, at: snapshot.at, age: age, answer: .success(snapshot.data))
            if payload.answer.count > limit {
                payload = EventPayload(topic: topic, at: at, age: nil, answer: .failure(Self.tooLarge(limit)))
            }
        }
        let times = topic == .favorite ? ResultFingerprint.ofBoards : ResultFingerprint.ofResult
        fingerprint = ResultFingerprint.of(payload.answer, times: times)
    }

    static func tooLarge(_ limit: Int) -> ControlError {
        ControlError(
            .responseTooLarge, "The result would be larger than \(limit) bytes.",
            hint: "Subscribe with a smaller count.")
    }
}
