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

    /// The rank of a name in another language, in UTF-8 and folded by ``SearchText/fold(_:)``; `nil` without a match.
    public func rank(foldedName: UnsafeBufferPointer<UInt8>) -> SearchRank? { query.rank(folded: foldedName) }

    /// Returns the rank of a stop by its texts in UTF-8; `nil` without a match.
    ///
    /// - Parameter foldedName: The name as folded by ``SearchText/fold(_:)``.
    public func rank(
        foldedName: UnsafeBufferPointer<UInt8>, code: UnsafeBufferPointer<UInt8>?, id: UnsafeBufferPointer<UInt8>
    ) -> SearchRank? {
        Self.best(
            query.rank(folded: foldedName), code: code.flatMap { query.rank(code: $0) }, id: query.rank(code: id))
    }

    private func rank(of entry: Entry) -> SearchRank? {
        Self.best(
            query.rank(folded: entry.foldedName), code: entry.code.flatMap { query.rank(code: $0) },
            id: query.rank(code: entry.id.rawValue))
    }

    private static func best(
        _ name: SearchRank?, code: @autoclosure () -> SearchRank?, id: @autoclosure () -> SearchRank?
    ) -> SearchRank? {
        var rank = name
        // An exact match cannot be improved.
        if rank != .exact { rank = better(rank, code()) }
        if rank != .exact { rank = better(rank, id()) }
        return rank
    }

    /// Whether a stop of a rank and kind can be among the best matches. If not, ``consider(_:translated:)`` has no effect.
    public func canInclude(_ rank: SearchRank, _ kind: Stop.Kind) -> Bool {
        guard found.isFull else { return true }
        guard let last = found.elements.last else { return false }
        return (rank, kind.searchOrder) <= (last.rank, last.entry.kind.searchOrder)
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
        let (left, right) = (left.entry, right.entry)
        if left.kind != right.kind { return left.kind.searchOrder < right.kind.searchOrder }
        if left.foldedName != right.foldedName {
            return NaturalOrder.areInIncreasingOrder(left.foldedName, right.foldedName)
        }
        let (platform, otherPlatform) = (left.platform ?? "", right.platform ?? "")
        if platform != otherPlatform { return NaturalOrder.areInIncreasingOrder(platform, otherPlatform) }
        if left.id != right.id { return NaturalOrder.areInIncreasingOrder(left.id.rawValue, right.id.rawValue) }
        return left.stop < right.stop
    }
}

extension Stop.Kind {
    /// The position in a list of matches: stations first, then stops where riders can board.
    fileprivate var searchOrder: Int {
        switch self {
        case .station: 0
        case .platform: 1
        case .boardingArea: 2
        case .entrance: 3
        case .node: 4
        }
    }
}
