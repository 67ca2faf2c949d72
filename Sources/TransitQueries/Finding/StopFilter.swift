package import TransitModel
internal import TransitStore

/// Restricts stops to those at which the chosen route calls.
package struct StopFilter {
    private var feed: FeedID?
    /// The stops of the route with their stations; `nil` if no route is chosen.
    private var stops: Set<StopIndex>?

    /// Creates a filter that allows every stop.
    package init() {}

    /// - Throws: ``QueryError/favoriteWithoutRoute(_:)``, ``QueryError/routeAndFavorite``, the errors of
    ///   ``FavoriteList/entry(_:)`` and ``RouteFinder/find(_:)``, and `StoreError`.
    package init(route: String?, favorite: String?, among timetables: [Timetable], _ context: QueryContext) throws {
        let chosen: (timetable: Timetable, route: RouteIndex)
        switch (route, favorite) {
        case (nil, nil): return
        case (let route?, nil):
            let found = try RouteFinder(timetables, context).find(route)
            chosen = (found.timetable, found.index)
        case (nil, let name?):
            let favorite = try context.favorites.entry(name).favorite
            let found = try FavoriteFinder(context).find(favorite)
            guard let route = found.route else {
                throw QueryError.favoriteWithoutRoute(favorite.name)
            }
            chosen = (found.timetable, route)
        case (.some, .some): throw QueryError.routeAndFavorite
        }
        feed = chosen.timetable.feed
        var stops: Set<StopIndex> = []
        for pattern in try chosen.timetable.file.patterns(of: chosen.route) {
            stops.formUnion(pattern.calls.map(\.stop))
        }
        for stop in stops { if let parent = try chosen.timetable.file.stop(stop).parent { stops.insert(parent) } }
        self.stops = stops
    }

    package func allows(_ timetable: Timetable) -> Bool { feed.map { $0 == timetable.feed } ?? true }
    package func allows(_ stop: StopIndex) -> Bool { stops?.contains(stop) ?? true }
}
