internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The favorites of a request, each with the query for its board.
struct FavoritesQuery {
    struct One {
        var entry: FavoriteList.Entry
        /// An error in one favorite does not affect the other favorites.
        var board: Result<FavoriteBoardQuery, ControlError>
    }

    var all: [One]
    /// The time of the boards.
    var at: Instant

    /// - Throws: ``ErrorKind/favoriteNotFound``, and the errors of ``RequestContext/moment(_:zone:)``.
    init(_ parameters: FavoriteShowParameters, _ context: RequestContext) throws {
        at = try context.moment(parameters.at, zone: context.zone)
        all = []
        for entry in try Self.entries(parameters, context.favorites) {
            do {
                all.append(One(entry: entry, board: .success(try FavoriteBoardQuery(entry, parameters, context))))
            } catch let error as QueryTimeError { throw error } catch {
                all.append(One(entry: entry, board: .failure(ControlError.of(error))))
            }
        }
    }

    /// Returns the feeds of the favorites and the related feeds that have a timetable.
    func feeds(_ context: RequestContext) -> [FeedSnapshot] {
        let own = Set(all.map(\.entry.favorite.feed))
        let supplementedFeeds = Set(own.flatMap(context.configuration.supplementedFeeds))
        return context.feeds.filter {
            own.contains($0.id) || (supplementedFeeds.contains($0.id) && $0.timetable != nil)
        }
    }

    private static func entries(
        _ parameters: FavoriteShowParameters, _ favorites: FavoriteList
    ) throws(ControlError) -> [FavoriteList.Entry] {
        var entries = favorites.entries
        if let text = parameters.favorite { entries = [try favorites.entry(text)] }
        guard let category = parameters.category else { return entries }
        let folded = SearchText.fold(category)
        entries.removeAll { $0.favorite.category.map { SearchText.fold($0) } != folded }
        if entries.isEmpty {
            let known = favorites.entries.compactMap(\.favorite.category)
            let names = known.enumerated().filter { known.firstIndex(of: $0.element) == $0.offset }.map(\.element)
            throw ControlError(
                .favoriteNotFound, "You have no favorite in \"\(category)\".",
                hint: names.isEmpty
                    ? "Add one with: transitctl favorite category FAVORITE \(category)."
                    : "Your categories are \(names.joined(separator: ", ")).")
        }
        return entries
    }
}

/// The resolved query for the board of a favorite: its boarding stops and the visits to them.
struct FavoriteBoardQuery {
    /// A boarding place, with the visits to it.
    struct Origin {
        var feedBoard: FeedBoard
        /// The directions of the trips to show; `nil` for all departures. The set contains `nil` if the feed has no
        /// directions.
        var directions: Set<Direction?>?
        /// Whether trips in other directions also call there.
        var isShared = false

        init(_ feedBoard: FeedBoard, going directions: Set<Direction?>? = nil) {
            self.feedBoard = feedBoard
            self.directions = directions
            guard let directions else { return }
            self.feedBoard.visits.removeAll { !directions.contains($0.pattern.direction) }
            isShared = self.feedBoard.visits.count < feedBoard.visits.count
        }
    }

    var timetable: Timetable
    var stop: FoundStop?
    var route: RouteIndex?
    var origins: [Origin]
    var zone: ServiceZone
    /// The time of the board.
    var at: Instant

    init(_ entry: FavoriteList.Entry, _ parameters: FavoriteShowParameters, _ context: RequestContext) throws {
        let found = try FavoriteFinder(context: context).find(entry.favorite)
        (timetable, stop, route) = (found.timetable, found.stop, found.route)
        if let stop = found.stop { zone = try stop.zone } else { zone = found.timetable.zone }
        at = try context.moment(parameters.at, zone: zone)
        let view = context.view(of: timetable)
        origins = []
        if let stop {
            origins = [Origin(try FeedBoard(view, stops: try stop.callingStops(), routes: route.map { [$0] }))]
        } else if let route {
            for (stop, directions) in try BoardingStopFinder(context: context).stops(of: route, timetable, at: at) {
                origins.append(Origin(try FeedBoard(view, stops: [stop], routes: [route]), going: directions))
            }
        }
    }

    /// All boarding stops.
    var stops: [StopIndex] { Set(origins.flatMap(\.feedBoard.stops)).sorted() }
    var visits: [PatternCallPosition] { origins.flatMap(\.feedBoard.visits) }

    /// Returns the merged board at each origin.
    func boards(_ context: RequestContext) throws(StoreError) -> [MergedBoard] {
        try origins.map { (origin) throws(StoreError) in try MergedBoard(origin.feedBoard, context) }
    }

    /// Returns the departures of all origins, in order of departure.
    ///
    /// - Parameter boards: The boards of the origins, in the same order.
    func departures(_ boards: [MergedBoard], count: Int) throws(StoreError) -> [MergedDeparture] {
        var departures: [MergedDeparture] = []
        for (origin, board) in zip(origins, boards) {
            departures += try board.departures(at: at, count: count).filter { matches($0, origin) }
        }
        return Array(
            departures.sorted { ($0.call.departure, $0.call.stop) < ($1.call.departure, $1.call.stop) }.prefix(count))
    }

    /// Whether a departure goes in one of an origin's directions. The agency's other feed may number directions
    /// differently, so the direction of a departure that is only in that feed is checked only at stops where trips in
    /// several directions call.
    private func matches(_ merged: MergedDeparture, _ origin: Origin) -> Bool {
        guard let directions = origin.directions, origin.isShared || merged.isReported(by: timetable) else {
            return true
        }
        let own = merged.confirmation.flatMap { $0.timetable === timetable ? $0.call : nil } ?? merged.call
        return own.hasDirection(directions)
    }
}

extension ExpectedCall {
    /// Whether the trip goes in one of the directions or its direction is not known.
    fileprivate func hasDirection(_ directions: Set<Direction?>) -> Bool {
        switch subject {
        case .scheduled(let call): directions.contains(call.pattern.direction)
        case .extra(let trip, _): trip.direction.map { directions.contains($0) } ?? true
        }
    }
}

/// Finds the boarding stops of a route for a caller who names no stop.
struct BoardingStopFinder {
    var context: RequestContext

    /// Returns, for each direction of a route, the boarding stop nearest to the start of the caller's commute. The
    /// result is empty if that start is not known or is too far away.
    func stops(
        of route: RouteIndex, _ timetable: Timetable, at moment: Instant
    ) throws -> [(stop: StopIndex, directions: Set<Direction?>)] {
        guard let (_, place) = commuteStart(at: moment) else { return [] }
        let radius = Double(context.configuration.queries.maxWalkingRadius)
        let near = try timetable.callingStops(near: place, within: radius).map(\.stop)
        let patterns = try timetable.file.patterns(of: route)
        var directions: [StopIndex: Set<Direction?>] = [:]
        for direction in Set(patterns.map(\.direction)) {
            // Passengers cannot board at the last call of a trip.
            let boardable = Set(
                patterns.filter { $0.direction == direction }.flatMap { $0.calls.dropLast().map(\.stop) })
            if let stop = near.first(where: { boardable.contains($0) }) {
                directions[stop, default: []].insert(direction)
            }
        }
        return directions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the starting place of the commute at the given time or, if there is none, home.
    private func commuteStart(at moment: Instant) -> (name: String, place: Coordinate)? {
        let commuteList = context.commuteList
        let chosen = try? commuteList.chosen(
            at: moment, zone: context.zone, returnHour: context.configuration.queries.returnHour)
        for name in [chosen?.commute.from, CommuteList.home].compactMap({ $0 }) {
            if let (place, _) = commuteList.place(name), let coordinate = context.coordinate(of: place) {
                return (name, coordinate)
            }
        }
        return nil
    }

    /// Returns the reason for the lack of a boarding stop.
    func noBoardingStopReason(_ favorite: SavedFavorite) -> String {
        guard favorite.target.stop == nil else { return "No trip calls there." }
        guard let (name, _) = commuteStart(at: context.now) else {
            return "Set home to see departures from the stops near it, or add the route at a stop."
        }
        let kilometers = Double(context.configuration.queries.maxWalkingRadius) / 1000
        return "It does not stop within \(kilometers) km of \(name)."
    }
}
