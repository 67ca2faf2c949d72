internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore

/// Handles `stops.show`. Some sources are queried on demand for the routes at a stop.
struct StopsShowHandler: ArrivalsMethodHandler {
    typealias Parameters = StopsShowParameters

    let arrivals: ArrivalsService

    func query(for parameters: StopsShowParameters, _ context: QueryContext) throws -> StopQuery {
        try StopQuery(parameters.stop, feed: parameters.feed, context)
    }

    func isCurrent(_ query: StopQuery, _ context: QueryContext) -> Bool { query.isCurrent(context) }

    func requirements(of query: StopQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        try query.stops.compactMap { try requirement(of: $0) }
    }

    func reply(
        with query: StopQuery, to parameters: StopsShowParameters, _ context: RequestContext
    ) throws -> StopsShowResult {
        try StopsShowReply(query, parameters, source: source).result(context.query)
    }

    /// Returns the queries for the routes at a stop; `nil` if no source is queried for routes. For such providers, the
    /// responses complete the list of routes in the network.
    private func requirement(of found: FoundStop) throws -> ArrivalsRequirement? {
        let timetable = found.timetable
        let stops = try found.callingStops().map { (stop) throws(StoreError) in try timetable.cachedStop(stop).id }
        let queries = arrivals.stopRoutesQueries(stops, of: timetable.feed)
        guard !queries.isEmpty else { return nil }
        return ArrivalsRequirement(
            feed: timetable.feed, queries: Array(queries.prefix(ArrivalsRequirement.maximumQueries)), stops: stops,
            isTruncated: queries.count > ArrivalsRequirement.maximumQueries)
    }

    private func source(of found: FoundStop) throws -> RoutesOfSource? {
        try requirement(of: found).map { requirement in
            RoutesOfSource(
                routes: arrivals.routes(requirement),
                openQuery: arrivals.arrivalsStatuses([requirement]).first { !$0.isFresh })
        }
    }
}
