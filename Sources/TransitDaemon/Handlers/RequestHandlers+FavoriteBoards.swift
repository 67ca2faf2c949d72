internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func favoriteShow(_ parameters: FavoriteShowParameters, _ question: Question) throws -> FavoriteShowResult {
        let entries = try entries(parameters, question.favorites)
        let boards = FavoriteBoards(
            question: question, at: parameters.at, count: parameters.count, language: parameters.language)
        var shown: [FavoriteBoard] = []
        for entry in entries {
            // One that cannot be answered says why and leaves the others alone.
            do { shown.append(try boards.board(entry)) } catch let error as AskedTimeError { throw error } catch {
                shown.append(boards.failed(entry, ControlError.of(error)))
            }
        }
        let feeds = Set(entries.map(\.favorite.feed))
        let reading = daemon.clock.reading()
        for feed in feeds { daemon.demand.asked(about: feed, at: reading) }
        return FavoriteShowResult(
            at: Timestamp(try question.moment(parameters.at, zone: question.zone), in: question.zone), boards: shown,
            notices: FeedNotices(now: question.now).about(question.feeds.filter { feeds.contains($0.id) }))
    }

    private func entries(
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

/// What leaves next of favourites.
struct FavoriteBoards {
    var question: Question
    /// As asked for.
    var at: String?
    var count: Int
    var language: String?

    private var finder: FavoriteFinder { FavoriteFinder(question: question) }

    func failed(_ entry: FavoriteBook.Entry, _ error: ControlError) -> FavoriteBoard {
        FavoriteBoard(favorite: finder.summary(entry), at: question.at, remark: error.message)
    }

    func board(_ entry: FavoriteBook.Entry) throws -> FavoriteBoard {
        let found = try finder.find(entry.favorite)
        let timetable = found.timetable
        let zone =
            try found.stop.map { try timetable.face(of: $0.stop, at: $0.index).zone ?? timetable.zone }
            ?? timetable.zone
        let moment = try question.moment(at, zone: zone)
        var board = FavoriteBoard(favorite: finder.summary(entry), at: Timestamp(moment, in: zone))
        var origins = try found.stop.map { [Origin(stops: try $0.callingStops())] } ?? []
        if found.stop == nil, let route = found.route {
            origins = try boarding(route, timetable, at: moment)
            let names = NameRendering(timetable: timetable, language: language)
            board.boarding = try Set(origins.flatMap(\.stops)).sorted().map { (stop) throws(StoreError) in
                try names.reference(stop)
            }
        }
        if origins.allSatisfy(\.stops.isEmpty) {
            board.remark = nowhereToBoard(entry.favorite)
            return board
        }
        let calls = try calls(from: origins, route: found.route, timetable, at: moment)
        let rendering = question.rendering(timetable, language: language)
        board.departures = try calls.map { (call) throws(StoreError) in try rendering.departure(call) }
        if calls.isEmpty {
            let last = timetable.zone.civil(at: moment).date.advanced(by: Board.defaultHorizonDays)
            board.remark = "Nothing leaves until the end of \(last)."
        }
        return board
    }

    /// Where a favourite is boarded.
    private struct Origin {
        var stops: [StopIndex]
        /// Only trips of this direction; `nil`: whatever leaves. The inner one is `nil` where the feed has no directions.
        var direction: Direction??
    }

    /// In the order of leaving.
    private func calls(
        from origins: [Origin], route: RouteIndex?, _ timetable: Timetable, at moment: Instant
    ) throws(StoreError) -> [ExpectedCall] {
        var calls: [ExpectedCall] = []
        for origin in origins {
            var visits: [PatternVisit] = []
            for stop in origin.stops { visits += try timetable.file.patterns(at: stop) }
            if let route { visits.removeAll { $0.pattern.route != route } }
            if let direction = origin.direction { visits.removeAll { $0.pattern.direction != direction } }
            let found = Board.departures(
                visits: visits, stops: origin.stops, routes: route.map { [$0] }, context: timetable.context,
                live: question.live(timetable), now: question.now, at: moment, count: count)
            calls += found.filter { $0.goes(origin.direction) }
        }
        return Array(calls.sorted { ($0.departure, $0.stop) < ($1.departure, $1.stop) }.prefix(count))
    }

    // MARK: Where to board a route

    /// For each direction of a route the stop nearest to where the caller's commute begins; none when that is not known
    /// or too far away.
    private func boarding(_ route: RouteIndex, _ timetable: Timetable, at moment: Instant) throws -> [Origin] {
        guard let (_, place) = beginning(at: moment) else { return [] }
        let radius = Double(question.configuration.questions.widenedWalkingRadius)
        let near = try timetable.callingStops(near: place, within: radius).map(\.stop)
        let patterns = try timetable.file.patterns(of: route)
        return Set(patterns.map(\.direction)).compactMap { direction in
            // Nobody boards where a trip ends.
            let boardable = Set(
                patterns.filter { $0.direction == direction }.flatMap { $0.calls.dropLast().map(\.stop) })
            return near.first { boardable.contains($0) }.map { Origin(stops: [$0], direction: direction) }
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

    private func nowhereToBoard(_ favorite: SavedFavorite) -> String {
        guard favorite.target.stop == nil else { return "No trip calls there." }
        guard let (name, _) = beginning(at: question.now) else {
            return "Set home, so that the stops near it can be shown, or add the route at a stop."
        }
        let kilometres = Double(question.configuration.questions.widenedWalkingRadius) / 1000
        return "It does not stop within \(kilometres) km of \(name)."
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
