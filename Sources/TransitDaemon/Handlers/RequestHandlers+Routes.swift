internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func routesSearch(_ parameters: RoutesSearchParameters, _ context: RequestContext) throws -> RoutesSearchResult {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now)
        let page = try Page(cursor: parameters.cursor, count: parameters.count)
        var found: [(timetable: Timetable, rank: SearchRank, route: RouteIndex)] = []
        for timetable in timetables { found += try timetable.search(routes: parameters.text, count: page.end + 1) }
        found.sort { $0.rank < $1.rank }
        let routes = try page.slice(of: found).compactMap { timetable, rank, index -> RouteMatch? in
            guard let route = timetable.route(index) else { return nil }
            return RouteMatch(
                feed: timetable.feed, agency: timetable.agency(of: route)?.name, rank: MatchRank(rank),
                route: try NameRenderer(timetable: timetable, language: parameters.language).route(index),
                directions: parameters.directions
                    ? try Self.directions(of: index, timetable, parameters.language) : nil)
        }
        if !routes.isEmpty, !parameters.text.isEmpty { recordSearch(.routes, parameters.text, context) }
        let continuation = parameters.nextCharacters ? try Self.continuation(of: parameters.text, timetables) : nil
        return RoutesSearchResult(
            at: context.at, routes: routes, groups: Self.groups(routes), nextCharacters: continuation?.characters,
            isComplete: continuation?.isComplete, nextCursor: page.next(among: found.count),
            notices: FeedNotices(now: context.now).about(feeds))
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

    /// Returns the directions to choose from; empty for a route with a single direction.
    private static func directions(
        of route: RouteIndex, _ timetable: Timetable, _ language: String?
    ) throws(StoreError) -> [RouteDirectionOption] {
        let overview = RouteOverview(
            timetable: timetable, patterns: try timetable.file.patterns(of: route),
            names: NameRenderer(timetable: timetable, language: language))
        let choices = RouteDirectionChoice.choices(try overview.directionPatterns())
        guard choices.count > 1 else { return [] }
        return choices.map { choice in
            RouteDirectionOption(
                directionId: choice.direction.map { Int($0.rawValue) }, headsign: choice.headsign,
                patterns: choice.variants.count)
        }
    }

    /// Returns the characters that can follow the text in any of the timetables.
    private static func continuation(
        of text: String, _ timetables: [Timetable]
    ) throws(StoreError) -> RouteSearch.Continuation {
        let all = try timetables.map { (timetable) throws(StoreError) in
            try timetable.routeSearch.nextCharacters(text)
        }
        if all.count == 1 { return all[0] }
        let characters = Set(all.flatMap(\.characters)).sorted { NaturalOrder.areInIncreasingOrder($0, $1) }
        return RouteSearch.Continuation(characters: characters, isComplete: all.contains(where: \.isComplete))
    }

    func routesShow(_ parameters: RoutesShowParameters, _ context: RequestContext) throws -> RoutesShowResult {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now, naming: parameters.route)
        let found = try RouteFinder(timetables, context).find(parameters.route)
        let timetable = found.timetable
        let zone = timetable.zone(of: found.index)
        let date = parameters.date ?? zone.civil(at: context.now).date
        let patterns = try timetable.file.patterns(of: found.index)
        let overview = RouteOverview(
            timetable: timetable, patterns: patterns,
            names: NameRenderer(timetable: timetable, language: parameters.language))
        return RoutesShowResult(
            at: context.at, feed: timetable.feed,
            agency: AgencySummary(timetable.agency(of: found.route), zone: zone),
            route: try overview.names.route(found.index), serviceDate: date,
            directions: try overview.directions(on: date, zone: zone), patterns: try overview.rendered(),
            notices: context.notices(about: timetable) + timetable.notices(about: date))
    }

    func routesStops(_ parameters: RoutesStopsParameters, _ context: RequestContext) throws -> RoutesStopsResult {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now, naming: parameters.route)
        let found = try RouteFinder(timetables, context).find(parameters.route)
        let timetable = found.timetable
        let patterns = try timetable.file.patterns(of: found.index).filter { pattern in
            parameters.directionId.map { Int(pattern.direction?.rawValue ?? 255) == $0 } ?? true
        }
        let overview = RouteOverview(
            timetable: timetable, patterns: patterns,
            names: NameRenderer(timetable: timetable, language: parameters.language))
        return RoutesStopsResult(
            at: context.at, feed: timetable.feed, route: try overview.names.route(found.index),
            directions: try overview.stopLists(),
            notices: context.notices(about: timetable))
    }
}

extension Timetable {
    /// Returns the routes that match a text, best first; all routes for an empty text.
    func search(
        routes text: String, count: Int
    ) throws(StoreError) -> [(timetable: Timetable, rank: SearchRank, route: RouteIndex)] {
        let routeSearch = try routeSearch
        if text.isEmpty { return routeSearch.all.prefix(count).map { (self, .prefix, $0) } }
        return routeSearch.matches(text, count: count).map { (self, $0.rank, $0.route) }
    }
}

extension AgencySummary {
    /// Creates the summary of a route's agency. If the feed lacks the agency, only the time zone is known.
    init(_ agency: Agency?, zone: ServiceZone) {
        self.init(
            id: agency?.id ?? "", name: agency?.name ?? "", url: agency?.url, phone: agency?.phone,
            timezone: agency?.timezone ?? zone.name)
    }
}
