public import TransitModel

/// The question of a commute: which trips take me there next, without a change.
public enum DirectTripFinder {
    /// The next rides from one set of stops to another, ascending by departure.
    ///
    /// Only trips that call at both ends in the right order count, where boarding and alighting are allowed, and which
    /// can be reached when one sets out at `at`. Of each trip one ride is given: the one that gets there first, the walk
    /// included; of those the one that leaves latest; of those the shortest walk. Rides at the same moment are in the
    /// order of arrival, pattern, trip and service date.
    ///
    /// - Parameters:
    ///   - origins: the stops where one may board, with the seconds it takes to walk there; 0 for the stop itself.
    ///   - destinations: the stops where one may alight, with the seconds it takes to walk on from there.
    ///   - patterns: the patterns that call at an origin, each once. Those that do not lead to a destination are passed over.
    ///   - horizonDays: nothing that leaves after ``TimetableContext/horizon(at:days:)`` is found.
    public static func next(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableContext,
        at: Instant, count: Int, horizonDays: Int = DepartureBoard.defaultHorizonDays
    ) -> [ScheduledDirectTrip] {
        let (origins, destinations) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        let ways = patterns.compactMap { DirectPattern(pattern: $0, origins: origins, destinations: destinations) }
        let end = context.horizon(at: at, days: horizonDays).secondsSince1970
        return next(ways: ways, context: context, at: at, before: end, count: count, excluding: nil)
    }

    /// The rides that leave before a moment, in seconds since 1970, without the runs that live data tell of.
    static func next(
        ways: [DirectPattern], context: TimetableContext, at: Instant, before end: Int64, count: Int,
        excluding live: FreshRealtimeSources?
    ) -> [ScheduledDirectTrip] {
        guard count > 0 else { return [] }
        var search = DirectTripSearch(ways: ways, context: context, at: at, end: end, count: count, live: live)
        for zone in context.zones.indices { search.look(inZone: zone) }
        return search.journeys()
    }
}

/// One question to ``Journeys`` on its way.
private struct DirectTripSearch {
    let ways: [DirectPattern]
    let context: TimetableContext
    let at: Int64
    var serviceCache: ActiveServiceCache
    var found: SmallestElements<DirectTripCandidate>
    /// What leaves at this moment or later is not of interest.
    var end: Int64
    /// Hides the runs that it tells of.
    let live: FreshRealtimeSources?

    init(
        ways: [DirectPattern], context: TimetableContext, at: Instant, end: Int64, count: Int,
        live: FreshRealtimeSources?
    ) {
        self.ways = ways
        self.context = context
        self.at = at.secondsSince1970
        serviceCache = ActiveServiceCache(services: context.services)
        found = SmallestElements(capacity: count)
        self.end = end
        self.live = live
    }

    mutating func look(inZone zone: Int) {
        let timingGroups = timingGroups(inZone: zone)
        let days = ServiceDays(
            zone: context.zones[zone], at: Instant(secondsSince1970: at), latestStopTime: context.latestStopTime)
        days.visit { day in
            serviceCache.begin(day.date)
            for row in timingGroups
            where day.start + row.starts.upperBound + row.latestLeave >= at
                && day.start + row.starts.lowerBound + row.earliestDeparture < end
            {
                look(along: row, on: day)
            }
            return end
        }
    }

    private func timingGroups(inZone zone: Int) -> [DirectTimingGroup] {
        var timingGroups: [DirectTimingGroup] = []
        timingGroups.reserveCapacity(ways.count * 4)
        for (number, way) in ways.enumerated() where context.zonePosition(of: way.pattern.route) == zone {
            for timingGroup in 0..<way.pattern.timingGroupCount {
                timingGroups.append(DirectTimingGroup(way, number: number, timingGroup: timingGroup))
            }
        }
        return timingGroups
    }

    private mutating func look(along row: DirectTimingGroup, on day: ServiceDay) {
        let pattern = ways[row.way].pattern
        let rides = ways[row.way].rides(timingGroup: row.timingGroup)
        ways[row.way].runs.forEachRun(ofTimingGroup: row.timingGroup, from: at - day.start - row.latestLeave) {
            run, service in
            let start = day.start + Int64(run.start)
            guard start + row.earliestDeparture < end else { return false }
            guard serviceCache.runs(service), let ride = rides.first(where: { start + $0.leave >= at }),
                start + ride.departure < end
            else { return true }
            if let live, live.isHidden(TripInstanceKey(pattern, timingGroup: row.timingGroup, run: run, date: day.date))
            {
                return true
            }
            found.insert(
                DirectTripCandidate(
                    departure: start + ride.departure, reaches: start + ride.reaches, pattern: pattern.index,
                    trip: ways[row.way].runs.trip(run, ofTimingGroup: row.timingGroup), day: day, way: row.way,
                    timingGroup: row.timingGroup,
                    ride: ride, run: run))
            if found.isFull, let last = found.elements.last { end = min(end, last.departure + 1) }
            return true
        }
    }

    func journeys() -> [ScheduledDirectTrip] {
        found.elements.map { found in
            let way = ways[found.way]
            func call(_ position: Int) -> ScheduledCall {
                ScheduledCall(
                    pattern: way.pattern, timingGroup: found.timingGroup, run: found.run, position: position,
                    day: found.day)
            }
            return ScheduledDirectTrip(
                departure: call(found.ride.board), arrival: call(found.ride.alight), walkBefore: found.ride.walkBefore,
                walkAfter: found.ride.walkAfter)
        }
    }
}

/// A ride without its pattern: plain numbers that are cheap to move.
private struct DirectTripCandidate: Comparable {
    var departure: Int64
    var reaches: Int64
    var pattern: PatternIndex
    var trip: TripIndex
    var day: ServiceDay
    var way: Int
    var timingGroup: Int
    var ride: TripLeg
    var run: TripInstance

    static func < (left: Self, right: Self) -> Bool {
        if left.departure != right.departure { return left.departure < right.departure }
        if left.reaches != right.reaches { return left.reaches < right.reaches }
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.trip != right.trip { return left.trip < right.trip }
        if left.day.date != right.day.date { return left.day.date < right.day.date }
        return left.run.frequency < right.run.frequency
    }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
}
