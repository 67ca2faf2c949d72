internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitSystem

/// Handles `departures`.
struct DeparturesHandler: ArrivalsMethodHandler {
    typealias Parameters = DeparturesParameters

    let arrivals: ArrivalsRequests
    let demand: DemandTracker
    let travel: TravelRecorder
    let clock: any DaemonClock

    func query(for parameters: DeparturesParameters, _ context: QueryContext) throws -> BoardQuery {
        try BoardQuery(
            stop: parameters.stop, route: parameters.route, feed: parameters.feed, at: parameters.at, context)
    }

    /// The number of departures among which those of each direction are searched.
    private static let maximumCount = 200

    private static func first(
        _ limit: Int, ofEachDirection departures: [BoardedDeparture]
    ) throws -> [BoardedDeparture] {
        var counts: [String: Int] = [:]
        return try departures.filter { one in
            let direction = try one.merged.directionName
            counts[direction, default: 0] += 1
            return counts[direction, default: 0] <= limit
        }
    }

    func isCurrent(_ query: BoardQuery, _ context: QueryContext) -> Bool { query.isCurrent(context) }

    func requirements(of query: BoardQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        try arrivals.requirements(of: query, context)
    }

    func reply(
        with query: BoardQuery, to parameters: DeparturesParameters, _ context: RequestContext
    ) throws -> DeparturesResult {
        let count = parameters.count ?? context.configuration.queries.departuresCount
        var result = try query.result(
            count: parameters.countPerDirection == nil ? count : Self.maximumCount, within: parameters.within,
            context.query)
        if let limit = parameters.countPerDirection {
            result.departures = try Self.first(limit, ofEachDirection: result.departures)
        }
        let (found, timetables) = (query.found, query.board.timetables)
        for timetable in timetables {
            demand.recordRequest(about: timetable.feed, at: clock.reading())
        }
        var notices = context.notices(about: timetables)
        func empty(_ reason: EmptyBoardReason) -> Notice {
            Notice(reason, from: found.stop.name, of: parameters.route, feed: found.timetable.feed)
        }
        if let arrivals = try arrivals.notices(of: query, context, language: parameters.language) {
            notices += arrivals.notices(
                from: found.stop.name, empty: result.emptyReason.map(empty),
                hasLaterDepartures: result.emptyReason?.hasLaterDepartures ?? false)
        } else if let reason = result.emptyReason {
            notices.append(empty(reason))
        }
        let rendering = MergedDepartureRenderer(timetables, context.query, language: parameters.language)
        var departures: [Departure] = []
        departures.reserveCapacity(result.departures.count)
        for one in result.departures {
            departures.append(try rendering.departure(one.merged, direction: one.direction.placeName))
        }
        if parameters.interactive, parameters.at == nil { try travel.record(departures, context) }
        return DeparturesResult(
            at: Timestamp(result.at, in: query.zone),
            stop: try rendering.names(found.timetable).stop(found.stop), departures: departures, notices: notices)
    }
}

extension MergedDeparture {
    /// Identifies the direction of the trip within its feed: `direction_id` or, without one, the headsign.
    fileprivate var directionName: String {
        get throws {
            if let direction = call.direction { return "\(timetable.feed) \(direction.rawValue)" }
            return try "\(timetable.feed) to \(TimetableNames(timetable).headsign(of: call) ?? "")"
        }
    }
}
