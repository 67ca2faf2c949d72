package import TransitEngine
package import TransitModel
package import TransitStore

/// The routes that match a text, in several timetables.
package struct RouteSearchQuery {
    private let timetables: [Timetable]
    private let text: String

    /// - Parameter text: A part of a name; empty for all routes.
    package init(_ text: String, in timetables: [Timetable]) {
        self.text = text
        self.timetables = timetables
    }

    /// Returns the best matches. Matches of equal rank keep the order of the feeds.
    ///
    /// - Parameter count: The maximum number of matches per timetable.
    package func matches(
        count: Int
    ) throws(StoreError) -> [(timetable: Timetable, rank: SearchRank, route: RouteIndex)] {
        var found: [(timetable: Timetable, rank: SearchRank, route: RouteIndex)] = []
        for timetable in timetables { found += try timetable.search(routes: text, count: count) }
        if found.isEmpty, !text.isEmpty, let search = ApproximateSearch(text) {
            for timetable in timetables {
                // The standard library's sort keeps the order of equal elements.
                found += try timetable.routes(meantBy: search).sorted { $0.difference < $1.difference }
                    .prefix(max(0, count)).map { (timetable, .similar, $0.route) }
            }
        }
        found.sort { $0.rank < $1.rank }
        return found
    }

    /// Returns the characters that can follow the text in any of the timetables.
    package func continuation() throws(StoreError) -> RouteSearch.Continuation {
        let all = try timetables.map { (timetable) throws(StoreError) in
            try timetable.routeSearch.nextCharacters(text)
        }
        if all.count == 1 { return all[0] }
        let characters = Set(all.flatMap(\.characters)).sorted { NaturalOrder.areInIncreasingOrder($0, $1) }
        return RouteSearch.Continuation(characters: characters, isComplete: all.contains(where: \.isComplete))
    }
}
