package import TransitEngine
internal import TransitModel
package import TransitStore

/// The stops that match a text, in several timetables. A stop that is in two feeds of one agency is found once.
package struct StopSearchQuery {
    private let timetables: [Timetable]
    private let filter: StopFilter
    private let mergedStops: MergedStops

    package struct Match {
        package var rank: SearchRank
        fileprivate var timetable: Timetable
        fileprivate var hit: Timetable.StopHit
    }

    package init(_ timetables: [Timetable], filter: StopFilter, _ context: QueryContext) throws(StoreError) {
        self.timetables = timetables.filter(filter.allows)
        self.filter = filter
        mergedStops = try MergedStops(self.timetables, context)
    }

    /// Returns the best matches.
    ///
    /// - Parameter count: The maximum number of matches per timetable.
    package func matches(_ text: String, count: Int) throws(StoreError) -> [Match] {
        var matches: [Match] = []
        for timetable in timetables {
            let found = try mergedStops.matching(text, supplementedBy: timetable)
            matches += try timetable.search(stops: text, count: count) { stop in
                filter.allows(stop)
                    && !(mergedStops.canonicalStop(of: stop, in: timetable).map { found.contains($0.stop) } ?? false)
            }.map { Match(rank: $0.rank, timetable: timetable, hit: $0) }
        }
        if matches.isEmpty {
            for timetable in timetables {
                matches += try timetable.search(misspelledStops: text, count: count) { stop in
                    filter.allows(stop) && mergedStops.canonicalStop(of: stop, in: timetable) == nil
                }.map { Match(rank: $0.rank, timetable: timetable, hit: $0) }
            }
        }
        // The matches from each timetable are already in order. Matches of equal rank keep the order of the feeds.
        matches.sort { $0.rank < $1.rank }
        return matches
    }

    /// Returns a match as an entry of a list.
    package func listed(_ match: Match) throws(StoreError) -> MergedStops.ListedStop {
        guard let main = mergedStops.canonicalStop(of: match.hit.index, in: match.timetable) else {
            return try mergedStops.listed(match.hit.stop, at: match.hit.index, in: match.timetable)
        }
        return try mergedStops.listed(try main.timetable.file.stop(main.stop), at: main.stop, in: main.timetable)
    }
}
