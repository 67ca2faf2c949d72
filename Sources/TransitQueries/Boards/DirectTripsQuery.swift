package import TransitEngine
package import TransitModel
package import TransitStore

/// The next departures of a commute.
///
/// The query is resolved once: the commute's ends and the patterns that serve both. ``result(count:within:_:)`` can be called
/// any number of times, for example again when arrivals have been fetched.
package struct DirectTripsQuery {
    package let request: CommuteRequest
    package let directTrips: DirectTrips
    /// What riders require of vehicles and stops.
    package var options = JourneyOptions()

    package var entry: CommuteList.Entry { request.entry }
    /// The time zone of the stop where the commute begins.
    package var zone: ServiceZone { request.zone }

    /// - Parameters: See ``CommuteRequest``.
    /// - Throws: The errors of ``CommuteRequest``.
    package init(
        commute: String?, between requested: (from: String, to: String)? = nil, at: String?, _ context: QueryContext
    ) throws {
        request = try CommuteRequest(commute: commute, between: requested, at: at, context)
        directTrips = try DirectTrips(origins: request.origins, destinations: request.destinations)
    }

    /// Whether the query still refers to the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool { request.isCurrent(context) }

    /// The feeds behind the result.
    package func feeds(_ context: QueryContext) -> [FeedView] {
        context.feeds(behind: request.origins + request.destinations)
    }

    /// - Parameter within: The length of the time window in seconds; `nil` for the day that the caller names, otherwise for
    ///   no limit.
    /// - Parameter isReachable: Whether to leave out departures that cannot be caught any more, such as canceled ones.
    package func result(
        count: Int, within: Int? = nil, isReachable: Bool = false, _ context: QueryContext
    ) throws(StoreError) -> DirectTripsResult {
        let at = request.at(context)
        let window = DepartureWindow(within, from: request.time, now: context.now, zone: zone)
        if isReachable {
            let result = try reachable(count: count, in: window, context)
            if !result.directTrips.isEmpty || result.emptyReason != nil { return result }
        }
        let all = try next(at: at, count: window?.searchCount(count) ?? count, context)
        let (found, emptyReason) = window?.limit(all, to: count, call: \.merged.call) ?? (all, nil)
        return DirectTripsResult(
            at: at, directTrips: found,
            emptyReason: all.isEmpty
                ? directTrips.emptyReason(at: at)
                : emptyReason.map { (feed: all.first?.merged.timetable.feed, reason: $0) })
    }

    /// Returns the direct trips that meet the requirements.
    private func next(
        at: Instant, count: Int, _ context: QueryContext
    ) throws(StoreError) -> [DirectTrips.Found] {
        if options.isEmpty { return try directTrips.next(at: at, count: count, context) }
        return try CatchableDepartures.first(count) { (trip: DirectTrips.Found) throws(StoreError) in
            try trip.isAllowed(by: options, context)
        } among: { (limit) throws(StoreError) in
            try directTrips.next(at: at, count: limit, context)
        }
    }

    /// Returns the trips that can be caught and, if all trips are left out, the reason. Without any trips, both are empty.
    private func reachable(
        count: Int, in window: DepartureWindow?, _ context: QueryContext
    ) throws(StoreError) -> DirectTripsResult {
        let (at, searchCount) = (request.at(context), window?.searchCount(count) ?? count)
        let found = try CatchableDepartures.first(searchCount) { (trip: DirectTrips.Found) in
            trip.merged.canBeCaught(settingOutAt: at, walk: trip.directTrip.walkBefore)
        } among: { (limit) throws(StoreError) in
            try next(at: at, count: limit, context)
        }
        var result = DirectTripsResult(
            at: at, directTrips: window?.limit(found, to: count, call: \.merged.call).departures ?? found,
            emptyReason: nil)
        guard result.directTrips.isEmpty else { return result }
        // A rider who is already at the stop could have taken the trips that are too early for the walk.
        let walks = directTrips.originDestinations.flatMap(\.origin.walks.values)
        let all = try next(
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
                    walk: leftOut.map(\.directTrip.walkBefore).min() ?? 0,
                    next: found.first.map { (departure: $0.merged, walk: $0.directTrip.walkBefore) }, zone))
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
                    RequiredArrivals(
                        timetable: timetable, calls: calls, stops: stops, routes: routes, at: request.at(context)))
            }
        }
        for index in required.indices {
            required[index].calls.sort { ($0.isDestination ? 1 : 0, $0.walk) < ($1.isDestination ? 1 : 0, $1.walk) }
        }
        return required
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
