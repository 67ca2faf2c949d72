public import TransitModel

/// Finds stops by name, code or identifier. The search examines one stop at a time and keeps the best matches.
///
/// Matches are sorted by rank, then by kind, with stations before the stops and platforms that may belong to them, and
/// then by name, platform and identifier in ``NaturalOrder``.
public struct StopSearch: Sendable {
    /// The properties of a stop that are searched.
    public struct Entry: Hashable, Sendable {
        public var stop: StopIndex
        public var id: StopID
        public var code: String?
        /// Folded by ``SearchText/fold(_:)``.
        public var foldedName: String
        public var platform: String?
        public var kind: Stop.Kind

        public init(
            stop: StopIndex, id: StopID, code: String?, foldedName: String, platform: String?, kind: Stop.Kind
        ) {
            self.stop = stop
            self.id = id
            self.code = code
            self.foldedName = foldedName
            self.platform = platform
            self.kind = kind
        }

        public init(_ stop: Stop, at index: StopIndex) {
            self.init(
                stop: index, id: stop.id, code: stop.code, foldedName: SearchText.fold(stop.name),
                platform: stop.platform, kind: stop.kind)
        }
    }

    /// A stop that matches.
    public struct Match: Hashable, Sendable {
        public var rank: SearchRank
        public var entry: Entry
    }

    private let query: SearchQuery
    private var found: SmallestElements<Match>

    /// - Parameter count: the maximum number of matches.
    public init(_ text: String, count: Int) {
        query = SearchQuery(text)
        found = SmallestElements(capacity: max(0, count))
    }

    /// Examines a stop.
    ///
    /// - Parameter translated: the rank of the stop's name in another language (``rank(foldedName:)``).
    public mutating func consider(_ entry: Entry, translated: SearchRank? = nil) {
        if let rank = Self.better(rank(of: entry), translated) { found.insert(Match(rank: rank, entry: entry)) }
    }

    /// The rank of a name in another language, folded by ``SearchText/fold(_:)``; `nil` without a match.
    public func rank(foldedName: String) -> SearchRank? { query.rank(folded: foldedName) }

    /// Returns the rank of a stop; `nil` without a match.
    public func rank(of entry: Entry) -> SearchRank? {
        var rank = query.rank(folded: entry.foldedName)
        // An exact match cannot be improved.
        if rank != .exact, let code = entry.code { rank = Self.better(rank, query.rank(code: code)) }
        if rank != .exact { rank = Self.better(rank, query.rank(code: entry.id.rawValue)) }
        return rank
    }

    private static func better(_ left: SearchRank?, _ right: SearchRank?) -> SearchRank? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// The best matches so far, best first.
    public var matches: [Match] { found.elements }
}

extension StopSearch.Match: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.entry.order != right.entry.order { return left.entry.order < right.entry.order }
        for (one, other) in [
            (left.entry.foldedName, right.entry.foldedName), (left.entry.platform ?? "", right.entry.platform ?? ""),
            (left.entry.id.rawValue, right.entry.id.rawValue),
        ] where one != other {
            return NaturalOrder.areInIncreasingOrder(one, other)
        }
        return left.entry.stop < right.entry.stop
    }
}

extension StopSearch.Entry {
    /// The sort position of the stop's kind: stations first, then stops where riders can board.
    fileprivate var order: Int {
        switch kind {
        case .station: 0
        case .platform: 1
        case .boardingArea: 2
        case .entrance: 3
        case .node: 4
        }
    }
}
