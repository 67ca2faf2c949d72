internal import TransitModel

/// Finds the trips of messages in one version of a timetable, and remembers them from one message to the next.
///
/// Not for several threads: it belongs to whoever applies the messages of a feed. A new version needs a new one.
public final class TripMatcher {
    public let timetable: any TimetableLookup
    let context: TimetableContext
    /// Those that were met, in the order of their first meeting.
    private(set) var patterns: [MatchedPattern] = []
    private var patternNumbers: [PatternIndex: Int32] = [:]
    /// `nil` for a trip that the timetable does not have.
    private var trips: [TripID: CachedTrip?] = [:]
    private var stops: [StopID: StopIndex?] = [:]
    private var stopLocations = StopLocationCache()
    private var routes: [RouteID: RouteIndex?] = [:]
    private var routePatterns: [RouteIndex: [Int32]] = [:]
    private var dayStarts: [DayKey: Int64] = [:]
    private var stopVisits: [StopIndex: [StopVisit]] = [:]
    private var scheduleMatches: [ScheduleMatchKey: MatchedTrip] = [:]
    /// By the number of the pattern; `nil` where there is none to be had.
    private var paths: [Int32: TripPath?] = [:]

    /// A call of a pattern at a stop.
    struct StopVisit {
        /// Of ``patterns``.
        var pattern: Int32
        var position: Int
    }

    /// Under which name a run is told that the timetable names otherwise.
    private struct ScheduleMatchKey: Hashable {
        var trip: TripID
        var date: ServiceDate?
    }

    private struct DayKey: Hashable {
        var zone: Int
        var date: ServiceDate
    }

    /// The maximum number of trips and of stops in the cache. When it is exceeded, the cache is cleared before the next
    /// message; until then, every further name is looked up in the timetable.
    static let maximumCachedNames = 200_000
    /// The maximum number of trips that are looked up together, as many as the largest publishers send. Further trips
    /// of a hostile message are looked up one by one and cached only if the message's limits admit them.
    static let maximumBatchLookups = 1 << 16
    /// The maximum number of service date starts in the cache.
    private static let maximumCachedDates = 10_000
    /// How many ways over the ground are remembered, of some kilobytes each.
    private static let maximumCachedPaths = 512

    public init(_ timetable: any TimetableLookup) {
        self.timetable = timetable
        context = timetable.context
    }

    /// Must be called before each message.
    func begin() {
        if trips.count <= Self.maximumCachedNames, stops.count <= Self.maximumCachedNames, dayStarts.count <= 1000,
            routes.count <= Self.maximumCachedNames, stopVisits.count <= Self.maximumCachedNames,
            scheduleMatches.count <= Self.maximumCachedNames
        {
            return
        }
        patterns = []
        patternNumbers = [:]
        trips = [:]
        stops = [:]
        stopLocations = StopLocationCache()
        routes = [:]
        routePatterns = [:]
        dayStarts = [:]
        stopVisits = [:]
        scheduleMatches = [:]
        paths = [:]
    }

    // MARK: What is remembered

    /// How many trips are remembered, with those that the timetable does not have.
    var tripCount: Int { trips.count }

    func trip(_ id: TripID) throws -> CachedTrip? {
        if let known = trips[id] { return known }
        let found = try timetable.places(ofTrips: [id]).first?.map { try known($0) } ?? nil
        if trips.count <= Self.maximumCachedNames { trips[id] = .some(found) }
        return found
    }

    /// Finds trips together, which costs a small part of finding them one by one.
    func find(_ ids: [TripID]) throws {
        trips.reserveCapacity(trips.count + ids.count)
        for (id, place) in zip(ids, try timetable.places(ofTrips: ids)) {
            trips[id] = .some(try place.map { try known($0) })
        }
    }

    private func known(_ place: TripPatternPosition) throws -> CachedTrip {
        let pattern = place.pattern
        let row = pattern.tripRange(ofTimingGroup: place.timingGroup).lowerBound + place.position
        return CachedTrip(
            trip: pattern.trip(timingGroup: place.timingGroup, position: place.position),
            patternNumber: try number(of: pattern),
            timingGroup: Int32(clamping: place.timingGroup), position: Int32(clamping: place.position),
            start: pattern.column(.starts)[row],
            duration: pattern.duration(ofTimingGroup: place.timingGroup),
            service: pattern.service(row),
            isRepeated: pattern.frequencies(ofTimingGroup: place.timingGroup).contains {
                Int($0.trip) == place.position
            })
    }

    func number(of pattern: Pattern) throws -> Int32 {
        if let number = patternNumbers[pattern.index] { return number }
        let ids = try pattern.column(.stops).map { try outline(StopIndex(UInt32(bitPattern: $0))).id }
        let zone = context.zonePosition(of: pattern.route)
        patterns.append(MatchedPattern(pattern: pattern, zone: zone, stopIDs: ids))
        let number = Int32(clamping: patterns.count - 1)
        patternNumbers[pattern.index] = number
        return number
    }

    func stop(_ id: StopID) throws -> StopIndex? {
        if let stop = stops[id] { return stop }
        let stop = try timetable.stop(id: id)
        if stops.count <= Self.maximumCachedNames { stops[id] = .some(stop) }
        return stop
    }

    func outline(_ stop: StopIndex) throws -> StopLocation { try stopLocations.outline(stop, timetable) }

    /// Whether both are platforms of one station, or one is the other's station.
    func isSameStation(_ left: StopIndex, _ right: StopIndex) throws -> Bool {
        let station = try outline(left).parent ?? left
        return try station == (outline(right).parent ?? right)
    }

    func route(_ id: RouteID) -> RouteIndex? {
        if let route = routes[id] { return route }
        let route = timetable.route(id: id)
        if routes.count <= Self.maximumCachedNames { routes[id] = .some(route) }
        return route
    }

    /// Numbers of the patterns of a route.
    func patterns(of route: RouteIndex) throws -> [Int32] {
        if let numbers = routePatterns[route] { return numbers }
        let numbers = try timetable.patterns(of: route).map { try number(of: $0) }
        routePatterns[route] = numbers
        return numbers
    }

    /// Every call at that stop itself.
    func visits(at stop: StopIndex) throws -> [StopVisit] {
        if let visits = stopVisits[stop] { return visits }
        let visits = try timetable.patterns(at: stop).map { visit in
            StopVisit(pattern: try number(of: visit.pattern), position: visit.position)
        }
        stopVisits[stop] = visits
        return visits
    }

    /// Keeps under which name a run is told, for the position of its vehicle.
    func remember(_ run: MatchedTrip, reportedAs trip: TripDescriptor) {
        guard let id = trip.tripID, scheduleMatches.count <= Self.maximumCachedNames else { return }
        scheduleMatches[ScheduleMatchKey(trip: id, date: trip.startDate)] = run
    }

    /// The run that was found for that name last.
    func scheduleMatch(at trip: TripDescriptor) -> MatchedTrip? {
        trip.tripID.flatMap { scheduleMatches[ScheduleMatchKey(trip: $0, date: trip.startDate)] }
    }

    /// The trip at a place of a pattern that was met.
    func trip(pattern number: Int32, timingGroup: Int, position: Int) throws -> CachedTrip {
        try known(
            TripPatternPosition(pattern: patterns[Int(number)].pattern, timingGroup: timingGroup, position: position))
    }

    /// The way of a pattern, as the shape of the trip that is met first tells it.
    func path(of known: CachedTrip) throws -> TripPath? {
        if let path = paths[known.patternNumber] { return path }
        if paths.count >= Self.maximumCachedPaths { paths = [:] }
        let stops = try patterns[Int(known.patternNumber)].stops.map { try outline($0).coordinate }
        let path = TripPath(shape: try timetable.path(of: known.trip), stops: stops)
        paths[known.patternNumber] = .some(path)
        return path
    }

    /// When a service date begins, in seconds since 1970.
    func dayStart(_ date: ServiceDate, zone: Int) -> Int64 {
        let key = DayKey(zone: zone, date: date)
        if let start = dayStarts[key] { return start }
        let start = context.zones[zone].serviceDayStart(date).secondsSince1970
        if dayStarts.count <= Self.maximumCachedDates { dayStarts[key] = start }
        return start
    }

    func runs(_ service: ServiceIndex, on date: ServiceDate) -> Bool {
        let services = context.services
        return service.position < services.count && services[service.position].runs(on: date)
    }
}
