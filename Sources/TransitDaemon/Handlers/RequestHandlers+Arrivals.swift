internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore
internal import TransitSystem

// Handles requests that depend on on-demand arrivals: determines the upstream queries and waits for the responses.
extension RequestHandlers {
    /// Registers the demand of a request for on-demand arrivals.
    ///
    /// - Returns: Whether a response may arrive before the request's deadline. Errors in the request are ignored here,
    ///   because the request's handler reports them.
    func registerDemand(for request: ControlRequest, _ context: RequestContext) -> Bool {
        guard let requirements = try? arrivalsRequirements(of: request, context), !requirements.isEmpty else {
            return false
        }
        daemon.arrivals.registerDemand(requirements, .user)
        return daemon.arrivals.mayArrive(requirements, by: arrivalsDeadline(context))
    }

    /// Waits until the arrivals that a request needs are fetched or cannot arrive in time. The wait is limited by the
    /// configured `arrivalsWait`.
    func waitForArrivals(of request: ControlRequest, _ context: RequestContext) async {
        guard let requirements = try? arrivalsRequirements(of: request, context), !requirements.isEmpty else { return }
        await daemon.arrivals.wait(for: requirements, until: arrivalsDeadline(context))
    }

    private func arrivalsDeadline(_ context: RequestContext) -> BootTime {
        daemon.clock.reading().boot.advanced(by: context.configuration.queries.arrivalsWait)
    }

    /// Keeps the arrivals of a topic fresh. Called whenever the topic is evaluated.
    ///
    /// - Returns: Whether the topic depends on on-demand arrivals.
    func keepArrivalsFresh(of topic: Topic, for caller: Caller, slowWork: SlowWorkSignal) -> Bool {
        guard !daemon.arrivals.isEmpty, let request = try? topic.request(),
            let requirements = try? arrivalsRequirements(of: request, context(from: caller, slowWork: slowWork)),
            !requirements.isEmpty
        else { return false }
        daemon.arrivals.registerDemand(
            requirements, .commute, until: daemon.clock.reading().boot.advanced(by: Self.demandDuration))
        return true
    }

    /// How long, in seconds, demand lasts after each evaluation of a topic. The value exceeds the time between
    /// evaluations.
    static let demandDuration = 60

    // MARK: Requirements

    /// Returns the upstream queries on which a request depends; empty if there are none.
    func arrivalsRequirements(of request: ControlRequest, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        switch request {
        case .departures(let parameters): try arrivalsRequirements(of: BoardQuery(parameters, context), context)
        case .next(let parameters): try arrivalsRequirements(of: DirectTripsQuery(parameters, context), context)
        case .stopsShow(let parameters): try routesRequirements(of: parameters, context)
        case .favoriteShow(let parameters): try arrivalsRequirements(of: FavoritesQuery(parameters, context), context)
        default: []
        }
    }

    private func arrivalsRequirements(of board: BoardQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        guard !daemon.arrivals.isEmpty else { return [] }
        return try requirements(of: MergedBoard(board.feedBoard, context).feedBoards, at: board.at)
    }

    /// Returns the queries for the boards of one request, for each on-demand feed of the agency.
    private func requirements(of boards: [FeedBoard], at: Instant) throws -> [ArrivalsRequirement] {
        ArrivalsRequirement.combined(
            try boards.compactMap { try requirement(BoardingCall.all(of: $0.visits), of: $0.timetable, at: at) })
    }

    func arrivalsRequirements(of query: DirectTripsQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        var places: [(timetable: Timetable, places: [BoardingCall])] = []
        for originDestination in query.directTrips.originDestinations {
            guard let source = daemon.arrivals.source(of: originDestination.origin.timetable.feed) else { continue }
            let found = Self.boardingCalls(of: originDestination, source)
            if let known = places.firstIndex(where: { $0.timetable === originDestination.origin.timetable }) {
                places[known].places += found
            } else {
                places.append((originDestination.origin.timetable, found))
            }
        }
        return try places.compactMap { found in
            let order = found.places.sorted {
                ($0.isDestination ? 1 : 0, $0.walk) < ($1.isDestination ? 1 : 0, $1.walk)
            }
            return try requirement(order, of: found.timetable, at: query.at)
        }
    }

    private static func boardingCalls(
        of originDestination: DirectTrips.OriginDestinationPair, _ source: any ArrivalsSource
    ) -> [BoardingCall] {
        let (origins, destinations) = (originDestination.origin.walks, originDestination.destination.walks)
        return source.hasTripIDs
            ? BoardingCall.nearBothEnds(origins, destinations, patterns: originDestination.patterns)
            : BoardingCall.between(origins, destinations, patterns: originDestination.patterns)
    }

    /// Returns the queries for several favorites. They are taken from each favorite in turn, so that no single favorite
    /// uses up the request's limit.
    func arrivalsRequirements(of favorites: FavoritesQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        guard !daemon.arrivals.isEmpty else { return [] }
        return try ArrivalsRequirement.combined(
            favorites.all.flatMap { one -> [ArrivalsRequirement] in
                guard case .success(let query) = one.board else { return [] }
                return try requirements(of: query.boards(context).flatMap(\.feedBoards), at: query.at)
            })
    }

    /// Whether a source covers departures at the given time.
    private func covers(_ source: any ArrivalsSource, at moment: Instant) -> Bool {
        (-60...source.horizon).contains(daemon.clock.now().seconds(to: moment))
    }

    /// Returns the queries for the departures at a set of boarding places; `nil` if the source does not cover the given
    /// time or no routes call at these places.
    private func requirement(_ places: [BoardingCall], of timetable: Timetable, at moment: Instant) throws
        -> ArrivalsRequirement?
    {
        guard let source = daemon.arrivals.source(of: timetable.feed), covers(source, at: moment) else { return nil }
        let now = max(daemon.clock.now(), moment)
        var queries: [ArrivalsQuery] = []
        var known: Set<ArrivalsQuery> = []
        var stops: [StopID] = []
        for (stop, wanted) in try variants(places, of: timetable) {
            let id = try timetable.cachedStop(stop).id
            stops.append(id)
            // Clients share a response, so the query names every variant at the stop.
            let needed = Set(source.queries(at: id, for: wanted, now: now))
            let all = source.queries(at: id, for: try variants(at: stop, of: timetable), now: now)
            for query in all where needed.contains(query) && known.insert(query).inserted { queries.append(query) }
        }
        guard !queries.isEmpty else { return nil }
        return ArrivalsRequirement(
            feed: timetable.feed, queries: Array(queries.prefix(ArrivalsRequirement.maximumQueries)), stops: stops,
            isTruncated: queries.count > ArrivalsRequirement.maximumQueries)
    }

    /// Returns the variants at each stop, in the order of the calls.
    private func variants(
        _ places: [BoardingCall], of timetable: Timetable
    ) throws -> [(StopIndex, [RouteVariant])] {
        var stops: [StopIndex] = []
        var variants: [StopIndex: [RouteVariant]] = [:]
        for place in places {
            guard let route = timetable.route(place.pattern.route) else { continue }
            if variants[place.stop] == nil { stops.append(place.stop) }
            for trip in place.trips(atMost: Self.maximumVariants) {
                let variant = RouteVariant(route: route.id, trip: try timetable.file.trip(trip).id)
                if variants[place.stop]?.contains(variant) != true { variants[place.stop, default: []].append(variant) }
            }
        }
        return stops.map { ($0, variants[$0] ?? []) }
    }

    /// Returns every variant that calls at a stop, with the positions of its calls.
    private func variants(at stop: StopIndex, of timetable: Timetable) throws -> [RouteVariant] {
        var variants: [RouteVariant] = []
        for (_, visits) in Dictionary(grouping: try timetable.file.patterns(at: stop), by: \.pattern.index)
            .sorted(by: { $0.key < $1.key })
        {
            guard let first = visits.first, let route = timetable.route(first.pattern.route) else { continue }
            let calls = visits.map(\.position).sorted().map { position in
                RouteVariant.Call(
                    sequence: first.pattern.calls[position].sequence,
                    isLast: position + 1 == first.pattern.callCount)
            }
            let place = BoardingCall(stop: stop, pattern: first.pattern, position: first.position, walk: 0)
            for trip in place.trips(atMost: Self.maximumVariants) {
                variants.append(RouteVariant(route: route.id, trip: try timetable.file.trip(trip).id, calls: calls))
            }
        }
        return variants
    }

    /// The maximum number of trips listed per pattern. In a network without times, a pattern has one or two trips.
    private static let maximumVariants = 8
}

// MARK: - Status

extension RequestHandlers {
    /// Returns the status of the arrivals of a board as notices; `nil` if no feed of the board is queried on
    /// demand.
    func arrivals(of board: BoardQuery, _ context: RequestContext, language: String?) throws -> ArrivalsNotices? {
        guard !daemon.arrivals.isEmpty else { return nil }
        let feedBoards = try MergedBoard(board.feedBoard, context).feedBoards
        return try arrivalsNotices(of: feedBoards, at: board.at, context, language: language) { $0 }
    }

    /// Returns the status of the arrivals for the next departures of a commute as notices; `nil` if no timetable of the
    /// commute is from a feed that is queried on demand.
    func arrivals(of query: DirectTripsQuery, _ context: RequestContext, language: String?) throws -> ArrivalsNotices? {
        let timetables = query.directTrips.timetables.filter { daemon.arrivals.source(of: $0.feed) != nil }
        guard let timetable = timetables.first else { return nil }
        let requirements = try arrivalsRequirements(of: query, context)
        var remarks: [String] = []
        for originDestination in query.directTrips.originDestinations
        where timetables.contains(where: { $0 === originDestination.origin.timetable }) {
            var stops: Set<StopID> = []
            for stop in originDestination.origin.walks.keys {
                stops.insert(try originDestination.origin.timetable.cachedStop(stop).id)
            }
            let routes = Set(
                originDestination.patterns.compactMap { originDestination.origin.timetable.route($0.route)?.id })
            remarks += ArrivalsNotices.remarks(
                originDestination.realtime, at: stops, of: routes, now: context.now, language: language
            )
            .filter { !remarks.contains($0) }
        }
        return arrivalsNotices(requirements, timetable, at: query.at, remarks: remarks, hasTimes: timetable.hasTimes)
    }

    /// Returns the status of the arrivals for a favorite as notices; `nil` if none of its feeds is queried on demand.
    ///
    /// - Parameters:
    ///   - boards: The boards of the favorite's origins.
    ///   - limit: The requirements of all favorites of the request.
    func arrivals(
        of favorite: FavoriteBoardQuery, _ boards: [MergedBoard], _ context: RequestContext, language: String?,
        within limit: [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        guard !daemon.arrivals.isEmpty else { return nil }
        return try arrivalsNotices(of: boards.flatMap(\.feedBoards), at: favorite.at, context, language: language) {
            $0.map { $0.limited(to: limit) }
        }
    }

    /// - Parameter isAsked: A function that returns the requirements within the request's limit.
    private func arrivalsNotices(
        of feedBoards: [FeedBoard], at: Instant, _ context: RequestContext, language: String?,
        isAsked: ([ArrivalsRequirement]) -> [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        let sources = feedBoards.filter { daemon.arrivals.source(of: $0.timetable.feed) != nil }
        guard let timetable = sources.first?.timetable else { return nil }
        var remarks: [String] = []
        for feedBoard in sources {
            let stops = Set(
                try feedBoard.stops.map { (stop) throws(StoreError) in try feedBoard.timetable.cachedStop(stop).id })
            let routes = Set(feedBoard.visits.compactMap { feedBoard.timetable.route($0.pattern.route)?.id })
            remarks += ArrivalsNotices.remarks(
                feedBoard.view.realtime, at: stops, of: routes, now: context.now, language: language
            ).filter { !remarks.contains($0) }
        }
        return arrivalsNotices(
            isAsked(try requirements(of: sources, at: at)), timetable, at: at, remarks: remarks,
            hasTimes: feedBoards.contains { $0.timetable.hasTimes })
    }

    private func arrivalsNotices(
        _ requirements: [ArrivalsRequirement], _ timetable: Timetable, at moment: Instant, remarks: [String],
        hasTimes: Bool
    ) -> ArrivalsNotices {
        let source = daemon.arrivals.source(of: timetable.feed)
        return ArrivalsNotices(
            requirements: requirements, arrivalsStatuses: daemon.arrivals.arrivalsStatuses(requirements),
            feed: timetable.feed,
            isWithinHorizon: source.map { covers($0, at: moment) } ?? false, horizon: source?.horizon ?? 0, at: moment,
            hasTimes: hasTimes, remarks: remarks, now: daemon.clock.reading(),
            zone: timetable.zone, outdated: outdated(requirements, timetable))
    }

    /// Returns the time of the newest data about the stops of these requirements, if that data is too old to use.
    private func outdated(_ requirements: [ArrivalsRequirement], _ timetable: Timetable) -> Instant? {
        guard let realtime = daemon.feeds.snapshot(timetable.feed)?.realtimeTimetable else { return nil }
        let stops = requirements.filter { $0.feed == timetable.feed }.flatMap(\.stops)
        // A stop that cannot be read is treated as having no data.
        let indexes = Set(stops.compactMap { try? timetable.file.stop(id: $0) })
        return realtime.outdatedArrival(at: indexes, now: daemon.clock.now())
    }
}
