public import TransitModel

extension DirectTripFinder {
    /// The next rides as a rider may expect them, ascending by the expected departure.
    ///
    /// As ``next(origins:destinations:patterns:context:at:count:horizonDays:)``, and: a late trip counts until it leaves; one that has
    /// left early does not; calls that are skipped are no place to board or to alight as long as there is another one; a
    /// cancelled trip is listed at its time of the timetable; trips that the timetable does not have are listed too,
    /// also those of which only the departure is told and whose route has a way to a destination.
    public static func next(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableContext,
        live: RealtimeTimetable?, now: Instant, at: Instant, count: Int,
        horizonDays: Int = DepartureBoard.defaultHorizonDays
    ) -> [ExpectedDirectTrip] {
        guard count > 0 else { return [] }
        guard let live, live.hasRuns else {
            return next(
                origins: origins, destinations: destinations, patterns: patterns, context: context, at: at,
                count: count, horizonDays: horizonDays
            ).map { ExpectedDirectTrip($0) }
        }
        let (from, to) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        let ways = patterns.compactMap { DirectPattern(pattern: $0, origins: from, destinations: to) }
        var search = RealtimeDirectTripSearch(
            live: live, now: now, at: at, count: count, origins: from, destinations: to)
        search.before = context.horizon(at: at, days: horizonDays).secondsSince1970
        search.addRealtimeTrips(at: ways)
        search.addExtraTrips(from: origins.keys, ways: ways)
        return search.merged(
            with: next(ways: ways, context: context, at: at, before: search.end, count: count, excluding: search.views))
    }
}

extension ExpectedDirectTrip {
    init(_ journey: ScheduledDirectTrip) {
        self.init(
            departure: ExpectedCall(scheduled: journey.departure), destination: journey.arrival.call.stop,
            arrival: ExpectedCall(scheduled: journey.arrival), walkBefore: journey.walkBefore,
            walkAfter: journey.walkAfter)
    }
}
