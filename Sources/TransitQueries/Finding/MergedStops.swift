internal import TransitEngine
package import TransitModel
package import TransitStore

/// A combined list of the stops in several timetables. A stop that is in two feeds of one agency is listed once, as the
/// stop of the main feed, together with the data that the supplementary feed adds.
package struct MergedStops {
    /// The feed pairs whose timetables are both in the list.
    private let pairs: [FeedPair]

    /// A stop as an entry of a list.
    package struct ListedStop {
        package var timetable: Timetable
        package var index: StopIndex
        package var stop: Stop
        /// The other platforms of the stop that the list does not mention.
        package var namesakes: [StopIndex] = []
        /// The same stop in the agency's other feed.
        package var sameStop: FoundStop?
        /// The display names of the routes in both feeds, without duplicates.
        package var routes: [String]
    }

    package init(_ timetables: [Timetable], _ context: QueryContext) throws(StoreError) {
        var pairs: [FeedPair] = []
        for timetable in timetables {
            guard let pair = try context.pair(of: timetable), timetable === pair.main,
                timetables.contains(where: { $0 === pair.supplement })
            else { continue }
            pairs.append(pair)
        }
        self.pairs = pairs
    }

    /// Returns the main feed's stop under which a stop is listed; `nil` if the stop is listed as itself.
    package func canonicalStop(of stop: StopIndex, in timetable: Timetable) -> (timetable: Timetable, stop: StopIndex)?
    {
        guard let pair = pairs.first(where: { timetable === $0.supplement }), let main = pair.mapping.first(of: stop)
        else { return nil }
        return (pair.main, main)
    }

    /// For the timetable of a supplementary feed, returns the stops of the main feed that match a text; for other
    /// timetables, returns an empty list.
    package func matching(_ text: String, supplementedBy timetable: Timetable) throws(StoreError) -> Set<StopIndex> {
        guard let pair = pairs.first(where: { timetable === $0.supplement }) else { return [] }
        return try pair.main.matching(stops: text)
    }

    /// - Parameter namesakes: Other platforms that riders treat as the same stop.
    package func listed(
        _ stop: Stop, at index: StopIndex, with namesakes: [StopIndex] = [], in timetable: Timetable
    ) throws(StoreError) -> ListedStop {
        var listed = ListedStop(
            timetable: timetable, index: index, stop: stop, namesakes: namesakes,
            routes: try timetable.routeNames(at: index, with: namesakes))
        guard let pair = pairs.first(where: { timetable === $0.main }) else { return listed }
        listed.sameStop = try pair.mapping.second(of: index).map { (sameStop) throws(StoreError) in
            FoundStop(timetable: pair.supplement, index: sameStop, stop: try pair.supplement.file.stop(sameStop))
        }
        // The other feed may contain the station's platforms but not the station.
        let platforms = stop.kind == .station ? try timetable.file.children(of: index) : []
        for sameStop in ([index] + platforms + namesakes).compactMap(pair.mapping.second) {
            let known = Set(listed.routes.map { SearchText.fold($0) })
            listed.routes += try pair.supplement.routeNames(at: sameStop).filter {
                !known.contains(SearchText.fold($0))
            }
        }
        listed.routes = Array(listed.routes.prefix(Timetable.maximumRouteNames))
        return listed
    }
}

extension QueryContext {
    /// Returns the same stop in the agency's other feed; for a station, returns those of its platforms that are in both
    /// feeds.
    package func sameStop(of found: FoundStop) throws(StoreError) -> FoundStop? {
        guard let pair = try pair(of: found.timetable) else { return nil }
        let sameStops = pair.stops(try found.callingStops(), of: found.timetable)
        guard let first = sameStops.first else { return nil }
        let other = pair.other(than: found.timetable)
        return FoundStop(
            timetable: other, index: first, stop: try other.file.stop(first), namesakes: Array(sameStops.dropFirst()))
    }
}
