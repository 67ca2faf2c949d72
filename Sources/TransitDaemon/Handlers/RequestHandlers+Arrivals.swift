internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

// Questions whose answer depends on what is asked on demand: what has to be asked for them, and waiting for it.
extension RequestHandlers {
    /// Wants what a request needs.
    ///
    /// - Returns: whether it is worth waiting for. What is wrong with the request is said by its answer.
    func mustWait(for request: ControlRequest, _ context: RequestContext) -> Bool {
        guard let needs = try? arrivalsRequirements(of: request, context), !needs.isEmpty else { return false }
        daemon.arrivals.want(needs, .user)
        return daemon.arrivals.isComing(needs, by: arrivalsDeadline(context))
    }

    /// Waits until what a request needs has come, or cannot come in time; never for longer than the configured bound.
    func waitForArrivals(of request: ControlRequest, _ context: RequestContext) async {
        guard let needs = try? arrivalsRequirements(of: request, context), !needs.isEmpty else { return }
        await daemon.arrivals.wait(for: needs, until: arrivalsDeadline(context))
    }

    private func arrivalsDeadline(_ context: RequestContext) -> BootTime {
        daemon.clock.reading().boot.advanced(by: context.configuration.queries.arrivalsWait)
    }

    /// Keeps what a topic shows as fresh as it can be; to be called whenever the topic is looked at.
    ///
    /// - Returns: whether the topic has anything of that kind.
    func followArrivals(of topic: Topic, for caller: Caller, slowWork: SlowWorkSignal) -> Bool {
        guard !daemon.arrivals.isEmpty, let request = try? topic.request(),
            let needs = try? arrivalsRequirements(of: request, context(from: caller, slowWork: slowWork)),
            !needs.isEmpty
        else { return false }
        daemon.arrivals.want(needs, .commute, until: daemon.clock.reading().boot.advanced(by: Self.followed))
        return true
    }

    /// Seconds for which a topic is kept asked after it was looked at; longer than the pause until the next look.
    static let followed = 60

    // MARK: What is needed

    /// What has to be asked to answer a request; none for one that needs nothing.
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
        return try needs(of: MergedBoard(board.side, context).sides, at: board.at)
    }

    /// What is asked for boards of one question, of each feed of their agency that is asked on demand.
    private func needs(of sides: [FeedBoard], at: Instant) throws -> [ArrivalsRequirement] {
        ArrivalsRequirement.shared(
            try sides.compactMap { try need(BoardingCall.all(of: $0.visits), of: $0.timetable, at: at) })
    }

    func arrivalsRequirements(of asked: DirectTripsQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        var places: [(timetable: Timetable, places: [BoardingCall])] = []
        for originDestination in asked.directTrips.originDestinations {
            guard let source = daemon.arrivals.source(of: originDestination.origin.timetable.feed) else { continue }
            let found = Self.waitingPlaces(of: originDestination, source)
            if let known = places.firstIndex(where: { $0.timetable === originDestination.origin.timetable }) {
                places[known].places += found
            } else {
                places.append((originDestination.origin.timetable, found))
            }
        }
        return try places.compactMap { found in
            let order = found.places.sorted { ($0.isEnd ? 1 : 0, $0.walk) < ($1.isEnd ? 1 : 0, $1.walk) }
            return try need(order, of: found.timetable, at: asked.at)
        }
    }

    private static func waitingPlaces(
        of originDestination: DirectTrips.OriginDestinationPair, _ source: any ArrivalsSource
    ) -> [BoardingCall] {
        let (origins, destinations) = (originDestination.origin.walks, originDestination.destination.walks)
        return source.hasTripIDs
            ? BoardingCall.nearBothEnds(origins, destinations, patterns: originDestination.patterns)
            : BoardingCall.between(origins, destinations, patterns: originDestination.patterns)
    }

    /// What is asked for favourites together: of each in turn, so that none takes all that is asked for one question.
    func arrivalsRequirements(of favorites: FavoritesQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        guard !daemon.arrivals.isEmpty else { return [] }
        return try ArrivalsRequirement.shared(
            favorites.all.flatMap { one -> [ArrivalsRequirement] in
                guard case .success(let asked) = one.board else { return [] }
                return try needs(of: asked.boards(context).flatMap(\.sides), at: asked.at)
            })
    }

    /// Whether a source covers departures at a moment.
    private func tells(_ source: any ArrivalsSource, of moment: Instant) -> Bool {
        (-60...source.horizon).contains(daemon.clock.now().seconds(to: moment))
    }

    /// The queries for the departures at some places; `nil` if the source does not cover that time or no routes call
    /// there.
    private func need(_ places: [BoardingCall], of timetable: Timetable, at moment: Instant) throws
        -> ArrivalsRequirement?
    {
        guard let source = daemon.arrivals.source(of: timetable.feed), tells(source, of: moment) else { return nil }
        let now = max(daemon.clock.now(), moment)
        var queries: [ArrivalsQuery] = []
        var known: Set<ArrivalsQuery> = []
        var stops: [StopID] = []
        for (stop, wanted) in try variants(places, of: timetable) {
            let id = try timetable.cachedStop(stop).id
            stops.append(id)
            // An answer is shared by whoever asks, so it is read with all that calls at the stop.
            let needed = Set(source.queries(at: id, for: wanted, now: now))
            let all = source.queries(at: id, for: try variants(at: stop, of: timetable), now: now)
            for query in all where needed.contains(query) && known.insert(query).inserted { queries.append(query) }
        }
        guard !queries.isEmpty else { return nil }
        return ArrivalsRequirement(
            feed: timetable.feed, queries: Array(queries.prefix(ArrivalsRequirement.most)), stops: stops,
            isCut: queries.count > ArrivalsRequirement.most)
    }

    /// The variants at each stop, in the order of the places.
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

    /// Every variant that calls at a stop, with where it does.
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

    /// So many trips of a pattern are named; in a network without times it has one or two.
    private static let maximumVariants = 8
}

// MARK: - How it stands

extension RequestHandlers {
    /// How what a board shows of arrivals stands; `nil` where nobody is asked for them.
    func arrivals(of board: BoardQuery, _ context: RequestContext, language: String?) throws -> ArrivalsNotices? {
        guard !daemon.arrivals.isEmpty else { return nil }
        let sides = try MergedBoard(board.side, context).sides
        return try aspect(of: sides, at: board.at, context, language: language) { $0 }
    }

    /// The same for the next departures of a commute.
    func arrivals(of asked: DirectTripsQuery, _ context: RequestContext, language: String?) throws -> ArrivalsNotices? {
        let timetables = asked.directTrips.timetables.filter { daemon.arrivals.source(of: $0.feed) != nil }
        guard let timetable = timetables.first else { return nil }
        let needs = try arrivalsRequirements(of: asked, context)
        var remarks: [String] = []
        for originDestination in asked.directTrips.originDestinations
        where timetables.contains(where: { $0 === originDestination.origin.timetable }) {
            var stops: Set<StopID> = []
            for stop in originDestination.origin.walks.keys {
                stops.insert(try originDestination.origin.timetable.cachedStop(stop).id)
            }
            let routes = Set(
                originDestination.patterns.compactMap { originDestination.origin.timetable.route($0.route)?.id })
            remarks += ArrivalsNotices.remarks(
                originDestination.live, at: stops, of: routes, now: context.now, language: language
            )
            .filter { !remarks.contains($0) }
        }
        return aspect(needs, timetable, at: asked.at, remarks: remarks, hasTimes: timetable.hasTimes)
    }

    /// The same for a favourite.
    ///
    /// - Parameters:
    ///   - boards: those of its origins.
    ///   - asked: what is asked for all favourites of the question.
    func arrivals(
        of favorite: FavoriteQuery, _ boards: [MergedBoard], _ context: RequestContext, language: String?,
        within asked: [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        guard !daemon.arrivals.isEmpty else { return nil }
        return try aspect(of: boards.flatMap(\.sides), at: favorite.at, context, language: language) {
            $0.map { $0.limited(to: asked) }
        }
    }

    /// - Parameter isAsked: which of all that could be asked is asked.
    private func aspect(
        of sides: [FeedBoard], at: Instant, _ context: RequestContext, language: String?,
        isAsked: ([ArrivalsRequirement]) -> [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        let sources = sides.filter { daemon.arrivals.source(of: $0.timetable.feed) != nil }
        guard let timetable = sources.first?.timetable else { return nil }
        var remarks: [String] = []
        for side in sources {
            let stops = Set(try side.stops.map { (stop) throws(StoreError) in try side.timetable.cachedStop(stop).id })
            let routes = Set(side.visits.compactMap { side.timetable.route($0.pattern.route)?.id })
            remarks += ArrivalsNotices.remarks(
                side.view.live, at: stops, of: routes, now: context.now, language: language
            ).filter { !remarks.contains($0) }
        }
        return aspect(
            isAsked(try needs(of: sources, at: at)), timetable, at: at, remarks: remarks,
            hasTimes: sides.contains { $0.timetable.hasTimes })
    }

    private func aspect(
        _ needs: [ArrivalsRequirement], _ timetable: Timetable, at moment: Instant, remarks: [String], hasTimes: Bool
    ) -> ArrivalsNotices {
        let source = daemon.arrivals.source(of: timetable.feed)
        return ArrivalsNotices(
            needs: needs, arrivalsStatuses: daemon.arrivals.arrivalsStatuses(needs), feed: timetable.feed,
            isNear: source.map { tells($0, of: moment) } ?? false, horizon: source?.horizon ?? 0, at: moment,
            hasTimes: hasTimes, remarks: remarks, now: daemon.clock.reading(),
            zone: timetable.zone, outdated: outdated(needs, timetable))
    }

    /// When the newest was measured of what is told for these stops and not used for its age.
    private func outdated(_ needs: [ArrivalsRequirement], _ timetable: Timetable) -> Instant? {
        guard let live = daemon.feeds.snapshot(timetable.feed)?.realtimeTimetable else { return nil }
        let stops = needs.filter { $0.feed == timetable.feed }.flatMap(\.stops)
        // A stop that cannot be read has nothing to be told of.
        let indexes = Set(stops.compactMap { try? timetable.file.stop(id: $0) })
        return live.outdatedArrival(at: indexes, now: daemon.clock.now())
    }
}
