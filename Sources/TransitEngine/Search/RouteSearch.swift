public import TransitModel

/// Finds the routes of a timetable version by name.
public struct RouteSearch: Sendable {
    /// A route that was found.
    public struct Match: Hashable, Sendable {
        public var rank: SearchRank
        public var route: RouteIndex
    }

    private struct Entry {
        var route: RouteIndex
        /// The short and the long name, folded.
        var names: [String]
        var id: String
        /// The folded characters of the name that riders know.
        var keys: [String]
        /// `route_sort_order`.
        var order: Int

        func isListed(before other: Entry) -> Bool {
            if order != other.order { return order < other.order }
            for (one, another) in zip(names + ["", id], other.names + ["", other.id]) where one != another {
                return NaturalOrder.areInIncreasingOrder(one, another)
            }
            return route < other.route
        }
    }

    /// The routes in listing order: by `route_sort_order`, then by name in ``NaturalOrder``.
    private let entries: [Entry]
    /// The positions in ``entries``, by route; `nil` for a route that is not offered.
    private let positions: [Int?]

    /// - Parameter isOffered: whether a route can be found. The closure should return `false` for routes that riders
    ///   cannot use.
    public init(routes: [Route], where isOffered: (RouteIndex) -> Bool = { _ in true }) {
        let entries = routes.enumerated().compactMap { position, route -> Entry? in
            guard isOffered(RouteIndex(position)) else { return nil }
            return Entry(
                route: RouteIndex(position),
                names: [route.shortName, route.longName].compactMap { $0 }.map(SearchText.fold),
                id: route.id.rawValue, keys: Self.keys(route.displayName), order: route.sortOrder ?? .max)
        }
        self.entries = entries.sorted { $0.isListed(before: $1) }
        var positions = [Int?](repeating: nil, count: routes.count)
        for (position, entry) in self.entries.enumerated() { positions[entry.route.position] = position }
        self.positions = positions
    }

    /// All routes in listing order.
    public var all: [RouteIndex] { entries.map(\.route) }

    /// Returns those of the routes that are offered, in listing order.
    public func listed(_ routes: Set<RouteIndex>) -> [RouteIndex] {
        routes.compactMap { positions.indices.contains($0.position) ? positions[$0.position] : nil }.sorted()
            .map { entries[$0].route }
    }

    /// Returns the routes whose short name, long name or identifier matches, best first. Equal matches are in listing
    /// order.
    ///
    /// The result is empty if the text contains neither letters nor digits.
    public func matches(_ text: String, count: Int) -> [Match] {
        let query = SearchQuery(text)
        let found = entries.compactMap { entry in
            let ranks =
                entry.names.compactMap { query.rank(folded: $0) } + [query.rank(code: entry.id)].compactMap { $0 }
            return ranks.min().map { Match(rank: $0, route: entry.route) }
        }
        // The standard library's sort keeps the order of equal elements.
        return Array(found.sorted { $0.rank < $1.rank }.prefix(max(0, count)))
    }
}

// MARK: - Keypad

extension RouteSearch {
    /// The characters that can follow the beginning of a route's name.
    public struct Continuation: Hashable, Sendable {
        /// Unique characters, folded to lowercase without accents and then shown in uppercase. Digits come first, then
        /// letters, then others.
        public var characters: [String]
        /// Whether the typed text is the whole name of a route.
        public var isComplete: Bool

        public init(characters: [String], isComplete: Bool) {
            self.characters = characters
            self.isComplete = isComplete
        }
    }

    /// Returns the characters that continue the name of a route, so that a keypad offers only existing routes.
    ///
    /// The name is the one that riders know (``Route/displayName``). Case and accents are ignored, but spaces and
    /// punctuation are not: "M" of "M-1" is followed by "-".
    public func nextCharacters(_ prefix: String) -> Continuation {
        let typed = Self.keys(prefix)
        let fitting = entries.lazy.map(\.keys).filter { $0.starts(with: typed) }
        let next = Set(fitting.compactMap { $0.count > typed.count ? $0[typed.count] : nil })
        return Continuation(
            characters: next.map { $0.uppercased() }.sorted(by: Self.isShown),
            isComplete: fitting.contains { $0.count == typed.count })
    }

    /// Returns the folded characters of a name. Characters that folding would remove are left unchanged.
    private static func keys(_ name: String) -> [String] {
        name.map { character in
            let folded = SearchText.fold(String(character))
            return folded.isEmpty ? String(character) : folded
        }
    }

    private static func isShown(_ left: String, before right: String) -> Bool {
        func group(_ text: String) -> Int {
            guard let character = text.first else { return 3 }
            return character.isNumber ? 0 : character.isLetter ? 1 : 2
        }
        return (group(left), left) < (group(right), right)
    }
}
