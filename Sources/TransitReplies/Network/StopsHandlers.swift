package import TransitControl
internal import TransitEngine
package import TransitModel
package import TransitQueries
package import TransitRefresh
internal import TransitStore
internal import TransitWire

// The handlers of `stops search`, `stops near` and `stops show`.

/// Handles `stops.search`.
package struct StopsSearchHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: StopsSearchParameters, _ context: QueryContext) throws -> StopsSearchResult {
        let timetables = try context.timetables(of: parameters.feed)
        let page = try PageRange(cursor: parameters.cursor, count: parameters.count)
        let filter = try StopFilter(
            route: parameters.route, favorite: parameters.favorite, among: timetables, context)
        let search = try StopSearchQuery(timetables, filter: filter, context)
        let matches = try search.matches(parameters.text, count: page.end + 1)
        let stops = try page.slice(of: matches).map { match in
            let listed = try search.listed(match)
            return StopSearchMatch(
                rank: MatchRank(match.rank), stop: try listed.rendered(parameters.language), routes: listed.routes,
                sameAs: try listed.renderedSameStop(parameters.language))
        }
        return StopsSearchResult(
            at: context.at, stops: stops, nextCursor: page.next(among: matches.count),
            notices: FeedNotices(now: context.now).about(try context.feeds(named: parameters.feed)))
    }

}

/// Handles `stops.near`.
package struct StopsNearHandler: QueryHandler {
    package init() {}

    /// The default radii in meters. The widened radius applies if no stop is within the usual radius.
    private static let usualRadius = 1000
    private static let widenedRadius = 3000

    package func reply(to parameters: StopsNearParameters, _ context: QueryContext) throws -> StopsNearResult {
        let timetables = try context.timetables(of: parameters.feed)
        let center = try center(parameters, context)
        let filter = try StopFilter(
            route: parameters.route, favorite: parameters.favorite, among: timetables, context)
        let near = try NearbyStops(timetables, filter: filter, context)
        var radius = parameters.radius ?? Self.usualRadius
        var found = try near.found(around: center, within: Double(radius))
        if found.isEmpty, parameters.radius == nil {
            radius = Self.widenedRadius
            found = try near.found(around: center, within: Double(radius))
        }
        return StopsNearResult(
            at: context.at, center: Position(center), radius: radius,
            stops: try near.rendered(found.prefix(parameters.count), language: parameters.language),
            total: found.count, units: context.units,
            notices: FeedNotices(now: context.now).about(try context.feeds(named: parameters.feed)))
    }

    private func center(_ parameters: StopsNearParameters, _ context: QueryContext) throws -> Coordinate {
        switch (parameters.place, parameters.position) {
        case (let name?, nil):
            guard let coordinate = context.coordinate(of: try context.places.place(name).place) else {
                throw QueryError.placeWithoutPosition(name)
            }
            return coordinate
        case (nil, let position?):
            guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon) else {
                throw ControlError(parameter: "position", "is not a position on Earth.")
            }
            return coordinate
        default:
            throw ControlError(
                .invalidParameters, "Either place or position is required.",
                hint: "Give one of your places, such as \"home\", or lat and lon.")
        }
    }
}

/// The routes at a stop according to an on-demand source.
package struct RoutesOfSource: Sendable {
    /// The routes in its responses.
    package var routes: [Route]
    /// The status of the first query without a fresh response; `nil` if there is none.
    package var openQuery: ArrivalsStatus?

    package init(routes: [Route], openQuery: ArrivalsStatus?) {
        self.routes = routes
        self.openQuery = openQuery
    }
}

/// The reply of `stops.show`. Some sources are queried on demand for the routes at a stop.
package struct StopsShowReply {
    private let query: StopQuery
    private let parameters: StopsShowParameters
    /// Returns what the source of a stop's feed knows about its routes; `nil` if no source is queried for routes.
    private let source: (FoundStop) throws -> RoutesOfSource?

    /// - Parameter source: Returns what the source of a stop's feed knows about its routes; `nil` if no source is queried
    ///   for routes.
    package init(
        _ query: StopQuery, _ parameters: StopsShowParameters, source: @escaping (FoundStop) throws -> RoutesOfSource?
    ) {
        self.query = query
        self.parameters = parameters
        self.source = source
    }

    package func result(_ context: QueryContext) throws -> StopsShowResult {
        let found = query.found
        let names = NameRenderer(found.timetable, language: parameters.language)
        let (routes, routeNotices) = try routes(at: query.stops, language: parameters.language)
        return StopsShowResult(
            at: context.at, stop: try names.stop(found.stop),
            wholeStop: try query.wholeStop().map { QualifiedStop.text(of: try $0.references()) },
            timezone: try found.zone.name,
            children: try query.children().map { try names.stop(at: $0) }, routes: routes.map(\.summary),
            headsigns: routes.map { RouteHeadsigns(route: $0.summary.id, headsigns: $0.headsigns) },
            transfers: try query.transfers().compactMap { transfer in
                guard let to = transfer.toStop else { return nil }
                return TransferSummary(
                    to: try names.reference(to), kind: TransferKind(transfer.kind),
                    minTransferTime: transfer.minimumTime)
            },
            sameAs: try query.shownSameStop.map { try NameRenderer($0.timetable).stop($0.stop) },
            notices: context.worded(context.notices(about: query.stops.map(\.timetable))) + routeNotices)
    }

    // MARK: The routes at a stop

    /// A route at a stop.
    private struct ListedRoute {
        var summary: RouteSummary
        /// The headsigns at the stop, the most frequent first; empty if none is known.
        var headsigns: [String] = []
    }

    /// Returns the routes at a stop: those in the stop's feed, then those that the agency's other feed or a provider
    /// adds.
    private func routes(at stops: [FoundStop], language: String?) throws -> (routes: [ListedRoute], notices: [Notice]) {
        var routes: [ListedRoute] = []
        var notices: [Notice] = []
        for stop in stops {
            let names = NameRenderer(stop.timetable, language: language)
            let own = try names.names.routes(at: try stop.callingStops()).map { (found) throws(StoreError) in
                ListedRoute(summary: try names.route(found.route), headsigns: found.headsigns)
            }
            let (additional, additionalNotices) = try additionalRoutes(at: stop, besides: own.map(\.summary))
            // Each feed has its own route identifiers, so routes are compared by name.
            let known = Set(routes.map { SearchText.fold($0.summary.displayName) })
            routes += (own + additional.map { ListedRoute(summary: $0) }).filter { route in
                !known.contains(SearchText.fold(route.summary.displayName))
            }
            notices += additionalNotices
        }
        return (routes, notices)
    }

    /// Returns the routes at a stop that are not in the network, and the notices about queries for them that failed or
    /// are in progress.
    private func additionalRoutes(
        at found: FoundStop, besides known: [RouteSummary]
    ) throws -> ([RouteSummary], [Notice]) {
        guard let answer = try source(found) else { return ([], []) }
        let routes = answer.routes.filter { route in !known.contains { $0.id == route.id } }
        let feed = found.timetable.feed
        let notices = answer.openQuery.map { arrivalsStatus in
            let reason = arrivalsStatus.lastFailure.map { " (\($0))" } ?? ""
            return Notice(
                kind: arrivalsStatus.lastFailure == nil ? .fetching : .failed, feed: feed,
                message:
                    "\(feed) has not been queried recently for the routes at \(found.stop.name)\(reason). Only the routes in "
                    + "its network are shown.")
        }
        return (routes.map(RouteSummary.init), notices.map { [$0] } ?? [])
    }
}

extension MergedStops.ListedStop {
    fileprivate func rendered(_ language: String?) throws(StoreError) -> StopSummary {
        try NameRenderer(timetable, language: language).stop(stop)
    }

    /// Returns the text that names the stop with all its platforms; `nil` for a single one.
    fileprivate func reference() throws(StoreError) -> String? {
        guard !namesakes.isEmpty else { return nil }
        let found = FoundStop(timetable: timetable, index: index, stop: stop, namesakes: namesakes)
        return QualifiedStop.text(of: try found.references())
    }

    fileprivate func renderedSameStop(_ language: String?) throws(StoreError) -> StopSummary? {
        try sameStop.map { (found) throws(StoreError) in
            try NameRenderer(found.timetable, language: language).stop(found.stop)
        }
    }
}

extension NearbyStops {
    func rendered(_ found: some Sequence<Found>, language: String?) throws(StoreError) -> [NearbyStop] {
        var stops: [NearbyStop] = []
        for one in found {
            let listed = try listed(one)
            stops.append(
                NearbyStop(
                    stop: try listed.rendered(language), reference: try listed.reference(),
                    distance: Int(one.meters.rounded()),
                    walk: walkingSpeed.seconds(meters: one.meters), routes: listed.routes,
                    sameAs: try listed.renderedSameStop(language)))
        }
        return stops
    }
}

extension RouteSummary {
    /// Creates the summary of a route that is not in any timetable.
    fileprivate init(_ route: Route) {
        self.init(
            id: route.id, shortName: route.shortName, longName: route.longName, type: route.type, color: route.color,
            textColor: route.textColor)
    }
}
