internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The stops of several timetables as one list: what two feeds of one agency both have stands in it once, as the stop of the
/// feed that the other one is beside, together with what the other one adds.
struct MergedStops {
    /// Those of which both timetables are listed.
    private let pairs: [FeedPair]
    /// The language for stop names, if the feeds translate them.
    private let language: String?

    /// A stop as a list shows it.
    struct ListedStop {
        var stop: StopSummary
        /// The same stop in the agency's other feed.
        var twin: StopSummary?
        /// What riders call the routes of both, each once.
        var routes: [String]
    }

    init(_ timetables: [Timetable], _ context: RequestContext, language: String? = nil) throws(StoreError) {
        self.language = language
        var pairs: [FeedPair] = []
        for timetable in timetables {
            guard let pair = try context.pair(of: timetable), timetable === pair.main,
                timetables.contains(where: { $0 === pair.beside })
            else { continue }
            pairs.append(pair)
        }
        self.pairs = pairs
    }

    /// The stop as which a stop is listed; `nil` where that is itself.
    func main(of stop: StopIndex, in timetable: Timetable) -> (timetable: Timetable, stop: StopIndex)? {
        guard let pair = pairs.first(where: { timetable === $0.beside }), let main = pair.twins.first(of: stop)
        else { return nil }
        return (pair.main, main)
    }

    /// The stops that a text fits in the timetable that another one is beside; none for one that is beside none.
    func matching(_ text: String, besides timetable: Timetable) throws(StoreError) -> Set<StopIndex> {
        guard let pair = pairs.first(where: { timetable === $0.beside }) else { return [] }
        return try pair.main.matching(stops: text)
    }

    /// - Parameter namesakes: other platforms that riders consider the same stop.
    func listed(
        _ stop: Stop, at index: StopIndex, with namesakes: [StopIndex] = [], in timetable: Timetable
    ) throws(StoreError) -> ListedStop {
        var listed = ListedStop(
            stop: try NameRenderer(timetable: timetable, language: language).stop(stop),
            routes: try timetable.routeNames(at: index, with: namesakes))
        guard let pair = pairs.first(where: { timetable === $0.main }) else { return listed }
        listed.twin = try pair.twins.second(of: index).map { (twin) throws(StoreError) in
            try NameRenderer(timetable: pair.beside, language: language).stop(at: twin)
        }
        // The other feed has a station if it has its platforms.
        let platforms = stop.kind == .station ? try timetable.file.children(of: index) : []
        for twin in ([index] + platforms + namesakes).compactMap(pair.twins.second) {
            let known = Set(listed.routes.map { SearchText.fold($0) })
            listed.routes += try pair.beside.routeNames(at: twin).filter { !known.contains(SearchText.fold($0)) }
        }
        listed.routes = Array(listed.routes.prefix(Timetable.maximumRouteNames))
        return listed
    }
}

extension RequestContext {
    /// The same stop in the agency's other feed; of a station those of its platforms that both have.
    func twin(of found: FoundStop) throws(StoreError) -> FoundStop? {
        guard let pair = try pair(of: found.timetable) else { return nil }
        let twins = pair.stops(try found.callingStops(), of: found.timetable)
        guard let first = twins.first else { return nil }
        let other = pair.other(than: found.timetable)
        return FoundStop(
            timetable: other, index: first, stop: try other.file.stop(first), namesakes: Array(twins.dropFirst()))
    }
}
