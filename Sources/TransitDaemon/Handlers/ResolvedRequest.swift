internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// A request that may depend on on-demand arrivals, with its query. The query is resolved once: the same query
/// determines the arrivals to wait for and the reply.
enum ResolvedRequest {
    case departures(BoardQuery, DeparturesParameters)
    case next(DirectTripsQuery, NextParameters)
    case favoriteShow(FavoritesQuery, FavoriteShowParameters)
    case stopsShow(StopQuery, StopsShowParameters)

    /// - Returns: `nil` for a request that does not depend on arrivals.
    /// - Throws: The errors of the query.
    init?(_ request: ControlRequest, _ context: QueryContext) throws {
        switch request {
        case .departures(let parameters): self = .departures(try BoardQuery(parameters, context), parameters)
        case .next(let parameters):
            self = .next(
                try DirectTripsQuery(commute: parameters.commute, at: parameters.at, context), parameters)
        case .favoriteShow(let parameters): self = .favoriteShow(try FavoritesQuery(parameters, context), parameters)
        case .stopsShow(let parameters):
            self = .stopsShow(try StopQuery(parameters.stop, feed: parameters.feed, context), parameters)
        default: return nil
        }
    }

    /// Whether the query still refers to the current versions of its timetables.
    func isCurrent(_ context: QueryContext) -> Bool {
        switch self {
        case .departures(let query, _): query.isCurrent(context)
        case .next(let query, _): query.isCurrent(context)
        case .favoriteShow(let query, _): query.isCurrent(context)
        case .stopsShow(let query, _): query.isCurrent(context)
        }
    }
}

// Handles requests that depend on on-demand arrivals: determines the upstream queries and waits for the responses.
extension RequestHandlers {
    /// Registers the demand of a request for on-demand arrivals.
    ///
    /// - Returns: The resolved request if a response may arrive before the request's deadline. Errors in the request are
    ///   ignored here, because the request's handler reports them.
    func registerDemand(for request: ControlRequest, _ context: RequestContext) -> ResolvedRequest? {
        guard let resolved = try? ResolvedRequest(request, context.query),
            let requirements = try? arrivalsRequirements(of: resolved, context), !requirements.isEmpty
        else { return nil }
        daemon.arrivals.registerDemand(requirements, .user)
        return daemon.arrivals.mayArrive(requirements, by: arrivalsDeadline(context)) ? resolved : nil
    }

    /// Waits until the arrivals that a request needs are fetched or cannot arrive in time. The wait is limited by the
    /// configured `arrivalsWait`.
    func waitForArrivals(of resolved: ResolvedRequest, _ context: RequestContext) async {
        guard let requirements = try? arrivalsRequirements(of: resolved, context), !requirements.isEmpty else { return }
        await daemon.arrivals.wait(for: requirements, until: arrivalsDeadline(context))
    }

    /// Returns the reply to a request, based on the context's realtime data.
    ///
    /// - Parameter resolved: The request as it was resolved earlier. It is resolved again if a timetable was replaced in
    ///   the meantime.
    func reply(
        to request: ControlRequest, _ resolved: ResolvedRequest?, _ context: RequestContext
    ) throws -> any WireValue {
        guard let resolved, resolved.isCurrent(context.query) else { return try reply(to: request, context) }
        return try reply(to: resolved, context)
    }

    private func reply(to resolved: ResolvedRequest, _ context: RequestContext) throws -> any WireValue {
        switch resolved {
        case .departures(let query, let parameters): try departures(query, parameters, context)
        case .next(let query, let parameters): try next(query, parameters, context)
        case .favoriteShow(let query, let parameters): try favoriteShow(query, parameters, context)
        case .stopsShow(let query, let parameters): try stopsShow(query, parameters, context)
        }
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
        try ResolvedRequest(request, context.query).map { try arrivalsRequirements(of: $0, context) } ?? []
    }

    func arrivalsRequirements(
        of resolved: ResolvedRequest, _ context: RequestContext
    ) throws -> [ArrivalsRequirement] {
        guard !daemon.arrivals.isEmpty else { return [] }
        return switch resolved {
        case .departures(let query, _):
            ArrivalsRequirement.combined(try requirements(query.requiredArrivals(context.query)))
        case .next(let query, _): try requirements(requiredArrivals(of: query, context))
        case .favoriteShow(let query, _): try arrivalsRequirements(of: query, context)
        case .stopsShow(let query, _): try query.stops.compactMap { try routesRequirement(at: $0) }
        }
    }

    private func requiredArrivals(of query: DirectTripsQuery, _ context: RequestContext) -> [RequiredArrivals] {
        query.requiredArrivals(context.query) { daemon.arrivals.source(of: $0)?.hasTripIDs ?? false }
    }

    /// Returns the queries for several favorites. They are taken from each favorite in turn, so that no single favorite
    /// uses up the request's limit.
    func arrivalsRequirements(of favorites: FavoritesQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        guard !daemon.arrivals.isEmpty else { return [] }
        return try ArrivalsRequirement.combined(
            favorites.all.flatMap { one -> [ArrivalsRequirement] in
                guard case .success(let query) = one.board else { return [] }
                return ArrivalsRequirement.combined(try requirements(query.requiredArrivals(context.query)))
            })
    }

    /// Whether a source covers departures at the given time.
    private func covers(_ source: any ArrivalsSource, at moment: Instant) -> Bool {
        (-60...source.horizon).contains(daemon.clock.now().seconds(to: moment))
    }

    private func requirements(_ required: [RequiredArrivals]) throws -> [ArrivalsRequirement] {
        try required.compactMap { try requirement($0) }
    }

    /// Returns the upstream queries for the departures at some calls; `nil` if the source does not cover the time or no
    /// routes call at these places.
    private func requirement(_ required: RequiredArrivals) throws -> ArrivalsRequirement? {
        let timetable = required.timetable
        guard let source = daemon.arrivals.source(of: timetable.feed), covers(source, at: required.at) else {
            return nil
        }
        let now = max(daemon.clock.now(), required.at)
        var queries: [ArrivalsQuery] = []
        var known: Set<ArrivalsQuery> = []
        var stops: [StopID] = []
        for (stop, wanted) in try variants(required.calls, of: timetable) {
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
    func arrivalsNotices(
        of query: BoardQuery, _ context: RequestContext, language: String?
    ) throws -> ArrivalsNotices? {
        guard !daemon.arrivals.isEmpty else { return nil }
        let required = query.requiredArrivals(context.query)
        return try arrivalsNotices(
            required, at: query.at(context.query), context, language: language,
            hasTimes: required.contains { $0.timetable.hasTimes }
        ) { ArrivalsRequirement.combined($0) }
    }

    /// Returns the status of the arrivals for the next departures of a commute as notices; `nil` if no timetable of the
    /// commute is from a feed that is queried on demand.
    func arrivalsNotices(
        of query: DirectTripsQuery, _ context: RequestContext, language: String?
    ) throws -> ArrivalsNotices? {
        guard !daemon.arrivals.isEmpty else { return nil }
        return try arrivalsNotices(
            requiredArrivals(of: query, context), at: query.at(context.query), context, language: language
        ) { $0 }
    }

    /// Returns the status of the arrivals for a favorite as notices; `nil` if none of its feeds is queried on demand.
    ///
    /// - Parameter limit: The requirements of all favorites of the request.
    func arrivalsNotices(
        of favorite: FavoriteBoardQuery, _ context: RequestContext, language: String?,
        within limit: [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        guard !daemon.arrivals.isEmpty else { return nil }
        let required = favorite.requiredArrivals(context.query)
        return try arrivalsNotices(
            required, at: favorite.at(context.query), context, language: language,
            hasTimes: required.contains { $0.timetable.hasTimes }
        ) { ArrivalsRequirement.combined($0).map { $0.limited(to: limit) } }
    }

    /// - Parameters:
    ///   - hasTimes: Whether a timetable also provides departure times; `nil` if the first on-demand feed decides.
    ///   - isAsked: A function that returns the requirements within the request's limit.
    private func arrivalsNotices(
        _ required: [RequiredArrivals], at: Instant, _ context: RequestContext, language: String?,
        hasTimes: Bool? = nil, isAsked: ([ArrivalsRequirement]) -> [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        let sources = required.filter { daemon.arrivals.source(of: $0.timetable.feed) != nil }
        guard let timetable = sources.first?.timetable else { return nil }
        var remarks: [String] = []
        for source in sources {
            let stops = Set(
                try source.stops.map { (stop) throws(StoreError) in try source.timetable.cachedStop(stop).id })
            let routes = Set(source.routes.compactMap { source.timetable.route($0)?.id })
            remarks += ArrivalsNotices.remarks(
                context.query.realtime(source.timetable), at: stops, of: routes, now: context.now, language: language
            ).filter { !remarks.contains($0) }
        }
        return arrivalsNotices(
            isAsked(try requirements(sources)), timetable, at: at, remarks: remarks,
            hasTimes: hasTimes ?? timetable.hasTimes)
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
