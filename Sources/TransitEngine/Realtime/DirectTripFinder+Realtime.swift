public import TransitModel

extension DirectTripFinder {
    /// Returns the next direct trips with realtime data applied, ascending by expected departure.
    ///
    /// Extends ``next(origins:destinations:patterns:context:at:count:horizonDays:)`` as follows. A late trip is
    /// included until it leaves. A trip that has left early is not included. Skipped calls are used for boarding or
    /// alighting only if the trip has no other suitable call. A canceled trip is listed at its scheduled time. Trips
    /// that the timetable lacks are listed as well, even if only their departure is known, provided that a pattern of
    /// their route leads to a destination.
    public static func next(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, at: Instant, count: Int,
        horizonDays: Int = DepartureBoard.defaultHorizonDays
    ) -> [ExpectedDirectTrip] {
        guard count > 0 else { return [] }
        guard let realtime, realtime.hasTrips else {
            return next(
                origins: origins, destinations: destinations, patterns: patterns, context: context, at: at,
                count: count, horizonDays: horizonDays
            ).map { ExpectedDirectTrip($0) }
        }
        let (from, to) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        let directPatterns = patterns.compactMap { DirectPattern(pattern: $0, origins: from, destinations: to) }
        var search = RealtimeDirectTripSearch(
            realtime: realtime, now: now, at: at, count: count, origins: from, destinations: to)
        search.before = context.horizon(at: at, days: horizonDays).secondsSince1970
        search.addRealtimeTrips(at: directPatterns)
        search.addExtraTrips(from: origins.keys, directPatterns: directPatterns)
        return search.merged(
            with: next(
                directPatterns: directPatterns, context: context, at: at, before: search.end, count: count,
                excluding: search.views))
    }
}

extension ExpectedDirectTrip {
    init(_ directTrip: ScheduledDirectTrip) {
        self.init(
            departure: ExpectedCall(scheduled: directTrip.departure), destination: directTrip.arrival.call.stop,
            arrival: ExpectedCall(scheduled: directTrip.arrival), walkBefore: directTrip.walkBefore,
            walkAfter: directTrip.walkAfter)
    }
}
