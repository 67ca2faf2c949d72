internal import TransitModel

// Where a vehicle is on a way that may cross or repeat itself.
extension TripPath {
    /// Passes that lie farther away than the nearest by no more than this may be meant; metres. Both sides of a street, and
    /// the error of a position.
    private static let passTolerance = 30.0
    /// Near its ends, a circular way may begin again; metres.
    private static let lapMargin = 400.0

    /// Where the vehicle is.
    ///
    /// Of several passes within its reach the first counts: one that stands must not jump to the way back on the same street,
    /// and one that is on the way back soon leaves its reach for the way there. Without one within reach it has begun
    /// again where it had come to the end, or its place was wrong before and is not certain now.
    ///
    /// - Parameter reach: from what is remembered of it; `nil` for a vehicle that is seen first, for which the first pass counts.
    func place(of coordinate: Coordinate, reach: ReachablePathRange?) -> PathPosition? {
        let passes = passes(of: coordinate)
        guard let first = passes.first else { return nil }
        guard let reach else {
            return PathPosition(along: first.along, beside: first.beside, isCertain: passes.count == 1)
        }
        if let place = passes.first(where: { reach.least <= $0.along && $0.along <= reach.most }) {
            return PathPosition(along: max(place.along, reach.last), beside: place.beside, isCertain: true)
        }
        let lap = max(0, reach.most - length) + Self.lapMargin
        if reach.last > length - Self.lapMargin, first.along <= lap {
            return PathPosition(along: first.along, beside: first.beside, isCertain: true)
        }
        let place = passes.min { abs($0.along - reach.last) < abs($1.along - reach.last) } ?? first
        return PathPosition(along: place.along, beside: place.beside, isCertain: false)
    }

    /// The nearest place of each pass that may be meant, in the order of the way.
    private func passes(of coordinate: Coordinate) -> [Projection] {
        let places = places(of: coordinate, from: 0)
        guard let nearest = places.map(\.beside).min() else { return [] }
        var passes: [Projection] = []
        for place in places where place.beside <= nearest + Self.passTolerance {
            guard let last = passes.last, place.along - last.along <= 2 * (nearest + Self.passTolerance) + 40 else {
                passes.append(place)
                continue
            }
            if place.beside < last.beside { passes[passes.count - 1] = place }
        }
        return passes
    }
}
