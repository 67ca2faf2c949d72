internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

extension FavoritesQuery {
    init(_ parameters: FavoriteShowParameters, _ context: QueryContext) throws {
        try self.init(
            favorite: parameters.favorite, category: parameters.category, at: parameters.at, context)
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
        let feeds = query.feeds(context.query)
        var notices = context.notices(context.query.mergedNotices(about: feeds))
        if let replaced = state.recoveryNotice(at: context.now) { notices.insert(replaced, at: 0) }
        let requirements = try arrivals.requirements(of: query, context)
        let at = Timestamp(query.at(context.query), in: context.zone)
        var boards: [FavoriteBoard] = []
        for one in query.all {
            var board = FavoriteBoard(favorite: context.summary(of: one.entry), at: at)
            do {
                try fill(&board, try one.board.get(), of: one.entry, parameters, context, requirements, &notices)
            } catch {
                board.emptyReason = ControlError.of(error).message
            }
            boards.append(board)
        }
        let reading = clock.reading()
        if parameters.at == nil { recentViews.record(.favorites, of: context.caller.uid, at: reading) }
        for feed in feeds { demand.recordRequest(about: feed.id, at: reading) }
        if parameters.interactive, parameters.at == nil { try travel.record(boards.flatMap(\.departures), context) }
        return FavoriteShowResult(at: at, boards: boards, notices: notices)
    }

    /// - Parameters:
    ///   - requirements: The arrivals requirements of all favorites of the request.
    ///   - notices: Receives the notices that are not shown in the board.
    private func fill(
        _ board: inout FavoriteBoard, _ query: FavoriteBoardQuery, of entry: FavoriteList.Entry,
        _ parameters: FavoriteShowParameters, _ context: RequestContext, _ requirements: [ArrivalsRequirement],
        _ notices: inout [Notice]
    ) throws {
        board.at = Timestamp(query.at(context.query), in: query.zone)
        let names = NameRenderer(query.timetable, language: parameters.language)
        let stops = try query.stops.map { (stop) throws(StoreError) in try names.reference(stop) }
        if query.stop == nil { board.boardingStops = stops }
        if stops.isEmpty {
            board.emptyReason = context.noBoardingStopReason(entry.favorite)
            return
        }
        let result = try query.result(count: parameters.count, context.query)
        let rendering = MergedDepartureRenderer(
            query.boards.first?.timetables ?? [], context.query, language: parameters.language)
        board.departures = try result.departures.map { (one) throws(StoreError) in
            try rendering.departure(one.merged, direction: one.direction.placeName)
        }
        let from = query.stop?.stop.name ?? stops.map(\.name).joined(separator: " and ")
        let route = query.route.flatMap { query.timetable.route($0)?.displayName }
        let empty = result.emptyReason.map { Notice($0, from: from, of: route, feed: query.timetable.feed) }
        let arrivals = try arrivals.notices(of: query, context, language: parameters.language, within: requirements)
        let boardNotices = arrivals?.notices(from: from, empty: empty) ?? empty.map { [$0] } ?? []
        // If there are no departures, the notices are the board's reason for being empty.
        if result.departures.isEmpty {
            board.emptyReason = boardNotices.map(\.message).joined(separator: " ")
        } else {
            notices += boardNotices.filter { !notices.contains($0) }
        }
    }
}

extension RequestContext {
    /// Returns the reason for the lack of a boarding stop.
    fileprivate func noBoardingStopReason(_ favorite: SavedFavorite) -> String {
        guard favorite.target.stop == nil else { return "No trip calls there." }
        guard let (name, _) = BoardingStopFinder(query).commuteStart(at: now) else {
            return "Set home to see departures from the stops near it, or add the route at a stop."
        }
        return "It does not stop within \(Double(query.settings.maxWalkingRadius) / 1000) km of \(name)."
    }

    /// Returns a favorite with the names of its stop and route and, if they are not in the timetable, the reason.
    func summary(of entry: FavoriteList.Entry) -> FavoriteSummary {
        let favorite = entry.favorite
        var summary = FavoriteSummary(
            number: entry.number, name: favorite.name, category: favorite.category,
            kind: FavoriteKind(favorite.target), feed: favorite.feed,
            stop: favorite.target.stop.map { StopReference(id: $0, name: $0.rawValue) },
            route: favorite.target.route.map { RouteSummary(id: $0, type: Self.unknownType) })
        do {
            let found = try FavoriteFinder(query).find(favorite)
            let names = NameRenderer(found.timetable)
            if let stop = found.stop { summary.stop = try names.reference(stop.index) }
            if let route = found.route { summary.route = try names.route(route) }
        } catch {
            summary.problem = ControlError.of(error).message
        }
        return summary
    }

    /// The `route_type` of a route that is not known: bus, the most common type.
    private static let unknownType = 3
}

extension FavoriteKind {
    init(_ target: SavedFavorite.Target) {
        switch target {
        case .stop: self = .stop
        case .route: self = .route
        case .routeAtStop: self = .routeAtStop
        }
    }
}
