internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What a board is made from: the stops that were meant, and what calls there.
struct AskedBoard {
    var found: FoundStop
    /// Where trips call for the stop.
    var stops: [StopIndex]
    var visits: [PatternVisit]
    /// Those that are wanted alone; `nil`: all.
    var routes: Set<RouteIndex>?
    var zone: ServiceZone
    /// The time that the board is for.
    var at: Instant

    init(_ parameters: DeparturesParameters, _ question: Question) throws {
        let feeds = try question.feeds(named: parameters.feed)
        let timetables = try Question.timetables(of: feeds, at: question.now)
        found = try StopResolution(timetables, pace: question.pace).findJoined(parameters.stop)
        let timetable = found.timetable
        zone = try found.zone
        at = try question.moment(parameters.at, zone: zone)
        stops = try found.callingStops()
        visits = []
        for stop in stops { visits += try timetable.file.patterns(at: stop) }
        let wanted = try parameters.route.map { (route) throws(ControlError) in
            try RouteResolution([timetable]).routes(named: route)
        }
        routes = wanted
        if let wanted { visits.removeAll { !wanted.contains($0.pattern.route) } }
    }
}

extension RequestHandlers {
    func departures(_ parameters: DeparturesParameters, _ question: Question) throws -> DeparturesResult {
        let board = try AskedBoard(parameters, question)
        let (found, at) = (board.found, board.at)
        let timetable = found.timetable
        let count = parameters.count ?? question.configuration.questions.boardCount
        let calls = Board.departures(
            visits: board.visits, stops: board.stops, routes: board.routes, context: timetable.context,
            live: question.live(timetable), now: question.now, at: at, count: count)
        daemon.demand.asked(about: timetable.feed, at: daemon.clock.reading())
        let directions = try DirectionFinder(timetable, question)
        let rendering = question.rendering(timetable, language: parameters.language)
        var notices = question.notices(about: timetable)
        if let arrivals = try arrivals(of: board, question, language: parameters.language) {
            notices += arrivals.notices(isEmpty: calls.isEmpty, from: found.stop.name) {
                timetable.nothingLeaves(from: found.stop.name, board.visits, at: at)
            }
        } else if calls.isEmpty {
            notices.append(timetable.nothingLeaves(from: found.stop.name, board.visits, at: at))
        }
        return DeparturesResult(
            at: Timestamp(at, in: board.zone), stop: try rendering.names.stop(found.stop),
            departures: try calls.map { (call) throws(StoreError) in
                var departure = try rendering.departure(call)
                departure.direction = try directions.direction(of: call, board.visits)
                return departure
            }, notices: notices)
    }
}
