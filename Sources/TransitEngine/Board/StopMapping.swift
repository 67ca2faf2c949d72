public import TransitModel

/// Maps the stops of two timetables that are the same place. Two feeds of one agency may identify a stop differently.
public struct StopMapping: Sendable {
    /// A stop with the properties that are compared.
    public struct ComparableStop: Hashable, Sendable {
        public var index: StopIndex
        public var id: StopID
        public var code: String?
        /// Folded by ``SearchText/fold(_:)``.
        public var foldedName: String
        public var coordinate: Coordinate

        public init(index: StopIndex, id: StopID, code: String?, foldedName: String, coordinate: Coordinate) {
            self.index = index
            self.id = id
            self.code = code
            self.foldedName = foldedName
            self.coordinate = coordinate
        }
    }

    private let secondByFirst: [StopIndex: StopIndex]
    private let firstBySecond: [StopIndex: StopIndex]

    /// The maximum distance between stops with a common identifier or code, in meters. Feeds place a stop on the curb,
    /// on the road or at a corner of its intersection.
    static let maximumDistance = 250.0
    /// The maximum distance in meters between stops that have only their name in common. The stop in the opposite
    /// direction has the same name and is usually farther away than the same stop in the other feed.
    static let maximumDistanceWithSameName = 100.0

    /// Maps each stop to at most one stop of the other timetable. Identifiers have precedence over codes, codes over
    /// names, and names over distance.
    public init(_ first: [ComparableStop], _ second: [ComparableStop]) {
        var candidates: [Candidate] = []
        let grid = StopGrid(second, cell: Self.maximumDistance)
        for (one, place) in first.enumerated() {
            grid.forEachNear(place.coordinate) { other in
                let meters = place.coordinate.distance(to: second[other].coordinate)
                guard let rank = Self.rank(place, second[other], meters) else { return }
                candidates.append(Candidate(rank: rank, meters: meters, first: one, second: other))
            }
        }
        var (secondByFirst, firstBySecond) = ([StopIndex: StopIndex](), [StopIndex: StopIndex]())
        for candidate in candidates.sorted() {
            let (one, other) = (first[candidate.first].index, second[candidate.second].index)
            guard secondByFirst[one] == nil, firstBySecond[other] == nil else { continue }
            secondByFirst[one] = other
            firstBySecond[other] = one
        }
        (self.secondByFirst, self.firstBySecond) = (secondByFirst, firstBySecond)
    }

    /// The number of mapped stops.
    public var count: Int { secondByFirst.count }

    /// Returns the stop of the second timetable that is the same as a stop of the first.
    public func second(of first: StopIndex) -> StopIndex? { secondByFirst[first] }

    /// Returns the stop of the first timetable that is the same as a stop of the second.
    public func first(of second: StopIndex) -> StopIndex? { firstBySecond[second] }

    /// Returns the rank of a match, lower for a more certain one; `nil` if the stops do not match.
    private static func rank(_ one: ComparableStop, _ other: ComparableStop, _ meters: Double) -> Int? {
        guard meters <= maximumDistance else { return nil }
        if one.id == other.id { return 0 }
        if let code = one.code, !code.isEmpty, code == other.code { return 1 }
        return one.foldedName == other.foldedName && meters <= maximumDistanceWithSameName ? 2 : nil
    }

    private struct Candidate: Comparable {
        var rank: Int
        var meters: Double
        var first: Int
        var second: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.rank, left.meters, left.first, left.second) < (right.rank, right.meters, right.first, right.second)
        }
    }
}

/// Stops grouped by the cells of a grid, so that each stop is compared only with its neighbors.
private struct StopGrid {
    private struct Cell: Hashable {
        var north: Int
        var east: Int
    }

    private var positions: [Cell: [Int]] = [:]
    /// In degrees.
    private let height: Double
    private let width: Double

    /// - Parameter cell: the minimum height and width of a cell at every location, in meters.
    init(_ places: [StopMapping.ComparableStop], cell: Double) {
        // Parallels get shorter toward the poles, so the northernmost or southernmost stop determines the width.
        let maximumLatitude = places.map { abs($0.coordinate.latitude) }.max() ?? 0
        (height, width) = (cell / Self.degree(), cell / max(1, Self.degree(alongParallelAt: min(maximumLatitude, 89))))
        for (position, place) in places.enumerated() {
            positions[self.cell(of: place.coordinate), default: []].append(position)
        }
    }

    func forEachNear(_ place: Coordinate, _ body: (Int) -> Void) {
        let middle = cell(of: place)
        for north in -1...1 {
            for east in -1...1 {
                positions[Cell(north: middle.north + north, east: middle.east + east)]?.forEach(body)
            }
        }
    }

    private func cell(of place: Coordinate) -> Cell {
        Cell(
            north: Int((place.latitude / height).rounded(.down)), east: Int((place.longitude / width).rounded(.down)))
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
