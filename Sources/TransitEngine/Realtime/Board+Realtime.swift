public import TransitModel

extension DepartureBoard {
    /// Returns the next departures with realtime data applied, ascending by expected time.
    ///
    /// Extends ``departures(visits:context:at:count:horizonDays:)`` as follows. A late trip stays listed until it
    /// leaves. A trip that has left early is not listed. Canceled trips and skipped calls are listed at their scheduled
    /// time. Trips that the timetable lacks are listed as well. Among departures at the same moment, scheduled trips
    /// come first, ordered by pattern, trip, service date and call.
    ///
    /// - Parameters:
    ///   - stops: the queried stops, to which extra trips and trips with a changed platform are matched.
    ///   - routes: limits extra trips and trips with a changed platform to these routes; `nil` for no limit. The
    ///     parameter does not filter `visits`.
    ///   - live: the realtime data of the feed; `nil` if there is none.
    ///   - now: the current time, from which the age of realtime data is computed. It may differ from `at`.
    public static func departures(
        visits: [PatternCallPosition], stops: [StopIndex], routes: Set<RouteIndex>? = nil, context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, at: Instant, count: Int, horizonDays: Int = defaultHorizonDays
    ) -> [ExpectedCall] {
        guard count > 0 else { return [] }
        guard let realtime, realtime.hasTrips else {
            return departures(visits: visits, context: context, at: at, count: count, horizonDays: horizonDays)
                .map { ExpectedCall(scheduled: $0) }
        }
        var search = RealtimeBoardSearch(realtime: realtime, now: now, at: at, count: count)
        search.before = context.horizon(at: at, days: horizonDays).secondsSince1970
        search.routes = routes
        search.addRealtimeTrips(at: visits)
        search.addRealtimeTrips(at: stops, excluding: visits)
        return search.merged(
            with: departures(
                visits: visits, context: context, at: at, before: search.end, count: count, excluding: search.views))
    }
}
