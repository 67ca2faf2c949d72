internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func stopsSearch(_ parameters: StopsSearchParameters, _ context: RequestContext) throws -> StopsSearchResult {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now)
        let page = try Page(cursor: parameters.cursor, count: parameters.count)
        let filter = try StopFilter(
            route: parameters.route, favorite: parameters.favorite, among: timetables, context)
        let searched = timetables.filter(filter.allows)
        let mergedStops = try MergedStops(searched, context, language: parameters.language)
        var hits: [(timetable: Timetable, hit: Timetable.StopHit)] = []
        for timetable in searched {
            let found = try mergedStops.matching(parameters.text, supplementedBy: timetable)
            hits += try timetable.search(stops: parameters.text, count: page.end + 1) { stop in
                filter.allows(stop)
                    && !(mergedStops.canonicalStop(of: stop, in: timetable).map { found.contains($0.stop) } ?? false)
            }.map { (timetable, $0) }
        }
        // The hits from each timetable are already in order. Hits of equal rank keep the order of the feeds.
        hits.sort { $0.hit.rank < $1.hit.rank }
        let stops = try page.slice(of: hits).map { timetable, hit in
            let listed =
                try mergedStops.canonicalStop(of: hit.index, in: timetable).map { (timetable, stop) in
                    try mergedStops.listed(try timetable.file.stop(stop), at: stop, in: timetable)
                } ?? mergedStops.listed(hit.stop, at: hit.index, in: timetable)
            return StopSearchMatch(
                rank: MatchRank(hit.rank), stop: listed.stop, routes: listed.routes, sameAs: listed.sameStop)
        }
        if !stops.isEmpty { recordSearch(.stops, parameters.text, context) }
        return StopsSearchResult(
            at: context.at, stops: stops, nextCursor: page.next(among: hits.count),
            notices: FeedNotices(now: context.now).about(feeds))
    }

    /// The default radii in meters. The widened radius applies if no stop is within the usual radius.
    private static let usualRadius = 1000
    private static let widenedRadius = 3000

    func stopsNear(_ parameters: StopsNearParameters, _ context: RequestContext) throws -> StopsNearResult {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now)
        let center = try center(parameters, context)
        let near = try NearbyStops(
            timetables,
            filter: StopFilter(
                route: parameters.route, favorite: parameters.favorite, among: timetables, context), context,
            language: parameters.language)
        var radius = parameters.radius ?? Self.usualRadius
        var found = try near.found(around: center, within: Double(radius))
        if found.isEmpty, parameters.radius == nil {
            radius = Self.widenedRadius
            found = try near.found(around: center, within: Double(radius))
        }
        return StopsNearResult(
            at: context.at, center: Position(center), radius: radius,
            stops: try near.rendered(found.prefix(parameters.count)), total: found.count,
            notices: FeedNotices(now: context.now).about(feeds))
    }

    private func center(_ parameters: StopsNearParameters, _ context: RequestContext) throws -> Coordinate {
        switch (parameters.place, parameters.position) {
        case (let name?, nil):
            guard let (place, _) = context.commuteList.place(name) else { throw context.placeNotFound(name) }
            guard let coordinate = context.coordinate(of: place) else {
                throw ControlError(
                    .feedNoData, "The position of \(name) is not known, because its stop is not in any timetable.",
                    hint: "Try again when its feed has been imported.")
            }
            return coordinate
        case (nil, let position?):
            guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon) else {
                throw ControlError(.invalidParameters, "params.position is not a position on Earth.")
            }
            return coordinate
        default:
            throw ControlError(
                .invalidParameters, "Either place or position is required.",
                hint: "Give one of your places, such as \"home\", or lat and lon.")
        }
    }

    func stopsShow(_ parameters: StopsShowParameters, _ context: RequestContext) throws -> StopsShowResult {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now, naming: parameters.stop)
        let found = try StopFinder(timetables, context).find(parameters.stop)
        let timetable = found.timetable
        let sameStop = try context.sameStop(of: found)
        let stops = [found, sameStop].compactMap(\.self)
        // A station has no equivalent stop in the other feed, but its platforms may have one.
        let shownSameStop = found.stop.kind == .platform ? sameStop : nil
        let names = NameRenderer(timetable: timetable, language: parameters.language)
        let (routes, lineNotices) = try routes(at: stops, language: parameters.language)
        return StopsShowResult(
            at: context.at, stop: try names.stop(found.stop),
            timezone: try found.zone.name,
            children: try children(of: found).map { try names.stop(at: $0) },
            routes: routes,
            transfers: try timetable.file.transfers(from: found.index).compactMap { transfer in
                guard let to = transfer.toStop else { return nil }
                return TransferSummary(
                    to: try names.reference(to), kind: TransferKind(transfer.kind),
                    minTransferTime: transfer.minimumTime)
            },
            sameAs: try shownSameStop.map { try NameRenderer(timetable: $0.timetable).stop($0.stop) },
            notices: context.notices(aboutAll: stops.map { context.view(of: $0.timetable) }) + lineNotices)
    }

    /// Returns the children of a stop in the feed and, if the feed has no station for them, the platforms that riders
    /// treat as one stop.
    private func children(of found: FoundStop) throws(StoreError) -> [StopIndex] {
        let children = try found.timetable.file.children(of: found.index)
        guard !found.namesakes.isEmpty else { return children }
        let platforms = found.stop.kind == .platform ? [found.index] : []
        return children + (platforms + found.namesakes).filter { !children.contains($0) }
    }

    /// Returns the routes at a stop: those in the stop's feed, then those that the agency's other feed or a provider
    /// adds.
    private func routes(at stops: [FoundStop], language: String?) throws -> (routes: [RouteSummary], notices: [Notice])
    {
        var routes: [RouteSummary] = []
        var notices: [Notice] = []
        for stop in stops {
            let names = NameRenderer(timetable: stop.timetable, language: language)
            let own = try stop.timetable.routes(at: try stop.callingStops()).map { (route) throws(StoreError) in
                try names.route(route)
            }
            let (additional, additionalNotices) = try additionalRoutes(at: stop, besides: own)
            // Each feed has its own route identifiers, so routes are compared by name.
            let known = Set(routes.map { SearchText.fold($0.displayName) })
            routes += (own + additional).filter { !known.contains(SearchText.fold($0.displayName)) }
            notices += additionalNotices
        }
        return (routes, notices)
    }
}

/// A page of a list, from a cursor and a count.
struct Page {
    let start: Int
    let end: Int

    /// - Throws: ``ErrorKind/invalidParameters`` for an invalid cursor.
    init(cursor: String?, count: Int) throws(ControlError) {
        guard let start = Int(cursor ?? "0"), (0...1_000_000).contains(start) else {
            throw ControlError(
                .invalidParameters, "params.cursor is not a valid cursor.", hint: "Use the next_cursor of a reply.")
        }
        self.start = start
        end = start + count
    }

    func slice<Element>(of elements: [Element]) -> ArraySlice<Element> {
        elements[min(start, elements.count)..<min(end, elements.count)]
    }

    /// The cursor of the next page; `nil` at the end.
    func next(among count: Int) -> String? { count > end ? String(end) : nil }
}

extension Timetable {
    /// Returns the routes that call at any of the stops, in list order.
    func routes(at stops: [StopIndex]) throws(StoreError) -> [RouteIndex] {
        var routes: Set<RouteIndex> = []
        for stop in stops { routes.formUnion(try file.patterns(at: stop).map(\.pattern.route)) }
        return try routeSearch.all.filter { routes.contains($0) }
    }

    /// The maximum number of routes listed per stop.
    static let maximumRouteNames = 12

    /// Returns the display names of the routes that call at a stop or at the platforms of a station.
    ///
    /// - Parameter namesakes: Other platforms of the stop.
    func routeNames(
        at stop: StopIndex, with namesakes: [StopIndex] = [], count: Int = maximumRouteNames
    ) throws(StoreError) -> [String] {
        let found = FoundStop(timetable: self, index: stop, stop: try file.stop(stop), namesakes: namesakes)
        var names: [String] = []
        for route in try routes(at: try found.callingStops()).compactMap({ self.route($0) })
        where names.count < count && !names.contains(route.displayName) {
            names.append(route.displayName)
        }
        return names
    }
}

extension MatchRank {
    init(_ rank: SearchRank) {
        switch rank {
        case .exact: self = .exact
        case .prefix: self = .prefix
        case .word: self = .word
        case .substring: self = .substring
        }
    }
}

extension TransferKind {
    init(_ kind: Transfer.Kind) {
        switch kind {
        case .recommended: self = .recommended
        case .timed: self = .timed
        case .minimumTime: self = .minimumTime
        case .notPossible: self = .notPossible
        case .inSeat: self = .inSeat
        case .inSeatNotAllowed: self = .noInSeat
        }
    }
}
