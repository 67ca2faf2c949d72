internal import TransitControl
internal import TransitModel

extension RequestHandlers {
    /// How often an answer with live data is looked at again although nothing new has come: it ages.
    private static let agingSeconds = 15

    func snapshot(
        of topic: Topic, for caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> TopicSnapshot {
        let follows = followArrivals(of: topic, for: caller, slowWork: slowWork)
        let data = try answer(try topic.checkedRequest(), from: caller, slowWork: slowWork)
        let now = daemon.clock.now()
        var snapshot = TopicSnapshot(at: greeting(for: caller).at, data: data)
        // Whoever watches what is asked on demand keeps it asked: looked at again before an answer is old.
        if follows {
            note(now.advanced(by: Self.agingSeconds - 1), in: &snapshot, now)
        }
        switch data {
        case let next as NextResult: note(next.departures, in: &snapshot, now)
        case let board as DeparturesResult:
            snapshot.feeds = Set(
                [board.stop.feed] + daemon.configuration.current.supplementedFeeds(of: board.stop.feed))
            note(board.departures, in: &snapshot, now)
        case let favorites as FavoriteShowResult:
            snapshot.feeds = Set(favorites.boards.map(\.favorite.feed))
            note(favorites.boards.flatMap(\.departures), in: &snapshot, now)
        case let vehicles as VehiclesResult:
            snapshot.feeds = topic.feed.map { [$0] }
            note(ages: vehicles.vehicles.compactMap(\.age), in: &snapshot, now)
        case let alerts as AlertsResult:
            snapshot.feeds = topic.feed.map { [$0] }
            note(ages: alerts.alerts.compactMap(\.age), in: &snapshot, now)
            note(nextTurn(of: alerts, after: now), in: &snapshot, now)
        default:
            snapshot.feeds = topic.feed.map { [$0] }
        }
        return snapshot
    }

    private func note(_ departures: [Departure], in snapshot: inout TopicSnapshot, _ now: Instant) {
        // The age of a last known prediction is sent too.
        let isLive = departures.contains { [.fresh, .aging].contains($0.realtimeState) || $0.source != .scheduled }
        note(ages: departures.filter { $0.source != .scheduled }.compactMap(\.age), in: &snapshot, now)
        note(departures.compactMap { $0.time?.instant }.filter { $0 >= now }.min(), in: &snapshot, now)
        if isLive { note(now.advanced(by: Self.agingSeconds - 1), in: &snapshot, now) }
    }

    private func note(ages: [Int], in snapshot: inout TopicSnapshot, _ now: Instant) {
        snapshot.measured = ages.min().map { now.advanced(by: -$0) }
    }

    /// The answer may change in the second after the moment.
    private func note(_ moment: Instant?, in snapshot: inout TopicSnapshot, _ now: Instant) {
        guard let moment else { return }
        let seconds = Double(min(86_400, max(0, now.seconds(to: moment)) + 1)) / daemon.clock.rate
        let expires = max(1, Int(seconds * 1000))
        snapshot.expires = min(snapshot.expires ?? expires, expires)
    }

    /// When the next alert begins or ends to be shown.
    private func nextTurn(of alerts: AlertsResult, after now: Instant) -> Instant? {
        alerts.alerts.lazy.flatMap(\.activePeriods).flatMap { [$0.start, $0.end] }.compactMap { $0?.instant }
            .filter { $0 > now }.min()
    }
}
