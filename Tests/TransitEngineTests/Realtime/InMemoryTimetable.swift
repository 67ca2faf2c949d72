internal import TransitEngine
internal import TransitModel

/// An in-memory timetable to which realtime data is matched. Trip 3 is "t3", stop 2 "s2", route 1 "r1".
struct InMemoryTimetable: TimetableLookup {
    var patterns: [Pattern]
    var context: TimetableCalendar
    /// The station of each platform.
    var parents: [Int: Int] = [:]
    var coordinates: [Int: Coordinate] = [:]
    var paths: [Int: [Coordinate]] = [:]

    init(_ timetable: SmallTimetable, _ zone: ServiceZone) {
        patterns = timetable.patterns
        context = timetable.context(zone)
    }

    init(patterns: [Pattern], context: TimetableCalendar) {
        self.patterns = patterns
        self.context = context
    }

    private static func number(_ id: String, _ letter: Character) -> Int? {
        id.first == letter ? Int(id.dropFirst()) : nil
    }

    func patternPositions(ofTrips ids: [TripID]) -> [TripPatternPosition?] {
        ids.map { id in Self.number(id.rawValue, "t").flatMap { projection(of: TripIndex($0)) } }
    }

    func projection(of trip: TripIndex) -> TripPatternPosition? {
        for pattern in patterns {
            for (number, timingGroup) in pattern.timingGroups.enumerated() {
                let position = trip.position - timingGroup.firstTrip.position
                if timingGroup.starts.indices.contains(position) {
                    return TripPatternPosition(pattern: pattern, timingGroup: number, position: position)
                }
            }
        }
        return nil
    }

    func stop(id: StopID) -> StopIndex? {
        Self.number(id.rawValue, "s").flatMap { $0 < 100 ? StopIndex($0) : nil }
    }

    func stop(_ index: StopIndex) -> Stop {
        Stop(
            id: StopID("s\(index.rawValue)"), name: "Stop \(index.rawValue)", coordinate: coordinates[index.position],
            parent: parents[index.position].map { StopIndex($0) })
    }

    func stopLocations(ofStops range: Range<Int>) -> [StopLocation] { range.map { StopLocation(stop(StopIndex($0))) } }

    func route(id: RouteID) -> RouteIndex? {
        Self.number(id.rawValue, "r").flatMap { number in
            patterns.contains { $0.route.position == number } ? RouteIndex(number) : nil
        }
    }

    var routeCount: Int { (patterns.map(\.route.position).max() ?? -1) + 1 }
    func routeID(_ index: RouteIndex) -> RouteID? { RouteID("r\(index.rawValue)") }

    func patterns(of route: RouteIndex) -> [Pattern] { patterns.filter { $0.route == route } }

    func patterns(at stop: StopIndex) -> [PatternCallPosition] {
        patterns.flatMap { pattern in
            pattern.calls.indices.filter { pattern.calls[$0].stop == stop }.map {
                PatternCallPosition(pattern: pattern, position: $0)
            }
        }
    }

    func path(of trip: TripIndex) -> [Coordinate] { paths[trip.position] ?? [] }
}
