public import TransitModel

/// Finds the next departures from stops.
public enum DepartureBoard {
    /// The default number of days after today that a query covers.
    public static let defaultHorizonDays = 7

    /// Returns the next departures at the given calls, ascending by time.
    ///
    /// The result leaves out calls without boarding (`pickup_type` 1), the last call of a trip, and departures that are
    /// before `at`, or that are not before ``TimetableCalendar/horizon(at:days:)``. A trip that calls twice is listed
    /// twice. Departures at the same moment are sorted by pattern, trip, service date and call, so that equal queries
    /// return equal results.
    ///
    /// - Parameters:
    ///   - visits: the calls of patterns at the queried stops, without duplicates.
    ///   - count: the maximum number of departures.
    public static func departures(
        visits: [PatternCallPosition], context: TimetableCalendar, at: Instant, count: Int,
        horizonDays: Int = defaultHorizonDays
    ) -> [ScheduledCall] {
        departures(
            visits: visits, context: context, at: at,
            before: context.horizon(at: at, days: horizonDays).secondsSince1970, count: count)
    }

    /// Returns the departures before `end`, in seconds since 1970.
    private static func departures(
        visits: [PatternCallPosition], context: TimetableCalendar, at: Instant, before end: Int64, count: Int
    ) -> [ScheduledCall] {
        guard count > 0 else { return [] }
        var search = TripSearch(
            visits.compactMap { StopVisit($0) }, context: context, at: at, before: end, count: count)
        search.findScheduledTrips()
        return search.found.compactMap { search.scheduledCall($0.leg.board, of: $0) }
    }

    /// Returns the next departures with realtime data applied, ascending by expected time.
    ///
    /// Extends ``departures(visits:context:at:count:horizonDays:)`` as follows. A late trip stays listed until it
    /// leaves. A trip that has left early is not listed, and neither is a call after which a trip skips all others.
    /// Canceled trips and skipped calls are listed at their scheduled
    /// time. Trips that the timetable lacks are listed as well. Among departures at the same moment, scheduled trips
    /// come first, ordered by pattern, trip, service date and call.
    ///
    /// - Parameters:
    ///   - stops: the queried stops, to which extra trips and trips with a changed platform are matched.
    ///   - routes: limits extra trips and trips with a changed platform to these routes; `nil` for no limit. The
    ///     parameter does not filter `visits`.
    ///   - realtime: the realtime data of the feed; `nil` if there is none.
    ///   - now: the current time, from which the age of realtime data is computed. It may differ from `at`.
    ///   - end: only earlier departures are returned; `nil` for no limit besides the horizon.
    public static func departures(
        visits: [PatternCallPosition], stops: [StopIndex], routes: Set<RouteIndex>? = nil, context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, at: Instant, before end: Instant? = nil, count: Int,
        horizonDays: Int = defaultHorizonDays
    ) -> [ExpectedCall] {
        guard count > 0 else { return [] }
        let horizon = context.horizon(at: at, days: horizonDays).secondsSince1970
        var search = TripSearch(
            visits.compactMap { StopVisit($0) }, context: context,
            views: RealtimeDatasetViews(ofTrips: realtime, now: now),
            at: at, before: end.map { min($0.secondsSince1970, horizon) } ?? horizon, count: count)
        search.findReportedTrips()
        search.findMovedTrips(to: stops, visits, routes)
        search.findExtraTrips(at: stops, visits, routes)
        search.findScheduledTrips()
        var calls: [ExpectedCall] = []
        calls.reserveCapacity(search.found.count)
        for found in search.found {
            if let call = search.expectedCall(found.leg.board, of: found) { calls.append(call) }
        }
        return calls
    }

    /// Returns the departures scheduled near a moment, regardless of delays, with realtime data applied. Includes
    /// departures that have already left. This search finds the departures that correspond to those of another feed.
    ///
    /// - Parameters:
    ///   - seconds: the maximum difference between the scheduled time and the moment.
    ///   - count: the maximum number of departures.
    public static func departures(
        visits: [PatternCallPosition], context: TimetableCalendar, realtime: RealtimeDatasets?, now: Instant,
        plannedAround moment: Instant, within seconds: Int, count: Int
    ) -> [ExpectedCall] {
        departures(
            visits: visits, context: context, at: moment.advanced(by: -seconds),
            before: moment.advanced(by: seconds + 1).secondsSince1970, count: count
        ).compactMap { ExpectedCall($0, realtime, now: now) }
    }
}

/// A call of a pattern where riders can board.
struct StopVisit: SearchedPattern {
    let tripInstances: PatternTripInstances
    private let departures: TimingGroupDepartures
    private let position: Int

    /// Returns `nil` for a call without boarding, and for the last call of the pattern.
    init?(_ visit: PatternCallPosition) {
        let (pattern, position) = (visit.pattern, visit.position)
        guard position >= 0, position + 1 < pattern.callCount, pattern.pickup(at: position) != .none else { return nil }
        tripInstances = PatternTripInstances(pattern)
        departures = pattern.departures(at: position)
        self.position = position
    }

    func departures(ofTimingGroup timingGroup: Int) -> (latestLeave: Int64, earliest: Int64) {
        let departure = Int64(departures[timingGroup])
        return (departure, departure)
    }

    func legs(ofTimingGroup timingGroup: Int) -> CollectionOfOne<TripLeg> {
        CollectionOfOne(TripLeg(departureAt: position, Int64(departures[timingGroup])))
    }

    func excludes(trip number: Int, in view: RealtimeDatasetView, _ range: Range<Int64>) -> Bool {
        view.currentDeparture(ofTrip: number, at: position).map { !range.contains($0) } ?? false
    }

    func leg(of trip: ReportedTrip, in range: Range<Int64>) -> TripLeg? {
        let departure = trip.times(at: position).departure
        guard range.contains(departure), !trip.ends(at: position), !trip.hasPassed(position, at: range.lowerBound)
        else { return nil }
        return TripLeg(departureAt: position, departure)
    }
}

extension TripLeg {
    fileprivate init(departureAt position: Int, _ departure: Int64) {
        self.init(board: position, alight: position, departure: departure, destinationArrival: departure)
    }
}

extension TripSearch<StopVisit> {
    /// Finds trips that call at one of the stops instead of their scheduled stop.
    ///
    /// - Parameter visits: The calls that are searched anyway.
    fileprivate mutating func findMovedTrips(
        to stops: [StopIndex], _ visits: [PatternCallPosition], _ routes: Set<RouteIndex>?
    ) {
        guard let views else { return }
        for view in views.indices {
            let dataset = views[view].dataset
            for moved in stops.lazy.flatMap({ dataset.movedVisits(to: $0) }) {
                let (number, position) = (Int(moved.instance), Int(moved.position))
                let pattern = dataset.pattern(of: dataset.trips[number])
                guard routes?.contains(pattern.route) ?? true,
                    !visits.contains(where: { $0.position == position && $0.pattern.index == pattern.index }),
                    let visit = StopVisit(PatternCallPosition(pattern: pattern, position: position))
                else { continue }
                findReportedTrip(number, inView: view, of: views, as: visit)
            }
        }
    }

    /// Finds trips that the timetable lacks.
    fileprivate mutating func findExtraTrips(
        at stops: [StopIndex], _ visits: [PatternCallPosition], _ routes: Set<RouteIndex>?
    ) {
        guard let views else { return }
        for view in views.indices {
            let dataset = views[view].dataset
            for visit in stops.lazy.flatMap({ dataset.extraVisits(at: $0) }) {
                let (number, position) = (Int(visit.trip), Int(visit.position))
                let trip = dataset.extraTrips[number]
                let validity = views[view].validity(of: trip, at: position)
                guard routes.map({ routes in trip.route.map { routes.contains($0) } ?? false }) ?? true,
                    validity != .outdated, trip.continues(after: position, visits)
                else { continue }
                let time = views[view].times(at: position, of: trip, validity).departure
                guard time >= at, time < end else { continue }
                insert(FoundTrip(extra: number, view: view, TripLeg(departureAt: position, time)))
            }
        }
    }
}
