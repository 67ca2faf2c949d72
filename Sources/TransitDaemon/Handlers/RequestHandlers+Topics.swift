internal import TransitControl
internal import TransitModel
internal import TransitSystem

extension RequestHandlers {
    /// The number of seconds after which a reply with realtime data is evaluated again even without new data, because
    /// the age of its data changes.
    private static let agingSeconds = 15

    func snapshot(
        of topic: Topic, for caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> TopicSnapshot {
        let dependsOnArrivals = keepArrivalsFresh(of: topic, for: caller, slowWork: slowWork)
        let data = try answer(try topic.checkedRequest(), from: caller, slowWork: slowWork)
        let now = daemon.clock.now()
        var snapshot = TopicSnapshot(at: greeting(for: caller).at, data: data)
        // A subscription to on-demand arrivals sustains the demand for them: the topic is evaluated again before the
        // data becomes too old.
        if dependsOnArrivals {
            record(now.advanced(by: Self.agingSeconds - 1), in: &snapshot, now)
        }
        switch data {
        case let next as NextResult: record(next.departures, in: &snapshot, now)
        case let board as DeparturesResult:
            snapshot.feeds = Set(
                [board.stop.feed] + daemon.configuration.current.supplementedFeeds(of: board.stop.feed))
            record(board.departures, in: &snapshot, now)
        case let favorites as FavoriteShowResult:
            snapshot.feeds = Set(favorites.boards.map(\.favorite.feed))
            record(favorites.boards.flatMap(\.departures), in: &snapshot, now)
        case let vehicles as VehiclesResult:
            snapshot.feeds = topic.feed.map { [$0] }
            record(ages: vehicles.vehicles.compactMap(\.age), in: &snapshot, now)
        case let alerts as AlertsResult:
            snapshot.feeds = topic.feed.map { [$0] }
            record(ages: alerts.alerts.compactMap(\.age), in: &snapshot, now)
            record(nextChange(of: alerts, after: now), in: &snapshot, now)
        default:
            snapshot.feeds = topic.feed.map { [$0] }
        }
        return snapshot
    }

    private func record(_ departures: [Departure], in snapshot: inout TopicSnapshot, _ now: Instant) {
        // The age of a last known prediction is also sent.
        let isRealtime = departures.contains { [.fresh, .aging].contains($0.realtimeState) || $0.source != .scheduled }
        record(ages: departures.filter { $0.source != .scheduled }.compactMap(\.age), in: &snapshot, now)
        record(departures.compactMap { $0.time?.instant }.filter { $0 >= now }.min(), in: &snapshot, now)
        if isRealtime { record(now.advanced(by: Self.agingSeconds - 1), in: &snapshot, now) }
    }

    private func record(ages: [Int], in snapshot: inout TopicSnapshot, _ now: Instant) {
        snapshot.measured = ages.min().map { now.advanced(by: -$0) }
    }

    /// Records that the reply may change in the second after the given time.
    private func record(_ moment: Instant?, in snapshot: inout TopicSnapshot, _ now: Instant) {
        guard let moment else { return }
        let seconds = Double(min(86_400, max(0, now.seconds(to: moment)) + 1)) / daemon.clock.rate
        let expires = max(1, Int(seconds * 1000))
        snapshot.expires = min(snapshot.expires ?? expires, expires)
    }

    /// Returns the next time at which an alert becomes active or inactive.
    private func nextChange(of alerts: AlertsResult, after now: Instant) -> Instant? {
        alerts.alerts.lazy.flatMap(\.activePeriods).flatMap { [$0.start, $0.end] }.compactMap { $0?.instant }
            .filter { $0 > now }.min()
    }
}
