internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What calls at some stops of one timetable.
struct BoardSide {
    var timetable: Timetable
    var stops: [StopIndex]
    var visits: [PatternVisit]
    /// Those that are wanted alone; `nil`: all.
    var routes: Set<RouteIndex>?
    var live: LiveTimetable?

    init(
        _ timetable: Timetable, stops: [StopIndex], visits: [PatternVisit], routes: Set<RouteIndex>?,
        _ question: Question
    ) {
        self.timetable = timetable
        self.stops = stops
        self.visits = visits
        self.routes = routes
        live = question.live(timetable)
    }

    /// The same stops in the other timetable of a pair, and there the routes of the same names.
    init(beside side: BoardSide, in pair: FeedPair, _ question: Question) throws(StoreError) {
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
        var visits: [PatternVisit] = []
        for stop in stops { visits += try timetable.file.patterns(at: stop) }
        if let routes { visits.removeAll { !routes.contains($0.pattern.route) } }
        self.init(timetable, stops: stops, visits: visits, routes: routes, question)
    }

    func departures(now: Instant, at: Instant, count: Int) -> [ExpectedCall] {
        Board.departures(
            visits: visits, stops: stops, routes: routes, context: timetable.context, live: live, now: now, at: at,
            count: count)
    }
}

/// What leaves from some stops, as one feed tells it, or as two of one agency tell it together.
struct ToldBoard {
    /// That of the stops that were asked about.
    var asked: BoardSide
    /// The same stops in the agency's other feed.
    private var other: BoardSide?
    private var pair: FeedPair?
    private var now: Instant

    init(_ asked: BoardSide, _ question: Question) throws(StoreError) {
        self.asked = asked
        now = question.now
        guard let pair = try question.pair(of: asked.timetable) else { return }
        other = try BoardSide(beside: asked, in: pair, question)
        self.pair = pair
    }

    /// One, or two.
    var sides: [BoardSide] { other.map { [asked, $0] } ?? [asked] }

    /// In the order of leaving.
    func departures(at: Instant, count: Int) throws(StoreError) -> [ToldCall] {
        guard let pair, let other else {
            return asked.departures(now: now, at: at, count: count).map { ToldCall(asked.timetable, $0) }
        }
        let (main, beside) = asked.timetable === pair.main ? (asked, other) : (other, asked)
        let past = main.departures(
            now: now, at: at.advanced(by: -Reconciliation.farthest), count: ToldTogether.mostLate
        ).filter { $0.isPastPlan(at: at) }
        let first = past + main.departures(now: now, at: at, count: count)
        let second = beside.departures(now: now, at: at, count: count + past.count)
        let list = try ToldTogether(pair: pair).list(
            first.map { ToldCall(pair.main, $0) }, second.map { ToldCall(pair.beside, $0) }, at: at, call: \.call
        ) { ToldCall($0.call, $1.call, of: pair, by: $2) }
        return Array(list.prefix(count))
    }
}

extension Question {
    /// A call of which both feeds of its agency are heard; its own feed alone where the other one tells nothing.
    func told(_ call: ExpectedCall, of timetable: Timetable) throws(StoreError) -> ToldCall {
        let alone = ToldCall(timetable, call)
        guard try pair(of: timetable) != nil else { return alone }
        let side = BoardSide(
            timetable, stops: [call.stop], visits: try timetable.file.patterns(at: call.stop), routes: nil, self)
        // A late one may stand behind what leaves meanwhile.
        let at = max(now, call.departure.advanced(by: -Reconciliation.farthest))
        let board = try ToldBoard(side, self).departures(at: at, count: ToldTogether.mostLate)
        return board.first { $0.timetable === timetable && $0.call.isSameDeparture(as: call) } ?? alone
    }
}

extension ExpectedCall {
    /// Whether both are the same call of the same trip on the same date.
    fileprivate func isSameDeparture(as other: ExpectedCall) -> Bool {
        switch (subject, other.subject) {
        case (.scheduled(let one), .scheduled(let two)): RunKey(one) == RunKey(two) && one.position == two.position
        case (.extra(let one, let position), .extra(let two, let other)):
            one.entity == two.entity && position == other
        default: false
        }
    }
}
