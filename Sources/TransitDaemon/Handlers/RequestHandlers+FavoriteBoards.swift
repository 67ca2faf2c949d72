internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore
internal import TransitSystem

extension RequestHandlers {
    func favoriteShow(_ parameters: FavoriteShowParameters, _ context: RequestContext) throws -> FavoriteShowResult {
        let query = try FavoritesQuery(parameters, context)
        let feeds = query.feeds(context)
        var notices = context.mergedNotices(about: feeds)
        if let replaced = restoredStateNotice(at: context.now) { notices.insert(replaced, at: 0) }
        let requirements = try arrivalsRequirements(of: query, context)
        var boards: [FavoriteBoard] = []
        for one in query.all {
            var board = FavoriteBoard(
                favorite: FavoriteFinder(context: context).summary(one.entry),
                at: Timestamp(query.at, in: context.zone))
            do {
                try fill(&board, try one.board.get(), of: one.entry, parameters, context, requirements, &notices)
            } catch {
                board.emptyReason = ControlError.of(error).message
            }
            boards.append(board)
        }
        let reading = daemon.clock.reading()
        if parameters.at == nil { daemon.recentViews.record(.favorites, of: context.caller.uid, at: reading) }
        for feed in feeds { daemon.demand.recordRequest(about: feed.id, at: reading) }
        return FavoriteShowResult(
            at: Timestamp(query.at, in: context.zone), boards: boards, notices: notices)
    }

    /// - Parameters:
    ///   - requirements: The arrivals requirements of all favorites of the request.
    ///   - notices: Receives the notices that are not shown in the board.
    private func fill(
        _ board: inout FavoriteBoard, _ query: FavoriteBoardQuery, of entry: FavoriteList.Entry,
        _ parameters: FavoriteShowParameters, _ context: RequestContext, _ requirements: [ArrivalsRequirement],
        _ notices: inout [Notice]
    ) throws {
        board.at = Timestamp(query.at, in: query.zone)
        let names = NameRenderer(timetable: query.timetable, language: parameters.language)
        let stops = try query.stops.map { (stop) throws(StoreError) in try names.reference(stop) }
        if query.stop == nil { board.boardingStops = stops }
        if stops.isEmpty {
            board.emptyReason = BoardingStopFinder(context: context).noBoardingStopReason(entry.favorite)
            return
        }
        let boards = try query.boards(context)
        let merged = try query.departures(boards, count: parameters.count)
        let rendering = MergedDepartureRenderer(
            boards.first?.feedBoards.map(\.view) ?? [], context, language: parameters.language)
        let inferences = try boards.flatMap(\.feedBoards).map { (feedBoard) throws(StoreError) in
            try DirectionInference(feedBoard, context)
        }
        board.departures = try merged.map { (merged) throws(StoreError) in
            let inference = inferences.first { $0.isFor(merged) }
            return try rendering.departure(merged, direction: try inference?.direction(of: merged.call))
        }
        let from = query.stop?.stop.name ?? stops.map(\.name).joined(separator: " and ")
        let boardNotices = try self.boardNotices(
            on: query, boards, from: from, isEmpty: merged.isEmpty, parameters, context, requirements)
        // If there are no departures, the notices are the board's reason for being empty.
        if merged.isEmpty {
            board.emptyReason = boardNotices.map(\.message).joined(separator: " ")
        } else {
            notices += boardNotices.filter { !notices.contains($0) }
        }
    }

    /// Returns the notices of a board: the reason why it is empty and the data that is missing.
    private func boardNotices(
        on query: FavoriteBoardQuery, _ boards: [MergedBoard], from: String, isEmpty: Bool,
        _ parameters: FavoriteShowParameters, _ context: RequestContext, _ requirements: [ArrivalsRequirement]
    ) throws -> [Notice] {
        let route = query.route.flatMap { query.timetable.route($0)?.displayName }
        func nothing() -> Notice {
            query.timetable.emptyBoardReason(from: from, query.visits, of: route, at: query.at)
        }
        guard
            let arrivals = try arrivals(of: query, boards, context, language: parameters.language, within: requirements)
        else { return isEmpty ? [nothing()] : [] }
        return arrivals.notices(isEmpty: isEmpty, from: from, nothing: nothing)
    }
}
