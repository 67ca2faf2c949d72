internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitSystem

extension RequestHandlers {
    func next(_ parameters: NextParameters, _ context: RequestContext) throws -> NextResult {
        let query = try DirectTripsQuery(commute: parameters.commute, at: parameters.at, context.query)
        return try next(query, parameters, context)
    }

    func next(
        _ query: DirectTripsQuery, _ parameters: NextParameters, _ context: RequestContext
    ) throws -> NextResult {
        let count = parameters.count ?? context.configuration.queries.nextCount
        let result = try query.result(count: count, context.query)
        let (commute, timetables) = (query.entry.commute, query.directTrips.timetables)
        let direction = query.commuteList.place(commute.to).map { _ in commute.to }
        let rendering = MergedDepartureRenderer(timetables, context.query, language: parameters.language)
        var departures: [Departure] = []
        for found in result.directTrips {
            departures.append(
                try rendering.departure(
                    found.merged, direction: direction, directTrip: DepartureRenderer.DirectTripDetails(found)))
        }
        recordDemand(for: result, of: query, parameters, context)
        var notices = context.notices(context.query.mergedNotices(about: query.feeds(context.query)))
        if let replaced = restoredStateNotice(at: context.now) { notices.insert(replaced, at: 0) }
        let empty = result.emptyReason.map { Notice($0.reason, of: commute, feed: $0.feed) }
        if let arrivals = try arrivalsNotices(of: query, context, language: parameters.language) {
            notices += arrivals.notices(from: commute.from, empty: empty)
        } else if let empty {
            notices.append(empty)
        }
        return NextResult(
            at: Timestamp(result.at, in: query.zone),
            commute: context.summary(of: query.entry, in: query.commuteList), departures: departures, notices: notices)
    }

    private func recordDemand(
        for result: DirectTripsResult, of query: DirectTripsQuery, _ parameters: NextParameters,
        _ context: RequestContext
    ) {
        for timetable in query.directTrips.timetables {
            let departures = result.directTrips.filter { $0.merged.isReported(by: timetable) }
                .map(\.merged.call.departure)
            daemon.demand.recordRequest(about: timetable.feed, departures: departures, at: daemon.clock.reading())
        }
        if parameters.at == nil {
            daemon.recentViews.record(
                .commute(query.entry.commute.name), of: context.caller.uid, at: daemon.clock.reading())
        }
    }
}
