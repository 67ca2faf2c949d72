package import TransitEngine
package import TransitModel
package import TransitStore

/// A summary of a route: its directions, its patterns, and its stops in order.
package struct RouteOverview {
    package let timetable: Timetable
    private let patterns: [Pattern]
    private let names: TimetableNames

    private static let maximumPatterns = 100

    /// - Parameter direction: The `direction_id` of the patterns; `nil` for both.
    package init(of route: FoundRoute, direction: Int? = nil, language: String? = nil) throws(StoreError) {
        timetable = route.timetable
        names = TimetableNames(route.timetable, language: language)
        patterns = try timetable.file.patterns(of: route.index).filter { pattern in
            direction.map { Int(pattern.direction?.rawValue ?? 255) == $0 } ?? true
        }
    }

    // MARK: Directions

    /// The service in one direction on one date.
    package struct DirectionSummary {
        package var direction: Direction?
        /// The most frequent first.
        package var headsigns: [String]
        /// The number of departures. Each trip instance from frequencies.txt counts.
        package var trips: Int
        package var first: Instant?
        package var last: Instant?
    }

    package func directions(on date: ServiceDate, zone: ServiceZone) throws(StoreError) -> [DirectionSummary] {
        let running = Set(timetable.file.services.indices.filter { timetable.file.services[$0].runs(on: date) })
        var directions: [DirectionSummary] = []
        for (direction, patterns) in byDirection {
            var day = DailyDepartures()
            for timingGroup in patterns.flatMap(\.timingGroups) { day.add(timingGroup, services: running) }
            func instant(_ start: Int32) -> Instant { zone.instant(of: ServiceTime(seconds: start), on: date) }
            directions.append(
                DirectionSummary(
                    direction: direction, headsigns: try headsigns(of: patterns), trips: day.count,
                    first: day.first.map(instant), last: day.last.map(instant)))
        }
        return directions
    }

    private var byDirection: [(direction: Direction?, patterns: [Pattern])] {
        Dictionary(grouping: patterns, by: \.direction).sorted { ($0.key?.rawValue ?? 2) < ($1.key?.rawValue ?? 2) }
            .map { ($0.key, $0.value.sorted(by: Self.isLarger)) }
    }

    private static func isLarger(_ left: Pattern, _ right: Pattern) -> Bool {
        (right.tripCount, left.index) < (left.tripCount, right.index)
    }

    /// Returns the headsigns, the most frequent first. One trip represents each pattern.
    private func headsigns(of patterns: [Pattern]) throws(StoreError) -> [String] {
        var counts = HeadsignCounts()
        for pattern in patterns.prefix(Self.maximumPatterns) {
            if let headsign = try headsign(of: pattern) { counts.add(headsign, trips: pattern.tripCount) }
        }
        return counts.mostFrequent
    }

    private func headsign(of pattern: Pattern) throws(StoreError) -> String? {
        guard let trip = pattern.usualTrip else { return nil }
        return try names.headsign(of: try timetable.file.trip(trip), pattern: pattern)
    }

    /// Returns the directions to choose from; empty for a route with a single direction.
    package func choices() throws(StoreError) -> [RouteDirectionChoice] {
        var variants: [RouteDirectionPattern] = []
        for pattern in patterns.sorted(by: Self.isLarger).prefix(Self.maximumPatterns) {
            guard let trip = pattern.usualTrip else { continue }
            let row = try timetable.file.trip(trip)
            variants.append(
                RouteDirectionPattern(
                    direction: pattern.direction, headsign: try names.headsign(of: row, pattern: pattern), trip: row.id,
                    tripCount: pattern.tripCount, stopCount: pattern.callCount))
        }
        let choices = RouteDirectionChoice.choices(variants)
        return choices.count > 1 ? choices : []
    }

    // MARK: Patterns

    /// A pattern with its ends.
    package struct PatternSummary {
        package var direction: Direction?
        package var headsign: String?
        package var from: StopIndex
        package var to: StopIndex
        package var stops: Int
        package var trips: Int
        /// The usual time from the first departure to the last arrival, in seconds; `nil` without times.
        package var travelTime: Int?
    }

    /// Returns the patterns with the most trips first.
    package func patternSummaries() throws(StoreError) -> [PatternSummary] {
        var summaries: [PatternSummary] = []
        for pattern in patterns.sorted(by: Self.isLarger).prefix(Self.maximumPatterns) {
            guard let first = pattern.calls.first, let last = pattern.calls.last else { continue }
            summaries.append(
                PatternSummary(
                    direction: pattern.direction, headsign: try headsign(of: pattern), from: first.stop, to: last.stop,
                    stops: pattern.calls.count, trips: pattern.tripCount,
                    travelTime: usualTravelTimes(of: pattern).last))
        }
        return summaries
    }

    // MARK: Stops

    /// The stops of one direction, in order.
    package struct StopList {
        package var direction: Direction?
        package var headsign: String?
        package var stops: [ListedStop]
    }

    /// A stop in a list.
    package struct ListedStop {
        package var stop: StopIndex
        package var isOnEveryTrip: Bool
        /// The usual time from the first stop of the direction's pattern with the most trips, in seconds; `nil` for a
        /// stop of other patterns only, and without times.
        package var travelTime: Int?
    }

    package func stopLists() throws(StoreError) -> [StopList] {
        var lists: [StopList] = []
        for (direction, patterns) in byDirection {
            let order = StopOrder(patterns.map { $0.calls.map(\.stop) }).stops
            let travelTimes = patterns.first.map(travelTimesByStop) ?? [:]
            lists.append(
                StopList(
                    direction: direction,
                    headsign: try patterns.first.flatMap { (p) throws(StoreError) in try headsign(of: p) },
                    stops: order.map { stop in
                        ListedStop(
                            stop: stop, isOnEveryTrip: patterns.allSatisfy { $0.calls.contains { $0.stop == stop } },
                            travelTime: travelTimes[stop])
                    }))
        }
        return lists
    }

    /// Returns the usual time from the start of a pattern to the first call at each stop, in seconds; empty without
    /// times.
    private func travelTimesByStop(_ pattern: Pattern) -> [StopIndex: Int] {
        Dictionary(
            zip(pattern.calls.map(\.stop), usualTravelTimes(of: pattern)), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the time from the start of a pattern's usual trip to the arrival at each call, in seconds; empty without
    /// times.
    private func usualTravelTimes(of pattern: Pattern) -> [Int] {
        guard timetable.hasTimes, let timingGroup = pattern.usualTimingGroup else { return [] }
        // The arrival at the first stop may precede the start, which is the first departure.
        return pattern.times(ofTimingGroup: timingGroup).map { max(0, Int($0.arrival)) }
    }

    // MARK: Path

    /// Returns the path of the pattern with the most trips in a direction; `nil` if fewer than two positions are known.
    package func path(in direction: Direction?) throws(StoreError) -> RoutePath? {
        guard let pattern = byDirection.first(where: { $0.direction == direction })?.patterns.first,
            let trip = pattern.usualTrip
        else { return nil }
        let shape = try timetable.file.trip(trip).shape.map { (shape) throws(StoreError) in
            try timetable.file.shape(shape).points
        }
        var stops: [Coordinate?] = []
        for call in pattern.calls { stops.append(try timetable.cachedStop(call.stop).coordinate) }
        return RoutePath(shape: shape ?? [], stops: stops)
    }
}

/// Merges the stops of several patterns into one list: the first pattern's stops, with the additional stops of the
/// other patterns inserted after their predecessors.
struct StopOrder {
    private(set) var stops: [StopIndex]

    /// - Parameter lists: The stops of each pattern, the main pattern first.
    init(_ lists: [[StopIndex]]) {
        stops = []
        for list in lists { merge(list) }
    }

    private mutating func merge(_ list: [StopIndex]) {
        var position = 0
        for stop in list {
            if let known = stops.firstIndex(of: stop) {
                position = known + 1
            } else {
                stops.insert(stop, at: position)
                position += 1
            }
        }
    }
}

extension Pattern {
    var tripCount: Int { column(.starts).count }

    /// The largest timing group, whose running times represent the pattern; `nil` without trips.
    var usualTimingGroup: Int? {
        let sizes = (0..<timingGroupCount).map { tripRange(ofTimingGroup: $0).count }
        return sizes.indices.max { sizes[$0] < sizes[$1] }.flatMap { sizes[$0] > 0 ? $0 : nil }
    }

    /// The first trip of the largest timing group, which represents the pattern; `nil` without trips.
    var usualTrip: TripIndex? { usualTimingGroup.map(firstTrip) }
}

/// The departures of a set of trips on one day: the number of departures, and the first and last start in seconds of
/// service time.
private struct DailyDepartures {
    var count = 0
    var first: Int32?
    var last: Int32?

    mutating func add(first: Int32, last: Int32, count: Int) {
        self.count += count
        self.first = min(self.first ?? first, first)
        self.last = max(self.last ?? last, last)
    }

    /// Adds the trips of these services. Each trip instance from frequencies.txt counts.
    mutating func add(_ timingGroup: TimingGroup, services: Set<Int>) {
        let repeated = Set(timingGroup.frequencies.map(\.trip))
        for (trip, start) in timingGroup.starts.enumerated()
        where services.contains(timingGroup.services[trip].position) && !repeated.contains(UInt32(trip)) {
            add(first: start, last: start, count: 1)
        }
        for row in timingGroup.frequencies
        where services.contains(timingGroup.services[Int(row.trip)].position) && row.end > row.start && row.headway > 0
        {
            let runs = (row.end - row.start - 1) / row.headway + 1
            add(first: row.start, last: row.start + (runs - 1) * row.headway, count: Int(runs))
        }
    }
}
