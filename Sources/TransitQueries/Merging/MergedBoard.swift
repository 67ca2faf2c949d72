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
        // The visits to a single stop are not copied.
        visits = try stops.first.map { (stop) throws(StoreError) in try timetable.file.patterns(at: stop) } ?? []
        for stop in stops.dropFirst() { visits += try timetable.file.patterns(at: stop) }
        if let routes { visits.removeAll { !routes.contains($0.pattern.route) } }
    }

    /// Creates the board for the same stops and routes in the other timetable of a pair. Routes are matched by name.
    init(counterpartOf board: FeedBoard, in pair: FeedPair) throws(StoreError) {
        let timetable = pair.other(than: board.timetable)
        try self.init(
            timetable, stops: pair.stops(board.stops, of: board.timetable),
            routes: board.routes.map { timetable.routes(namedLike: $0, in: board.timetable) })
    }

    /// Returns the board with all visits to the same stops, of all routes that have the same names as the requested
    /// ones. A departure of the other feed may belong to any of them.
    func withAllVisits() throws(StoreError) -> FeedBoard {
        try FeedBoard(timetable, stops: stops, routes: routes.map { timetable.routes(namedLike: $0, in: timetable) })
    }

    func departures(at: Instant, count: Int, _ context: QueryContext) -> [ExpectedCall] {
        departures(from: at, until: nil, count: count, context)
    }

    /// Returns the departures that are expected in a time window.
    func departures(from start: Instant, until end: Instant?, count: Int, _ context: QueryContext) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: visits, stops: stops, routes: routes, context: timetable.context,
            realtime: context.realtime(timetable), now: context.now, at: start, before: end, count: count)
    }

    /// Returns the departures that are scheduled around a given time, with their expected times.
    func planned(around moment: Instant, within seconds: Int, count: Int, _ context: QueryContext) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: visits, context: timetable.context, realtime: context.realtime(timetable), now: context.now,
            plannedAround: moment, within: seconds, count: count)
    }
}

extension Timetable {
    /// Returns the routes that have the name of one of the given routes of a timetable.
    func routes(namedLike routes: Set<RouteIndex>, in timetable: Timetable) -> Set<RouteIndex> {
        let names = Set(routes.compactMap { timetable.route($0) }.map { SearchText.fold($0.displayName) })
        return Set(
            file.routes.indices.filter { names.contains(SearchText.fold(file.routes[$0].displayName)) }
                .map { RouteIndex($0) })
    }
}

/// The visits to a set of stops, in one feed or in the two feeds of one agency. Resolved once; the departures can be
/// computed any number of times, with the realtime data of each context.
package struct MergedBoard {
    /// The board of the requested stops.
    package var requested: FeedBoard
    private var paired: Paired?

    /// The boards in which departures are compared.
    private struct Paired {
        var pair: FeedPair
        /// All visits to the requested stops.
        var own: FeedBoard
        /// The same stops in the agency's other feed.
        var other: FeedBoard
        /// The visits of ``own`` that are not requested.
        var unwanted: Set<Visit>

        struct Visit: Hashable {
            var pattern: PatternIndex
            var position: Int
        }

        init(_ requested: FeedBoard, _ pair: FeedPair) throws(StoreError) {
            self.pair = pair
            own = try requested.withAllVisits()
            other = try FeedBoard(counterpartOf: requested, in: pair)
            func visits(_ board: FeedBoard) -> Set<Visit> {
                Set(board.visits.map { Visit(pattern: $0.pattern.index, position: $0.position) })
            }
            unwanted =
                own.visits.count == requested.visits.count ? [] : visits(own).subtracting(visits(requested))
        }

        func departures(
            from start: Instant, until end: Instant?, _ context: QueryContext
        ) throws(StoreError) -> PairedDepartures {
            let (main, supplement) = own.timetable === pair.main ? (own, other) : (other, own)
            return try PairedDepartures(main, supplement, of: pair, from: start, until: end, context)
        }
    }

    package init(_ requested: FeedBoard, _ context: QueryContext) throws(StoreError) {
        self.requested = requested
        if let pair = try context.pair(of: requested.timetable) { paired = try Paired(requested, pair) }
    }

    /// The boards of one or two feeds.
    package var feedBoards: [FeedBoard] { paired.map { [requested, $0.other] } ?? [requested] }

    /// The timetables of one or two feeds.
    package var timetables: [Timetable] {
        paired.map { [requested.timetable, $0.other.timetable] } ?? [requested.timetable]
    }

    /// Returns the on-demand arrivals on which the departures depend.
    package func requiredArrivals(at: Instant) -> [RequiredArrivals] { RequiredArrivals.all(of: [self], at: at) }

    /// Whether the board still describes the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool { timetables.allSatisfy(context.isCurrent) }

    /// Returns the departures in order of departure.
    package func departures(
        at: Instant, count: Int, _ context: QueryContext
    ) throws(StoreError) -> [MergedDeparture] {
        guard let paired else {
            let feed = FeedConditions(requested.timetable, context)
            return requested.departures(at: at, count: count, context).map { MergedDeparture(feed, $0) }
        }
        var list: [MergedDeparture] = []
        var limit = count
        for _ in 0..<MergeLimits.maximumRounds {
            let end = [requested, paired.other].compactMap { board in
                let found = board.departures(at: at, count: limit, context)
                return found.count < limit ? nil : found.last?.departure
            }.min()
            list = try paired.departures(from: at, until: end, context).departures.filter {
                isWanted($0, paired) && $0.isAhead(of: at, now: context.now)
            }
            guard let end, list.prefix(count).count(where: { $0.call.departure <= end }) < count else { break }
            limit *= 2
        }
        return Array(list.prefix(count))
    }

    private func isWanted(_ merged: MergedDeparture, _ paired: Paired) -> Bool {
        guard let call = merged.call(in: requested.timetable) else { return true }
        if let routes = requested.routes, let route = call.route, !routes.contains(route) { return false }
        return call.scheduledCall.map { scheduled in
            !paired.unwanted.contains(
                Paired.Visit(pattern: scheduled.pattern.index, position: scheduled.position))
        } ?? true
    }
}

extension MergedDeparture {
    /// Whether the vehicle has not left at the time of a query, and goes on.
    func isAhead(of at: Instant, now: Instant) -> Bool {
        !call.endsHere && call.departure >= at && !(at >= now && call.status == .departed)
    }
}

extension QueryContext {
    /// Returns a departure merged with the data of the agency's other feed; the unchanged departure if the other feed
    /// has no data about it.
    package func merged(_ call: ExpectedCall, of timetable: Timetable) throws(StoreError) -> MergedDeparture {
        guard let pair = try pair(of: timetable), let route = call.route else {
            return MergedDeparture(FeedConditions(timetable, self), call)
        }
        return try PairedRoute(route, of: timetable, pair).merged(call, self)
    }
}

/// A route in both feeds of a pair, whose calls are merged one by one.
struct PairedRoute {
    let pair: FeedPair
    private let timetable: Timetable
    private let own: Set<RouteIndex>
    private let other: Set<RouteIndex>

    init(_ route: RouteIndex, of timetable: Timetable, _ pair: FeedPair) {
        self.pair = pair
        self.timetable = timetable
        own = timetable.routes(namedLike: [route], in: timetable)
        other = pair.other(than: timetable).routes(namedLike: [route], in: timetable)
    }

    func merged(_ call: ExpectedCall, _ context: QueryContext) throws(StoreError) -> MergedDeparture {
        let board = try FeedBoard(timetable, stops: [call.stop], routes: own)
        let counterpart = try FeedBoard(
            pair.other(than: timetable), stops: pair.stops(board.stops, of: timetable), routes: other)
        let (main, supplement) = timetable === pair.main ? (board, counterpart) : (counterpart, board)
        let planned = call.scheduledDeparture ?? call.departure
        let paired = try PairedDepartures(
            main, supplement, of: pair, from: min(planned, call.departure),
            until: max(planned, call.departure).advanced(by: 1), context)
        return paired.departure(call, of: timetable) ?? MergedDeparture(FeedConditions(timetable, context), call)
    }
}
