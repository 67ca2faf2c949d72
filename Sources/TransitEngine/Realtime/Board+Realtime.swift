public import TransitModel

extension DepartureBoard {
    /// The next departures as a rider may expect them, ascending by the expected time.
    ///
    /// As ``departures(visits:context:at:count:horizonDays:)``, and: a late trip is listed until it leaves; one that has left early
    /// is not; what is cancelled or skipped is listed at its time of the timetable; trips that the timetable does not have are
    /// listed too. With several at one moment, those of the timetable come first, by pattern, trip, service date and call.
    ///
    /// - Parameters:
    ///   - stops: the stops in question, where extra trips call and to which trips may have moved.
    ///   - routes: only extra and moved trips of these; `nil`: of all. It does not choose among `visits`.
    ///   - live: what is live about the feed; `nil`: nothing.
    ///   - now: the moment by which live data are old, which need not be `at`.
    public static func departures(
        visits: [PatternVisit], stops: [StopIndex], routes: Set<RouteIndex>? = nil, context: TimetableContext,
        live: RealtimeTimetable?, now: Instant, at: Instant, count: Int, horizonDays: Int = defaultHorizonDays
    ) -> [ExpectedCall] {
        guard count > 0 else { return [] }
        guard let live, live.hasRuns else {
            return departures(visits: visits, context: context, at: at, count: count, horizonDays: horizonDays)
                .map { ExpectedCall(scheduled: $0) }
        }
        var search = RealtimeBoardSearch(live: live, now: now, at: at, count: count)
        search.before = context.horizon(at: at, days: horizonDays).secondsSince1970
        search.routes = routes
        search.addRealtimeTrips(at: visits)
        search.addRealtimeTrips(at: stops, excluding: visits)
        return search.merged(
            with: departures(
                visits: visits, context: context, at: at, before: search.end, count: count, excluding: search.views))
    }
}
