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
    private let time: QueryTime?
    /// The walks that the caller asks for; `nil` for those from the nearest place, if there is one.
    private let requestedWalks: BoardWalks?
    /// Whether departures are left out that cannot be caught any more.
    private let isReachable: Bool

    /// - Parameters:
    ///   - stop: A text that ``StopFinder`` accepts.
    ///   - route: A text that ``RouteFinder`` accepts; `nil` for all routes.
    ///   - feed: The feed that has the stop; `nil` for any.
    ///   - at: The time of the board as the caller writes it; `nil` for now.
    ///   - start: Where the walk to the stop begins.
    ///   - isReachable: Whether to leave out departures that cannot be caught any more from there.
    /// - Throws: The errors of the finders and of ``BoardWalks``, `QueryTimeError` and `StoreError`.
    package init(
        stop: String, route: String?, feed: FeedID?, at: String?, from start: BoardWalks.Start = .nearestPlace,
        isReachable: Bool = false, _ context: QueryContext
    ) throws {
        let found = try StopFinder(context.timetables(of: feed, naming: stop), context).find(stop)
        let zone = try found.zone
        time = try context.time(at, zone: zone)
        let timetable = found.timetable
        let routes = try route.map { (route) throws(QueryError) in try RouteFinder([timetable]).routes(named: route) }
        board = try MergedBoard(
            FeedBoard(timetable, stops: try found.callingStops(), routes: routes), context)
        self.isReachable = isReachable
        requestedWalks =
            isReachable || start != .nearestPlace
            ? try BoardWalks(start, to: [board], stop: found.stop.name, context) : nil
        (self.found, self.zone) = (found, zone)
    }

    /// Whether the query still refers to the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool { board.isCurrent(context) }

    /// The time of the board.
    package func at(_ context: QueryContext) -> Instant { time?.start ?? context.now }

    /// Whether the caller names a day without a time of day.
    package var isForDay: Bool { time?.end != nil }

    /// - Parameter within: The length of the time window in seconds; `nil` for the day that the caller names, otherwise for
    ///   no limit.
    package func result(
        count: Int, within: Int? = nil, _ context: QueryContext
    ) throws(StoreError) -> BoardResult {
        let (at, boards) = (at(context), [board])
        let window = DepartureWindow(within, from: time, now: context.now, zone: zone)
        if isReachable, let walks = requestedWalks {
            let (departures, emptyReason) = try reachable(walks, count: count, in: window, context)
            if !departures.isEmpty || emptyReason != nil {
                return try BoardResult(
                    at: at, departures, of: boards, emptyReason: emptyReason, walks: walks, context)
            }
        }
        let all = try board.departures(at: at, count: window?.searchCount(count) ?? count, context)
        let (departures, emptyReason) = window?.limit(all, to: count, call: \.call) ?? (all, nil)
        return try BoardResult(
            at: at, departures, of: boards,
            emptyReason: all.isEmpty
                ? EmptyBoardReason(found.timetable, board.requested.visits, at: at) : emptyReason,
            walks: try walks(to: boards, context), context)
    }

    private func walks(to boards: [MergedBoard], _ context: QueryContext) throws(StoreError) -> BoardWalks? {
        if let requestedWalks { return requestedWalks }
        return try BoardWalks(nearestTo: boards, context)
    }

    /// Returns the departures that can be caught and, if all of a board's departures are left out, the reason. Without
    /// any departures, both are empty.
    private func reachable(
        _ walks: BoardWalks, count: Int, in window: DepartureWindow?, _ context: QueryContext
    ) throws(StoreError) -> (departures: [MergedDeparture], emptyReason: EmptyBoardReason?) {
        let (at, shortest) = (at(context), walks.shortest ?? 0)
        let (count, searchCount) = (count, window?.searchCount(count) ?? count)
        let found = try CatchableDepartures.first(searchCount) { (departure: MergedDeparture) in
            departure.canBeCaught(settingOutAt: at, walk: walks.walk(to: departure) ?? shortest)
        } among: { (limit) throws(StoreError) in
            try board.departures(at: at.advanced(by: shortest), count: limit, context)
        }
        let departures = window?.limit(found, to: count, call: \.call).departures ?? found
        guard departures.isEmpty else { return (departures, nil) }
        let all = try board.departures(at: at, count: searchCount, context)
        let leftOut = window?.limit(all, to: searchCount, call: \.call).departures ?? all
        if leftOut.isEmpty { return ([], nil) }
        let next = found.first.map { (departure: $0, walk: walks.walk(to: $0) ?? shortest) }
        return (
            [],
            .uncatchable(
                UncatchableDepartures(
                    leftOut.map(\.call), in: window, from: walks.place, walk: shortest, next: next, zone))
        )
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
    package var departures: [MergedDeparture]
    /// The direction of each departure for the caller; empty if the caller has no places from which it can be inferred.
    package var directions: [TravelDirection]
    /// `nil` if there are departures.
    package var emptyReason: EmptyBoardReason?
    /// The walks to the stops; `nil` if no place of the caller is near.
    package var walks: BoardWalks?

    /// - Parameter boards: The boards from which the departures come.
    init(
        at: Instant, _ departures: [MergedDeparture], of boards: [MergedBoard], emptyReason: EmptyBoardReason?,
        walks: BoardWalks?, _ context: QueryContext
    ) throws(StoreError) {
        self.at = at
        self.departures = departures
        self.emptyReason = emptyReason
        self.walks = walks
        directions = []
        guard DirectionInference.isPossible(context) else { return }
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
            directions.append(direction ?? .unknown)
        }
    }

    /// Returns the direction of the departure at a position of ``departures`` for the caller.
    package func direction(at position: Int) -> TravelDirection {
        directions.isEmpty ? .unknown : directions[position]
    }

    /// Keeps the first departures of each direction of travel.
    ///
    /// - Parameter direction: Returns the name of a departure's direction, which identifies it.
    package mutating func limit(_ count: Int, ofEach direction: (MergedDeparture) throws -> String) rethrows {
        var counts: [String: Int] = [:]
        let kept = try departures.indices.filter { position in
            let name = try direction(departures[position])
            counts[name, default: 0] += 1
            return counts[name, default: 0] <= count
        }
        if !directions.isEmpty { directions = kept.map { directions[$0] } }
        departures = kept.map { departures[$0] }
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
