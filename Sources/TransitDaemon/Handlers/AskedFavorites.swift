internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The favourites that a question is about, each with what its board is made from.
struct AskedFavorites {
    struct One {
        var entry: FavoriteBook.Entry
        /// One that cannot be answered says why and leaves the others alone.
        var board: Result<AskedFavorite, ControlError>
    }

    var all: [One]
    /// The time that the question is for.
    var at: Instant

    /// - Throws: ``ErrorKind/favoriteNotFound``, and what ``Question/moment(_:zone:)`` throws.
    init(_ parameters: FavoriteShowParameters, _ question: Question) throws {
        at = try question.moment(parameters.at, zone: question.zone)
        all = []
        for entry in try Self.entries(parameters, question.favorites) {
            do {
                all.append(One(entry: entry, board: .success(try AskedFavorite(entry, parameters, question))))
            } catch let error as AskedTimeError { throw error } catch {
                all.append(One(entry: entry, board: .failure(ControlError.of(error))))
            }
        }
    }

    private static func entries(
        _ parameters: FavoriteShowParameters, _ book: FavoriteBook
    ) throws(ControlError) -> [FavoriteBook.Entry] {
        var entries = book.entries
        if let text = parameters.favorite { entries = [try book.entry(text)] }
        guard let category = parameters.category else { return entries }
        let folded = SearchText.fold(category)
        entries.removeAll { $0.favorite.category.map { SearchText.fold($0) } != folded }
        if entries.isEmpty {
            let known = book.entries.compactMap(\.favorite.category)
            let names = known.enumerated().filter { known.firstIndex(of: $0.element) == $0.offset }.map(\.element)
            throw ControlError(
                .favoriteNotFound, "You have no favourite in \"\(category)\".",
                hint: names.isEmpty
                    ? "Put one there: transitctl favorite category FAVOURITE \(category)."
                    : "Your categories are \(names.joined(separator: ", ")).")
        }
        return entries
    }
}

/// What the board of a favourite is made from: where it is boarded, and what calls there.
struct AskedFavorite {
    /// Where it is boarded, and the visits that are meant.
    struct Origin {
        var stops: [StopIndex]
        /// Only trips of this direction; `nil`: whatever leaves. The inner one is `nil` where the feed has no directions.
        var direction: Direction??
        var visits: [PatternVisit] = []
    }

    var timetable: Timetable
    var stop: FoundStop?
    var route: RouteIndex?
    var origins: [Origin]
    var zone: ServiceZone
    /// The time that the board is for.
    var at: Instant

    init(_ entry: FavoriteBook.Entry, _ parameters: FavoriteShowParameters, _ question: Question) throws {
        let found = try FavoriteFinder(question: question).find(entry.favorite)
        (timetable, stop, route) = (found.timetable, found.stop, found.route)
        if let stop = found.stop { zone = try stop.zone } else { zone = found.timetable.zone }
        at = try question.moment(parameters.at, zone: zone)
        origins = []
        if let stop {
            origins = [Origin(stops: try stop.callingStops())]
        } else if let route {
            origins = try RouteBoarding(question: question).origins(of: route, timetable, at: at)
        }
        for position in origins.indices { origins[position].visits = try patternVisits(of: origins[position]) }
    }

    private func patternVisits(of origin: Origin) throws(StoreError) -> [PatternVisit] {
        var visits: [PatternVisit] = []
        for stop in origin.stops { visits += try timetable.file.patterns(at: stop) }
        if let route { visits.removeAll { $0.pattern.route != route } }
        if let direction = origin.direction { visits.removeAll { $0.pattern.direction != direction } }
        return visits
    }

    /// Every stop at which it is boarded.
    var stops: [StopIndex] { Set(origins.flatMap(\.stops)).sorted() }
    var visits: [PatternVisit] { origins.flatMap(\.visits) }

    /// What leaves, in the order of leaving.
    func calls(_ question: Question, count: Int) -> [ExpectedCall] {
        var calls: [ExpectedCall] = []
        for origin in origins {
            let found = Board.departures(
                visits: origin.visits, stops: origin.stops, routes: route.map { [$0] }, context: timetable.context,
                live: question.live(timetable), now: question.now, at: at, count: count)
            calls += found.filter { $0.goes(origin.direction) }
        }
        return Array(calls.sorted { ($0.departure, $0.stop) < ($1.departure, $1.stop) }.prefix(count))
    }
}

extension ExpectedCall {
    /// Whether an extra trip goes in a direction, as far as that is known; the timetable's own were chosen before.
    ///
    /// - Parameter wanted: `nil`: any.
    fileprivate func goes(_ wanted: Direction??) -> Bool {
        guard let wanted, case .extra(let trip, _) = subject, let own = trip.direction else { return true }
        return own == wanted
    }
}

/// Finds where a route is boarded by somebody who names no stop.
struct RouteBoarding {
    var question: Question

    /// For each direction of a route the stop nearest to where the caller's commute begins; none when that is not known
    /// or too far away.
    func origins(of route: RouteIndex, _ timetable: Timetable, at moment: Instant) throws -> [AskedFavorite.Origin] {
        guard let (_, place) = beginning(at: moment) else { return [] }
        let radius = Double(question.configuration.questions.widenedWalkingRadius)
        let near = try timetable.callingStops(near: place, within: radius).map(\.stop)
        let patterns = try timetable.file.patterns(of: route)
        return Set(patterns.map(\.direction)).compactMap { direction in
            // Nobody boards where a trip ends.
            let boardable = Set(
                patterns.filter { $0.direction == direction }.flatMap { $0.calls.dropLast().map(\.stop) })
            return near.first { boardable.contains($0) }.map {
                AskedFavorite.Origin(stops: [$0], direction: direction)
            }
        }
    }

    /// The place at which the commute of that time begins, else home.
    private func beginning(at moment: Instant) -> (name: String, place: Coordinate)? {
        let book = question.book
        let chosen = try? book.chosen(
            at: moment, zone: question.zone, returnHour: question.configuration.questions.switchHour)
        for name in [chosen?.commute.from, CommuteBook.home].compactMap({ $0 }) {
            if let (place, _) = book.place(name), let coordinate = question.coordinate(of: place) {
                return (name, coordinate)
            }
        }
        return nil
    }

    /// Why a favourite has no stop to be boarded at.
    func nowhere(_ favorite: SavedFavorite) -> String {
        guard favorite.target.stop == nil else { return "No trip calls there." }
        guard let (name, _) = beginning(at: question.now) else {
            return "Set home, so that the stops near it can be shown, or add the route at a stop."
        }
        let kilometres = Double(question.configuration.questions.widenedWalkingRadius) / 1000
        return "It does not stop within \(kilometres) km of \(name)."
    }
}
