public import TransitModel

/// Places grouped by the cells of a grid, so that each place is compared only with its neighbors.
public struct CoordinateGrid: Sendable {
    private struct Cell: Hashable {
        var north: Int32
        var east: Int32
    }

    private var positions: [Cell: [Int32]] = [:]
    /// In degrees.
    private let height: Double
    private let width: Double

    /// - Parameters:
    ///   - places: The places, with numbers by which they are found again.
    ///   - cell: The minimum height and width of a cell at every location, in meters.
    public init(_ places: some Sequence<(number: Int, place: Coordinate)>, cell: Double) {
        let places = Array(places)
        // Parallels get shorter toward the poles, so the northernmost or southernmost place determines the width.
        let maximumLatitude = places.map { abs($0.place.latitude) }.max() ?? 0
        (height, width) = (cell / Self.degree(), cell / max(1, Self.degree(alongParallelAt: min(maximumLatitude, 89))))
        for (number, place) in places {
            positions[self.cell(of: place), default: []].append(Int32(number))
        }
    }

    /// Calls `body` with the number of each place that may be within the size of a cell of `place`.
    ///
    /// - Parameter limit: The number of places in one cell that are visited.
    public func forEachNear(_ place: Coordinate, limit: Int = .max, _ body: (Int) -> Void) {
        let middle = cell(of: place)
        for north in Int32(-1)...1 {
            for east in Int32(-1)...1 {
                let cell = Cell(north: middle.north + north, east: middle.east + east)
                for number in positions[cell]?.prefix(limit) ?? [] { body(Int(number)) }
            }
        }
    }

    private func cell(of place: Coordinate) -> Cell {
        Cell(
            north: Int32((place.latitude / height).rounded(.down)),
            east: Int32((place.longitude / width).rounded(.down)))
    }

    /// The length of a degree of latitude, in meters.
    private static func degree() -> Double { meters(from: (1, 0), to: (2, 0)) }

    private static func degree(alongParallelAt latitude: Double) -> Double {
        meters(from: (latitude, 1), to: (latitude, 2))
    }

    private static func meters(from: (Double, Double), to: (Double, Double)) -> Double {
        guard let from = Coordinate(latitude: from.0, longitude: from.1),
            let to = Coordinate(latitude: to.0, longitude: to.1)
        else { return 1 }
        return from.distance(to: to)
    }
}
