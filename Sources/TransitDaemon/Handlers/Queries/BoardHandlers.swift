internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem

// The handlers of boards, whose requests are demand for fresh data. A board that a person requests is recorded.

/// Handles `departures`.
struct DeparturesHandler: ArrivalsMethodHandler {
    typealias Parameters = DeparturesParameters

    let arrivals: ArrivalsRequests
    let demand: DemandTracker
    let travel: TravelRecorder
    let stopsInUse: StopsInUse
    let clock: any DaemonClock

    func query(for parameters: DeparturesParameters, _ context: QueryContext) throws -> BoardQuery {
        try BoardQuery(parameters, context)
    }

    func isCurrent(_ query: BoardQuery, _ context: QueryContext) -> Bool { query.isCurrent(context) }

    func requirements(of query: BoardQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        try arrivals.requirements(of: query, context)
    }

    func reply(
        with query: BoardQuery, to parameters: DeparturesParameters, _ context: RequestContext
    ) throws -> DeparturesResult {
        for timetable in query.board.timetables { demand.recordRequest(about: timetable.feed, at: clock.reading()) }
        let result = try DeparturesReply(query, parameters).result(
            context.query, arrivals: try arrivals.notices(of: query, context, language: parameters.language))
        if parameters.interactive {
            stopsInUse.record(result.departures)
            if parameters.at == nil { try travel.record(result.departures, context) }
        }
        return result
    }
}

/// Handles `next`.
struct NextHandler: ArrivalsMethodHandler {
    typealias Parameters = NextParameters

    let arrivals: ArrivalsRequests
    let demand: DemandTracker
    let externalData: ExternalData
    let recentViews: RecentViews
    let travel: TravelRecorder
    let state: StateStore
    let clock: any DaemonClock

    func query(for parameters: NextParameters, _ context: QueryContext) throws -> DirectTripsQuery {
        try DirectTripsQuery(parameters, context)
    }

    func isCurrent(_ query: DirectTripsQuery, _ context: QueryContext) -> Bool { query.isCurrent(context) }

    func requirements(of query: DirectTripsQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        try arrivals.requirements(of: query, context)
    }

    func reply(
        with query: DirectTripsQuery, to parameters: NextParameters, _ context: RequestContext
    ) throws -> NextResult {
        let found = try query.result(for: parameters, context.query)
        recordDemand(for: found, of: query, parameters, context)
        let journeys = try query.journeys(besides: found, for: parameters, context.query)
        var result = try NextReply(query, found, journeys, parameters).result(
            context.query, arrivals: try arrivals.notices(of: query, context, language: parameters.language),
            forecasts: externalData.weather.snapshot)
        if context.caller.restriction != .anonymous, let replaced = state.recoveryNotice(at: context.now) {
            result.notices.insert(replaced, at: 0)
        }
        if parameters.interactive, parameters.at == nil {
            let usable = found.directTrips.first { $0.merged.call.isRunning && $0.lastStart >= context.now }
            let name = query.entry.definition == .request ? nil : query.entry.commute.name
            try travel.record(result.departures, commute: name, usable: usable?.merged, context)
        }
        return result
    }

    private func recordDemand(
        for result: DirectTripsResult, of query: DirectTripsQuery, _ parameters: NextParameters,
        _ context: RequestContext
    ) {
        for timetable in query.directTrips.timetables {
            let departures = result.directTrips.filter { $0.merged.isReported(by: timetable) }
                .map(\.merged.call.departure)
            demand.recordRequest(about: timetable.feed, departures: departures, at: clock.reading())
        }
        if parameters.at == nil, query.entry.definition != .request {
            recentViews.record(
                .commute(query.entry.commute.name), of: context.caller.uid, at: clock.reading())
        }
    }
}

/// Handles `favorite.show`.
struct FavoriteShowHandler: ArrivalsMethodHandler {
    typealias Parameters = FavoriteShowParameters

    let arrivals: ArrivalsRequests
    let demand: DemandTracker
    let recentViews: RecentViews
    let travel: TravelRecorder
    let state: StateStore
    let clock: any DaemonClock

    func query(for parameters: FavoriteShowParameters, _ context: QueryContext) throws -> FavoritesQuery {
        try FavoritesQuery(parameters, context)
    }

    func isCurrent(_ query: FavoritesQuery, _ context: QueryContext) -> Bool { query.isCurrent(context) }

    func requirements(of query: FavoritesQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        try arrivals.requirements(of: query, context)
    }

    func reply(
        with query: FavoritesQuery, to parameters: FavoriteShowParameters, _ context: RequestContext
    ) throws -> FavoriteShowResult {
        let requirements = try arrivals.requirements(of: query, context)
        let reply = FavoriteShowReply(query, parameters) { favorite in
            try arrivals.notices(of: favorite, context, language: parameters.language, within: requirements)
        }
        var result = try reply.result(context.query)
        if let replaced = state.recoveryNotice(at: context.now) { result.notices.insert(replaced, at: 0) }
        let reading = clock.reading()
        if parameters.at == nil { recentViews.record(.favorites, of: context.caller.uid, at: reading) }
        for feed in query.feeds(context.query) { demand.recordRequest(about: feed.id, at: reading) }
        if parameters.interactive, parameters.at == nil {
            try travel.record(result.boards.flatMap(\.departures), context)
        }
        return result
    }
}
