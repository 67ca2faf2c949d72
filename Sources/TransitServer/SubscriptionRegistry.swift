internal import TransitSystem

/// The subscriptions of all connections, the last result of each watched topic, and the time at which each topic must
/// be refreshed. A value that receives times, changes and results, and performs no actions itself.
///
/// Subscriptions of one user to the same topic share a ``WatchedTopic``, which is refreshed and encoded once for all of
/// them.
struct SubscriptionRegistry<Topic: Hashable & Sendable, Result: WatchedResult> {
    private let limits: ControlLimits
    private var watchedTopics: [Topic: WatchedTopic<Result>] = [:]
    /// The subscriptions of each connection, ordered by number.
    private var connections: [UInt64: [(number: Int, key: Topic)]] = [:]
    private var nextNumbers: [UInt64: Int] = [:]
    private var nextHeartbeat: MonotonicInstant?
    /// Number of changes so far. Used to determine whether a result was computed before a change.
    private(set) var generation: UInt64 = 0

    init(limits: ControlLimits) { self.limits = limits }

    var isEmpty: Bool { watchedTopics.isEmpty }

    func hasRoom(for count: Int, on connection: UInt64) -> Bool {
        connections[connection, default: []].count + count <= limits.subscriptions
    }

    var demand: [TopicDemand<Topic, Result>] {
        watchedTopics.map { TopicDemand(topic: $0, result: $1.result, subscribers: $1.subscribers.count) }
    }
}

// MARK: - Adding and removing subscribers

extension SubscriptionRegistry {
    /// Adds a subscriber with its first result, which the caller sends with sequence number 1. The subscriber gets no
    /// events before ``release(_:)``.
    ///
    /// - Parameter generation: The value of ``generation`` before the result was computed. If a change occurred since
    ///   then, the topic is refreshed.
    /// - Returns: the number of the subscription on the connection.
    mutating func add(
        _ key: Topic, _ result: Result, for caller: Caller, generation: UInt64, at now: MonotonicInstant
    ) -> Int {
        var watched = watchedTopics[key] ?? WatchedTopic<Result>(caller: caller, result: result, at: now)
        // Other subscribers of the topic may have an older result.
        watched.update(with: result, at: now)
        if self.generation != generation { watched.isDirty = true }
        let number = nextNumbers[caller.connection, default: 1]
        nextNumbers[caller.connection] = number + 1
        watched.subscribers.append(
            WatchedTopic<Result>.Subscriber(connection: caller.connection, number: number, version: watched.version))
        watchedTopics[key] = watched
        connections[caller.connection, default: []].append((number, key))
        if nextHeartbeat == nil { nextHeartbeat = now.advanced(milliseconds: limits.heartbeat) }
        return number
    }

    /// Permits events for a connection after its first results have been sent. Changes that occurred in the meantime
    /// are then due.
    mutating func release(_ connection: UInt64) {
        for key in keys(of: connection) {
            watchedTopics[key]?.forEachSubscriber { if $0.connection == connection { $0.isHeld = false } }
        }
    }

    /// Removes a subscription. Returns false if the connection has no such subscription.
    mutating func remove(_ number: Int, of connection: UInt64) -> Bool {
        guard let position = connections[connection]?.firstIndex(where: { $0.number == number }),
            let key = connections[connection]?.remove(at: position).key
        else { return false }
        remove(connection, number, from: key)
        if connections[connection]?.isEmpty == true { connections[connection] = nil }
        return true
    }

    /// Removes a connection that has ended. Returns false if it had no subscriptions.
    mutating func remove(connection: UInt64) -> Bool {
        nextNumbers[connection] = nil
        guard let entries = connections.removeValue(forKey: connection) else { return false }
        for (number, key) in entries { remove(connection, number, from: key) }
        return true
    }

    private mutating func remove(_ connection: UInt64, _ number: Int, from key: Topic) {
        watchedTopics[key]?.subscribers.removeAll { $0.connection == connection && $0.number == number }
        if watchedTopics[key]?.subscribers.isEmpty == true { watchedTopics[key] = nil }
        if watchedTopics.isEmpty { nextHeartbeat = nil }
    }

    private func keys(of connection: UInt64) -> Set<Topic> {
        Set(connections[connection, default: []].map(\.key))
    }
}

// MARK: - Changes

extension SubscriptionRegistry {
    /// Marks the topics that a change affects.
    mutating func markDirty(_ change: Result.Change) {
        generation &+= 1
        for (key, watched) in watchedTopics where watched.result.isAffected(by: change) {
            watchedTopics[key]?.isDirty = true
        }
    }

    /// Returns the topics to refresh now. A topic is not returned again until ``finish(_:_:at:)`` is called for it.
    mutating func takeDue(at now: MonotonicInstant) -> [(key: Topic, caller: Caller)] {
        var due: [(key: Topic, caller: Caller)] = []
        for (key, watched) in watchedTopics {
            guard let moment = dueMoment(of: watched), moment <= now else { continue }
            watchedTopics[key]?.beginRefresh(at: now)
            due.append((key, watched.caller))
        }
        return due
    }

    /// Stores the result of a refresh. Subscribers with a different result are due for an event.
    mutating func finish(_ key: Topic, _ result: Result, at now: MonotonicInstant) {
        watchedTopics[key]?.isRefreshing = false
        watchedTopics[key]?.update(with: result, at: now)
    }

    /// The time at which a topic or a heartbeat is due; `nil` if there are no subscriptions.
    var deadline: MonotonicInstant? {
        let due = watchedTopics.values.compactMap(dueMoment).min()
        return [due, nextHeartbeat].compactMap { $0 }.min()
    }

    private func dueMoment(of watched: WatchedTopic<Result>) -> MonotonicInstant? {
        guard !watched.isRefreshing else { return nil }
        let soonest = watched.lastRefresh.advanced(milliseconds: limits.eventSpacing)
        if watched.isDirty { return soonest }
        return watched.expires.map { max($0, soonest) }
    }
}

// MARK: - Sending events

extension SubscriptionRegistry {
    /// Sends the last result of a topic to the subscribers that do not have it.
    ///
    /// - Parameters:
    ///   - connection: Limits the events to one connection.
    ///   - send: Sends a line to a connection, or returns false to defer the event.
    mutating func sendEvents(_ key: Topic, only connection: UInt64? = nil, _ send: (UInt64, [UInt8]) -> Bool) {
        guard var watched = watchedTopics.removeValue(forKey: key) else { return }
        let (result, version) = (watched.result, watched.version)
        watched.forEachSubscriber { subscriber in
            guard subscriber.version != version, !subscriber.isHeld,
                connection == nil || subscriber.connection == connection
            else { return }
            let line = result.eventLine(subscription: subscriber.number, sequence: subscriber.sequence + 1)
            guard send(subscriber.connection, line) else { return }
            subscriber.sequence += 1
            subscriber.version = version
        }
        watchedTopics[key] = watched
    }

    /// Sends all deferred events of a connection.
    mutating func sendEvents(_ connection: UInt64, _ send: (UInt64, [UInt8]) -> Bool) {
        for key in keys(of: connection) { sendEvents(key, only: connection, send) }
    }

    /// Returns the connections that are due for a heartbeat.
    mutating func takeDueHeartbeats(at now: MonotonicInstant) -> [UInt64] {
        guard let moment = nextHeartbeat, moment <= now else { return [] }
        nextHeartbeat = now.advanced(milliseconds: limits.heartbeat)
        return Array(connections.keys)
    }

    /// Returns the state of a connection's subscriptions for a heartbeat.
    func subscriptions(of connection: UInt64) -> [SubscriptionState<Topic, Result>] {
        connections[connection, default: []].compactMap { number, key in
            guard let watched = watchedTopics[key],
                let subscriber = watched.subscribers.first(where: { $0.connection == connection && $0.number == number }
                )
            else { return nil }
            return SubscriptionState(
                number: number, sequence: subscriber.sequence, topic: key, result: watched.result)
        }
    }
}
