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
        let grid = CoordinateGrid(
            second.enumerated().lazy.map { (number: $0.offset, place: $0.element.coordinate) },
            cell: Self.maximumDistance)
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
