internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore
internal import TransitSystem

/// The resolved query for a board: the stops and the visits of patterns to them.
struct BoardQuery {
    var found: FoundStop
    var feedBoard: FeedBoard
    var zone: ServiceZone
    /// The time of the board.
    var at: Instant

    init(_ parameters: DeparturesParameters, _ context: RequestContext) throws {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now, naming: parameters.stop)
        found = try StopFinder(timetables, context).find(parameters.stop)
        let timetable = found.timetable
        zone = try found.zone
        at = try context.moment(parameters.at, zone: zone)
        let routes = try parameters.route.map { (route) throws(ControlError) in
            try RouteFinder([timetable]).routes(named: route)
        }
        feedBoard = try FeedBoard(context.view(of: timetable), stops: try found.callingStops(), routes: routes)
    }
}

extension BoardQuery {
    /// - Parameter route: The requested route, as given by the caller; `nil` for all routes.
    fileprivate func emptyBoardReason(of route: String?) -> Notice {
        found.timetable.emptyBoardReason(from: found.stop.name, feedBoard.visits, of: route, at: at)
    }
}

extension RequestHandlers {
    func departures(_ parameters: DeparturesParameters, _ context: RequestContext) throws -> DeparturesResult {
        let board = try BoardQuery(parameters, context)
        let (found, at) = (board.found, board.at)
        let timetable = found.timetable
        let count = parameters.count ?? context.configuration.queries.departuresCount
        let merged = try MergedBoard(board.feedBoard, context)
        let calls = try merged.departures(at: at, count: count)
        let views = merged.feedBoards.map(\.view)
        for view in views { daemon.demand.recordRequest(about: view.timetable.feed, at: daemon.clock.reading()) }
        let rendering = MergedDepartureRenderer(views, context, language: parameters.language)
        var notices = context.notices(aboutAll: views)
        if let arrivals = try arrivals(of: board, context, language: parameters.language) {
            notices += arrivals.notices(isEmpty: calls.isEmpty, from: found.stop.name) {
                board.emptyBoardReason(of: parameters.route)
            }
        } else if calls.isEmpty {
            notices.append(board.emptyBoardReason(of: parameters.route))
        }
        let inferences = try merged.feedBoards.map { (feedBoard) throws(StoreError) in
            try DirectionInference(feedBoard, context)
        }
        var departures: [Departure] = []
        departures.reserveCapacity(calls.count)
        for call in calls {
            let finder = inferences.firstIndex { $0.timetable === call.timetable }
            let direction = try finder.flatMap { (finder) throws(StoreError) in
                try inferences[finder].direction(of: call.call)
            }
            departures.append(try rendering.departure(call, direction: direction))
        }
        return DeparturesResult(
            at: Timestamp(at, in: board.zone), stop: try rendering.names(timetable).stop(found.stop),
            departures: departures, notices: notices)
    }
}
