internal import Synchronization
internal import TransitControl
internal import TransitModel

// The book of subscriptions is locked while its lines are sent: none blocks, and so no two threads can tell one
// subscriber in the wrong order. Order of locks: the book, then the registry, then a connection.

extension Reactor {
    /// Answers `subscribe`: all topics or none.
    func subscribe(
        _ parameters: SubscribeParameters, for connection: ClientConnection
    ) -> Result<any WireValue, ControlError> {
        let caller = connection.caller
        guard subscriptionRegistry.withLock({ $0.hasRoom(for: parameters.topics.count, on: caller.connection) }) else {
            return .failure(tooManySubscriptions)
        }
        let asked = subscriptionRegistry.withLock { $0.generation }
        let at = handler.greeting(for: caller).at
        var answers: [FirstAnswer] = []
        for topic in parameters.topics {
            do throws(ControlError) {
                let snapshot = try handler.snapshot(of: topic, for: caller, slowWork: slowWork)
                answers.append(FirstAnswer(topic: topic, TopicAnswer(topic.topic, .success(snapshot), at: at)))
            } catch {
                return .failure(error)
            }
        }
        let size = answers.reduce(0) { $0 + $1.answer.payload.answer.count + Self.overhead }
        guard size <= limits.reply else { return .failure(TopicAnswer.tooLarge(limits.reply)) }
        return .success(SubscribeResult(at: at, subscriptions: enter(answers, for: connection, at: at, asked: asked)))
    }

    private struct FirstAnswer {
        var topic: Topic
        var answer: TopicAnswer
        var data: JSONValue

        init(topic: Topic, _ answer: TopicAnswer) {
            self.topic = topic
            self.answer = answer
            data = (try? JSONValue(parsing: answer.payload.answer)) ?? .null
        }
    }

    /// Bytes around an answer, more than enough.
    private static let overhead = 512

    private var tooManySubscriptions: ControlError {
        ControlError(
            .tooManySubscriptions, "A connection can have \(limits.subscriptions) subscriptions.",
            hint: "End one with unsubscribe, or use another connection.")
    }

    private func enter(
        _ answers: [FirstAnswer], for connection: ClientConnection, at: Timestamp, asked: UInt64
    ) -> [Subscription] {
        let caller = connection.caller
        let now = MonotonicInstant.read()
        var subscriptions: [Subscription] = []
        connection.withState { $0.hasSubscriptions = true }
        sendEvents { subscriptionRegistry, send in
            for first in answers {
                let key = SubscriptionRegistry.WatchedTopicKey(topic: first.topic, uid: caller.uid)
                let number = subscriptionRegistry.add(key, first.answer, for: caller, asked: asked, at: now)
                // Who watches the same already may know an older answer.
                subscriptionRegistry.sendEvents(key, send)
                let age = first.answer.measured.map { max(0, $0.seconds(to: at.instant)) }
                subscriptions.append(
                    Subscription(
                        subscription: number, sequence: 1, topic: first.topic.topic, age: age, data: first.data))
            }
        }
        armTimer()
        demandChanged()
        return subscriptions
    }

    /// The answer to `subscribe` has been sent: events may follow.
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

    /// A connection has ended.
    func removeSubscriptions(of connection: ClientConnection) {
        if subscriptionRegistry.withLock({ $0.remove(connection: connection.caller.connection) }) { demandChanged() }
    }
}

// MARK: - Changes

extension Reactor {
    /// Lets a thread of the server ask again what the change concerns. From any thread, and at once.
    func note(_ change: TopicChange) {
        subscriptionRegistry.withLock { $0.note(change) }
        armTimer()
    }

    private func armTimer() {
        if let deadline = subscriptionRegistry.withLock({ $0.deadline }) { poller.setTimer(deadline) }
    }

    /// Asks what is due, tells whom it is news, and sets the timer for what comes next.
    func refreshDueSubscriptions(at now: MonotonicInstant) {
        let (due, beating) = subscriptionRegistry.withLock { ($0.takeDue(at: now), $0.beat(at: now)) }
        // Others are answered while two hundred are told.
        if !due.isEmpty { leaderToken.pass() }
        for (key, caller) in due {
            let answer = answer(key.topic, for: caller)
            sendEvents { subscriptionRegistry, send in
                subscriptionRegistry.finish(key, answer, at: .read())
                subscriptionRegistry.sendEvents(key, send)
            }
        }
        for number in beating { beat(number) }
        armTimer()
    }

    private func answer(_ topic: Topic, for caller: Caller) -> TopicAnswer {
        let outcome = Result { () throws(ControlError) in
            try handler.snapshot(of: topic, for: caller, slowWork: slowWork)
        }
        return TopicAnswer(topic.topic, outcome, at: handler.greeting(for: caller).at, limit: limits.reply)
    }

    private func beat(_ number: UInt64) {
        guard let connection = shared.withLock({ $0.registry[number] }) else { return }
        let at = handler.greeting(for: connection.caller).at
        let heartbeats = subscriptionRegistry.withLock { $0.heartbeats(of: number, at: at.instant) }
        var writer = JSONWriter()
        OutgoingLine.write(
            notification: HeartbeatNotification.name, HeartbeatNotification(at: at, subscriptions: heartbeats),
            to: &writer)
        // Whoever has something to read knows already that the daemon lives.
        deliver(writer.bytes, to: connection, isDroppable: true)
    }
}

// MARK: - Telling

extension Reactor {
    /// Sends what a connection could not take before. To be called when everything that it was sent has gone.
    func sendDeferredEvents(to connection: ClientConnection) {
        guard connection.withState({ $0.takeDeferredEvents() }) else { return }
        sendEvents { subscriptionRegistry, send in subscriptionRegistry.sendEvents(connection.caller.connection, send) }
    }

    /// Works on the book and sends lines meanwhile. What a line has done to a connection is seen to afterwards: a
    /// connection that ends leaves the book.
    private func sendEvents(_ body: (inout SubscriptionRegistry, (UInt64, [UInt8]) -> Bool) -> Void) {
        var unsettled: [ClientConnection] = []
        subscriptionRegistry.withLock { subscriptionRegistry in
            body(&subscriptionRegistry) { number, line in
                guard let connection = shared.withLock({ $0.registry[number] }) else { return false }
                switch connection.sendEvent(line) {
                case .taken: return true
                case .queued:
                    unsettled.append(connection)
                    return true
                case .deferred: return false
                }
            }
        }
        for connection in unsettled { updateInterest(connection) }
    }
}
