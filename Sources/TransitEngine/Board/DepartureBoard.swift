public import TransitModel

/// Finds the next departures from stops.
public enum DepartureBoard {
    /// The default number of days after today that a query covers.
    public static let defaultHorizonDays = 7

    /// Returns the next departures at the given calls, ascending by time.
    ///
    /// The result leaves out calls without boarding (`pickup_type` 1), the last call of a trip, and departures that are
    /// before `at`, or that are not before ``TimetableCalendar/horizon(at:days:)``. A trip that calls twice is listed
    /// twice. Departures at the same moment are sorted by pattern, timing group, trip, service date and call, so that
    /// equal queries return equal results.
    ///
    /// - Parameters:
    ///   - visits: the calls of patterns at the queried stops, without duplicates.
    ///   - count: the maximum number of departures.
    public static func departures(
        visits: [PatternCallPosition], context: TimetableCalendar, at: Instant, count: Int,
        horizonDays: Int = defaultHorizonDays
    ) -> [ScheduledCall] {
        let end = context.horizon(at: at, days: horizonDays).secondsSince1970
        return departures(visits: visits, context: context, at: at, before: end, count: count, excluding: nil)
    }

    /// Returns the departures before `end` (seconds since 1970), without the trips that realtime data replaces.
    static func departures(
        visits: [PatternCallPosition], context: TimetableCalendar, at: Instant, before end: Int64, count: Int,
        excluding realtime: RealtimeDatasetViews?
    ) -> [ScheduledCall] {
        guard count > 0 else { return [] }
        var search = BoardSearch(visits: visits, context: context, at: at, end: end, count: count, realtime: realtime)
        for zone in context.zones.indices { search.findDepartures(inZone: zone) }
        return search.calls()
    }
}

/// The state of one board query.
private struct BoardSearch {
    let visits: [PatternCallPosition]
    /// The trip instances of each visit's pattern.
    let tripInstances: [PatternTripInstances]
    let context: TimetableCalendar
    let at: Int64
    var serviceCache: ActiveServiceCache
    var list: SmallestElements<BoardCandidate>
    /// The exclusive upper limit of departure times, in seconds since 1970.
    var end: Int64
    /// The realtime data whose trips are left out of the result.
    let realtime: RealtimeDatasetViews?

    init(
        visits: [PatternCallPosition], context: TimetableCalendar, at: Instant, end: Int64, count: Int,
        realtime: RealtimeDatasetViews?
    ) {
        self.visits = visits
        tripInstances = visits.map { PatternTripInstances($0.pattern) }
        self.context = context
        self.at = at.secondsSince1970
        serviceCache = ActiveServiceCache(services: context.services)
        list = SmallestElements(capacity: count)
        self.end = end
        self.realtime = realtime
    }

    mutating func findDepartures(inZone zone: Int) {
        let timingGroups = timingGroupsWithBoarding(inZone: zone)
        let days = ServiceDays(
            zone: context.zones[zone], at: Instant(secondsSince1970: at), latestStopTime: context.latestStopTime)
        days.visit { day in
            serviceCache.begin(day.date)
            for timingGroup in timingGroups
            where day.start + timingGroup.last >= at && day.start + timingGroup.first < end {
                findDepartures(timingGroup, on: day)
            }
            return end
        }
    }

    /// Returns the timing groups of the visits that allow boarding.
    private func timingGroupsWithBoarding(inZone zone: Int) -> [VisitTimingGroup] {
        var timingGroups: [VisitTimingGroup] = []
        timingGroups.reserveCapacity(tripInstances.reduce(0) { $0 + $1.timingGroupCount })
        for (number, visit) in visits.enumerated() {
            let pattern = visit.pattern
            guard visit.position + 1 < pattern.callCount, pattern.pickup(at: visit.position) != .none,
                context.zonePosition(of: pattern.route) == zone
            else { continue }
            let departures = pattern.departures(at: visit.position)
            for timingGroup in 0..<tripInstances[number].timingGroupCount {
                timingGroups.append(
                    VisitTimingGroup(
                        visit: Int32(number), timingGroup: Int32(timingGroup),
                        departure: Int64(departures[timingGroup]),
                        starts: tripInstances[number].span(ofTimingGroup: timingGroup)))
            }
        }
        return timingGroups
    }

    private mutating func findDepartures(_ row: VisitTimingGroup, on day: ServiceDay) {
        let offset = day.start + row.departure
        tripInstances[Int(row.visit)].forEachInstance(ofTimingGroup: Int(row.timingGroup), from: at - offset) {
            instance, service in
            guard offset + Int64(instance.start) < end else { return false }
            if serviceCache.runs(service) { insert(instance, of: row, on: day) }
            return true
        }
    }

    private mutating func insert(_ instance: TripInstance, of row: VisitTimingGroup, on day: ServiceDay) {
        let visit = visits[Int(row.visit)]
        if let realtime,
            realtime.isHidden(
                TripInstanceKey(visit.pattern, timingGroup: Int(row.timingGroup), instance: instance, date: day.date))
        {
            return
        }
        list.insert(
            BoardCandidate(
                departure: day.start + row.departure + Int64(instance.start), instance: instance, day: day,
                pattern: visit.pattern.index, visit: row.visit, call: Int32(visit.position),
                timingGroup: row.timingGroup))
        if list.isFull, let last = list.elements.last { end = min(end, last.departure + 1) }
    }

    func calls() -> [ScheduledCall] {
        list.elements.map { found in
            let visit = visits[Int(found.visit)]
            return ScheduledCall(
                pattern: visit.pattern, timingGroup: Int(found.timingGroup), instance: found.instance,
                position: visit.position,
                day: found.day)
        }
    }
}

/// A timing group at a queried stop, with the times that determine whether a day's trips have to be searched. Times are
/// in seconds of service time.
///
/// Most timing groups are skipped on most days, so the struct holds only plain numbers.
private struct VisitTimingGroup {
    var visit: Int32
    var timingGroup: Int32
    /// Seconds from the start of a trip to its departure from the stop.
    var departure: Int64
    /// The first and the last departure from the stop.
    var first: Int64
    var last: Int64

    init(visit: Int32, timingGroup: Int32, departure: Int64, starts: ClosedRange<Int64>) {
        self.visit = visit
        self.timingGroup = timingGroup
        self.departure = departure
        first = departure + starts.lowerBound
        last = departure + starts.upperBound
    }
}

/// A departure without its pattern, as plain numbers that are cheap to move.
private struct BoardCandidate: Comparable {
    let departure: Int64
    let instance: TripInstance
    let day: ServiceDay
    let pattern: PatternIndex
    let visit: Int32
    let call: Int32
    let timingGroup: Int32

    static func < (left: Self, right: Self) -> Bool {
        if left.departure != right.departure { return left.departure < right.departure }
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.timingGroup != right.timingGroup { return left.timingGroup < right.timingGroup }
        if left.instance.trip != right.instance.trip { return left.instance.trip < right.instance.trip }
        if left.day.date != right.day.date { return left.day.date < right.day.date }
        if left.call != right.call { return left.call < right.call }
        return left.instance.frequency < right.instance.frequency
    }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
}
