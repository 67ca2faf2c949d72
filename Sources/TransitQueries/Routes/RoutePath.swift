package import TransitModel

/// The path of a pattern's trips for a map.
package struct RoutePath {
    /// At least two points.
    package var points: [Coordinate]
    /// Whether the points are those of the trip's shape. Otherwise, they are the positions of the stops.
    package var isShape: Bool

    /// A path with more points is thinned out. A reply has at most 1 MB, and a point takes up to 12 bytes.
    static let maximumPoints = 20_000

    /// Returns `nil` if fewer than two points are known.
    ///
    /// - Parameters:
    ///   - shape: The points of the shape; empty if the trip has none.
    ///   - stops: The position of the stop of each call.
    init?(shape: [Coordinate], stops: [Coordinate?]) {
        isShape = shape.count > 1
        points = Self.thinned(isShape ? shape : stops.compactMap(\.self))
        guard points.count > 1 else { return nil }
    }

    /// Keeps the ends of the path, and points at equal intervals between them.
    private static func thinned(_ points: [Coordinate]) -> [Coordinate] {
        guard points.count > maximumPoints else { return points }
        return (0..<maximumPoints).map { points[$0 * (points.count - 1) / (maximumPoints - 1)] }
    }
}
