package import TransitEngine
package import TransitModel
package import TransitStore

/// The visits of one timetable's patterns to a set of stops. Independent of realtime data and of the time.
package struct FeedBoard {
    package var timetable: Timetable
    /// The stops at which trips call.
    package var stops: [StopIndex]
    package var visits: [PatternCallPosition]
    /// The requested routes; `nil` for all.
    package var routes: Set<RouteIndex>?

    /// Creates a board with the visits to the stops.
    package init(_ timetable: Timetable, stops: [StopIndex], routes: Set<RouteIndex>?) throws(StoreError) {
        self.timetable = timetable
        self.stops = stops
        self.routes = routes
        visits = []
        for stop in stops { visits += try timetable.file.patterns(at: stop) }
        if let routes { visits.removeAll { !routes.contains($0.pattern.route) } }
    }

    /// Creates the board for the same stops and routes in the other timetable of a pair. Routes are matched by name.
    init(counterpartOf board: FeedBoard, in pair: FeedPair) throws(StoreError) {
        let timetable = pair.other(than: board.timetable)
        let stops = pair.stops(board.stops, of: board.timetable)
        let names = board.routes.map { routes in
            Set(routes.compactMap { board.timetable.route($0) }.map { SearchText.fold($0.displayName) })
        }
        let routes = names.map { names in
            Set(
                timetable.file.routes.indices.filter {
                    names.contains(SearchText.fold(timetable.file.routes[$0].displayName))
                }.map { RouteIndex($0) })
        }
        try self.init(timetable, stops: stops, routes: routes)
    }

    func departures(at: Instant, count: Int, _ context: QueryContext) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: visits, stops: stops, routes: routes, context: timetable.context,
            realtime: context.realtime(timetable), now: context.now, at: at, count: count)
    }

    /// Returns the scheduled departures around a given time, with their expected times.
    func planned(around moment: Instant, _ context: QueryContext) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: visits, context: timetable.context, realtime: context.realtime(timetable), now: context.now,
            plannedAround: moment, within: DeparturePairing.agreementTolerance, count: MergeLimits.maximumPlanned)
    }
}

/// The visits to a set of stops, in one feed or in the two feeds of one agency. Resolved once; the departures can be
/// computed any number of times, with the realtime data of each context.
package struct MergedBoard {
    /// The board of the requested stops.
    package var requested: FeedBoard
    /// The same stops in the agency's other feed.
    private var other: FeedBoard?
    private var pair: FeedPair?

    package init(_ requested: FeedBoard, _ context: QueryContext) throws(StoreError) {
        self.requested = requested
        guard let pair = try context.pair(of: requested.timetable) else { return }
        other = try FeedBoard(counterpartOf: requested, in: pair)
        self.pair = pair
    }

    /// The boards of one or two feeds.
    package var feedBoards: [FeedBoard] { other.map { [requested, $0] } ?? [requested] }

    /// The timetables of one or two feeds.
    package var timetables: [Timetable] {
        other.map { [requested.timetable, $0.timetable] } ?? [requested.timetable]
    }

    /// Returns the on-demand arrivals on which the departures depend.
    package func requiredArrivals(at: Instant) -> [RequiredArrivals] { RequiredArrivals.all(of: [self], at: at) }

    /// Whether the board still describes the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool { timetables.allSatisfy(context.isCurrent) }

    /// Returns the departures in order of departure.
    package func departures(
        at: Instant, count: Int, _ context: QueryContext
    ) throws(StoreError) -> [MergedDeparture] {
        guard let pair, let other else {
            return requested.departures(at: at, count: count, context).map { MergedDeparture(requested.timetable, $0) }
        }
        let (main, supplement) = requested.timetable === pair.main ? (requested, other) : (other, requested)
        let past = main.departures(
            at: at.advanced(by: -DeparturePairing.maximumTimeDifference), count: MergeLimits.maximumOverdue, context
        ).filter { $0.isPastPlan(at: at) }
        let merger = FeedMerger<MergedDeparture>(
            pair: pair, at: at, now: context.now, call: \.call, leaveBy: \.call.departure,
            planned: { timetable, moment in
                let feedBoard = timetable === main.timetable ? main : supplement
                return feedBoard.planned(around: moment, context).map { MergedDeparture(timetable, $0) }
            }, join: { MergedDeparture($0.call, $1.call, of: pair, by: $2) })
        return try merger.list(count: count) { limit in
            let first = past + main.departures(at: at, count: limit, context)
            let second = supplement.departures(at: at, count: limit + past.count, context)
            return (first.map { MergedDeparture(pair.main, $0) }, second.map { MergedDeparture(pair.supplement, $0) })
        }
    }
}

extension QueryContext {
    /// Returns a departure merged with the data of the agency's other feed; the unchanged departure if the other feed
    /// has no data about it.
    package func merged(_ call: ExpectedCall, of timetable: Timetable) throws(StoreError) -> MergedDeparture {
        let alone = MergedDeparture(timetable, call)
        guard try pair(of: timetable) != nil else { return alone }
        let feedBoard = try FeedBoard(timetable, stops: [call.stop], routes: nil)
        // A late departure may come after departures that leave in the meantime.
        let at = max(now, call.departure.advanced(by: -DeparturePairing.maximumTimeDifference))
        let board = try MergedBoard(feedBoard, self).departures(at: at, count: MergeLimits.maximumOverdue, self)
        return board.first { $0.timetable === timetable && $0.call.isSameDeparture(as: call) } ?? alone
    }
}
