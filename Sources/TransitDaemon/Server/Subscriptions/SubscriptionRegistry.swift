internal import TransitControl
internal import TransitModel

/// Who watches what, what they were told last, and what is to be asked again when: a plain value that is fed with
/// moments, changes and answers, and does nothing itself.
///
/// Subscriptions of the same topic by the same user are one ``Watch``: it is asked once, and its answer is written once.
struct SubscriptionRegistry {
    /// What the subscribers of one watch have in common.
    struct WatchedTopicKey: Hashable {
        var topic: Topic
        var uid: UInt32
    }

    private let limits: ControlLimits
    private var watches: [WatchedTopicKey: WatchedTopic] = [:]
    /// The subscriptions of each connection, in the order of their numbers.
    private var connections: [UInt64: [(number: Int, key: WatchedTopicKey)]] = [:]
    private var nextNumbers: [UInt64: Int] = [:]
    private var nextHeartbeat: MonotonicInstant?
    /// Counts changes, so that an answer is known to be from before one.
    private(set) var generation: UInt64 = 0

    init(limits: ControlLimits) { self.limits = limits }

    var isEmpty: Bool { watches.isEmpty }

    func hasRoom(for count: Int, on connection: UInt64) -> Bool {
        connections[connection, default: []].count + count <= limits.subscriptions
    }

    var demand: [TopicDemand] {
        watches.map { key, watch in
            TopicDemand(topic: key.topic, uid: key.uid, feeds: watch.feeds, subscribers: watch.subscribers.count)
        }
    }
}

// MARK: - Coming and going

extension SubscriptionRegistry {
    /// Takes a subscriber in with its first answer, which is about to be sent as its number 1. Nothing is told to it
    /// before ``release(_:)``.
    ///
    /// - Parameter asked: ``generation`` before the answer was made; a change since then is told soon.
    /// - Returns: the subscription's number on the connection.
    mutating func add(
        _ key: WatchedTopicKey, _ answer: TopicAnswer, for caller: Caller, asked: UInt64, at now: MonotonicInstant
    ) -> Int {
        var watch = watches[key] ?? WatchedTopic(caller: caller, answer: answer, at: now)
        // Those who watch already may know an older answer.
        watch.take(answer, at: now)
        if generation != asked { watch.isDirty = true }
        let number = nextNumbers[caller.connection, default: 1]
        nextNumbers[caller.connection] = number + 1
        watch.subscribers.append(
            WatchedTopic.Subscriber(connection: caller.connection, number: number, version: watch.version))
        watches[key] = watch
        connections[caller.connection, default: []].append((number, key))
        if nextHeartbeat == nil { nextHeartbeat = now.advanced(milliseconds: limits.heartbeat) }
        return number
    }

    /// The first answers of a connection have been sent; what has changed meanwhile is owed to it now.
    mutating func release(_ connection: UInt64) {
        for key in keys(of: connection) {
            watches[key]?.forEachSubscriber { if $0.connection == connection { $0.isHeld = false } }
        }
    }

    /// False when the connection has no such subscription.
    mutating func remove(_ number: Int, of connection: UInt64) -> Bool {
        guard let position = connections[connection]?.firstIndex(where: { $0.number == number }),
            let key = connections[connection]?.remove(at: position).key
        else { return false }
        remove(connection, number, from: key)
        if connections[connection]?.isEmpty == true { connections[connection] = nil }
        return true
    }

    /// Forgets a connection that has ended. False when it had no subscription.
    mutating func remove(connection: UInt64) -> Bool {
        nextNumbers[connection] = nil
        guard let entries = connections.removeValue(forKey: connection) else { return false }
        for (number, key) in entries { remove(connection, number, from: key) }
        return true
    }

    private mutating func remove(_ connection: UInt64, _ number: Int, from key: WatchedTopicKey) {
        watches[key]?.subscribers.removeAll { $0.connection == connection && $0.number == number }
        if watches[key]?.subscribers.isEmpty == true { watches[key] = nil }
        if watches.isEmpty { nextHeartbeat = nil }
    }

    private func keys(of connection: UInt64) -> Set<WatchedTopicKey> {
        Set(connections[connection, default: []].map(\.key))
    }
}

// MARK: - Changes

extension SubscriptionRegistry {
    /// Marks the watches that a change concerns.
    mutating func note(_ change: TopicChange) {
        generation &+= 1
        for (key, watch) in watches where watch.isAffected(by: change, key) { watches[key]?.isDirty = true }
    }

    /// The watches that are to be asked now; each is given out once, until ``finish(_:_:at:)``.
    mutating func takeDue(at now: MonotonicInstant) -> [(key: WatchedTopicKey, caller: Caller)] {
        var due: [(key: WatchedTopicKey, caller: Caller)] = []
        for (key, watch) in watches {
            guard let moment = dueMoment(of: watch), moment <= now else { continue }
            watches[key]?.beginRefresh(at: now)
            due.append((key, watch.caller))
        }
        return due
    }

    /// Takes the answer of a watch that was due; to whom it is news, it is owed.
    mutating func finish(_ key: WatchedTopicKey, _ answer: TopicAnswer, at now: MonotonicInstant) {
        watches[key]?.isRefreshing = false
        watches[key]?.take(answer, at: now)
    }

    /// When ``takeDue(at:)`` or ``beat(at:)`` has something to do; `nil` while nobody watches.
    var deadline: MonotonicInstant? {
        let due = watches.values.compactMap(dueMoment).min()
        return [due, nextHeartbeat].compactMap { $0 }.min()
    }

    private func dueMoment(of watch: WatchedTopic) -> MonotonicInstant? {
        guard !watch.isRefreshing else { return nil }
        let soonest = watch.asked.advanced(milliseconds: limits.eventSpacing)
        if watch.isDirty { return soonest }
        return watch.expires.map { max($0, soonest) }
    }
}

// MARK: - Telling

extension SubscriptionRegistry {
    /// Sends the last answer of a watch to those to whom it is owed.
    ///
    /// - Parameters:
    ///   - connection: only to this one.
    ///   - send: takes a whole line for a connection, or returns false: then it stays owed.
    mutating func sendEvents(_ key: WatchedTopicKey, only connection: UInt64? = nil, _ send: (UInt64, [UInt8]) -> Bool)
    {
        guard var watch = watches.removeValue(forKey: key) else { return }
        let (payload, version) = (watch.payload, watch.version)
        watch.forEachSubscriber { subscriber in
            guard subscriber.version != version, !subscriber.isHeld,
                connection == nil || subscriber.connection == connection
            else { return }
            let line = payload.line(subscription: subscriber.number, sequence: subscriber.sequence + 1)
            guard send(subscriber.connection, line) else { return }
            subscriber.sequence += 1
            subscriber.version = version
        }
        watches[key] = watch
    }

    /// Sends everything that is owed to a connection.
    mutating func sendEvents(_ connection: UInt64, _ send: (UInt64, [UInt8]) -> Bool) {
        for key in keys(of: connection) { sendEvents(key, only: connection, send) }
    }

    /// Who is to be told that nothing was missed, when it is time for that.
    mutating func beat(at now: MonotonicInstant) -> [UInt64] {
        guard let moment = nextHeartbeat, moment <= now else { return [] }
        nextHeartbeat = now.advanced(milliseconds: limits.heartbeat)
        return Array(connections.keys)
    }

    /// How the subscriptions of a connection stand.
    func heartbeats(of connection: UInt64, at now: Instant) -> [SubscriptionHeartbeat] {
        connections[connection, default: []].compactMap { number, key in
            guard let watch = watches[key],
                let subscriber = watch.subscribers.first(where: { $0.connection == connection && $0.number == number })
            else { return nil }
            return SubscriptionHeartbeat(
                subscription: number, sequence: subscriber.sequence,
                age: watch.measured.map { max(0, $0.seconds(to: now)) })
        }
    }
}
