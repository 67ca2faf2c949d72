internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Looks up trips and stops in this version of the timetable to match realtime data.
extension Timetable: TimetableLookup {
    func patternPositions(ofTrips ids: [TripID]) throws -> [TripPatternPosition?] {
        try file.locate(ids).map { location in
            location.map {
                TripPatternPosition(pattern: $0.pattern, timingGroup: $0.timingGroup, position: $0.position)
            }
        }
    }

    func stop(id: StopID) throws -> StopIndex? { try file.stop(id: id) }
    func stop(_ index: StopIndex) throws -> Stop { try file.stop(index) }
    func stopLocations(ofStops range: Range<Int>) throws -> [StopLocation] { try file.stopLocations(ofStops: range) }
    func route(id: RouteID) -> RouteIndex? { file.route(id: id) }
    func patterns(of route: RouteIndex) throws -> [Pattern] { try file.patterns(of: route) }

    func patterns(at stop: StopIndex) throws -> [PatternCallPosition] { try file.patterns(at: stop) }

    func path(of trip: TripIndex) throws -> [Coordinate] {
        guard let shape = try file.trip(trip).shape else { return [] }
        return try file.shape(shape).points
    }
}
