internal import TransitEngine
internal import TransitModel

/// A timetable draft in memory that realtime data is matched against.
struct DraftTimetable: TimetableLookup {
    let context: TimetableCalendar
    let patterns: [Pattern]
    private let stops: [Stop]
    private let routes: [Route]
    private let stopNumbers: [StopID: StopIndex]
    private let tripNumbers: [TripID: TripIndex]
    private let tripIDs: [TripID]
    private let places: [TripIndex: TripPatternPosition]
    private let shapes: [TripIndex: ShapeIndex]
    private let shapeBytes: TextColumn

    init(_ draft: TimetableDraft, zone: ServiceZone) {
        var patterns: [Pattern] = []
        draft.patterns.forEachPattern { patterns.append($0) }
        var places: [TripIndex: TripPatternPosition] = [:]
        for pattern in patterns {
            for (number, timingGroup) in pattern.timingGroups.enumerated() {
                for position in timingGroup.starts.indices {
                    places[timingGroup.trip(position)] = TripPatternPosition(
                        pattern: pattern, timingGroup: number, position: position)
                }
            }
        }
        self.patterns = patterns
        self.places = places
        stops = draft.stops
        routes = draft.routes
        stopNumbers = Dictionary(
            draft.stops.enumerated().map { ($1.id, StopIndex($0)) }, uniquingKeysWith: { first, _ in first })
        let trips = (0..<draft.trips.count).map { (TripID(draft.trips.ids[$0]), TripIndex($0)) }
        tripNumbers = Dictionary(trips, uniquingKeysWith: { first, _ in first })
        tripIDs = trips.map(\.0)
        var shapes: [TripIndex: ShapeIndex] = [:]
        for number in 0..<draft.trips.count { shapes[TripIndex(number)] = draft.trips.shapes[number] }
        self.shapes = shapes
        shapeBytes = draft.shapes.packed
        // This is longer than any trip in the recorded feeds.
        context = TimetableCalendar(
            services: draft.services, zone: zone, latestStopTime: ServiceTime(seconds: 2 * 86_400))
    }

    func trip(id: TripID) -> TripIndex? { tripNumbers[id] }
    func tripID(_ index: TripIndex) -> TripID { tripIDs[index.position] }
    func patternPositions(ofTrips ids: [TripID]) -> [TripPatternPosition?] {
        ids.map { id in tripNumbers[id].flatMap { places[$0] } }
    }

    func stop(id: StopID) -> StopIndex? { stopNumbers[id] }
    func stop(_ index: StopIndex) -> Stop { stops[index.position] }
    func stopLocations(ofStops range: Range<Int>) -> [StopLocation] {
        stops[range.clamped(to: stops.indices)].map { StopLocation($0) }
    }
    func route(id: RouteID) -> RouteIndex? { routes.firstIndex { $0.id == id }.map { RouteIndex($0) } }
    var routeCount: Int { routes.count }
    func routeID(_ index: RouteIndex) -> RouteID? {
        routes.indices.contains(index.position) ? routes[index.position].id : nil
    }
    func patterns(of route: RouteIndex) -> [Pattern] { patterns.filter { $0.route == route } }

    func path(of trip: TripIndex) -> [Coordinate] {
        guard let shape = shapes[trip] else { return [] }
        return ShapePacking.points(Array(shapeBytes.bytes[shapeBytes.range(shape.position)])[...]) ?? []
    }

    func patterns(at stop: StopIndex) -> [PatternCallPosition] {
        patterns.flatMap { pattern in
            pattern.calls.indices.filter { pattern.calls[$0].stop == stop }.map {
                PatternCallPosition(pattern: pattern, position: $0)
            }
        }
    }
}
