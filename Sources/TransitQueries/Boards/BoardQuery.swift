package import TransitEngine
package import TransitModel
package import TransitStore

/// The departures from a stop.
///
/// The query is resolved once: the stop and the visits of patterns to it. ``result(count:within:_:)`` can be called
/// any number of times, for example again when arrivals have been fetched.
///
/// This is a class because each step of a reply refers to it.
package final class BoardQuery: Sendable {
    package let found: FoundStop
    package let board: MergedBoard
    package let zone: ServiceZone
    /// The time that the caller names; `nil` for now.
    private let moment: Instant?

    /// - Parameters:
    ///   - stop: A text that ``StopFinder`` accepts.
    ///   - route: A text that ``RouteFinder`` accepts; `nil` for all routes.
    ///   - feed: The feed that has the stop; `nil` for any.
    ///   - at: The time of the board as the caller writes it; `nil` for now.
    /// - Throws: The errors of the finders, `QueryTimeError` and `StoreError`.
    package init(stop: String, route: String?, feed: FeedID?, at: String?, _ context: QueryContext) throws {
        found = try StopFinder(context.timetables(of: feed, naming: stop), context).find(stop)
        zone = try found.zone
        let zone = zone
        moment = try at.map { try context.moment($0, zone: zone) }
        let timetable = found.timetable
        let routes = try route.map { (route) throws(QueryError) in try RouteFinder([timetable]).routes(named: route) }
        board = try MergedBoard(
            FeedBoard(timetable, stops: try found.callingStops(), routes: routes), context)
    }

    /// Whether the query still refers to the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool { board.isCurrent(context) }

    /// The time of the board.
    package func at(_ context: QueryContext) -> Instant { moment ?? context.now }

    /// - Parameter within: The length of the time window in seconds; `nil` for no limit.
    package func result(
        count: Int, within: Int? = nil, _ context: QueryContext
    ) throws(StoreError) -> BoardResult {
        let at = at(context)
        let window = DepartureWindow(within, from: moment, now: context.now, zone: zone)
        let all = try board.departures(at: at, count: window?.searchCount(count) ?? count, context)
        let (departures, emptyReason) = window?.limit(all, to: count, call: \.call) ?? (all, nil)
        return BoardResult(
            at: at, departures: try BoardedDeparture.all(departures, [board], context),
            emptyReason: all.isEmpty
                ? EmptyBoardReason(found.timetable, board.requested.visits, at: at) : emptyReason)
    }

    /// Returns the on-demand arrivals on which the result depends.
    package func requiredArrivals(_ context: QueryContext) -> [RequiredArrivals] {
        RequiredArrivals.all(of: [board], at: at(context))
    }
}

/// The departures of a board at one moment.
package struct BoardResult {
    package var at: Instant
    /// In order of departure.
    package var departures: [BoardedDeparture]
    /// `nil` if there are departures.
    package var emptyReason: EmptyBoardReason?
}

/// A departure with its direction for the caller. This is a class because a departure is large to copy.
package final class BoardedDeparture {
    package let merged: MergedDeparture
    package let direction: TravelDirection

    private init(_ merged: MergedDeparture, _ direction: TravelDirection) {
        self.merged = merged
        self.direction = direction
    }

    /// - Parameter boards: The boards from which the departures come.
    static func all(
        _ departures: [MergedDeparture], _ boards: [MergedBoard], _ context: QueryContext
    ) throws(StoreError) -> [BoardedDeparture] {
        var boarded: [BoardedDeparture] = []
        boarded.reserveCapacity(departures.count)
        guard DirectionInference.isPossible(context) else {
            for merged in departures { boarded.append(BoardedDeparture(merged, .unknown)) }
            return boarded
        }
        var inferences: [DirectionInference] = []
        for board in boards {
            for feedBoard in board.feedBoards { inferences.append(try DirectionInference(feedBoard, context)) }
        }
        for merged in departures {
            // Searches by position, because copying an inference for each departure is expensive.
            let inference = inferences.firstIndex { $0.isFor(merged) }
            let direction = try inference.map { (index) throws(StoreError) in
                try inferences[index].direction(of: merged.call)
            }
            boarded.append(BoardedDeparture(merged, direction ?? .unknown))
        }
        return boarded
    }
}

/// The calls in one timetable whose departures a result shows. If the timetable's source provides arrivals only on
/// demand, they must be fetched for these calls.
package struct RequiredArrivals {
    package var timetable: Timetable
    /// The most useful first.
    package var calls: [BoardingCall]
    /// The stops whose departures are shown.
    package var stops: Set<StopIndex>
    package var routes: Set<RouteIndex>
    /// The time of the departures.
    package var at: Instant

    /// Returns the requirements of some boards, one for each board and feed.
    static func all(of boards: [MergedBoard], at: Instant) -> [RequiredArrivals] {
        boards.flatMap(\.feedBoards).map { feedBoard in
            RequiredArrivals(
                timetable: feedBoard.timetable, calls: BoardingCall.all(of: feedBoard.visits),
                stops: Set(feedBoard.stops), routes: Set(feedBoard.visits.map(\.pattern.route)), at: at)
        }
    }
}
