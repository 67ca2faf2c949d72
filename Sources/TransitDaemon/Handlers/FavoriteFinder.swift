internal import TransitControl
internal import TransitModel
internal import TransitStore

/// Finds the stops and routes of favorites in the current timetables.
struct FavoriteFinder {
    var context: RequestContext

    /// The stop and route for which a favorite shows departures.
    struct Found {
        var timetable: Timetable
        /// The stop lacks its namesakes if the favorite is for one side of the road only.
        var stop: FoundStop?
        var route: RouteIndex?
    }

    // MARK: Adding a favorite

    /// Returns the favorite that the parameters describe, with its default name.
    ///
    /// - Throws: The errors of ``StopFinder`` and ``RouteFinder``; ``ErrorKind/invalidParameters`` if neither a stop
    ///   nor a route is given.
    func favorite(_ parameters: FavoriteAddParameters) throws -> SavedFavorite {
        let timetables = try RequestContext.timetables(
            of: context.feeds(named: parameters.feed), at: context.now, naming: parameters.stop ?? parameters.route)
        guard let text = parameters.stop else {
            guard let route = parameters.route else {
                throw ControlError(.invalidParameters, "A stop, a route or both must be given.")
            }
            let found = try RouteFinder(timetables, context).find(route)
            return SavedFavorite(
                name: "Route \(found.route.displayName)", feed: found.timetable.feed, target: .route(found.route.id))
        }
        let stop = try StopFinder(timetables, context).find(text)
        let (id, bothSides) = (stop.stop.id, !stop.namesakes.isEmpty)
        guard let route = parameters.route else {
            return SavedFavorite(
                name: stop.stop.name, feed: stop.timetable.feed, target: .stop(id, bothSides: bothSides))
        }
        let found = try self.route(route, at: stop)
        return SavedFavorite(
            name: "Route \(found.displayName) at \(stop.stop.name)", feed: stop.timetable.feed,
            target: .routeAtStop(found.id, id, bothSides: bothSides))
    }

    /// Returns the route with the given name that calls at the stop.
    private func route(_ text: String, at stop: FoundStop) throws -> Route {
        let timetable = stop.timetable
        let here = try timetable.routes(at: try stop.callingStops())
        let named = try RouteFinder([timetable]).routes(named: text)
        let matching = here.filter { named.contains($0) }.compactMap { timetable.route($0) }
        guard let route = matching.first else {
            let names = try timetable.routeNames(at: stop.index)
            throw ControlError(
                .routeNotFound, "Route \"\(text)\" does not call at \(stop.stop.name).",
                hint: names.isEmpty ? nil : "The routes there are \(names.joined(separator: ", ")).")
        }
        guard matching.count == 1 else {
            let names = matching.prefix(5).map { "\(timetable.feed):\($0.id)" }.joined(separator: ", ")
            throw ControlError(
                .routeAmbiguous, "\"\(text)\" matches \(matching.count) routes at \(stop.stop.name).",
                hint: "Give one of: \(names).")
        }
        return route
    }

    // MARK: Showing a favorite

    /// - Throws: ``ErrorKind/feedNotFound`` or ``ErrorKind/feedNoData``; ``ErrorKind/stopNotFound`` or
    ///   ``ErrorKind/routeNotFound`` if the timetable no longer has the stop or route.
    func find(_ favorite: SavedFavorite) throws -> Found {
        let feed = try context.feed(favorite.feed)
        guard let timetable = try RequestContext.timetables(of: [feed], at: context.now).first else {
            throw ControlError.noData([feed], at: context.now)
        }
        var found = Found(timetable: timetable)
        if let id = favorite.target.stop { found.stop = try stop(id, favorite.target.hasBothSides, timetable) }
        if let id = favorite.target.route {
            guard let route = timetable.file.route(id: id) else {
                throw ControlError(.routeNotFound, "The timetable of \(favorite.feed) has no route \"\(id)\".")
            }
            found.route = route
        }
        return found
    }

    private func stop(_ id: StopID, _ bothSides: Bool, _ timetable: Timetable) throws -> FoundStop {
        guard let index = try timetable.file.stop(id: id) else {
            throw ControlError(.stopNotFound, "The timetable of \(timetable.feed) has no stop \"\(id)\".")
        }
        let found = FoundStop(timetable: timetable, index: index, stop: try timetable.file.stop(index))
        return bothSides ? try found.withNamesakes() : found
    }

    func summary(_ entry: FavoriteList.Entry) -> FavoriteSummary {
        let favorite = entry.favorite
        var summary = FavoriteSummary(
            number: entry.number, name: favorite.name, category: favorite.category,
            kind: FavoriteKind(favorite.target), feed: favorite.feed,
            stop: favorite.target.stop.map { StopReference(id: $0, name: $0.rawValue) },
            route: favorite.target.route.map { RouteSummary(id: $0, type: Self.unknownType) })
        do {
            let found = try find(favorite)
            let names = NameRenderer(timetable: found.timetable)
            if let stop = found.stop { summary.stop = try names.reference(stop.index) }
            if let route = found.route { summary.route = try names.route(route) }
        } catch {
            summary.problem = ControlError.of(error).message
        }
        return summary
    }

    /// The `route_type` of a route that is not known: bus, the most common type.
    private static let unknownType = 3
}

extension FavoriteKind {
    init(_ target: SavedFavorite.Target) {
        switch target {
        case .stop: self = .stop
        case .route: self = .route
        case .routeAtStop: self = .routeAtStop
        }
    }
}
