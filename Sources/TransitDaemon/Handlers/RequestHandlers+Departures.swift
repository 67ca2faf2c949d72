internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func departures(_ parameters: DeparturesParameters, _ question: Question) throws -> DeparturesResult {
        let feeds = try question.feeds(named: parameters.feed)
        let timetables = try Question.timetables(of: feeds, at: question.now)
        let found = try StopResolution(timetables, pace: question.pace).findJoined(parameters.stop)
        let timetable = found.timetable
        let zone = try timetable.face(of: found.stop, at: found.index).zone ?? timetable.zone
        let at = try question.moment(parameters.at, zone: zone)
        let stops = try found.callingStops()
        var visits: [PatternVisit] = []
        for stop in stops { visits += try timetable.file.patterns(at: stop) }
        let wanted = try parameters.route.map { (route) throws(ControlError) in
            try RouteResolution([timetable]).routes(named: route)
        }
        if let wanted { visits.removeAll { !wanted.contains($0.pattern.route) } }
        let count = parameters.count ?? question.configuration.questions.boardCount
        let calls = Board.departures(
            visits: visits, stops: stops, routes: wanted, context: timetable.context,
            live: question.live(timetable), now: question.now, at: at, count: count)
        daemon.demand.asked(about: timetable.feed, at: daemon.clock.reading())
        let directions = try DirectionFinder(timetable, question)
        let rendering = question.rendering(timetable, language: parameters.language)
        var notices = FeedNotices(now: question.now).about(feeds.filter { $0.id == timetable.feed })
        if calls.isEmpty { notices.append(nothingRuns(found, visits: visits, at: at)) }
        return DeparturesResult(
            at: Timestamp(at, in: zone), stop: try rendering.names.stop(found.stop),
            departures: try calls.map { (call) throws(StoreError) in
                var departure = try rendering.departure(call)
                departure.direction = directions.direction(of: call, visits)
                return departure
            }, notices: notices)
    }

    private func nothingRuns(_ stop: FoundStop, visits: [PatternVisit], at: Instant) -> Notice {
        guard stop.timetable.hasTimes || visits.isEmpty else {
            return Notice(
                kind: .missing, feed: stop.timetable.feed,
                message: "Nothing is known of departures from \(stop.stop.name) now.")
        }
        let last = stop.timetable.zone.civil(at: at).date.advanced(by: Board.defaultHorizonDays)
        let message =
            visits.isEmpty
            ? "No trip calls at \(stop.stop.name)."
            : "Nothing leaves from \(stop.stop.name) until the end of \(last)."
        return Notice(kind: .noService, feed: stop.timetable.feed, message: message)
    }
}
