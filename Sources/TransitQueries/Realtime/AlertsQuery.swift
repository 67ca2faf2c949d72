internal import TransitEngine
package import TransitModel
internal import TransitStore

/// The service alerts of some feeds, of some routes or stops, or at the ends of a commute.
package struct AlertsQuery {
    private let feeds: [FeedView]
    private let now: Instant
    /// The time that the caller names; `nil` for all alerts.
    private let time: QueryTime?
    /// The time zone of ``requestedTime``.
    package let zone: ServiceZone
    /// The timetable of the requested stop or routes; `nil` for any.
    private var timetable: Timetable?
    private var routes: Set<RouteID>?
    private var stops: Set<StopID>?
    private var endsOfCommute: [FeedID: Set<StopID>]?

    /// - Parameters:
    ///   - feed: The feed of the alerts; `nil` for all.
    ///   - route: A text that ``RouteFinder`` accepts.
    ///   - stop: A text that ``StopFinder`` accepts.
    ///   - commute: The name of a commute.
    ///   - at: The time or day at which the alerts must be active, as the caller writes it; `nil` for all alerts.
    /// - Throws: The errors of the finders, of ``CommuteList`` and of ``AccessStopFinder``, and `QueryTimeError`.
    package init(
        feed: FeedID?, route: String?, stop: String?, commute: String?, at: String?, _ context: QueryContext
    ) throws {
        feeds = try context.feeds(named: feed)
        now = context.now
        zone = context.zone
        time = try context.time(at, zone: context.zone)
        if let commute { endsOfCommute = try Self.ends(of: commute, context) }
        if route != nil || stop != nil {
            let timetables = try QueryContext.timetables(of: feeds, naming: stop ?? route)
            if let stop {
                let found = try StopFinder(timetables, context).find(stop)
                timetable = found.timetable
                var ids: Set<StopID> = [found.stop.id]
                for stop in try found.callingStops() { ids.formUnion(try found.timetable.withStation(stop)) }
                stops = ids
            }
            if let route {
                let found = try RouteFinder(timetable.map { [$0] } ?? timetables).find(route)
                timetable = found.timetable
                let indexes = try RouteFinder([found.timetable]).routes(named: route)
                routes = Set(indexes.compactMap { found.timetable.route($0)?.id })
            }
        }
    }

    /// The time that the caller names, or the beginning of the day; `nil` if the caller asks for all alerts.
    package var requestedTime: Instant? { time?.start }

    /// The time at which alerts are active, for a day its beginning.
    package var moment: Instant { requestedTime ?? now }

    private static func ends(of name: String, _ context: QueryContext) throws -> [FeedID: Set<StopID>] {
        let commuteList = context.commuteList
        let entry = try commuteList.entry(named: name)
        let search = AccessStopFinder(context)
        var ends: [FeedID: Set<StopID>] = [:]
        for end in [entry.commute.from, entry.commute.to] {
            for reach in try search.stops(for: commuteList.end(end)) {
                for stop in reach.walks.keys {
                    ends[reach.timetable.feed, default: []].formUnion(try reach.timetable.withStation(stop))
                }
            }
        }
        return ends
    }

    /// Returns the active alerts first, then sorted by severity; otherwise, the published order is preserved.
    package func alerts() -> [FoundAlert] {
        var found: [FoundAlert] = []
        for feed in feeds {
            guard let timetable = feed.timetable, let dataset = feed.realtime?.alerts else { continue }
            let age = max(0, dataset.time.seconds(to: now))
            for alert in dataset.alerts.alerts where matches(alert, of: timetable) {
                let isActive = alert.isActive(from: moment, through: time?.end ?? moment)
                if isActive || time == nil {
                    found.append(FoundAlert(alert: alert, timetable: timetable, isActive: isActive, age: age))
                }
            }
        }
        return found.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.isActive != other.isActive { return one.isActive }
            if one.alert.severity != other.alert.severity { return one.alert.severity > other.alert.severity }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// Returns the first informed entities of an alert, those that match the query first.
    package func informed(by found: FoundAlert, count: Int) -> [InformedEntity] {
        let informed = found.alert.informed
        guard informed.count > count else { return informed }
        let timetable = found.timetable
        let positions = informed.indices.lazy.filter { position in
            isNear(informed[position], of: timetable) && isRequested(informed[position], of: timetable)
        }.prefix(count)
        let matching = Set(positions)
        let others = informed.indices.lazy.filter { !matching.contains($0) }.prefix(count - matching.count)
        return matching.sorted().map { informed[$0] } + others.map { informed[$0] }
    }

    /// Whether an alert matches the query. An alert whose informed entities contain neither routes nor stops applies to
    /// all routes and stops.
    private func matches(_ alert: Alert, of timetable: Timetable) -> Bool {
        if let requested = self.timetable, requested !== timetable { return false }
        if endsOfCommute != nil, !alert.informed.contains(where: { isNear($0, of: timetable) }) { return false }
        return self.timetable == nil || alert.informed.contains { isRequested($0, of: timetable) }
    }

    /// Whether an informed entity is at one of the ends of the requested commute, or at no stop.
    private func isNear(_ informed: InformedEntity, of timetable: Timetable) -> Bool {
        guard let ends = endsOfCommute else { return true }
        guard let stops = ends[timetable.feed] else { return false }
        return informed.stopID.map { Self.names($0, oneOf: stops, of: timetable) } ?? true
    }

    /// Whether an informed entity matches the requested stop and routes.
    private func isRequested(_ informed: InformedEntity, of timetable: Timetable) -> Bool {
        if let stops, let stop = informed.stopID, !Self.names(stop, oneOf: stops, of: timetable) { return false }
        if let routes, let route = informed.routeID ?? informed.trip?.routeID, !routes.contains(route) { return false }
        if stops != nil, routes == nil { return informed.stopID != nil || informed.routeID == nil }
        return true
    }

    /// Whether a stop is one of the given stops, or an elevator or entrance of one of them.
    private static func names(_ id: StopID, oneOf stops: Set<StopID>, of timetable: Timetable) -> Bool {
        if stops.contains(id) { return true }
        // A stop that cannot be read is treated as missing from the timetable.
        guard let parent = (try? timetable.file.find(id))?.stop.parent,
            let station = try? timetable.cachedStop(parent).id
        else { return false }
        return stops.contains(station)
    }
}

/// An alert of a feed.
package struct FoundAlert {
    package var alert: Alert
    package var timetable: Timetable
    /// Whether the alert is active at the time of the query.
    package var isActive: Bool
    /// The age of the alert's message in seconds.
    package var age: Int
}
