internal import TransitControl
internal import TransitModel

/// A topic that somebody watches, with its last answer.
struct WatchedTopic {
    struct Subscriber {
        var connection: UInt64
        var number: Int
        /// Of the last answer that was sent.
        var sequence = 1
        /// ``Watch/version`` of the last answer that was sent; another one is owed.
        var version: UInt64
        /// Its first answer is still on its way: nothing may overtake it.
        var isHeld = true

        init(connection: UInt64, number: Int, version: UInt64) {
            self.connection = connection
            self.number = number
            self.version = version
        }
    }

    /// Who asks, for all of them: the first.
    let caller: Caller
    var subscribers: [Subscriber] = []
    /// Counts the answers that differed.
    private(set) var version: UInt64 = 0
    private(set) var payload: EventPayload
    private var fingerprint: [UInt8]
    private(set) var measured: Instant?
    private(set) var feeds: Set<FeedID>?
    /// When time alone may change the answer.
    private(set) var expires: MonotonicInstant?
    /// When it was last asked.
    private(set) var asked: MonotonicInstant
    /// Something has changed since.
    var isDirty = false
    var isRefreshing = false

    init(caller: Caller, answer: TopicAnswer, at now: MonotonicInstant) {
        self.caller = caller
        payload = answer.payload
        fingerprint = answer.fingerprint
        asked = now
    }

    mutating func take(_ answer: TopicAnswer, at now: MonotonicInstant) {
        if fingerprint != answer.fingerprint { version &+= 1 }
        payload = answer.payload
        fingerprint = answer.fingerprint
        measured = answer.measured
        feeds = answer.feeds
        expires = answer.expires.map { now.advanced(milliseconds: max(0, $0)) }
    }

    mutating func beginRefresh(at now: MonotonicInstant) {
        isDirty = false
        isRefreshing = true
        expires = nil
        asked = now
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

/// What came of asking a topic.
struct TopicAnswer {
    var payload: EventPayload
    /// See ``AnswerFingerprint``.
    var fingerprint: [UInt8]
    var measured: Instant?
    /// `nil`: all.
    var feeds: Set<FeedID>?
    /// Milliseconds.
    var expires: Int?
}

extension TopicAnswer {
    /// - Parameter limit: bytes of an answer; a larger one is an error instead.
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
        let times = topic == .favorite ? AnswerFingerprint.ofBoards : AnswerFingerprint.ofAnswer
        fingerprint = AnswerFingerprint.of(payload.answer, times: times)
    }

    static func tooLarge(_ limit: Int) -> ControlError {
        ControlError(
            .responseTooLarge, "The answer would be larger than \(limit) bytes.",
            hint: "Subscribe with a smaller count.")
    }
}
