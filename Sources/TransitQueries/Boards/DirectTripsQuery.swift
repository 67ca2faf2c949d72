internal import TransitEngine
package import TransitModel
package import TransitStore

/// The next departures of a commute.
///
/// The query is resolved once: the commute's ends and the patterns that serve both. ``result(count:within:_:)`` can be called
/// any number of times, for example again when arrivals have been fetched.
package struct DirectTripsQuery {
    package let entry: CommuteList.Entry
    package let commuteList: CommuteList
    package let directTrips: DirectTrips
    private let ends: [AccessStops]
    /// The time zone of the stop where the commute begins.
    package let zone: ServiceZone
    /// The time that the caller names; `nil` for now.
    private let time: QueryTime?

    /// - Parameters:
    ///   - commute: The name of a commute; `nil` for the commute in use or the one that the time of day suggests.
    ///   - requested: The origin and the destination of a journey that is not a saved commute, each a place or a text that
    ///     ``StopFinder`` accepts; `nil` for a commute.
    ///   - at: The time of the query as the caller writes it; `nil` for now.
    /// - Throws: The errors of ``CommuteList``, ``StopFinder`` and ``AccessStopFinder``, `QueryTimeError` and
    ///   `StoreError`.
    package init(
        commute: String?, between requested: (from: String, to: String)? = nil, at: String?, _ context: QueryContext
    ) throws {
        // This check precedes the search for the commute, because no commute can exist without a feed.
        if context.feeds.isEmpty { throw QueryError.noData([]) }
        let commuteList = context.commuteList
        let moment = try context.moment(at, zone: context.zone)
        let entry =
            try requested.map { try Self.requested(from: $0.from, to: $0.to, commuteList, context) }
            ?? commute.map { (name) throws(QueryError) in try commuteList.entry(named: name) }
            ?? commuteList.chosen(at: moment, zone: context.zone, returnHour: context.settings.returnHour)
        let search = AccessStopFinder(context)
        let origins = try search.stops(for: commuteList.end(entry.commute.from))
        let destinations = try search.stops(for: commuteList.end(entry.commute.to))
        let zone = try origins.first?.zone ?? context.zone
        time = try context.time(at, zone: zone)
        directTrips = try DirectTrips(origins: origins, destinations: destinations)
        ends = origins + destinations
        (self.commuteList, self.entry, self.zone) = (commuteList, entry, zone)
    }

    /// Returns the commute between two ends of a request.
    private static func requested(
        from: String, to: String, _ commuteList: CommuteList, _ context: QueryContext
    ) throws -> CommuteList.Entry {
        let origin = try context.requestedEnd(from, commuteList)
        let destination = try context.requestedEnd(to, commuteList)
        guard origin.end != destination.end else { throw QueryError.sameEnds(origin.name) }
        let commute = CommuteConfiguration(
            name: "\(origin.name) to \(destination.name)", from: origin.end, to: destination.end)
        return CommuteList.Entry(commute: commute, definition: .request)
    }

    /// Whether the query still refers to the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool { ends.allSatisfy { context.isCurrent($0.timetable) } }

    /// The time of the query.
    package func at(_ context: QueryContext) -> Instant { time?.start ?? context.now }

    /// Whether the caller names a day without a time of day.
    package var isForDay: Bool { time?.end != nil }

    /// The feeds behind the result.
    package func feeds(_ context: QueryContext) -> [FeedView] { context.feeds(behind: ends) }

    /// - Parameter within: The length of the time window in seconds; `nil` for the day that the caller names, otherwise for
    ///   no limit.
    /// - Parameter isReachable: Whether to leave out departures that cannot be caught any more, such as canceled ones.
    package func result(
        count: Int, within: Int? = nil, isReachable: Bool = false, _ context: QueryContext
    ) throws(StoreError) -> DirectTripsResult {
        let at = at(context)
        let window = DepartureWindow(within, from: time, now: context.now, zone: zone)
        if isReachable {
            let result = try reachable(count: count, in: window, context)
            if !result.directTrips.isEmpty || result.emptyReason != nil { return result }
        }
        let all = try directTrips.next(at: at, count: window?.searchCount(count) ?? count, context)
        let (found, emptyReason) = window?.limit(all, to: count, call: \.merged.call) ?? (all, nil)
        return DirectTripsResult(
            at: at, directTrips: found,
            emptyReason: all.isEmpty
                ? directTrips.emptyReason(at: at)
                : emptyReason.map { (feed: all.first?.merged.timetable.feed, reason: $0) })
    }

    /// Returns the trips that can be caught and, if all trips are left out, the reason. Without any trips, both are empty.
    private func reachable(
        count: Int, in window: DepartureWindow?, _ context: QueryContext
    ) throws(StoreError) -> DirectTripsResult {
        let (at, searchCount) = (at(context), window?.searchCount(count) ?? count)
        let found = try CatchableDepartures.first(searchCount) { (trip: DirectTrips.Found) in
            trip.merged.canBeCaught(settingOutAt: at, walk: trip.journey.walkBefore)
        } among: { (limit) throws(StoreError) in
            try directTrips.next(at: at, count: limit, context)
        }
        var result = DirectTripsResult(
            at: at, directTrips: window?.limit(found, to: count, call: \.merged.call).departures ?? found,
            emptyReason: nil)
        guard result.directTrips.isEmpty else { return result }
        // A rider who is already at the stop could have taken the trips that are too early for the walk.
        let walks = directTrips.originDestinations.flatMap(\.origin.walks.values)
        let all = try directTrips.next(
            at: at.advanced(by: -(walks.max() ?? 0)), count: searchCount, context
        ).filter { $0.merged.call.departure >= at }
        let leftOut = window?.limit(all, to: searchCount, call: \.merged.call).departures ?? all
        guard let first = leftOut.first else { return result }
        result.emptyReason = (
            feed: first.merged.timetable.feed,
            reason: .uncatchable(
                try UncatchableDepartures(
                    leftOut.map(\.merged.call), in: window,
                    from: first.walkBefore.map { _ in entry.commute.from },
                    walk: leftOut.map(\.journey.walkBefore).min() ?? 0,
                    next: found.first.map { (departure: $0.merged, walk: $0.journey.walkBefore) }, zone))
        )
        return result
    }

    /// Returns the on-demand arrivals on which the result depends.
    ///
    /// - Parameter namesTrips: Returns whether the responses of a feed's on-demand source contain trip identifiers. If
    ///   so, the responses for several stops describe one trip together, and the destination is queried as well as the
    ///   origin.
    package func requiredArrivals(_ context: QueryContext, namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] {
        var required: [RequiredArrivals] = []
        for pair in directTrips.originDestinations {
            let timetable = pair.origin.timetable
            let (origins, destinations) = (pair.origin.walks, pair.destination.walks)
            let calls =
                namesTrips(timetable.feed)
                ? BoardingCall.nearBothEnds(origins, destinations, patterns: pair.patterns)
                : BoardingCall.between(origins, destinations, patterns: pair.patterns)
            let (stops, routes) = (Set(origins.keys), Set(pair.patterns.map(\.route)))
            if let known = required.firstIndex(where: { $0.timetable === timetable }) {
                required[known].calls += calls
                required[known].stops.formUnion(stops)
                required[known].routes.formUnion(routes)
            } else {
                required.append(
                    RequiredArrivals(timetable: timetable, calls: calls, stops: stops, routes: routes, at: at(context)))
            }
        }
        for index in required.indices {
            required[index].calls.sort { ($0.isDestination ? 1 : 0, $0.walk) < ($1.isDestination ? 1 : 0, $1.walk) }
        }
        return required
    }
}

extension QueryContext {
    /// Returns the origin or the destination of a request, as the end of a commute and with its name.
    ///
    /// - Parameter text: A place, or a text that ``StopFinder`` accepts.
    /// - Throws: ``QueryError/placeNotSet(_:)`` and the errors of ``StopFinder``.
    func requestedEnd(_ text: String, _ commuteList: CommuteList) throws -> (name: String, end: String) {
        if let place = commuteList.placeName(meantBy: text) { return (place, place) }
        if text == CommuteList.home || text == CommuteList.work { throw QueryError.placeNotSet(text) }
        let found = try StopFinder(timetables(of: nil, naming: text), self).find(text)
        return (found.stop.name, QualifiedStop.text(of: try found.references()))
    }
}

/// The next departures of a commute at one moment.
package struct DirectTripsResult {
    package var at: Instant
    /// In ascending order of departure and then of arrival.
    package var directTrips: [DirectTrips.Found]
    /// `nil` if there are departures. `feed` is `nil` if no feed has direct trips.
    package var emptyReason: (feed: FeedID?, reason: EmptyBoardReason)?
}
