package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitWire

extension BoardQuery {
    package convenience init(_ parameters: DeparturesParameters, _ context: QueryContext) throws {
        let start: BoardWalks.Start
        switch (parameters.from, parameters.walk) {
        case (nil, nil): start = .nearestPlace
        case (let place?, nil): start = .place(place)
        case (nil, let walk?): start = .walk(walk)
        default:
            throw ControlError(
                .invalidParameters, "from and walk cannot both be given.",
                hint: "Give the place where you are, or the walk to the stop.")
        }
        try self.init(
            stop: parameters.stop, route: parameters.route, feed: parameters.feed, at: parameters.at, from: start,
            isReachable: parameters.reachable, context)
    }
}

/// The reply of `departures`.
package struct DeparturesReply {
    private let query: BoardQuery
    private let parameters: DeparturesParameters

    package init(_ query: BoardQuery, _ parameters: DeparturesParameters) {
        self.query = query
        self.parameters = parameters
    }

    /// The number of departures of a day, and the number that is searched for departures in each direction.
    private static let maximumCount = 200

    /// - Parameter arrivals: The status of the arrivals that the board needs; `nil` if no feed of the board is queried on
    ///   demand.
    package func result(_ context: QueryContext, arrivals: ArrivalsNotices?) throws -> DeparturesResult {
        let count = parameters.count ?? (query.isForDay ? Self.maximumCount : context.settings.departuresCount)
        var result = try query.result(
            count: parameters.countPerDirection == nil ? count : Self.maximumCount, within: parameters.within, context)
        if let limit = parameters.countPerDirection { try result.limit(limit) { try $0.directionName } }
        let timetables = query.board.timetables
        var notices = context.worded(context.notices(about: timetables))
        func empty(_ reason: EmptyBoardReason) -> Notice {
            Notice(reason, from: query.found.stop.name, of: parameters.route, feed: query.found.timetable.feed)
        }
        if let arrivals {
            notices += arrivals.notices(
                from: query.found.stop.name, empty: result.emptyReason.map(empty),
                hasLaterDepartures: result.emptyReason?.hasLaterDepartures ?? false)
        } else if let reason = result.emptyReason {
            notices.append(empty(reason))
        }
        let rendering = MergedDepartureRenderer(timetables, context, language: parameters.language)
        var departures: [Departure] = []
        departures.reserveCapacity(result.departures.count)
        // An element of a span is not copied.
        let found = result.departures.span
        for position in found.indices {
            departures.append(
                try rendering.departure(
                    found[position], direction: result.direction(at: position).placeName,
                    walk: result.walks?.walk(to: found[position])))
        }
        return DeparturesResult(
            at: Timestamp(result.at, in: query.zone),
            stop: try rendering.names(query.found.timetable).stop(query.found.stop), from: result.walks?.place,
            departures: departures, notices: notices)
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
