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
        found = try StopResolution(timetables, question).findJoined(parameters.stop)
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

    func side(_ question: Question) -> BoardSide {
        BoardSide(found.timetable, stops: stops, visits: visits, routes: routes, question)
    }
}

extension RequestHandlers {
    func departures(_ parameters: DeparturesParameters, _ question: Question) throws -> DeparturesResult {
        let board = try AskedBoard(parameters, question)
        let (found, at) = (board.found, board.at)
        let timetable = found.timetable
        let count = parameters.count ?? question.configuration.questions.boardCount
        let told = try ToldBoard(board.side(question), question)
        let calls = try told.departures(at: at, count: count)
        let sides = told.sides
        for side in sides { daemon.demand.asked(about: side.timetable.feed, at: daemon.clock.reading()) }
        let finders = try sides.map { (side) throws(StoreError) in try DirectionFinder(side.timetable, question) }
        let rendering = ToldRendering(sides.map(\.timetable), question, language: parameters.language)
        var notices = question.notices(aboutAll: sides.map(\.timetable))
        if let arrivals = try arrivals(of: board, question, language: parameters.language) {
            notices += arrivals.notices(isEmpty: calls.isEmpty, from: found.stop.name) {
                timetable.nothingLeaves(from: found.stop.name, board.visits, at: at)
            }
        } else if calls.isEmpty {
            notices.append(timetable.nothingLeaves(from: found.stop.name, board.visits, at: at))
        }
        return DeparturesResult(
            at: Timestamp(at, in: board.zone), stop: try rendering.rendering(timetable).names.stop(found.stop),
            departures: try calls.map { (told) throws(StoreError) in
                var departure = try rendering.departure(told)
                if let own = sides.firstIndex(where: { $0.timetable === told.timetable }) {
                    departure.direction = try finders[own].direction(of: told.call, sides[own].visits)
                }
                return departure
            }, notices: notices)
    }
}
