internal import Synchronization
internal import TransitSystem
internal import TransitWire

// The registry stays locked while its events are sent. Sending does not block, and the lock keeps the events of each
// subscriber in order. Lock order: subscription registry, connection registry, connection.

extension Reactor {
    /// Handles `subscribe`: adds subscriptions for all topics or for none.
    func subscribe(
        _ topics: [Handler.Topic], for connection: ClientConnection
    ) throws(ControlError) -> any WireValue {
        let caller = connection.caller
        guard subscriptionRegistry.withLock({ $0.hasRoom(for: topics.count, on: caller.connection) }) else {
            throw ControlError(
                .tooManySubscriptions, "A connection can have at most \(limits.subscriptions) subscriptions.",
                hint: "End one with unsubscribe, or use another connection.")
        }
        let generation = subscriptionRegistry.withLock { $0.generation }
        var results: [FirstResult] = []
        for topic in topics {
            results.append((topic, try handler.evaluate(topic, for: caller, slowWork: slowWork)))
        }
        let size = results.reduce(0) { $0 + $1.result.size + Self.overhead }
        guard size <= limits.reply else { throw resultTooLarge }
        return handler.subscribeReply(
            addSubscriptions(results, for: connection, generation: generation), for: caller)
    }

    private typealias FirstResult = (topic: Handler.Topic, result: Handler.TopicResult)

    /// Maximum number of bytes in a line in addition to the result.
    private static var overhead: Int { 512 }

    private var resultTooLarge: ControlError {
        ControlError(
            .responseTooLarge, "The result would be larger than \(limits.reply) bytes.",
            hint: "Subscribe with a smaller count.")
    }

    private func addSubscriptions(
        _ results: [FirstResult], for connection: ClientConnection, generation: UInt64
    ) -> [SubscriptionState<Handler.Topic, Handler.TopicResult>] {
        let caller = connection.caller
        let now = MonotonicInstant.read()
        var subscriptions: [SubscriptionState<Handler.Topic, Handler.TopicResult>] = []
        connection.withState { $0.hasSubscriptions = true }
        sendEvents { subscriptionRegistry, send in
            for (topic, result) in results {
                let number = subscriptionRegistry.add(topic, result, for: caller, generation: generation, at: now)
                // Other subscribers of the topic may have an older result.
                subscriptionRegistry.sendEvents(topic, send)
                subscriptions.append(SubscriptionState(number: number, sequence: 1, topic: topic, result: result))
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

    /// Handles `unsubscribe`.
    func unsubscribe(_ subscription: Int, for connection: ClientConnection) -> any WireValue {
        let number = connection.caller.connection
        let (isEnded, isLast) = subscriptionRegistry.withLock { subscriptionRegistry in
            (
                subscriptionRegistry.remove(subscription, of: number),
                subscriptionRegistry.hasRoom(for: limits.subscriptions, on: number)
            )
        }
        if isLast { connection.withState { $0.hasSubscriptions = false } }
        if isEnded { demandChanged() }
        return handler.unsubscribeReply(isEnded: isEnded)
    }

    /// Removes the subscriptions of a connection that has ended.
    func removeSubscriptions(of connection: ClientConnection) {
        if subscriptionRegistry.withLock({ $0.remove(connection: connection.caller.connection) }) { demandChanged() }
    }
}

// MARK: - Changes

extension Reactor {
    /// Schedules the topics that a change affects. Thread-safe; returns at once.
    func topicsChanged(_ change: Handler.TopicResult.Change) {
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
        for (topic, caller) in due {
            let result = refresh(topic, for: caller)
            sendEvents { subscriptionRegistry, send in
                subscriptionRegistry.finish(topic, result, at: .read())
                subscriptionRegistry.sendEvents(topic, send)
            }
        }
        // The new results may depend on other conditions, for example on a feed that was added.
        if !due.isEmpty { demandChanged() }
        for number in heartbeatsDue { sendHeartbeat(to: number) }
        armTimer()
    }

    private func refresh(_ topic: Handler.Topic, for caller: Caller) -> Handler.TopicResult {
        do throws(ControlError) {
            let result = try handler.evaluate(topic, for: caller, slowWork: slowWork)
            guard result.size <= limits.reply else { throw resultTooLarge }
            return result
        } catch {
            return handler.failure(error, of: topic, for: caller)
        }
    }

    private func sendHeartbeat(to number: UInt64) {
        guard let connection = shared.withLock({ $0.registry[number] }) else { return }
        let subscriptions = subscriptionRegistry.withLock { $0.subscriptions(of: number) }
        // A client with queued output needs no heartbeat.
        deliver(
            handler.heartbeat(subscriptions, for: connection.caller).line, to: connection, isDroppable: true)
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
    private func sendEvents(
        _ body: (inout SubscriptionRegistry<Handler.Topic, Handler.TopicResult>, (UInt64, [UInt8]) -> Bool) -> Void
    ) {
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
