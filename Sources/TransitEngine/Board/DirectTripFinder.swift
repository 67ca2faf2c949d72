public import TransitModel

/// Finds the next trips between two places without a transfer.
public enum DirectTripFinder {
    /// Returns the next direct trips between two sets of stops, ascending by departure.
    ///
    /// A trip is included if it calls at both ends in the right order, if boarding and alighting are allowed there, and
    /// if riders who set out at `at` can reach it. Each trip is listed once, with the leg that has the earliest arrival
    /// including the walk, then the latest departure, then the shortest walk. Trips that depart at the same moment are
    /// sorted by arrival, pattern, trip and service date.
    ///
    /// - Parameters:
    ///   - origins: the boarding stops with the walking time in seconds; 0 for the stop itself.
    ///   - destinations: the alighting stops with the walking time in seconds from there.
    ///   - patterns: the patterns that call at an origin, without duplicates. Patterns that do not lead to a
    ///     destination are ignored.
    ///   - horizonDays: only departures before ``TimetableCalendar/horizon(at:days:)`` are found.
    public static func next(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableCalendar,
        at: Instant, count: Int, horizonDays: Int = DepartureBoard.defaultHorizonDays
    ) -> [ScheduledDirectTrip] {
        let (origins, destinations) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        let directPatterns = patterns.compactMap {
            DirectPattern(pattern: $0, origins: origins, destinations: destinations)
        }
        let end = context.horizon(at: at, days: horizonDays).secondsSince1970
        return next(directPatterns: directPatterns, context: context, at: at, before: end, count: count, excluding: nil)
    }

    /// Returns the direct trips that leave before `end` (seconds since 1970), without the trips that realtime data
    /// replaces.
    static func next(
        directPatterns: [DirectPattern], context: TimetableCalendar, at: Instant, before end: Int64, count: Int,
        excluding realtime: RealtimeDatasetViews?
    ) -> [ScheduledDirectTrip] {
        guard count > 0 else { return [] }
        var search = DirectTripSearch(
            directPatterns: directPatterns, context: context, at: at, end: end, count: count, realtime: realtime)
        for zone in context.zones.indices { search.findDirectTrips(inZone: zone) }
        return search.directTrips()
    }
}

/// The state of one direct trip query.
private struct DirectTripSearch {
    let directPatterns: [DirectPattern]
    let context: TimetableCalendar
    let at: Int64
    var serviceCache: ActiveServiceCache
    var found: SmallestElements<DirectTripCandidate>
    /// The exclusive upper limit of departure times, in seconds since 1970.
    var end: Int64
    /// The realtime data whose trips are left out of the result.
    let realtime: RealtimeDatasetViews?

    init(
        directPatterns: [DirectPattern], context: TimetableCalendar, at: Instant, end: Int64, count: Int,
        realtime: RealtimeDatasetViews?
    ) {
        self.directPatterns = directPatterns
        self.context = context
        self.at = at.secondsSince1970
        serviceCache = ActiveServiceCache(services: context.services)
        found = SmallestElements(capacity: count)
        self.end = end
        self.realtime = realtime
    }

    mutating func findDirectTrips(inZone zone: Int) {
        let timingGroups = timingGroups(inZone: zone)
        let days = ServiceDays(
            zone: context.zones[zone], at: Instant(secondsSince1970: at), latestStopTime: context.latestStopTime)
        days.visit { day in
            serviceCache.begin(day.date)
            for row in timingGroups
            where day.start + row.starts.upperBound + row.latestLeave >= at
                && day.start + row.starts.lowerBound + row.earliestDeparture < end
            {
                findDirectTrips(row, on: day)
            }
            return end
        }
    }

    private func timingGroups(inZone zone: Int) -> [DirectTimingGroup] {
        var timingGroups: [DirectTimingGroup] = []
        timingGroups.reserveCapacity(directPatterns.count * 4)
        for (number, directPattern) in directPatterns.enumerated()
        where context.zonePosition(of: directPattern.pattern.route) == zone {
            for timingGroup in 0..<directPattern.pattern.timingGroupCount {
                timingGroups.append(DirectTimingGroup(directPattern, number: number, timingGroup: timingGroup))
            }
        }
        return timingGroups
    }

    private mutating func findDirectTrips(_ row: DirectTimingGroup, on day: ServiceDay) {
        let pattern = directPatterns[row.directPattern].pattern
        let legs = directPatterns[row.directPattern].legs(timingGroup: row.timingGroup)
        directPatterns[row.directPattern].tripInstances.forEachInstance(
            ofTimingGroup: row.timingGroup, from: at - day.start - row.latestLeave
        ) {
            instance, service in
            let start = day.start + Int64(instance.start)
            guard start + row.earliestDeparture < end else { return false }
            guard serviceCache.runs(service), let leg = legs.first(where: { start + $0.leaveBy >= at }),
                start + leg.departure < end
            else { return true }
            if let realtime,
                realtime.isHidden(
                    TripInstanceKey(pattern, timingGroup: row.timingGroup, instance: instance, date: day.date))
            {
                return true
            }
            found.insert(
                DirectTripCandidate(
                    departure: start + leg.departure, destinationArrival: start + leg.destinationArrival,
                    pattern: pattern.index,
                    trip: directPatterns[row.directPattern].tripInstances.trip(
                        instance, ofTimingGroup: row.timingGroup),
                    day: day,
                    directPattern: row.directPattern,
                    timingGroup: row.timingGroup,
                    leg: leg, instance: instance))
            if found.isFull, let last = found.elements.last { end = min(end, last.departure + 1) }
            return true
        }
    }

    func directTrips() -> [ScheduledDirectTrip] {
        found.elements.map { found in
            let directPattern = directPatterns[found.directPattern]
            func call(_ position: Int) -> ScheduledCall {
                ScheduledCall(
                    pattern: directPattern.pattern, timingGroup: found.timingGroup, instance: found.instance,
                    position: position,
                    day: found.day)
            }
            return ScheduledDirectTrip(
                departure: call(found.leg.board), arrival: call(found.leg.alight), walkBefore: found.leg.walkBefore,
                walkAfter: found.leg.walkAfter)
        }
    }
}

/// A direct trip without its pattern, as plain numbers that are cheap to move.
private struct DirectTripCandidate: Comparable {
    var departure: Int64
    var destinationArrival: Int64
    var pattern: PatternIndex
    var trip: TripIndex
    var day: ServiceDay
    var directPattern: Int
    var timingGroup: Int
    var leg: TripLeg
    var instance: TripInstance

    static func < (left: Self, right: Self) -> Bool {
        if left.departure != right.departure { return left.departure < right.departure }
        if left.destinationArrival != right.destinationArrival {
            return left.destinationArrival < right.destinationArrival
        }
        if left.pattern != right.pattern { return left.pattern < right.pattern }
        if left.trip != right.trip { return left.trip < right.trip }
        if left.day.date != right.day.date { return left.day.date < right.day.date }
        return left.instance.frequency < right.instance.frequency
    }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
}

/// A direct trip between two places: walk, ride and walk.
public struct ScheduledDirectTrip: Sendable {
    public var departure: ScheduledCall
    public var arrival: ScheduledCall
    /// Walking time to the stop of ``departure``, in seconds.
    public var walkBefore: Int
    /// Walking time from the stop of ``arrival``, in seconds.
    public var walkAfter: Int

    public init(departure: ScheduledCall, arrival: ScheduledCall, walkBefore: Int, walkAfter: Int) {
        self.departure = departure
        self.arrival = arrival
        self.walkBefore = walkBefore
        self.walkAfter = walkAfter
    }

    /// The latest time to set out.
    public var leaveBy: Instant { departure.departure.advanced(by: -walkBefore) }
    /// The time of arrival at the destination, including the walk.
    public var destinationArrival: Instant { arrival.arrival.advanced(by: walkAfter) }
}
