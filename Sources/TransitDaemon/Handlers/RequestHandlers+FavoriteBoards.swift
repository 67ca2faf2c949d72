internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func favoriteShow(_ parameters: FavoriteShowParameters, _ context: RequestContext) throws -> FavoriteShowResult {
        let asked = try FavoritesQuery(parameters, context)
        let feeds = asked.feeds(context)
        var notices = context.mergedNotices(about: feeds)
        if let replaced = restoredStateNotice(at: context.now) { notices.insert(replaced, at: 0) }
        let needs = try arrivalsRequirements(of: asked, context)
        var boards: [FavoriteBoard] = []
        for one in asked.all {
            var board = FavoriteBoard(
                favorite: FavoriteFinder(context: context).summary(one.entry),
                at: Timestamp(asked.at, in: context.zone))
            do {
                try fill(&board, try one.board.get(), of: one.entry, parameters, context, needs, &notices)
            } catch {
                board.emptyReason = ControlError.of(error).message
            }
            boards.append(board)
        }
        let reading = daemon.clock.reading()
        if parameters.at == nil { daemon.looks.note(.favorites, of: context.caller.uid, at: reading) }
        for feed in feeds { daemon.demand.asked(about: feed.id, at: reading) }
        return FavoriteShowResult(
            at: Timestamp(asked.at, in: context.zone), boards: boards, notices: notices)
    }

    /// - Parameters:
    ///   - needs: what is asked for all of the favourites together.
    ///   - notices: what is to be said besides the board's own remark.
    private func fill(
        _ board: inout FavoriteBoard, _ asked: FavoriteQuery, of entry: FavoriteList.Entry,
        _ parameters: FavoriteShowParameters, _ context: RequestContext, _ needs: [ArrivalsRequirement],
        _ notices: inout [Notice]
    ) throws {
        board.at = Timestamp(asked.at, in: asked.zone)
        let names = NameRenderer(timetable: asked.timetable, language: parameters.language)
        let stops = try asked.stops.map { (stop) throws(StoreError) in try names.reference(stop) }
        if asked.stop == nil { board.boardingStops = stops }
        if stops.isEmpty {
            board.emptyReason = BoardingStopFinder(context: context).nowhere(entry.favorite)
            return
        }
        let boards = try asked.boards(context)
        let merged = try asked.departures(boards, count: parameters.count)
        let rendering = MergedDepartureRenderer(
            boards.first?.sides.map(\.view) ?? [], context, language: parameters.language)
        let finders = try boards.flatMap(\.sides).map { (side) throws(StoreError) in
            try DirectionInference(side, context)
        }
        board.departures = try merged.map { (merged) throws(StoreError) in
            let finder = finders.first { $0.isFor(merged) }
            return try rendering.departure(merged, direction: try finder?.direction(of: merged.call))
        }
        let from = asked.stop?.stop.name ?? stops.map(\.name).joined(separator: " and ")
        let own = try remarks(on: asked, boards, from: from, isEmpty: merged.isEmpty, parameters, context, needs)
        // What a board without departures has to say stands in their place.
        if merged.isEmpty {
            board.emptyReason = own.map(\.message).joined(separator: " ")
        } else {
            notices += own.filter { !notices.contains($0) }
        }
    }

    /// What is to be said of a board: why it is empty, and what is not known of it.
    private func remarks(
        on asked: FavoriteQuery, _ boards: [MergedBoard], from: String, isEmpty: Bool,
        _ parameters: FavoriteShowParameters, _ context: RequestContext, _ needs: [ArrivalsRequirement]
    ) throws -> [Notice] {
        let route = asked.route.flatMap { asked.timetable.route($0)?.displayName }
        func nothing() -> Notice {
            asked.timetable.emptyBoardReason(from: from, asked.visits, of: route, at: asked.at)
        }
        guard
            let arrivals = try arrivals(of: asked, boards, context, language: parameters.language, within: needs)
        else { return isEmpty ? [nothing()] : [] }
        return arrivals.notices(isEmpty: isEmpty, from: from, nothing: nothing)
    }
}
