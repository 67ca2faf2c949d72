internal import TransitEngine
package import TransitModel
package import TransitStore

/// The boards of the caller's favorites. Each board is resolved once.
package struct FavoritesQuery {
    package struct FavoriteBoard {
        package var entry: FavoriteList.Entry
        /// An error in one favorite does not affect the other favorites.
        package var board: Result<FavoriteBoardQuery, any Error>
    }

    package let all: [FavoriteBoard]
    /// The time that the caller names; `nil` for now.
    private let moment: Instant?

    /// - Parameters:
    ///   - favorite: The name or number of one favorite; `nil` for all.
    ///   - category: The category of the favorites; `nil` for all.
    ///   - at: The time of the boards as the caller writes it; `nil` for now.
    /// - Throws: The errors of ``FavoriteList``, and `QueryTimeError`.
    package init(favorite: String?, category: String?, at: String?, _ context: QueryContext) throws {
        moment = try at.map { try context.moment($0, zone: context.zone) }
        let favorites = context.favorites
        var entries = favorites.entries
        if let favorite { entries = [try favorites.entry(favorite)] }
        if let category { entries = try favorites.entries(ofCategory: category, among: entries) }
        var all: [FavoriteBoard] = []
        for entry in entries {
            do {
                all.append(
                    FavoriteBoard(
                        entry: entry, board: .success(try FavoriteBoardQuery(entry.favorite, at: at, context))))
            } catch let error as QueryTimeError { throw error } catch {
                all.append(FavoriteBoard(entry: entry, board: .failure(error)))
            }
        }
        self.all = all
    }

    /// Whether the query still refers to the current versions of its timetables.
    package func isCurrent(_ context: QueryContext) -> Bool {
        all.allSatisfy { one in
            guard case .success(let query) = one.board else { return false }
            return query.boards.allSatisfy { $0.isCurrent(context) } && context.isCurrent(query.timetable)
        }
    }

    /// The time of the boards.
    package func at(_ context: QueryContext) -> Instant { moment ?? context.now }

    /// Returns the feeds of the favorites and the related feeds that have a timetable.
    package func feeds(_ context: QueryContext) -> [FeedView] {
        let own = Set(all.map(\.entry.favorite.feed))
        return context.feeds.filter { feed in
            own.contains(feed.id)
                || feed.timetable != nil && own.contains { context.areSupplements($0, feed.id) }
        }
    }
}

/// The resolved query for the board of a favorite: its boarding stops and the visits to them.
package struct FavoriteBoardQuery {
    /// A boarding place, with the visits to it.
    private struct Origin {
        var board: MergedBoard
        /// The directions of the trips to show; `nil` for all departures. The set contains `nil` if the feed has no
        /// directions.
        var directions: Set<Direction?>?
        /// Whether trips in other directions also call there.
        var isShared = false

        init(
            _ feedBoard: FeedBoard, going directions: Set<Direction?>? = nil, _ context: QueryContext
        ) throws(StoreError) {
            self.directions = directions
            var selected = feedBoard
            if let directions {
                selected.visits.removeAll { !directions.contains($0.pattern.direction) }
                isShared = selected.visits.count < feedBoard.visits.count
            }
            board = try MergedBoard(selected, context)
        }
    }

    package let timetable: Timetable
    package let stop: FoundStop?
    package let route: RouteIndex?
    package let zone: ServiceZone
    private let origins: [Origin]
    /// The time that the caller names; `nil` for now.
    private let moment: Instant?

    fileprivate init(_ favorite: SavedFavorite, at: String?, _ context: QueryContext) throws {
        let found = try FavoriteFinder(context).find(favorite)
        (timetable, stop, route) = (found.timetable, found.stop, found.route)
        let zone = try found.stop?.zone ?? found.timetable.zone
        self.zone = zone
        moment = try at.map { try context.moment($0, zone: zone) }
        var origins: [Origin] = []
        if let stop = found.stop {
            let routes = found.route.map { Set([$0]) }
            origins = [
                try Origin(FeedBoard(timetable, stops: try stop.callingStops(), routes: routes), context)
            ]
        } else if let route = found.route {
            let boarding = try BoardingStopFinder(context).stops(of: route, timetable, at: moment ?? context.now)
            for (stop, directions) in boarding {
                origins.append(
                    try Origin(FeedBoard(timetable, stops: [stop], routes: [route]), going: directions, context))
            }
        }
        self.origins = origins
    }

    /// The time of the board.
    package func at(_ context: QueryContext) -> Instant { moment ?? context.now }

    /// All boarding stops.
    package var stops: [StopIndex] { Set(origins.flatMap(\.board.requested.stops)).sorted() }

    /// The merged board of each origin.
    package var boards: [MergedBoard] { origins.map(\.board) }

    package func result(count: Int, _ context: QueryContext) throws(StoreError) -> BoardResult {
        let at = at(context)
        var departures: [MergedDeparture] = []
        for origin in origins {
            departures += try origin.board.departures(at: at, count: count, context).filter { matches($0, origin) }
        }
        departures.sort { ($0.call.departure, $0.call.stop) < ($1.call.departure, $1.call.stop) }
        departures = Array(departures.prefix(count))
        return try BoardResult(
            at: at, departures, of: boards,
            emptyReason: departures.isEmpty
                ? EmptyBoardReason(timetable, origins.flatMap(\.board.requested.visits), at: at) : nil,
            walks: BoardWalks(nearestTo: boards, context), context)
    }

    /// Returns the on-demand arrivals on which the result depends.
    package func requiredArrivals(_ context: QueryContext) -> [RequiredArrivals] {
        RequiredArrivals.all(of: boards, at: at(context))
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

extension QueryContext {
    /// Whether two feeds are the feeds of one agency, of which one supplements the other.
    fileprivate func areSupplements(_ one: FeedID, _ other: FeedID) -> Bool {
        feeds.contains {
            ($0.id == one && $0.source.supplements == other) || ($0.id == other && $0.source.supplements == one)
        }
    }
}

extension ExpectedCall {
    /// Whether the trip goes in one of the directions or its direction is not known.
    fileprivate func hasDirection(_ directions: Set<Direction?>) -> Bool {
        direction == nil && isExtra || directions.contains(direction)
    }
}

/// Finds the boarding stops of a route for a caller who names no stop.
package struct BoardingStopFinder {
    private let context: QueryContext

    package init(_ context: QueryContext) { self.context = context }

    /// Returns, for each direction of a route, the boarding stop nearest to the start of the caller's commute. The
    /// result is empty if that start is not known or is too far away.
    package func stops(
        of route: RouteIndex, _ timetable: Timetable, at moment: Instant
    ) throws -> [(stop: StopIndex, directions: Set<Direction?>)] {
        guard let (_, place) = commuteStart(at: moment) else { return [] }
        let radius = Double(context.settings.maxWalkingRadius)
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
    package func commuteStart(at moment: Instant) -> (name: String, place: Coordinate)? {
        let commuteList = context.commuteList
        let chosen = try? commuteList.chosen(
            at: moment, zone: context.zone, returnHour: context.settings.returnHour)
        for name in [chosen?.commute.from, CommuteList.home].compactMap({ $0 }) {
            if let (place, _) = commuteList.place(name), let coordinate = context.coordinate(of: place) {
                return (name, coordinate)
            }
        }
        return nil
    }
}
