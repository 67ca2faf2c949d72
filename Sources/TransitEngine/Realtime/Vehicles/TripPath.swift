internal import TransitModel

#if canImport(Glibc)
    internal import Glibc
#endif

/// The path of a pattern's trips, with the position of each call along it. The path is the trip's shape, or straight
/// lines between the stops.
struct TripPath {
    /// Meters east and north of the first point.
    private struct Point {
        var east: Double
        var north: Double
    }

    /// The projection of a location onto the path.
    struct Projection {
        /// Distance from the start of the path, in meters.
        var distanceAlongPath: Double
        /// Distance from the path, in meters.
        var distanceFromPath: Double
    }

    let isShape: Bool
    private let origin: Coordinate
    /// Meters per degree of longitude at the first point. The path of a trip is short enough to use the same value
    /// throughout.
    private let metersPerDegreeEast: Double
    private let points: [Point]
    /// Distance from the start of the path to each point, in meters.
    private let lengths: [Double]
    /// Distance from the start of the path to each call, in meters, ascending.
    private(set) var calls: [Double] = []
    /// Total length, in meters.
    var length: Double { lengths.last ?? 0 }

    private static let metersPerDegree = 111_195.08

    /// Returns `nil` if a stop has no coordinate, or if there are fewer than two points.
    ///
    /// - Parameter shape: the points of the shape; empty if the trip has none.
    init?(shape: [Coordinate], stops: [Coordinate?]) {
        let known = stops.compactMap { $0 }
        guard known.count == stops.count else { return nil }
        isShape = shape.count > 1
        let line = isShape ? shape : known
        guard line.count > 1, let origin = line.first else { return nil }
        self.origin = origin
        metersPerDegreeEast = Self.metersPerDegree * cos(origin.latitude * .pi / 180)
        var points: [Point] = []
        var lengths: [Double] = []
        for coordinate in line {
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

    /// Returns the distances of the stops along the path. No stop is before the previous one. If the path passes a stop
    /// several times, the first pass that is about as near as the nearest pass is used.
    private func along(_ stops: [Coordinate]) -> [Double] {
        var first = 0.0
        return stops.map { stop in
            let projections = self.projections(of: stop, from: first)
            let nearest = projections.map(\.distanceFromPath).min() ?? 0
            first = projections.first { $0.distanceFromPath <= nearest + 20 }?.distanceAlongPath ?? first
            return first
        }
    }

    /// Returns the nearest point on every segment that extends beyond `first`.
    private func projections(of coordinate: Coordinate, from first: Double) -> [Projection] {
        let point = Self.point(coordinate, origin, metersPerDegreeEast)
        var projections: [Projection] = []
        for segment in 0..<(points.count - 1) where lengths[segment + 1] >= first {
            let projection = self.projection(of: point, on: segment)
            projections.append(
                Projection(
                    distanceAlongPath: max(projection.distanceAlongPath, first),
                    distanceFromPath: projection.distanceFromPath))
        }
        return projections
    }

    private func projection(of point: Point, on segment: Int) -> Projection {
        let (start, end) = (points[segment], points[segment + 1])
        let (east, north) = (end.east - start.east, end.north - start.north)
        let square = east * east + north * north
        let share =
            square > 0
            ? min(1, max(0, ((point.east - start.east) * east + (point.north - start.north) * north) / square)) : 0
        let foot = Point(east: start.east + share * east, north: start.north + share * north)
        return Projection(
            distanceAlongPath: lengths[segment] + share * square.squareRoot(),
            distanceFromPath: Self.distance(point, foot))
    }

    /// Projects a vehicle's position onto the path. If the path passes the position several times, the pass nearest to
    /// `expected` meters along the path is used.
    func projection(of coordinate: Coordinate, expected: Double) -> Projection? {
        let projections = projections(of: coordinate, from: 0)
        guard let nearest = projections.map(\.distanceFromPath).min() else { return nil }
        return projections.filter { $0.distanceFromPath <= nearest + 30 }
            .min { abs($0.distanceAlongPath - expected) < abs($1.distanceAlongPath - expected) }
    }
}

// MARK: - Vehicles on a path that crosses or repeats itself

extension TripPath {
    /// The maximum number of meters by which a possible pass may be farther from the vehicle than the nearest pass. The
    /// value allows for both sides of a street and the error of a position.
    private static let passTolerance = 30.0
    /// The distance from either end of a circular path within which a vehicle may start the path again, in meters.
    private static let lapMargin = 400.0

    /// Locates the vehicle on the path.
    ///
    /// The first pass within the reachable range is used. A stationary vehicle must not jump to the return pass on the
    /// same street, and for a vehicle on the return pass, the outbound pass is soon out of range. If no pass is within
    /// the range, the vehicle either reached the end of the path and started again, or its previous position was wrong
    /// and the new one is uncertain.
    ///
    /// - Parameter reachableRange: the range from the vehicle's track. `nil` for a new vehicle, for which the first
    ///   pass is used.
    func position(of coordinate: Coordinate, reachableRange: ReachablePathRange?) -> PathPosition? {
        let passes = passes(of: coordinate)
        guard let first = passes.first else { return nil }
        guard let reachableRange else {
            return PathPosition(
                distanceAlongPath: first.distanceAlongPath, distanceFromPath: first.distanceFromPath,
                isCertain: passes.count == 1)
        }
        if let projection = passes.first(where: {
            reachableRange.minimum <= $0.distanceAlongPath && $0.distanceAlongPath <= reachableRange.maximum
        }) {
            return PathPosition(
                distanceAlongPath: max(projection.distanceAlongPath, reachableRange.last),
                distanceFromPath: projection.distanceFromPath, isCertain: true)
        }
        let lap = max(0, reachableRange.maximum - length) + Self.lapMargin
        if reachableRange.last > length - Self.lapMargin, first.distanceAlongPath <= lap {
            return PathPosition(
                distanceAlongPath: first.distanceAlongPath, distanceFromPath: first.distanceFromPath, isCertain: true)
        }
        let projection =
            passes.min {
                abs($0.distanceAlongPath - reachableRange.last) < abs($1.distanceAlongPath - reachableRange.last)
            } ?? first
        return PathPosition(
            distanceAlongPath: projection.distanceAlongPath, distanceFromPath: projection.distanceFromPath,
            isCertain: false)
    }

    /// Returns the nearest point of each possible pass, in travel order.
    private func passes(of coordinate: Coordinate) -> [Projection] {
        let projections = projections(of: coordinate, from: 0)
        guard let nearest = projections.map(\.distanceFromPath).min() else { return [] }
        var passes: [Projection] = []
        for projection in projections where projection.distanceFromPath <= nearest + Self.passTolerance {
            guard let last = passes.last,
                projection.distanceAlongPath - last.distanceAlongPath <= 2 * (nearest + Self.passTolerance) + 40
            else {
                passes.append(projection)
                continue
            }
            if projection.distanceFromPath < last.distanceFromPath { passes[passes.count - 1] = projection }
        }
        return passes
    }
}
