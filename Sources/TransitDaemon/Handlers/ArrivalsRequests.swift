internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Determines the on-demand arrivals on which replies depend, and waits for them.
struct ArrivalsRequests: Sendable {
    let service: ArrivalsService
    let feeds: FeedRegistry
    let clock: any DaemonClock

    /// How long, in seconds, demand lasts after each evaluation of a topic. The value exceeds the time between
    /// evaluations.
    static let demandDuration = 60

    /// Registers the demand of a request for on-demand arrivals.
    ///
    /// - Returns: Whether a response may arrive before the request's deadline. Errors in the request are ignored here,
    ///   because the request's handler reports them.
    @discardableResult
    func registerDemand(of call: any ResolvedInvocation, _ context: RequestContext) -> Bool {
        guard let requirements = try? call.requirements(context), !requirements.isEmpty else { return false }
        service.registerDemand(requirements, .user)
        return service.mayArrive(requirements, by: deadline(context))
    }

    /// Waits until the arrivals that a request needs are fetched or cannot arrive in time. The wait is limited by the
    /// configured `arrivalsWait`.
    func wait(for call: any ResolvedInvocation, _ context: RequestContext) async {
        guard let requirements = try? call.requirements(context), !requirements.isEmpty else { return }
        await service.wait(for: requirements, until: deadline(context))
    }

    /// Keeps the arrivals of a topic fresh. Called whenever the topic is evaluated.
    ///
    /// - Returns: Whether the topic depends on on-demand arrivals.
    func keepFresh(for call: any ResolvedInvocation, _ context: RequestContext) -> Bool {
        guard let requirements = try? call.requirements(context), !requirements.isEmpty else { return false }
        service.registerDemand(
            requirements, .commute, until: clock.reading().boot.advanced(by: Self.demandDuration))
        return true
    }

    private func deadline(_ context: RequestContext) -> BootTime {
        clock.reading().boot.advanced(by: context.configuration.queries.arrivalsWait)
    }

    // MARK: Requirements

    func requirements(of query: BoardQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        guard !service.isEmpty else { return [] }
        return ArrivalsRequirement.combined(try requirements(query.requiredArrivals(context.query)))
    }

    func requirements(of query: DirectTripsQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        guard !service.isEmpty else { return [] }
        return try requirements(requiredArrivals(of: query, context))
    }

    /// Returns the queries for the departures that notifications watch.
    func requirements(of notifications: NotificationService) -> [ArrivalsRequirement] {
        guard !service.isEmpty else { return [] }
        let required = notifications.requiredArrivals { service.source(of: $0)?.hasTripIDs ?? false }
        // A stop that cannot be read needs no arrivals.
        return ArrivalsRequirement.combined((try? requirements(required)) ?? [])
    }

    private func requiredArrivals(of query: DirectTripsQuery, _ context: RequestContext) -> [RequiredArrivals] {
        query.requiredArrivals(context.query) { service.source(of: $0)?.hasTripIDs ?? false }
    }

    /// Returns the queries for several favorites. They are taken from each favorite in turn, so that no single favorite
    /// uses up the request's limit.
    func requirements(of favorites: FavoritesQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        guard !service.isEmpty else { return [] }
        return try ArrivalsRequirement.combined(
            favorites.all.flatMap { one -> [ArrivalsRequirement] in
                guard case .success(let query) = one.board else { return [] }
                return ArrivalsRequirement.combined(try requirements(query.requiredArrivals(context.query)))
            })
    }

    /// Whether a source covers departures at the given time.
    private func covers(_ source: any ArrivalsSource, at moment: Instant) -> Bool {
        (-60...source.horizon).contains(clock.now().seconds(to: moment))
    }

    private func requirements(_ required: [RequiredArrivals]) throws -> [ArrivalsRequirement] {
        try required.compactMap { try requirement($0) }
    }

    /// Returns the upstream queries for the departures at some calls; `nil` if the source does not cover the time or no
    /// routes call at these places.
    private func requirement(_ required: RequiredArrivals) throws -> ArrivalsRequirement? {
        let timetable = required.timetable
        guard let source = service.source(of: timetable.feed), covers(source, at: required.at) else {
            return nil
        }
        let now = max(clock.now(), required.at)
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

    // MARK: Status

    /// Returns the status of the arrivals of a board as notices; `nil` if no feed of the board is queried on
    /// demand.
    func notices(
        of query: BoardQuery, _ context: RequestContext, language: String?
    ) throws -> ArrivalsNotices? {
        guard !service.isEmpty else { return nil }
        let required = query.requiredArrivals(context.query)
        return try notices(
            required, at: query.at(context.query), context, language: language,
            hasTimes: required.contains { $0.timetable.hasTimes }
        ) { ArrivalsRequirement.combined($0) }
    }

    /// Returns the status of the arrivals for the next departures of a commute as notices; `nil` if no timetable of the
    /// commute is from a feed that is queried on demand.
    func notices(
        of query: DirectTripsQuery, _ context: RequestContext, language: String?
    ) throws -> ArrivalsNotices? {
        guard !service.isEmpty else { return nil }
        return try notices(
            requiredArrivals(of: query, context), at: query.request.at(context.query), context, language: language
        ) { $0 }
    }

    /// Returns the status of the arrivals for a favorite as notices; `nil` if none of its feeds is queried on demand.
    ///
    /// - Parameter limit: The requirements of all favorites of the request.
    func notices(
        of favorite: FavoriteBoardQuery, _ context: RequestContext, language: String?,
        within limit: [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        guard !service.isEmpty else { return nil }
        let required = favorite.requiredArrivals(context.query)
        return try notices(
            required, at: favorite.at(context.query), context, language: language,
            hasTimes: required.contains { $0.timetable.hasTimes }
        ) { ArrivalsRequirement.combined($0).map { $0.limited(to: limit) } }
    }

    /// - Parameters:
    ///   - hasTimes: Whether a timetable also provides departure times; `nil` if the first on-demand feed decides.
    ///   - isAsked: A function that returns the requirements within the request's limit.
    private func notices(
        _ required: [RequiredArrivals], at: Instant, _ context: RequestContext, language: String?,
        hasTimes: Bool? = nil, isAsked: ([ArrivalsRequirement]) -> [ArrivalsRequirement]
    ) throws -> ArrivalsNotices? {
        let sources = required.filter { service.source(of: $0.timetable.feed) != nil }
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
        return notices(
            isAsked(try requirements(sources)), timetable, at: at, remarks: remarks,
            hasTimes: hasTimes ?? timetable.hasTimes)
    }

    private func notices(
        _ requirements: [ArrivalsRequirement], _ timetable: Timetable, at moment: Instant, remarks: [String],
        hasTimes: Bool
    ) -> ArrivalsNotices {
        let source = service.source(of: timetable.feed)
        return ArrivalsNotices(
            queryCount: requirements.isEmpty ? nil : requirements.reduce(0) { $0 + $1.queries.count },
            exceededLimit: requirements.contains(where: \.isTruncated) ? ArrivalsRequirement.maximumQueries : nil,
            arrivalsStatuses: service.arrivalsStatuses(requirements), feed: timetable.feed,
            isWithinHorizon: source.map { covers($0, at: moment) } ?? false, horizon: source?.horizon ?? 0, at: moment,
            hasTimes: hasTimes,
            remarks: remarks, now: clock.reading(), zone: timetable.zone, outdated: outdated(requirements, timetable))
    }

    /// Returns the time of the newest data about the stops of these requirements, if that data is too old to use.
    private func outdated(_ requirements: [ArrivalsRequirement], _ timetable: Timetable) -> Instant? {
        guard let realtime = feeds.snapshot(timetable.feed)?.realtimeTimetable else { return nil }
        let stops = requirements.filter { $0.feed == timetable.feed }.flatMap(\.stops)
        // A stop that cannot be read is treated as having no data.
        let indexes = Set(stops.compactMap { try? timetable.file.stop(id: $0) })
        return realtime.outdatedArrival(at: indexes, now: clock.now())
    }
}
