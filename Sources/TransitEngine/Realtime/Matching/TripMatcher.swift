public import TransitModel

/// Finds the trips of realtime messages in one timetable version, and caches them from one message to the next.
///
/// Not thread-safe: each matcher belongs to the code that applies the messages of one feed. Each timetable version
/// requires a new matcher.
public final class TripMatcher {
    public let timetable: any TimetableLookup
    let context: TimetableCalendar
    /// The patterns that were looked up, in order of first use.
    private(set) var patterns: [MatchedPattern] = []
    private var patternNumbers: [PatternIndex: Int32] = [:]
    /// `nil` for identifiers that the timetable lacks.
    private var trips: [TripID: CachedTrip?] = [:]
    /// Whether trips that the timetable lacks are outside of its kept part.
    private var outsideTrips: [TripID: Bool] = [:]
    private var stops: [StopID: StopIndex?] = [:]
    private var stopLocations = StopLocationCache()
    private var routes: [RouteID: RouteIndex?] = [:]
    private var routePatterns: [RouteIndex: [Int32]] = [:]
    private var dayStarts: [DayKey: Int64] = [:]
    private var stopVisits: [StopIndex: [StopVisit]] = [:]
    private var scheduleMatches: [ScheduleMatchKey: MatchedTrip] = [:]
    /// By pattern number; `nil` for patterns whose path is unknown.
    private var paths: [Int32: TripPath?] = [:]

    /// A call of a pattern at a stop.
    struct StopVisit {
        /// Index into ``patterns``.
        var pattern: Int32
        var position: Int
    }

    /// A published trip identifier and date under which a trip was matched by its scheduled times.
    private struct ScheduleMatchKey: Hashable {
        var trip: TripID
        var date: ServiceDate?
    }

    private struct DayKey: Hashable {
        var zone: Int
        var date: ServiceDate
    }

    /// The maximum number of trips and of stops in the cache. When it is exceeded, the cache is cleared before the next
    /// message. Until then, every further identifier is looked up in the timetable.
    static let maximumCachedNames = 200_000
    /// The limit of this matcher, at most ``maximumCachedNames``.
    private let cacheLimit: Int
    /// The maximum number of trips that are looked up together, which is as many as the largest publishers send.
    /// Further trips of a hostile message are looked up one by one and cached only if the message's limits admit them.
    static let maximumBatchLookups = 1 << 16
    /// The maximum number of service date starts in the cache.
    private static let maximumCachedDates = 10_000
    /// The maximum number of paths in the cache. Each path takes several kilobytes.
    private static let maximumCachedPaths = 512

    /// - Parameter cacheLimit: The maximum number of trips and of stops in the cache. A matcher for a single message, in
    ///   which a name rarely occurs twice, needs only a small cache.
    public init(_ timetable: any TimetableLookup, cacheLimit: Int = .max) {
        self.timetable = timetable
        self.cacheLimit = min(cacheLimit, Self.maximumCachedNames)
        context = timetable.context
    }

    /// Prepares for a message. Must be called before each message.
    func begin() {
        if trips.count <= Self.maximumCachedNames, outsideTrips.count <= Self.maximumCachedNames,
            stops.count <= Self.maximumCachedNames, dayStarts.count <= 1000,
            routes.count <= Self.maximumCachedNames, stopVisits.count <= Self.maximumCachedNames,
            scheduleMatches.count <= Self.maximumCachedNames
        {
            return
        }
        patterns = []
        patternNumbers = [:]
        trips = [:]
        outsideTrips = [:]
        stops = [:]
        stopLocations = StopLocationCache()
        routes = [:]
        routePatterns = [:]
        dayStarts = [:]
        stopVisits = [:]
        scheduleMatches = [:]
        paths = [:]
    }

    // MARK: Cached lookups

    /// The number of trips in the cache, including those that the timetable lacks.
    var tripCount: Int { trips.count }

    func trip(_ id: TripID) throws -> CachedTrip? {
        if let known = trips[id] { return known }
        let found = try timetable.patternPositions(ofTrips: [id]).first?.map { try known($0) } ?? nil
        if trips.count <= cacheLimit { trips[id] = .some(found) }
        return found
    }

    /// Looks up trips together, which is much cheaper than looking them up one by one.
    func find(_ ids: [TripID]) throws {
        trips.reserveCapacity(trips.count + ids.count)
        for (id, place) in zip(ids, try timetable.patternPositions(ofTrips: ids)) {
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
            isFrequencyBased: pattern.frequencies(ofTimingGroup: place.timingGroup).contains {
                Int($0.trip) == place.position
            })
    }

    func number(of pattern: Pattern) throws -> Int32 {
        if let number = patternNumbers[pattern.index] { return number }
        let ids = try pattern.column(.stops).map { try location(of: StopIndex(UInt32(bitPattern: $0))).id }
        let zone = context.zonePosition(of: pattern.route)
        patterns.append(MatchedPattern(pattern: pattern, zone: zone, stopIDs: ids))
        let number = Int32(clamping: patterns.count - 1)
        patternNumbers[pattern.index] = number
        return number
    }

    /// Returns whether a descriptor refers to a trip outside of the kept part of the feed. A descriptor without an
    /// identifier does if its route is outside.
    func isOutside(_ trip: TripDescriptor) throws -> Bool {
        guard timetable.isPartial else { return false }
        guard let id = trip.tripID else { return trip.routeID.map { route($0) == nil } ?? false }
        if try self.trip(id) != nil { return false }
        if let known = outsideTrips[id] { return known }
        let isOutside = try timetable.isOutside(id)
        if outsideTrips.count <= cacheLimit { outsideTrips[id] = isOutside }
        return isOutside
    }

    func stop(_ id: StopID) throws -> StopIndex? {
        if let stop = stops[id] { return stop }
        let stop = try timetable.stop(id: id)
        if stops.count <= cacheLimit { stops[id] = .some(stop) }
        return stop
    }

    func location(of stop: StopIndex) throws -> StopLocation { try stopLocations.location(of: stop, in: timetable) }

    /// Returns whether both stops belong to one station, as platforms or as the station itself.
    func isSameStation(_ left: StopIndex, _ right: StopIndex) throws -> Bool {
        let station = try location(of: left).parent ?? left
        return try station == (location(of: right).parent ?? right)
    }

    func route(_ id: RouteID) -> RouteIndex? {
        if let route = routes[id] { return route }
        let route = timetable.route(id: id)
        if routes.count <= cacheLimit { routes[id] = .some(route) }
        return route
    }

    /// Returns the numbers of a route's patterns.
    func patterns(of route: RouteIndex) throws -> [Int32] {
        if let numbers = routePatterns[route] { return numbers }
        let numbers = try timetable.patterns(of: route).map { try number(of: $0) }
        routePatterns[route] = numbers
        return numbers
    }

    /// Returns every call at the stop itself.
    func visits(at stop: StopIndex) throws -> [StopVisit] {
        if let visits = stopVisits[stop] { return visits }
        let visits = try timetable.patterns(at: stop).map { visit in
            StopVisit(pattern: try number(of: visit.pattern), position: visit.position)
        }
        stopVisits[stop] = visits
        return visits
    }

    /// Caches the match of a trip, so that the position of its vehicle is matched to the same trip.
    func cache(_ instance: MatchedTrip, reportedAs trip: TripDescriptor) {
        guard let id = trip.tripID, scheduleMatches.count <= Self.maximumCachedNames else { return }
        scheduleMatches[ScheduleMatchKey(trip: id, date: trip.startDate)] = instance
    }

    /// Returns the trip that was last matched for the descriptor's identifier and date.
    func scheduleMatch(at trip: TripDescriptor) -> MatchedTrip? {
        trip.tripID.flatMap { scheduleMatches[ScheduleMatchKey(trip: $0, date: trip.startDate)] }
    }

    /// Returns the trip at a position in a pattern that was looked up before.
    func trip(pattern number: Int32, timingGroup: Int, position: Int) throws -> CachedTrip {
        try known(
            TripPatternPosition(pattern: patterns[Int(number)].pattern, timingGroup: timingGroup, position: position))
    }

    /// Returns the path of a pattern, based on the shape of the first trip that was looked up.
    func path(of known: CachedTrip) throws -> TripPath? {
        if let path = paths[known.patternNumber] { return path }
        if paths.count >= Self.maximumCachedPaths { paths = [:] }
        let stops = try patterns[Int(known.patternNumber)].stops.map { try location(of: $0).coordinate }
        let path = TripPath(shape: try timetable.path(of: known.trip), stops: stops)
        paths[known.patternNumber] = .some(path)
        return path
    }

    /// Returns the start of a service date, in seconds since 1970.
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

/// A pattern to which updates are matched, with its stops and sequences stored as plain arrays.
public final class MatchedPattern: Sendable {
    public let pattern: Pattern
    /// Index into ``TimetableCalendar/zones``.
    let zone: Int
    /// `stop_sequence` of each call, ascending.
    let sequences: [UInt32]
    let stops: [StopIndex]
    let stopIDs: [StopID]

    init(pattern: Pattern, zone: Int, stopIDs: [StopID]) {
        self.pattern = pattern
        self.zone = zone
        self.stopIDs = stopIDs
        stops = pattern.column(.stops).map { StopIndex(UInt32(bitPattern: $0)) }
        sequences = pattern.column(.sequences).enumerated().map { UInt32(bitPattern: $1) &+ UInt32($0) }
    }

    /// Returns the position of the call with the given sequence. Updates mostly come in order, so the call at `guess`
    /// is tried first.
    func position(sequence: UInt32, after guess: Int) -> Int? {
        if guess < sequences.count, sequences[guess] == sequence { return guess }
        var low = 0
        var high = sequences.count
        while low < high {
            let middle = (low + high) / 2
            if sequences[middle] < sequence { low = middle + 1 } else { high = middle }
        }
        return low < sequences.count && sequences[low] == sequence ? low : nil
    }

    /// Returns the positions of all calls at the stop.
    func positions(stop: StopID) -> [Int] { stopIDs.indices.filter { stopIDs[$0] == stop } }
}

/// A scheduled trip in the matcher's cache, as plain numbers. The cache lasts from one message to the next.
struct CachedTrip {
    var trip: TripIndex
    /// Index into ``TripMatcher/patterns``.
    var patternNumber: Int32
    var timingGroup: Int32
    var position: Int32
    /// The first departure, in service time.
    var start: Int32
    /// Seconds from the start to the last arrival.
    var duration: Int32
    var service: ServiceIndex
    /// Whether frequencies.txt repeats the trip.
    var isFrequencyBased: Bool
}

/// The trip instance to which a trip descriptor refers.
struct MatchedTrip {
    var known: CachedTrip
    var key: TripInstanceKey
    var start: Int32
    /// The start, in seconds since 1970.
    var startInstant: Int64
    var match: RealtimeTrip.Match
    /// Whether the instance belongs to a trip of frequencies.txt with `exact_times` 0, which has no scheduled times.
    var isWithoutTimetable: Bool
}

/// A cache of stop locations. Stops are read in pages, because consecutive lookups are often for stops that are close
/// to each other in the timetable.
private struct StopLocationCache {
    private static let pageSize = 64
    /// The locations by page number; empty for pages that have not been read.
    private var pages: [[StopLocation]] = []

    /// Returns the location of a stop. Throws the errors that the timetable throws.
    mutating func location(of stop: StopIndex, in timetable: any TimetableLookup) throws -> StopLocation {
        let (page, place) = stop.position.quotientAndRemainder(dividingBy: Self.pageSize)
        if page < pages.count, place < pages[page].count { return pages[page][place] }
        while pages.count <= page { pages.append([]) }
        pages[page] = try timetable.stopLocations(ofStops: page * Self.pageSize..<(page + 1) * Self.pageSize)
        // A stop index beyond the last stop is on no page.
        return place < pages[page].count ? pages[page][place] : StopLocation(try timetable.stop(stop))
    }
}
