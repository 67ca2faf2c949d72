public import TransitModel

/// Finds routes by name; made once for a version of a timetable.
public struct RouteSearch: Sendable {
    /// A route that was found.
    public struct Match: Hashable, Sendable {
        public var rank: SearchRank
        public var route: RouteIndex
    }

    private struct Entry {
        var route: RouteIndex
        /// The short and the long name, as far as there are any, folded.
        var names: [String]
        var id: String
        /// The characters of what riders call it, each folded.
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

    /// In the order in which routes are listed: `route_sort_order`, then the names in ``NaturalOrder``.
    private let entries: [Entry]

    /// - Parameter isOffered: whether a route is found at all; one on which nobody can ride is of no use.
    public init(routes: [Route], where isOffered: (RouteIndex) -> Bool = { _ in true }) {
        let entries = routes.enumerated().compactMap { position, route -> Entry? in
            guard isOffered(RouteIndex(position)) else { return nil }
            return Entry(
                route: RouteIndex(position),
                names: [route.shortName, route.longName].compactMap { $0 }.map(SearchText.fold),
                id: route.id.rawValue, keys: Self.keys(route.displayName), order: route.sortOrder ?? .max)
        }
        self.entries = entries.sorted { $0.isListed(before: $1) }
    }

    /// All routes in the order in which they are listed.
    public var all: [RouteIndex] { entries.map(\.route) }

    /// The routes whose short name, long name or identifier fits, best first; of those that fit alike in the order of listing.
    ///
    /// Nothing is found for a text without letters and digits.
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

// MARK: - A keypad's question

extension RouteSearch {
    /// What can follow the beginning of a route's name.
    public struct Continuation: Hashable, Sendable {
        /// Each once, folded to lower case without accents and shown in upper case; digits first, then letters, then others.
        public var characters: [String]
        /// Whether what was typed is already the whole name of a route.
        public var isComplete: Bool

        public init(characters: [String], isComplete: Bool) {
            self.characters = characters
            self.isComplete = isComplete
        }
    }

    /// The characters that lead on to the name of a route, so that a keypad never offers one that does not exist.
    ///
    /// The name is what riders call the route (``Route/displayName``). Case and accents do not matter, blanks and
    /// punctuation do: after "M" of "M-1" follows "-".
    public func nextCharacters(_ prefix: String) -> Continuation {
        let typed = Self.keys(prefix)
        let fitting = entries.lazy.map(\.keys).filter { $0.starts(with: typed) }
        let next = Set(fitting.compactMap { $0.count > typed.count ? $0[typed.count] : nil })
        return Continuation(
            characters: next.map { $0.uppercased() }.sorted(by: Self.isShown),
            isComplete: fitting.contains { $0.count == typed.count })
    }

    /// One text for each character, folded where something is left of it.
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
