internal import TransitModel

// Locates vehicles on a path that may cross or repeat itself.
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
