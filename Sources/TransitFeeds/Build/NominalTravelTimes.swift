internal import TransitModel

/// Estimates travel times between stops for a network without published times. The estimate is the straight-line
/// distance times a detour factor, divided by an average speed.
struct NominalTravelTimes {
    /// The typical average speed of the mode in a city, including dwell times, in meters per second.
    private let speed: Double
    /// The ratio of the street distance to the straight-line distance.
    private static let detourFactor = 1.3
    /// The travel time, in seconds, if one of the two stops has no coordinates.
    private static let unknownDistanceTime: Int32 = 90
    /// The minimum travel time between two stops, in seconds.
    private static let minimumTime: Int32 = 20

    /// - Parameter type: The `route_type` in GTFS.
    init(type: Int) {
        speed =
            switch type {
            case 1, 400..<500: 9
            case 2, 100..<200: 14
            case 4, 1000..<1100: 6
            default: 5
            }
    }

    /// Returns the time of each call in seconds after the first call.
    func times(_ places: [Coordinate?]) -> [Int32] {
        var seconds: Int32 = 0
        var times: [Int32] = []
        for (position, place) in places.enumerated() {
            if position > 0 { seconds += between(places[position - 1], place) }
            times.append(seconds)
        }
        return times
    }

    private func between(_ from: Coordinate?, _ to: Coordinate?) -> Int32 {
        guard let from, let to else { return Self.unknownDistanceTime }
        let meters = min(from.distance(to: to), 1_000_000)
        return max(Self.minimumTime, Int32((meters * Self.detourFactor / speed).rounded()))
    }
}
