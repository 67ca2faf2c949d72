internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

// Where a provider is asked stop by stop which lines call there, its answer completes what the network says.
extension RequestHandlers {
    func routesRequirements(of parameters: StopsShowParameters, _ context: RequestContext) throws
        -> [ArrivalsRequirement]
    {
        let timetables = try RequestContext.timetables(
            of: context.feeds(named: parameters.feed), at: context.now, naming: parameters.stop)
        let found = try StopFinder(timetables, context).find(parameters.stop)
        return try [found, context.twin(of: found)].compactMap { try $0.flatMap(routesRequirement) }
    }

    /// `nil` where nobody is asked.
    func routesRequirement(at found: FoundStop) throws -> ArrivalsRequirement? {
        let timetable = found.timetable
        let stops = try found.callingStops().map { (stop) throws(StoreError) in try timetable.cachedStop(stop).id }
        let queries = daemon.arrivals.lines(stops, of: timetable.feed)
        guard !queries.isEmpty else { return nil }
        return ArrivalsRequirement(
            feed: timetable.feed, queries: Array(queries.prefix(ArrivalsRequirement.most)), stops: stops,
            isCut: queries.count > ArrivalsRequirement.most)
    }

    /// The routes at a stop that the network does not tell, and what is to be said where they could not be asked.
    func additionalRoutes(at found: FoundStop, besides known: [RouteSummary]) throws -> ([RouteSummary], [Notice]) {
        guard let need = try routesRequirement(at: found) else { return ([], []) }
        let routes = daemon.arrivals.routes(need).filter { route in !known.contains { $0.id == route.id } }
        let open = daemon.arrivals.arrivalsStatuses([need]).filter { !$0.isFresh }
        let notices = open.first.map { arrivalsStatus in
            let reason = arrivalsStatus.trouble.map { " (\($0))" } ?? ""
            return Notice(
                kind: arrivalsStatus.trouble == nil ? .fetching : .failed, feed: need.feed,
                message: "\(need.feed) was not asked lately which lines call at \(found.stop.name)\(reason): those of "
                    + "its network are shown.")
        }
        return (routes.map(RouteSummary.init), notices.map { [$0] } ?? [])
    }
}

extension RouteSummary {
    /// A route that is in no timetable.
    fileprivate init(_ route: Route) {
        self.init(
            id: route.id, shortName: route.shortName, longName: route.longName, type: route.type, color: route.color,
            textColor: route.textColor)
    }
}
