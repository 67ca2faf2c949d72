package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

/// Handles `journeys`.
package struct JourneysHandler: QueryHandler {
    /// The number of journeys that are returned by default.
    private static let defaultCount = 5
    /// The number of journeys of a day.
    private static let maximumCount = 50

    package init() {}

    package func reply(to parameters: JourneysParameters, _ context: QueryContext) throws -> JourneysResult {
        var query = try query(parameters, context)
        query.explains = parameters.explain
        query.options = try JourneyOptions(
            modes: parameters.modes, wheelchair: parameters.wheelchair, bicycles: parameters.bicycles)
        if let via = parameters.via { try query.pass(via, context) }
        let isWholeDay = query.request.isForDay && !query.isArrival
        let count = parameters.count ?? (isWholeDay ? Self.maximumCount : Self.defaultCount)
        let result = try query.result(count: count, context)
        let summary = context.summary(of: query.request)
        let rendering = JourneyRenderer(
            result.timetables, context, language: parameters.language,
            explains: parameters.explain)
        return JourneysResult(
            at: Timestamp(result.at, in: query.request.zone), from: summary.from, to: summary.to,
            onBoard: parameters.onBoard, journeys: try rendering.journeys(result.journeys), walk: result.walk,
            notices: try context.notices(about: result, of: query, via: parameters.via))
    }

    private func query(_ parameters: JourneysParameters, _ context: QueryContext) throws -> JourneysQuery {
        let changes = parameters.changes ?? JourneysQuery.usualChanges
        switch (parameters.from, parameters.onBoard) {
        case (let from?, nil):
            return try JourneysQuery(
                from: from, to: parameters.to, at: parameters.at, isArrival: parameters.arriveBy,
                maximumChanges: changes, context)
        case (nil, let id?):
            guard parameters.at == nil, !parameters.arriveBy, parameters.via == nil else {
                throw ControlError(
                    .invalidParameters, "on_board cannot be combined with at, arrive_by or via.",
                    hint: "Riders who are on board set out now, on any way.")
            }
            return try JourneysQuery(onBoard: id, to: parameters.to, maximumChanges: changes, context)
        default:
            throw ControlError(
                .invalidParameters, "Either from or on_board is required, and not both.",
                hint: "Give the origin or, for riders who are on board, the id of a departure.")
        }
    }
}

/// Handles `journeys.last`.
package struct LastJourneysHandler: QueryHandler {
    /// The number of journeys that are returned by default.
    private static let defaultCount = 3

    package init() {}

    package func reply(to parameters: LastJourneysParameters, _ context: QueryContext) throws -> LastJourneysResult {
        let ends = try CommuteRequest.ends(parameters.commute, from: parameters.from, to: parameters.to)
        var query = JourneysQuery(
            try CommuteRequest(commute: parameters.commute, between: ends, at: parameters.at, context),
            maximumChanges: parameters.changes ?? JourneysQuery.usualChanges)
        query.explains = parameters.explain
        query.options = try JourneyOptions(
            modes: parameters.modes, wheelchair: parameters.wheelchair, bicycles: parameters.bicycles)
        if let via = parameters.via { try query.pass(via, context) }
        let result = try query.lastOfDay(count: parameters.count ?? Self.defaultCount, context)
        let rendering = JourneyRenderer(
            result.timetables, context, language: parameters.language,
            explains: parameters.explain)
        return LastJourneysResult(
            at: Timestamp(result.at, in: query.request.zone), commute: context.summary(of: query.request),
            journeys: try rendering.journeys(result.journeys),
            following: try result.following.map { (journey) throws(StoreError) in try rendering.journey(journey) },
            notices: try context.notices(about: result, of: query, via: parameters.via))
    }
}

extension QueryContext {
    /// Returns the conditions that affect a result.
    ///
    /// - Parameter via: Where the journeys pass, as the caller names it.
    fileprivate func notices(
        about result: Journeys, of query: JourneysQuery, via: String? = nil
    ) throws(StoreError) -> [Notice] {
        var notices = worded(mergedNotices(about: feeds(of: result)))
        notices += result.omissions.map { Notice($0) } + result.partialFeeds.map { Notice(partialFeed: $0) }
        if result.isIncomplete { notices.append(.incompleteSearch) }
        if let reason = result.emptyReason {
            notices.append(
                Notice(
                    reason, of: query.request, maximumChanges: query.maximumChanges, options: query.options, via: via,
                    self))
        }
        let legs = (result.journeys + [result.following].compactMap(\.self)).flatMap(\.legs)
        for leg in legs {
            guard try leg.isUncertain(for: query.options, self) else { continue }
            notices.append(Notice(unknownAccessFor: query.options))
            break
        }
        return notices
    }

    /// The feeds on which journeys depend: those of their timetables, and those without a timetable, with which there could
    /// be more journeys.
    fileprivate func feeds(of result: Journeys) -> [FeedView] {
        feeds.filter { feed in feed.timetable == nil || result.timetables.contains { $0.feed == feed.id } }
    }
}
