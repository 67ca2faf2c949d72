internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The favourites that a question is about, each with what its board is made from.
struct FavoritesQuery {
    struct One {
        var entry: FavoriteList.Entry
        /// One that cannot be answered says why and leaves the others alone.
        var board: Result<FavoriteQuery, ControlError>
    }

    var all: [One]
    /// The time that the question is for.
    var at: Instant

    /// - Throws: ``ErrorKind/favoriteNotFound``, and what ``Question/moment(_:zone:)`` throws.
    init(_ parameters: FavoriteShowParameters, _ context: RequestContext) throws {
        at = try context.moment(parameters.at, zone: context.zone)
        all = []
        for entry in try Self.entries(parameters, context.favorites) {
            do {
                all.append(One(entry: entry, board: .success(try FavoriteQuery(entry, parameters, context))))
            } catch let error as QueryTimeError { throw error } catch {
                all.append(One(entry: entry, board: .failure(ControlError.of(error))))
            }
        }
    }

    /// Those that the favourites are of, and the other feeds of their agencies that have a timetable.
    func feeds(_ context: RequestContext) -> [FeedSnapshot] {
        let own = Set(all.map(\.entry.favorite.feed))
        let supplementedFeeds = Set(own.flatMap(context.configuration.supplementedFeeds))
        return context.feeds.filter {
            own.contains($0.id) || (supplementedFeeds.contains($0.id) && $0.timetable != nil)
        }
    }

    private static func entries(
        _ parameters: FavoriteShowParameters, _ book: FavoriteList
    ) throws(ControlError) -> [FavoriteList.Entry] {
        var entries = book.entries
        if let text = parameters.favorite { entries = [try book.entry(text)] }
        guard let category = parameters.category else { return entries }
        let folded = SearchText.fold(category)
        entries.removeAll { $0.favorite.category.map { SearchText.fold($0) } != folded }
        if entries.isEmpty {
            let known = book.entries.compactMap(\.favorite.category)
            let names = known.enumerated().filter { known.firstIndex(of: $0.element) == $0.offset }.map(\.element)
            throw ControlError(
                .favoriteNotFound, "You have no favorite in \"\(category)\".",
                hint: names.isEmpty
                    ? "Put one there: transitctl favorite category FAVORITE \(category)."
                    : "Your categories are \(names.joined(separator: ", ")).")
        }
        return entries
    }
}

/// What the board of a favourite is made from: where it is boarded, and what calls there.
struct FavoriteQuery {
    /// Where it is boarded, and what calls there of all that is meant.
    struct Origin {
        var side: FeedBoard
        /// Only trips of these directions; `nil`: whatever leaves. `nil` is among them where the feed has no directions.
        var directions: Set<Direction?>?
        /// Whether trips of other directions call there as well.
        var isShared = false

        init(_ side: FeedBoard, going directions: Set<Direction?>? = nil) {
            self.side = side
            self.directions = directions
            guard let directions else { return }
            self.side.visits.removeAll { !directions.contains($0.pattern.direction) }
            isShared = self.side.visits.count < side.visits.count
        }
    }

    var timetable: Timetable
    var stop: FoundStop?
    var route: RouteIndex?
    var origins: [Origin]
    var zone: ServiceZone
    /// The time that the board is for.
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

    /// Every stop at which it is boarded.
    var stops: [StopIndex] { Set(origins.flatMap(\.side.stops)).sorted() }
    var visits: [PatternVisit] { origins.flatMap(\.side.visits) }

    /// Its board at each of its origins, as all feeds of its agency tell it.
    func boards(_ context: RequestContext) throws(StoreError) -> [MergedBoard] {
        try origins.map { (origin) throws(StoreError) in try MergedBoard(origin.side, context) }
    }

    /// What leaves, in the order of leaving.
    ///
    /// - Parameter boards: those of its origins.
    func departures(_ boards: [MergedBoard], count: Int) throws(StoreError) -> [MergedDeparture] {
        var departures: [MergedDeparture] = []
        for (origin, board) in zip(origins, boards) {
            departures += try board.departures(at: at, count: count).filter { takes($0, origin) }
        }
        return Array(
            departures.sorted { ($0.call.departure, $0.call.stop) < ($1.call.departure, $1.call.stop) }.prefix(count))
    }

    /// Whether a departure goes where an origin's do. Another feed numbers directions as it likes, so what that one alone tells
    /// is compared only at a stop where trips of several directions call.
    private func takes(_ merged: MergedDeparture, _ origin: Origin) -> Bool {
        guard let directions = origin.directions, origin.isShared || merged.isReported(by: timetable) else {
            return true
        }
        let own = merged.witness.flatMap { $0.timetable === timetable ? $0.call : nil } ?? merged.call
        return own.goes(directions)
    }
}

extension ExpectedCall {
    /// Whether it goes in one of some directions, as far as that is known.
    fileprivate func goes(_ directions: Set<Direction?>) -> Bool {
        switch subject {
        case .scheduled(let call): directions.contains(call.pattern.direction)
        case .extra(let trip, _): trip.direction.map { directions.contains($0) } ?? true
        }
    }
}

/// Finds where a route is boarded by somebody who names no stop.
struct BoardingStopFinder {
    var context: RequestContext

    /// For each direction of a route the stop nearest to where the caller's commute begins; none when that is not known
    /// or too far away.
    func stops(
        of route: RouteIndex, _ timetable: Timetable, at moment: Instant
    ) throws -> [(stop: StopIndex, directions: Set<Direction?>)] {
        guard let (_, place) = beginning(at: moment) else { return [] }
        let radius = Double(context.configuration.queries.maxWalkingRadius)
        let near = try timetable.callingStops(near: place, within: radius).map(\.stop)
        let patterns = try timetable.file.patterns(of: route)
        var directions: [StopIndex: Set<Direction?>] = [:]
        for direction in Set(patterns.map(\.direction)) {
            // Nobody boards where a trip ends.
            let boardable = Set(
                patterns.filter { $0.direction == direction }.flatMap { $0.calls.dropLast().map(\.stop) })
            if let stop = near.first(where: { boardable.contains($0) }) {
                directions[stop, default: []].insert(direction)
            }
        }
        return directions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The place at which the commute of that time begins, else home.
    private func beginning(at moment: Instant) -> (name: String, place: Coordinate)? {
        let book = context.book
        let chosen = try? book.chosen(
            at: moment, zone: context.zone, returnHour: context.configuration.queries.returnHour)
        for name in [chosen?.commute.from, CommuteList.home].compactMap({ $0 }) {
            if let (place, _) = book.place(name), let coordinate = context.coordinate(of: place) {
                return (name, coordinate)
            }
        }
        return nil
    }

    /// Why a favourite has no stop to be boarded at.
    func nowhere(_ favorite: SavedFavorite) -> String {
        guard favorite.target.stop == nil else { return "No trip calls there." }
        guard let (name, _) = beginning(at: context.now) else {
            return "Set home, so that the stops near it can be shown, or add the route at a stop."
        }
        let kilometers = Double(context.configuration.queries.maxWalkingRadius) / 1000
        return "It does not stop within \(kilometers) km of \(name)."
    }
}
