internal import TransitControl
internal import TransitModel
internal import TransitReplies
internal import TransitServer
internal import TransitSystem
internal import TransitWire

extension RequestHandlers {
    /// The number of seconds after which a reply with realtime data is evaluated again even without new data, because
    /// the age of its data changes.
    private static let agingSeconds = 15

    func evaluate(
        _ topic: UserTopic, for caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> TopicSnapshot {
        var request = try request(for: topic.topic)
        var dependsOnArrivals = false
        if needsArrivals(request) {
            if request.responseTime != .instant { slowWork.beginSlowWork() }
            let context = contexts.context(from: caller, slowWork: slowWork)
            if let resolved = request.resolve(context) {
                dependsOnArrivals = dependencies.arrivals.keepFresh(for: resolved, context)
            }
        }
        let data =
            request.searchesJourneys
            ? try searched(request, from: caller, slowWork: slowWork)
            : try answer(request, from: caller, slowWork: slowWork)
        guard let data = data as? any SubscribableResult else {
            throw ControlError(.internalError, "The results of \(request.method.rawValue) cannot be watched.")
        }
        return TopicSnapshot(
            topic, data, at: time, conditions(of: data, topic.topic, dependsOnArrivals: dependsOnArrivals))
    }

    /// Answers a request on the thread for searches, so that they wait for boards and for each other.
    private func searched(
        _ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue {
        slowWork.beginSlowWork()
        let answer: Result<any WireValue, ControlError>
        do throws(SystemFailure) {
            answer = try dependencies.searchPool.runAndWait(for: caller.uid) { [self] in
                Result { () throws(ControlError) in
                    try self.answer(request, from: caller, slowWork: SlowWorkSignal {})
                }
            }
        } catch { throw ControlError(error) }
        return try answer.get()
    }

    func failure(_ error: ControlError, of topic: UserTopic, for caller: Caller) -> TopicSnapshot {
        TopicSnapshot(topic, error, at: time)
    }

    private func request(for topic: TransitControl.Topic) throws(ControlError) -> ControlRequest {
        do { return registry.request(try topic.parameters()) } catch { throw ControlError(error) }
    }

    /// Returns the conditions under which the result of a topic changes.
    private func conditions(of data: any SubscribableResult, _ topic: TransitControl.Topic, dependsOnArrivals: Bool)
        -> TopicConditions
    {
        let now = contexts.clock.now()
        var conditions = TopicConditions()
        // A subscription to on-demand arrivals sustains the demand for them: the topic is evaluated again before the
        // data becomes too old.
        if dependsOnArrivals {
            record(now.advanced(by: Self.agingSeconds - 1), in: &conditions, now)
        }
        switch data {
        case let next as NextResult:
            record(
                next.departures + next.journeys.flatMap { $0.legs.map(\.departure) }, in: &conditions, now)
        case let board as DeparturesResult:
            conditions.feeds = Set(
                [board.stop.feed] + contexts.configuration.current.supplementedFeeds(of: board.stop.feed))
            record(board.departures, in: &conditions, now)
        case let favorites as FavoriteShowResult:
            conditions.feeds = Set(favorites.boards.map(\.favorite.feed))
            record(favorites.boards.flatMap(\.departures), in: &conditions, now)
        case let pinned as PinnedJourneysResult:
            let journeys = pinned.journeys.flatMap { [$0.journey, $0.replacement?.journey].compactMap(\.self) }
            let departures = journeys.flatMap { $0.legs.map(\.departure) }
            record(departures, in: &conditions, now)
            let arrivals = departures.compactMap { $0.arrival?.time?.instant }
            record(arrivals.filter { $0 >= now }.min(), in: &conditions, now)
        case let vehicles as VehiclesResult:
            conditions.feeds = topic.feed.map { [$0] }
            record(ages: vehicles.vehicles.compactMap(\.age), in: &conditions, now)
        case let alerts as AlertsResult:
            conditions.feeds = topic.feed.map { [$0] }
            record(ages: alerts.alerts.compactMap(\.age), in: &conditions, now)
            record(nextChange(of: alerts, after: now), in: &conditions, now)
        case is NotificationsResult:
            // It changes when a notification is decided, and is no demand for the data of a feed.
            conditions.feeds = []
        default:
            conditions.feeds = topic.feed.map { [$0] }
        }
        return conditions
    }

    private func record(_ departures: [Departure], in conditions: inout TopicConditions, _ now: Instant) {
        // The age of a last known prediction is also sent.
        let isRealtime = departures.contains { [.fresh, .aging].contains($0.realtimeState) || $0.source != .scheduled }
        record(ages: departures.filter { $0.source != .scheduled }.compactMap(\.age), in: &conditions, now)
        record(departures.compactMap { $0.time?.instant }.filter { $0 >= now }.min(), in: &conditions, now)
        if isRealtime { record(now.advanced(by: Self.agingSeconds - 1), in: &conditions, now) }
    }

    private func record(ages: [Int], in conditions: inout TopicConditions, _ now: Instant) {
        conditions.measured = ages.min().map { now.advanced(by: -$0) }
    }

    /// Records that the reply may change in the second after the given time.
    private func record(_ moment: Instant?, in conditions: inout TopicConditions, _ now: Instant) {
        guard let moment else { return }
        let seconds = Double(min(86_400, max(0, now.seconds(to: moment)) + 1)) / contexts.clock.rate
        let expires = max(1, Int(seconds * 1000))
        conditions.expires = min(conditions.expires ?? expires, expires)
    }

    /// Returns the next time at which an alert becomes active or inactive.
    private func nextChange(of alerts: AlertsResult, after now: Instant) -> Instant? {
        alerts.alerts.lazy.flatMap(\.activePeriods).flatMap { [$0.start, $0.end] }.compactMap { $0?.instant }
            .filter { $0 > now }.min()
    }
}

// MARK: - Replies

extension RequestHandlers {
    func subscribeReply(
        _ subscriptions: [SubscriptionState<UserTopic, TopicSnapshot>], for caller: Caller
    ) -> any WireValue {
        let at = time
        return SubscribeResult(
            at: at,
            subscriptions: subscriptions.map { state in
                Subscription(
                    subscription: state.number, sequence: state.sequence, topic: state.topic.topic.topic,
                    age: state.result.age(at: at), data: state.result.data)
            })
    }

    func unsubscribeReply(isEnded: Bool) -> any WireValue { UnsubscribeResult(isEnded: isEnded) }

    func heartbeat(
        _ subscriptions: [SubscriptionState<UserTopic, TopicSnapshot>], for caller: Caller
    ) -> ServerNotification {
        let at = time
        let states = subscriptions.map { state in
            SubscriptionHeartbeat(
                subscription: state.number, sequence: state.sequence, age: state.result.age(at: at))
        }
        return ServerNotification(
            method: HeartbeatNotification.name, parameters: HeartbeatNotification(at: at, subscriptions: states))
    }
}
