internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The visits of one timetable's patterns to a set of stops.
struct FeedBoard {
    var view: FeedView
    /// The stops at which trips call.
    var stops: [StopIndex]
    var visits: [PatternCallPosition]
    /// The requested routes; `nil` for all.
    var routes: Set<RouteIndex>?

    var timetable: Timetable { view.timetable }

    /// Creates a board with the visits to the stops.
    init(_ view: FeedView, stops: [StopIndex], routes: Set<RouteIndex>?) throws(StoreError) {
        self.view = view
        self.stops = stops
        self.routes = routes
        visits = []
        for stop in stops { visits += try view.timetable.file.patterns(at: stop) }
        if let routes { visits.removeAll { !routes.contains($0.pattern.route) } }
    }

    /// Creates the board for the same stops and routes in the other timetable of a pair. Routes are matched by name.
    init(counterpartOf board: FeedBoard, in pair: FeedPair, _ context: RequestContext) throws(StoreError) {
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
        try self.init(context.view(of: timetable), stops: stops, routes: routes)
    }

    func departures(at: Instant, count: Int) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: visits, stops: stops, routes: routes, context: timetable.context, realtime: view.realtime,
            now: view.now,
            at: at, count: count)
    }

    /// Returns the scheduled departures around a given time, with their expected times.
    func planned(around moment: Instant) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: visits, context: timetable.context, realtime: view.realtime, now: view.now, plannedAround: moment,
            within: DeparturePairing.agreementTolerance, count: MergeLimits.maximumPlanned)
    }
}

/// The departures from a set of stops, from one feed or merged from two feeds of one agency.
struct MergedBoard {
    /// The board of the requested stops.
    var requested: FeedBoard
    /// The same stops in the agency's other feed.
    private var other: FeedBoard?
    private var pair: FeedPair?

    init(_ requested: FeedBoard, _ context: RequestContext) throws(StoreError) {
        self.requested = requested
        guard let pair = try context.pair(of: requested.timetable) else { return }
        other = try FeedBoard(counterpartOf: requested, in: pair, context)
        self.pair = pair
    }

    /// The boards of one or two feeds.
    var feedBoards: [FeedBoard] { other.map { [requested, $0] } ?? [requested] }

    /// Returns the departures in order of departure.
    func departures(at: Instant, count: Int) throws(StoreError) -> [MergedDeparture] {
        guard let pair, let other else {
            return requested.departures(at: at, count: count).map { MergedDeparture(requested.timetable, $0) }
        }
        let (main, supplement) = requested.timetable === pair.main ? (requested, other) : (other, requested)
        let past = main.departures(
            at: at.advanced(by: -DeparturePairing.maximumTimeDifference), count: MergeLimits.maximumOverdue
        ).filter { $0.isPastPlan(at: at) }
        let merger = FeedMerger<MergedDeparture>(
            pair: pair, at: at, now: main.view.now, call: \.call, leaveBy: \.call.departure,
            planned: { timetable, moment in
                let feedBoard = timetable === main.timetable ? main : supplement
                return feedBoard.planned(around: moment).map { MergedDeparture(timetable, $0) }
            }, join: { MergedDeparture($0.call, $1.call, of: pair, by: $2) })
        return try merger.list(count: count) { limit in
            let first = past + main.departures(at: at, count: limit)
            let second = supplement.departures(at: at, count: limit + past.count)
            return (first.map { MergedDeparture(pair.main, $0) }, second.map { MergedDeparture(pair.supplement, $0) })
        }
    }
}

extension RequestContext {
    /// Returns a departure merged with the data of the agency's other feed; the unchanged departure if the other feed
    /// has no data about it.
    func merged(_ call: ExpectedCall, of timetable: Timetable) throws(StoreError) -> MergedDeparture {
        let alone = MergedDeparture(timetable, call)
        guard try pair(of: timetable) != nil else { return alone }
        let feedBoard = try FeedBoard(view(of: timetable), stops: [call.stop], routes: nil)
        // A late departure may come after departures that leave in the meantime.
        let at = max(now, call.departure.advanced(by: -DeparturePairing.maximumTimeDifference))
        let board = try MergedBoard(feedBoard, self).departures(at: at, count: MergeLimits.maximumOverdue)
        return board.first { $0.timetable === timetable && $0.call.isSameDeparture(as: call) } ?? alone
    }
}
