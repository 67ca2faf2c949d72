package import TransitControl
internal import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

extension FavoritesQuery {
    package init(_ parameters: FavoriteShowParameters, _ context: QueryContext) throws {
        try self.init(
            favorite: parameters.favorite, category: parameters.category, at: parameters.at, context)
    }
}

/// The reply of `favorite.show`.
package struct FavoriteShowReply {
    private let query: FavoritesQuery
    private let parameters: FavoriteShowParameters
    private let arrivals: (FavoriteBoardQuery) throws -> ArrivalsNotices?

    /// - Parameter arrivals: Returns the status of the arrivals that a favorite needs; `nil` if none of its feeds is
    ///   queried on demand.
    package init(
        _ query: FavoritesQuery, _ parameters: FavoriteShowParameters,
        arrivals: @escaping (FavoriteBoardQuery) throws -> ArrivalsNotices?
    ) {
        self.query = query
        self.parameters = parameters
        self.arrivals = arrivals
    }

    package func result(_ context: QueryContext) throws -> FavoriteShowResult {
        var notices = context.worded(context.mergedNotices(about: query.feeds(context)))
        let at = Timestamp(query.at(context), in: context.zone)
        var boards: [FavoriteBoard] = []
        for one in query.all {
            var board = FavoriteBoard(favorite: context.summary(of: one.entry), at: at)
            do {
                try fill(&board, try one.board.get(), of: one.entry, context, &notices)
            } catch {
                board.emptyReason = ControlError.of(error).message
            }
            boards.append(board)
        }
        return FavoriteShowResult(at: at, boards: boards, notices: notices)
    }

    /// - Parameter notices: Receives the notices that are not shown in the board.
    private func fill(
        _ board: inout FavoriteBoard, _ query: FavoriteBoardQuery, of entry: FavoriteList.Entry,
        _ context: QueryContext, _ notices: inout [Notice]
    ) throws {
        board.at = Timestamp(query.at(context), in: query.zone)
        let names = NameRenderer(query.timetable, language: parameters.language)
        let stops = try query.stops.map { (stop) throws(StoreError) in try names.reference(stop) }
        if query.stop == nil { board.boardingStops = stops }
        if stops.isEmpty {
            board.emptyReason = context.noBoardingStopReason(entry.favorite)
            return
        }
        let result = try query.result(count: parameters.count, context)
        let rendering = MergedDepartureRenderer(
            query.boards.first?.timetables ?? [], context, language: parameters.language)
        board.departures = try result.departures.indices.map { (position) throws(StoreError) in
            try rendering.departure(
                result.departures[position], direction: result.direction(at: position).placeName,
                walk: result.walks?.walk(to: result.departures[position]))
        }
        let from = query.stop?.stop.name ?? stops.map(\.name).joined(separator: " and ")
        let route = query.route.flatMap { query.timetable.route($0)?.displayName }
        let empty = result.emptyReason.map { Notice($0, from: from, of: route, feed: query.timetable.feed) }
        let boardNotices = try arrivals(query)?.notices(from: from, empty: empty) ?? empty.map { [$0] } ?? []
        // If there are no departures, the notices are the board's reason for being empty.
        if result.departures.isEmpty {
            board.emptyReason = boardNotices.map(\.message).joined(separator: " ")
        } else {
            notices += boardNotices.filter { !notices.contains($0) }
        }
    }
}

extension QueryContext {
    /// Returns the reason for the lack of a boarding stop.
    fileprivate func noBoardingStopReason(_ favorite: SavedFavorite) -> String {
        guard favorite.target.stop == nil else { return "No trip stops there." }
        guard let (name, _) = BoardingStopFinder(self).commuteStart(at: now) else {
            return "Set home to see departures from the stops near it, or add the route at a stop."
        }
        return "It does not stop within \(Double(settings.maxWalkingRadius) / 1000) km of \(name)."
    }

    /// Returns a favorite with the names of its stop and route and, if they are not in the timetable, the reason.
    package func summary(of entry: FavoriteList.Entry) -> FavoriteSummary {
        let favorite = entry.favorite
        var summary = FavoriteSummary(
            number: entry.number, name: favorite.name, category: favorite.category,
            kind: FavoriteKind(favorite.target), feed: favorite.feed,
            stop: favorite.target.stop.map { StopReference(id: $0, name: $0.rawValue) },
            route: favorite.target.route.map { RouteSummary(id: $0, type: Self.unknownType) })
        do {
            let found = try FavoriteFinder(self).find(favorite)
            let names = NameRenderer(found.timetable)
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
