public import TransitModel

/// Which stops of two timetables are the same place: for two feeds of one agency, which need not name a stop alike.
public struct StopMapping: Sendable {
    /// A stop as far as it can be compared.
    public struct ComparableStop: Hashable, Sendable {
        public var index: StopIndex
        public var id: StopID
        public var code: String?
        /// As ``SearchText/fold(_:)`` makes it.
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

    private let seconds: [StopIndex: StopIndex]
    private let firsts: [StopIndex: StopIndex]

    /// Metres within which an identifier or a code in common means the same stop: feeds place a stop on the kerb, on the road
    /// or at a corner of its crossing.
    static let farthest = 250.0
    /// Metres within which a name in common does; the stop of the other direction has it as well, and is mostly farther
    /// away than the same stop in the other feed.
    static let maximumDistanceWithSameName = 100.0

    /// Each stop has one twin at most: identifiers decide before codes, codes before names, and then the distance.
    public init(_ first: [ComparableStop], _ second: [ComparableStop]) {
        var candidates: [Candidate] = []
        let grid = StopGrid(second, cell: Self.farthest)
        for (one, place) in first.enumerated() {
            grid.forEachNear(place.coordinate) { other in
                let meters = place.coordinate.distance(to: second[other].coordinate)
                guard let rank = Self.rank(place, second[other], meters) else { return }
                candidates.append(Candidate(rank: rank, meters: meters, first: one, second: other))
            }
        }
        var (seconds, firsts) = ([StopIndex: StopIndex](), [StopIndex: StopIndex]())
        for candidate in candidates.sorted() {
            let (one, other) = (first[candidate.first].index, second[candidate.second].index)
            guard seconds[one] == nil, firsts[other] == nil else { continue }
            seconds[one] = other
            firsts[other] = one
        }
        (self.seconds, self.firsts) = (seconds, firsts)
    }

    /// How many stops have a twin.
    public var count: Int { seconds.count }

    /// The stop of the second timetable that a stop of the first is.
    public func second(of first: StopIndex) -> StopIndex? { seconds[first] }

    /// The stop of the first timetable that a stop of the second is.
    public func first(of second: StopIndex) -> StopIndex? { firsts[second] }

    /// Lower is surer; `nil`: nothing says that they are the same.
    private static func rank(_ one: ComparableStop, _ other: ComparableStop, _ meters: Double) -> Int? {
        guard meters <= farthest else { return nil }
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

/// Places by the cells of a grid, so that each is compared with its neighbours alone.
private struct StopGrid {
    private struct Cell: Hashable {
        var north: Int
        var east: Int
    }

    private var positions: [Cell: [Int]] = [:]
    /// Degrees.
    private let height: Double
    private let width: Double

    /// - Parameter cell: metres that a cell is at least high and wide, at every place.
    init(_ places: [StopMapping.ComparableStop], cell: Double) {
        // The parallels become shorter towards the poles: the northernmost or southernmost place says how wide a cell is.
        let farthest = places.map { abs($0.coordinate.latitude) }.max() ?? 0
        (height, width) = (cell / Self.degree(), cell / max(1, Self.degree(alongParallelAt: min(farthest, 89))))
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

    /// Metres of a degree of a meridian.
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
