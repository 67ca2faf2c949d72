internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitRefresh
internal import TransitStore

// For providers that are queried for the routes at each stop, the responses complete the list of routes in the network.
extension RequestHandlers {
    func routesRequirements(of parameters: StopsShowParameters, _ context: RequestContext) throws
        -> [ArrivalsRequirement]
    {
        let timetables = try RequestContext.timetables(
            of: context.feeds(named: parameters.feed), at: context.now, naming: parameters.stop)
        let found = try StopFinder(timetables, context).find(parameters.stop)
        return try [found, context.sameStop(of: found)].compactMap { try $0.flatMap(routesRequirement) }
    }

    /// Returns the queries for the routes at a stop; `nil` if no source is queried for routes.
    func routesRequirement(at found: FoundStop) throws -> ArrivalsRequirement? {
        let timetable = found.timetable
        let stops = try found.callingStops().map { (stop) throws(StoreError) in try timetable.cachedStop(stop).id }
        let queries = daemon.arrivals.stopRoutesQueries(stops, of: timetable.feed)
        guard !queries.isEmpty else { return nil }
        return ArrivalsRequirement(
            feed: timetable.feed, queries: Array(queries.prefix(ArrivalsRequirement.maximumQueries)), stops: stops,
            isTruncated: queries.count > ArrivalsRequirement.maximumQueries)
    }

    /// Returns the routes at a stop that are not in the network, and the notices about queries for them that failed or
    /// are in progress.
    func additionalRoutes(at found: FoundStop, besides known: [RouteSummary]) throws -> ([RouteSummary], [Notice]) {
        guard let need = try routesRequirement(at: found) else { return ([], []) }
        let routes = daemon.arrivals.routes(need).filter { route in !known.contains { $0.id == route.id } }
        let open = daemon.arrivals.arrivalsStatuses([need]).filter { !$0.isFresh }
        let notices = open.first.map { arrivalsStatus in
            let reason = arrivalsStatus.lastFailure.map { " (\($0))" } ?? ""
            return Notice(
                kind: arrivalsStatus.lastFailure == nil ? .fetching : .failed, feed: need.feed,
                message:
                    "\(need.feed) has not been queried recently for the routes at \(found.stop.name)\(reason). Only the routes in "
                    + "its network are shown.")
        }
        return (routes.map(RouteSummary.init), notices.map { [$0] } ?? [])
    }
}

extension RouteSummary {
    /// Creates the summary of a route that is not in any timetable.
    fileprivate init(_ route: Route) {
        self.init(
            id: route.id, shortName: route.shortName, longName: route.longName, type: route.type, color: route.color,
            textColor: route.textColor)
    }
}
