package import TransitModel
package import TransitStore

/// Finds the stops and routes of favorites in the current timetables.
package struct FavoriteFinder {
    package var context: QueryContext

    package init(_ context: QueryContext) { self.context = context }

    /// The stop and route for which a favorite shows departures.
    package struct Found {
        package var timetable: Timetable
        /// The stop lacks its namesakes if the favorite is for one side of the road only.
        package var stop: FoundStop?
        package var route: RouteIndex?
    }

    // MARK: Adding a favorite

    /// Returns the favorite for a stop, a route, or a route at a stop, with its default name.
    ///
    /// - Parameters:
    ///   - stop: A text that ``StopFinder`` accepts.
    ///   - route: A text that ``RouteFinder`` accepts.
    ///   - feed: The feed that has the stop and the route; `nil` for any.
    /// - Throws: The errors of the finders, and ``QueryError/neitherStopNorRoute``.
    package func favorite(stop: String?, route: String?, feed: FeedID?) throws -> SavedFavorite {
        let timetables = try context.timetables(of: feed, naming: stop ?? route)
        guard let text = stop else {
            guard let route else {
                throw QueryError.neitherStopNorRoute
            }
            let found = try RouteFinder(timetables, context).find(route)
            return SavedFavorite(
                name: "Route \(found.route.displayName)", feed: found.timetable.feed, target: .route(found.route.id))
        }
        let stop = try StopFinder(timetables, context).find(text)
        let (id, bothSides) = (stop.stop.id, !stop.namesakes.isEmpty)
        guard let route else {
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
            throw QueryError.routeNotAtStop(text, stop, routes: names)
        }
        guard matching.count == 1 else {
            throw QueryError.routeAmbiguousAtStop(text, stop, matching)
        }
        return route
    }

    // MARK: Showing a favorite

    /// - Throws: ``QueryError/feedNotFound(_:known:)``, ``QueryError/noData(_:)``, ``QueryError/stopGone(_:_:)`` or
    ///   ``QueryError/routeGone(_:_:)``, and `StoreError`.
    package func find(_ favorite: SavedFavorite) throws -> Found {
        let feed = try context.feed(favorite.feed)
        guard let timetable = try QueryContext.timetables(of: [feed]).first else {
            throw QueryError.noData([feed])
        }
        var found = Found(timetable: timetable)
        if let id = favorite.target.stop { found.stop = try stop(id, favorite.target.hasBothSides, timetable) }
        if let id = favorite.target.route {
            guard let route = timetable.file.route(id: id) else {
                throw QueryError.routeGone(id, favorite.feed)
            }
            found.route = route
        }
        return found
    }

    private func stop(_ id: StopID, _ bothSides: Bool, _ timetable: Timetable) throws -> FoundStop {
        guard let index = try timetable.file.stop(id: id) else {
            throw QueryError.stopGone(id, timetable.feed)
        }
        let found = FoundStop(timetable: timetable, index: index, stop: try timetable.file.stop(index))
        return bothSides ? try found.withNamesakes() : found
    }
}
