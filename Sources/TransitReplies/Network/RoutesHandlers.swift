package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitStore

// The handlers of `routes search`, `routes show` and `routes stops`.

/// Handles `routes.search`.
package struct RoutesSearchHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: RoutesSearchParameters, _ context: QueryContext) throws -> RoutesSearchResult {
        let timetables = try context.timetables(of: parameters.feed)
        let page = try PageRange(cursor: parameters.cursor, count: parameters.count)
        let search = RouteSearchQuery(parameters.text, in: timetables)
        let matches = try search.matches(count: page.end + 1)
        let routes = try page.slice(of: matches).compactMap { timetable, rank, index -> RouteMatch? in
            guard let route = timetable.route(index) else { return nil }
            let found = FoundRoute(timetable: timetable, index: index, route: route)
            return RouteMatch(
                feed: timetable.feed, agency: timetable.agency(of: route)?.name, rank: MatchRank(rank),
                route: try NameRenderer(timetable, language: parameters.language).route(index),
                directions: parameters.directions ? try Self.directions(of: found, parameters.language) : nil)
        }
        let continuation = parameters.nextCharacters ? try search.continuation() : nil
        return RoutesSearchResult(
            at: context.at, routes: routes, groups: Self.groups(routes), nextCharacters: continuation?.characters,
            isComplete: continuation?.isComplete, nextCursor: page.next(among: matches.count),
            notices: FeedNotices(now: context.now).about(try context.feeds(named: parameters.feed)))
    }

    private static func groups(_ routes: [RouteMatch]) -> [RouteGroupSummary] {
        RouteGroup.groups(of: routes.map { ($0.route.displayName, $0.agency) }).map { group in
            RouteGroupSummary(
                name: group.name,
                agencies: group.agencies.map { company in
                    RouteGroupAgency(agency: company.name, routes: company.members.map { routes[$0].reference })
                })
        }
    }

    private static func directions(
        of route: FoundRoute, _ language: String?
    ) throws(StoreError) -> [RouteDirectionOption] {
        try RouteOverview(of: route, language: language).choices().map { choice in
            RouteDirectionOption(
                directionId: choice.direction.map { Int($0.rawValue) }, headsign: choice.headsign,
                patterns: choice.variants.count)
        }
    }
}

/// Handles `routes.show`.
package struct RoutesShowHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: RoutesShowParameters, _ context: QueryContext) throws -> RoutesShowResult {
        let found = try FoundRoute.find(parameters.route, feed: parameters.feed, context)
        let timetable = found.timetable
        let zone = timetable.zone(of: found.index)
        let date = parameters.date ?? zone.civil(at: context.now).date
        let overview = try RouteOverview(of: found, language: parameters.language)
        let names = NameRenderer(timetable, language: parameters.language)
        var directions = try overview.directions(on: date, zone: zone).map { RouteDirection($0, zone) }
        if parameters.paths { try addPaths(to: &directions, overview, names) }
        if let history = context.feed(of: timetable)?.history {
            for position in directions.indices {
                let direction = directions[position].directionId.flatMap { Direction(rawValue: UInt8(clamping: $0)) }
                directions[position].punctuality = history.delays(of: found.route.id, direction)
                    .map { LearnedPunctuality($0) }
            }
        }
        return RoutesShowResult(
            at: context.at, feed: timetable.feed,
            agency: AgencySummary(timetable.agency(of: found.route), zone: zone),
            route: try names.route(found.index), serviceDate: date,
            directions: directions,
            patterns: try overview.patternSummaries().map { pattern in
                RoutePattern(
                    directionId: pattern.direction.map { Int($0.rawValue) }, headsign: pattern.headsign,
                    from: try names.reference(pattern.from), to: try names.reference(pattern.to), stops: pattern.stops,
                    trips: pattern.trips, travelTime: pattern.travelTime)
            },
            notices: context.worded(context.notices(about: [timetable])) + Notice.coverage(of: timetable, on: date))
    }

    /// Adds the stops and the path of each direction.
    private func addPaths(
        to directions: inout [RouteDirection], _ overview: RouteOverview, _ names: NameRenderer
    ) throws(StoreError) {
        for list in try overview.stopLists() {
            let id = list.direction.map { Int($0.rawValue) }
            guard let index = directions.firstIndex(where: { $0.directionId == id }) else { continue }
            directions[index].stops = try RouteStop.all(in: list, names)
            guard let path = try overview.path(in: list.direction) else { continue }
            directions[index].polyline = EncodedPolyline.text(of: path.points)
            directions[index].polylineSource = path.isShape ? .shape : .stops
        }
    }
}

/// Handles `routes.stops`.
package struct RoutesStopsHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: RoutesStopsParameters, _ context: QueryContext) throws -> RoutesStopsResult {
        let found = try FoundRoute.find(parameters.route, feed: parameters.feed, context)
        let overview = try RouteOverview(
            of: found, direction: parameters.directionId, language: parameters.language)
        let names = NameRenderer(found.timetable, language: parameters.language)
        return RoutesStopsResult(
            at: context.at, feed: found.timetable.feed, route: try names.route(found.index),
            directions: try overview.stopLists().map { list in
                RouteStopList(
                    directionId: list.direction.map { Int($0.rawValue) }, headsign: list.headsign,
                    stops: try RouteStop.all(in: list, names))
            },
            notices: context.worded(context.notices(about: [found.timetable])))
    }
}

extension FoundRoute {
    fileprivate static func find(_ route: String, feed: FeedID?, _ context: QueryContext) throws -> FoundRoute {
        try RouteFinder(context.timetables(of: feed, naming: route), context).find(route)
    }
}

extension RouteStop {
    fileprivate static func all(
        in list: RouteOverview.StopList, _ names: NameRenderer
    ) throws(StoreError) -> [RouteStop] {
        var stops: [RouteStop] = []
        for listed in list.stops {
            stops.append(
                RouteStop(
                    sequence: stops.count + 1, stop: try names.stop(at: listed.stop),
                    isOnEveryTrip: listed.isOnEveryTrip, travelTime: listed.travelTime))
        }
        return stops
    }
}

extension RouteDirection {
    fileprivate init(_ summary: RouteOverview.DirectionSummary, _ zone: ServiceZone) {
        self.init(
            directionId: summary.direction.map { Int($0.rawValue) }, headsigns: summary.headsigns, trips: summary.trips,
            first: summary.first.map { Timestamp($0, in: zone) }, last: summary.last.map { Timestamp($0, in: zone) })
    }
}
