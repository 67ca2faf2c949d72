internal import TransitControl
internal import TransitModel
internal import TransitStore

/// Where a route calls: the stops that are left when somebody has chosen a route first.
struct StopFilter {
    private var feed: FeedID?
    /// With their stations; `nil`: no route was chosen.
    private var stops: Set<StopIndex>?

    /// Allows everything.
    init() {}

    /// - Throws: ``ErrorKind/favoriteNotFound``; ``ErrorKind/invalidParameters`` for a favourite that has no route; what
    ///   ``RouteFinder/find(_:)`` and the store throw.
    init(route: String?, favorite: String?, among timetables: [Timetable], _ context: RequestContext) throws {
        let chosen: (timetable: Timetable, route: RouteIndex)
        switch (route, favorite) {
        case (nil, nil): return
        case (let route?, nil):
            let found = try RouteFinder(timetables, context).find(route)
            chosen = (found.timetable, found.index)
        case (nil, let name?):
            let favorite = try context.favorites.entry(name).favorite
            let found = try FavoriteFinder(context: context).find(favorite)
            guard let route = found.route else {
                throw ControlError(
                    .invalidParameters, "The favorite \"\(favorite.name)\" is a stop, not a route.",
                    hint: "Name one that is a route.")
            }
            chosen = (found.timetable, route)
        case (.some, .some): throw ControlError(.invalidParameters, "Only one of route and favorite may be given.")
        }
        feed = chosen.timetable.feed
        var stops: Set<StopIndex> = []
        for pattern in try chosen.timetable.file.patterns(of: chosen.route) {
            stops.formUnion(pattern.calls.map(\.stop))
        }
        for stop in stops { if let parent = try chosen.timetable.file.stop(stop).parent { stops.insert(parent) } }
        self.stops = stops
    }

    func allows(_ timetable: Timetable) -> Bool { feed.map { $0 == timetable.feed } ?? true }
    func allows(_ stop: StopIndex) -> Bool { stops?.contains(stop) ?? true }
}
