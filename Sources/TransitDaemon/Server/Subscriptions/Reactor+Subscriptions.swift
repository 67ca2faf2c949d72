internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitSystem
internal import TransitWire

// The registry stays locked while its events are sent. Sending does not block, and the lock keeps the events of each
// subscriber in order. Lock order: subscription registry, connection registry, connection.

extension Reactor {
    /// Handles `subscribe`: adds subscriptions for all topics or for none.
    func subscribe(
        _ parameters: SubscribeParameters, for connection: ClientConnection
    ) -> Result<any WireValue, ControlError> {
        let caller = connection.caller
        guard subscriptionRegistry.withLock({ $0.hasRoom(for: parameters.topics.count, on: caller.connection) }) else {
            return .failure(tooManySubscriptions)
        }
        let generation = subscriptionRegistry.withLock { $0.generation }
        let at = handler.greeting(for: caller).at
        var results: [FirstResult] = []
        for topic in parameters.topics {
            do throws(ControlError) {
                let snapshot = try handler.snapshot(of: topic, for: caller, slowWork: slowWork)
                results.append(FirstResult(topic: topic, TopicResult(topic.topic, .success(snapshot), at: at)))
            } catch {
                return .failure(error)
            }
        }
        let size = results.reduce(0) { $0 + $1.result.payload.answer.count + Self.overhead }
        guard size <= limits.reply else { return .failure(TopicResult.tooLarge(limits.reply)) }
        return .success(
            SubscribeResult(
                at: at, subscriptions: addSubscriptions(results, for: connection, at: at, generation: generation)))
    }

    private struct FirstResult {
        var topic: Topic
        var result: TopicResult
        var data: JSONValue

        init(topic: Topic, _ result: TopicResult) {
            self.topic = topic
            self.result = result
            data = (try? JSONValue(parsing: result.payload.answer)) ?? .null
        }
    }

    /// Maximum number of bytes in a line in addition to the result.
    private static let overhead = 512

    private var tooManySubscriptions: ControlError {
        ControlError(
            .tooManySubscriptions, "A connection can have at most \(limits.subscriptions) subscriptions.",
            hint: "End one with unsubscribe, or use another connection.")
    }

    private func addSubscriptions(
        _ results: [FirstResult], for connection: ClientConnection, at: Timestamp, generation: UInt64
    ) -> [Subscription] {
        let caller = connection.caller
        let now = MonotonicInstant.read()
        var subscriptions: [Subscription] = []
        connection.withState { $0.hasSubscriptions = true }
        sendEvents { subscriptionRegistry, send in
            for first in results {
                let key = SubscriptionRegistry.WatchedTopicKey(topic: first.topic, uid: caller.uid)
                let number = subscriptionRegistry.add(key, first.result, for: caller, generation: generation, at: now)
                // Other subscribers of the topic may have an older result.
                subscriptionRegistry.sendEvents(key, send)
                let age = first.result.measured.map { max(0, $0.seconds(to: at.instant)) }
                subscriptions.append(
                    Subscription(
                        subscription: number, sequence: 1, topic: first.topic.topic, age: age, data: first.data))
            }
        }
        armTimer()
        demandChanged()
        return subscriptions
    }

    /// Permits events after the reply to `subscribe` has been sent.
    func releaseSubscriptions(of connection: ClientConnection) {
        let number = connection.caller.connection
        sendEvents { subscriptionRegistry, send in
            subscriptionRegistry.release(number)
            subscriptionRegistry.sendEvents(number, send)
        }
    }

    func unsubscribe(_ parameters: UnsubscribeParameters, for connection: ClientConnection) -> UnsubscribeResult {
        let number = connection.caller.connection
        let (isEnded, isLast) = subscriptionRegistry.withLock { subscriptionRegistry in
            (
                subscriptionRegistry.remove(parameters.subscription, of: number),
                subscriptionRegistry.hasRoom(for: limits.subscriptions, on: number)
            )
        }
        if isLast { connection.withState { $0.hasSubscriptions = false } }
        if isEnded { demandChanged() }
        return UnsubscribeResult(isEnded: isEnded)
    }

    /// Removes the subscriptions of a connection that has ended.
    func removeSubscriptions(of connection: ClientConnection) {
        if subscriptionRegistry.withLock({ $0.remove(connection: connection.caller.connection) }) { demandChanged() }
    }
}

// MARK: - Changes

extension Reactor {
    /// Schedules the topics that a change affects. Thread-safe; returns at once.
    func topicsChanged(_ change: TopicChange) {
        subscriptionRegistry.withLock { $0.markDirty(change) }
        armTimer()
    }

    private func armTimer() {
        if let deadline = subscriptionRegistry.withLock({ $0.deadline }) { poller.setTimer(deadline) }
    }

    /// Refreshes due topics, sends events for results that differ, and sets the timer for the next deadline.
    func refreshDueSubscriptions(at now: MonotonicInstant) {
        let (due, heartbeatsDue) = subscriptionRegistry.withLock {
            ($0.takeDue(at: now), $0.takeDueHeartbeats(at: now))
        }
        // Lets another thread serve clients while events are sent, possibly to hundreds of subscribers.
        if !due.isEmpty { leaderToken.pass() }
        for (key, caller) in due {
            let result = refresh(key.topic, for: caller)
            sendEvents { subscriptionRegistry, send in
                subscriptionRegistry.finish(key, result, at: .read())
                subscriptionRegistry.sendEvents(key, send)
            }
        }
        for number in heartbeatsDue { sendHeartbeat(to: number) }
        armTimer()
    }

    private func refresh(_ topic: Topic, for caller: Caller) -> TopicResult {
        let outcome = Result { () throws(ControlError) in
            try handler.snapshot(of: topic, for: caller, slowWork: slowWork)
        }
        return TopicResult(topic.topic, outcome, at: handler.greeting(for: caller).at, limit: limits.reply)
    }

    private func sendHeartbeat(to number: UInt64) {
        guard let connection = shared.withLock({ $0.registry[number] }) else { return }
        let at = handler.greeting(for: connection.caller).at
        let heartbeats = subscriptionRegistry.withLock { $0.heartbeats(of: number, at: at.instant) }
        var writer = JSONWriter()
        OutgoingLine.write(
            notification: HeartbeatNotification.name, HeartbeatNotification(at: at, subscriptions: heartbeats),
            to: &writer)
        // A client with queued output needs no heartbeat.
        deliver(writer.bytes, to: connection, isDroppable: true)
    }
}

// MARK: - Sending events

extension Reactor {
    /// Sends deferred events to a connection. Call it when all queued output has been sent.
    func sendDeferredEvents(to connection: ClientConnection) {
        guard connection.withState({ $0.takeDeferredEvents() }) else { return }
        sendEvents { subscriptionRegistry, send in subscriptionRegistry.sendEvents(connection.caller.connection, send) }
    }

    /// Modifies the registry and sends events while it is locked. Updates the connections afterwards, because a
    /// connection that ends is removed from the registry.
    private func sendEvents(_ body: (inout SubscriptionRegistry, (UInt64, [UInt8]) -> Bool) -> Void) {
        var changedConnections: [ClientConnection] = []
        subscriptionRegistry.withLock { subscriptionRegistry in
            body(&subscriptionRegistry) { number, line in
                guard let connection = shared.withLock({ $0.registry[number] }) else { return false }
                switch connection.sendEvent(line) {
                case .written: return true
                case .queued:
                    changedConnections.append(connection)
                    return true
                case .deferred: return false
                }
            }
        }
        for connection in changedConnections { updateInterest(connection) }
    }
}
