internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What calls at some stops of one timetable.
struct FeedBoard {
    var view: FeedView
    /// Where trips call for the stop that is meant.
    var stops: [StopIndex]
    var visits: [PatternVisit]
    /// Those that are wanted alone; `nil`: all.
    var routes: Set<RouteIndex>?

    var timetable: Timetable { view.timetable }

    /// All that calls at the stops.
    init(_ view: FeedView, stops: [StopIndex], routes: Set<RouteIndex>?) throws(StoreError) {
        self.view = view
        self.stops = stops
        self.routes = routes
        visits = []
        for stop in stops { visits += try view.timetable.file.patterns(at: stop) }
        if let routes { visits.removeAll { !routes.contains($0.pattern.route) } }
    }

    /// The same stops in the other timetable of a pair, and there the routes of the same names.
    init(beside side: FeedBoard, in pair: FeedPair, _ context: RequestContext) throws(StoreError) {
        let timetable = pair.other(than: side.timetable)
        let stops = pair.stops(side.stops, of: side.timetable)
        let names = side.routes.map { routes in
            Set(routes.compactMap { side.timetable.route($0) }.map { SearchText.fold($0.displayName) })
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
            visits: visits, stops: stops, routes: routes, context: timetable.context, live: view.live, now: view.now,
            at: at, count: count)
    }

    /// What the timetable has around a moment, as it may be expected now.
    func planned(around moment: Instant) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: visits, context: timetable.context, live: view.live, now: view.now, plannedAround: moment,
            within: DepartureMatcher.agreementTolerance, count: MergeLimits.maximumPlanned)
    }
}

/// What leaves from some stops, as one feed tells it, or as two of one agency tell it together.
struct MergedBoard {
    /// That of the stops that were asked about.
    var asked: FeedBoard
    /// The same stops in the agency's other feed.
    private var other: FeedBoard?
    private var pair: FeedPair?

    init(_ asked: FeedBoard, _ context: RequestContext) throws(StoreError) {
        self.asked = asked
        guard let pair = try context.pair(of: asked.timetable) else { return }
        other = try FeedBoard(beside: asked, in: pair, context)
        self.pair = pair
    }

    /// One, or two.
    var sides: [FeedBoard] { other.map { [asked, $0] } ?? [asked] }

    /// In the order of leaving.
    func departures(at: Instant, count: Int) throws(StoreError) -> [MergedDeparture] {
        guard let pair, let other else {
            return asked.departures(at: at, count: count).map { MergedDeparture(asked.timetable, $0) }
        }
        let (main, beside) = asked.timetable === pair.main ? (asked, other) : (other, asked)
        let past = main.departures(
            at: at.advanced(by: -DepartureMatcher.maximumTimeDifference), count: MergeLimits.maximumOverdue
        ).filter { $0.isPastPlan(at: at) }
        let together = FeedMerger<MergedDeparture>(
            pair: pair, at: at, now: main.view.now, call: \.call, leaveBy: \.call.departure,
            planned: { timetable, moment in
                let side = timetable === main.timetable ? main : beside
                return side.planned(around: moment).map { MergedDeparture(timetable, $0) }
            }, join: { MergedDeparture($0.call, $1.call, of: pair, by: $2) })
        return try together.list(count: count) { asked in
            let first = past + main.departures(at: at, count: asked)
            let second = beside.departures(at: at, count: asked + past.count)
            return (first.map { MergedDeparture(pair.main, $0) }, second.map { MergedDeparture(pair.beside, $0) })
        }
    }
}

extension RequestContext {
    /// A call of which both feeds of its agency are heard; its own feed alone where the other one tells nothing.
    func merged(_ call: ExpectedCall, of timetable: Timetable) throws(StoreError) -> MergedDeparture {
        let alone = MergedDeparture(timetable, call)
        guard try pair(of: timetable) != nil else { return alone }
        let side = try FeedBoard(view(of: timetable), stops: [call.stop], routes: nil)
        // A late one may stand behind what leaves meanwhile.
        let at = max(now, call.departure.advanced(by: -DepartureMatcher.maximumTimeDifference))
        let board = try MergedBoard(side, self).departures(at: at, count: MergeLimits.maximumOverdue)
        return board.first { $0.timetable === timetable && $0.call.isSameDeparture(as: call) } ?? alone
    }
}
