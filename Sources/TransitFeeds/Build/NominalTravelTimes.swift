internal import TransitModel

/// How long a vehicle may take from stop to stop where nobody publishes it: an even speed along the straight line, made
/// longer by the streets, with the halts in it.
struct NominalTravelTimes {
    /// Metres per second over the ground, halts included: usual averages of the kinds of transport in cities.
    private let speed: Double
    /// Streets are longer than straight lines by about this much.
    private static let detour = 1.3
    /// Between stops of which one has no place.
    private static let unknown: Int32 = 90
    /// Two stops are never closer than this.
    private static let shortest: Int32 = 20

    /// - Parameter type: `route_type` of GTFS.
    init(type: Int) {
        speed =
            switch type {
            case 1, 400..<500: 9
            case 2, 100..<200: 14
            case 4, 1000..<1100: 6
            default: 5
            }
    }

    /// Seconds after the first call, one for each call.
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
        guard let from, let to else { return Self.unknown }
        let meters = min(from.distance(to: to), 1_000_000)
        return max(Self.shortest, Int32((meters * Self.detour / speed).rounded()))
    }
}
