internal import TransitModel

#if canImport(Glibc)
    internal import Glibc
#endif

/// The way of a pattern's trips over the ground: their shape, or straight lines from stop to stop, with where along it they call.
struct TripPath {
    /// Metres east and north of the first point.
    private struct Point {
        var east: Double
        var north: Double
    }

    /// Where something lies on the way.
    struct Projection {
        /// Metres from the start of the way.
        var along: Double
        /// Metres beside the way.
        var beside: Double
    }

    let isShape: Bool
    private let origin: Coordinate
    /// Metres of a degree of longitude at the first point; the way of a trip is short enough for that.
    private let metersPerDegreeEast: Double
    private let points: [Point]
    /// Metres from the start of the way to each point.
    private let lengths: [Double]
    /// Metres from the start of the way to each call, ascending.
    private(set) var calls: [Double] = []
    /// Metres from the start of the way to its end.
    var length: Double { lengths.last ?? 0 }

    private static let metersPerDegree = 111_195.08

    /// `nil` when a stop has no coordinate, or there are fewer than two points.
    ///
    /// - Parameter shape: empty when the trip has none.
    init?(shape: [Coordinate], stops: [Coordinate?]) {
        let known = stops.compactMap { $0 }
        guard known.count == stops.count else { return nil }
        isShape = shape.count > 1
        let way = isShape ? shape : known
        guard way.count > 1, let origin = way.first else { return nil }
        self.origin = origin
        metersPerDegreeEast = Self.metersPerDegree * cos(origin.latitude * .pi / 180)
        var points: [Point] = []
        var lengths: [Double] = []
        for coordinate in way {
            let point = Self.point(coordinate, origin, metersPerDegreeEast)
            let step = points.last.map { Self.distance($0, point) } ?? 0
            lengths.append((lengths.last ?? 0) + step)
            points.append(point)
        }
        self.points = points
        self.lengths = lengths
        calls = isShape ? along(known) : lengths
    }

    private static func point(_ coordinate: Coordinate, _ origin: Coordinate, _ scale: Double) -> Point {
        Point(
            east: (coordinate.longitude - origin.longitude) * scale,
            north: (coordinate.latitude - origin.latitude) * metersPerDegree)
    }

    private static func distance(_ left: Point, _ right: Point) -> Double {
        let (east, north) = (right.east - left.east, right.north - left.north)
        return (east * east + north * north).squareRoot()
    }

    /// Where the stops lie: each not before the one before it, on the first pass that is about as near as any.
    private func along(_ stops: [Coordinate]) -> [Double] {
        var first = 0.0
        return stops.map { stop in
            let places = self.places(of: stop, from: first)
            let nearest = places.map(\.beside).min() ?? 0
            first = places.first { $0.beside <= nearest + 20 }?.along ?? first
            return first
        }
    }

    /// The nearest place on every segment that reaches behind `first`.
    func places(of coordinate: Coordinate, from first: Double) -> [Projection] {
        let point = Self.point(coordinate, origin, metersPerDegreeEast)
        var places: [Projection] = []
        for segment in 0..<(points.count - 1) where lengths[segment + 1] >= first {
            let place = self.place(of: point, on: segment)
            places.append(Projection(along: max(place.along, first), beside: place.beside))
        }
        return places
    }

    private func place(of point: Point, on segment: Int) -> Projection {
        let (start, end) = (points[segment], points[segment + 1])
        let (east, north) = (end.east - start.east, end.north - start.north)
        let square = east * east + north * north
        let share =
            square > 0
            ? min(1, max(0, ((point.east - start.east) * east + (point.north - start.north) * north) / square)) : 0
        let foot = Point(east: start.east + share * east, north: start.north + share * north)
        return Projection(along: lengths[segment] + share * square.squareRoot(), beside: Self.distance(point, foot))
    }

    /// Where a vehicle is. Where the way passes several times, the pass that is nearest to `expected` metres along it counts.
    func place(of coordinate: Coordinate, expected: Double) -> Projection? {
        let places = places(of: coordinate, from: 0)
        guard let nearest = places.map(\.beside).min() else { return nil }
        return places.filter { $0.beside <= nearest + 30 }
            .min { abs($0.along - expected) < abs($1.along - expected) }
    }
}
