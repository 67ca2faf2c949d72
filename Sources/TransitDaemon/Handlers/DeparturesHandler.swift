internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitSystem

extension BoardQuery {
    init(_ parameters: DeparturesParameters, _ context: QueryContext) throws {
        try self.init(
            stop: parameters.stop, route: parameters.route, feed: parameters.feed, at: parameters.at, context)
    }
}

extension RequestHandlers {
    func departures(_ parameters: DeparturesParameters, _ context: RequestContext) throws -> DeparturesResult {
        try departures(BoardQuery(parameters, context.query), parameters, context)
    }

    func departures(
        _ query: BoardQuery, _ parameters: DeparturesParameters, _ context: RequestContext
    ) throws -> DeparturesResult {
        let count = parameters.count ?? context.configuration.queries.departuresCount
        let result = try query.result(count: count, context.query)
        let (found, timetables) = (query.found, query.board.timetables)
        for timetable in timetables {
            daemon.demand.recordRequest(about: timetable.feed, at: daemon.clock.reading())
        }
        var notices = context.notices(about: timetables)
        func empty(_ reason: EmptyBoardReason) -> Notice {
            Notice(reason, from: found.stop.name, of: parameters.route, feed: found.timetable.feed)
        }
        if let arrivals = try arrivalsNotices(of: query, context, language: parameters.language) {
            notices += arrivals.notices(from: found.stop.name, empty: result.emptyReason.map(empty))
        } else if let reason = result.emptyReason {
            notices.append(empty(reason))
        }
        let rendering = MergedDepartureRenderer(timetables, context.query, language: parameters.language)
        var departures: [Departure] = []
        departures.reserveCapacity(result.departures.count)
        for one in result.departures {
            departures.append(try rendering.departure(one.merged, direction: one.direction.placeName))
        }
        return DeparturesResult(
            at: Timestamp(result.at, in: query.zone),
            stop: try rendering.names(found.timetable).stop(found.stop), departures: departures, notices: notices)
    }
}
