public import TransitModel

/// The distance that a rider travels on a trip.
public struct TripDistance: Hashable, Sendable {
    public var meters: Int
    /// Whether the trip has no shape, so that the distance is that of great circles from stop to stop.
    public var isStraightLine: Bool

    public init(meters: Int, isStraightLine: Bool) {
        self.meters = meters
        self.isStraightLine = isStraightLine
    }

    /// Computes the distance between two calls of a trip. Returns `nil` if the position of one of the two stops is not
    /// known, or if the calls are not in order.
    ///
    /// - Parameters:
    ///   - shape: The points of the shape; empty if the trip has none.
    ///   - stops: The position of the stop of each call.
    ///   - from: The call at which the rider boards, as a position in `stops`.
    ///   - to: The call at which the rider alights.
    public init?(shape: [Coordinate], stops: [Coordinate?], from: Int, to: Int) {
        guard stops.indices.contains(from), stops.indices.contains(to), from < to, stops[from] != nil, stops[to] != nil
        else { return nil }
        if let path = TripPath(shape: shape, stops: stops), path.isShape, path.calls[to] > path.calls[from] {
            self.init(meters: Int((path.calls[to] - path.calls[from]).rounded()), isStraightLine: false)
            return
        }
        let known = stops[from...to].compactMap { $0 }
        let meters = zip(known, known.dropFirst()).reduce(0.0) { $0 + $1.0.distance(to: $1.1) }
        self.init(meters: Int(meters.rounded()), isStraightLine: true)
    }
}
