internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles `next`.
struct NextHandler: ArrivalsMethodHandler {
    typealias Parameters = NextParameters

    let arrivals: ArrivalsRequests
    let demand: DemandTracker
    let contextData: ContextData
    let recentViews: RecentViews
    let travel: TravelRecorder
    let state: StateStore
    let clock: any DaemonClock

    func query(for parameters: NextParameters, _ context: QueryContext) throws -> DirectTripsQuery {
        let ends: (from: String, to: String)?
        switch (parameters.from, parameters.to) {
        case (nil, nil): ends = nil
        case (let from?, let to?) where parameters.commute == nil: ends = (from, to)
        default:
            throw ControlError(
                .invalidParameters, "from and to belong together, and cannot be combined with commute.",
                hint: "Give a commute, or both from and to.")
        }
        return try DirectTripsQuery(commute: parameters.commute, between: ends, at: parameters.at, context)
    }

    func isCurrent(_ query: DirectTripsQuery, _ context: QueryContext) -> Bool { query.isCurrent(context) }

    func requirements(of query: DirectTripsQuery, _ context: RequestContext) throws -> [ArrivalsRequirement] {
        try arrivals.requirements(of: query, context)
    }

    func reply(
        with query: DirectTripsQuery, to parameters: NextParameters, _ context: RequestContext
    ) throws -> NextResult {
        let count = parameters.count ?? context.configuration.queries.nextCount
        let result = try query.result(count: count, within: parameters.within, context.query)
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
        if parameters.interactive, parameters.at == nil {
            let usable = result.directTrips.first { $0.merged.call.isRunning && $0.leaveBy >= context.now }
            let name = query.entry.definition == .request ? nil : commute.name
            try travel.record(departures, commute: name, usable: usable?.merged, context)
        }
        var notices = context.notices(context.query.mergedNotices(about: query.feeds(context.query)))
        if let replaced = state.recoveryNotice(at: context.now) { notices.insert(replaced, at: 0) }
        let empty = result.emptyReason.map { Notice($0.reason, of: commute, feed: $0.feed) }
        if let arrivals = try arrivals.notices(of: query, context, language: parameters.language) {
            notices += arrivals.notices(
                from: commute.from, empty: empty,
                hasLaterDepartures: result.emptyReason?.reason.hasLaterDepartures ?? false)
        } else if let empty {
            notices.append(empty)
        }
        return NextResult(
            at: Timestamp(result.at, in: query.zone),
            commute: context.summary(of: query.entry, in: query.commuteList), departures: departures,
            weather: try weather(for: result, rendering, context), units: context.units, notices: notices)
    }

    /// Returns the weather in the hour in which the first trip that runs arrives.
    private func weather(
        for result: DirectTripsResult, _ rendering: MergedDepartureRenderer, _ context: RequestContext
    ) throws(StoreError) -> ArrivalWeather? {
        guard let forecasts = contextData.weather,
            let first = result.directTrips.first(where: { ![.canceled, .skipped].contains($0.merged.call.status) }),
            let arrival = first.journey.arrival
        else { return nil }
        let timetable = first.arrivalTimetable
        let stop = try timetable.file.stop(arrival.stop)
        guard let position = stop.coordinate,
            let weather = forecasts.weather(at: position, time: arrival.arrival, now: context.now)
        else { return nil }
        return ArrivalWeather(
            stop: try rendering.names(timetable).names.name(of: stop),
            weather: HourWeather(weather, zone: timetable.zone), age: weather.age, attribution: OpenMeteo.attribution)
    }

    private func recordDemand(
        for result: DirectTripsResult, of query: DirectTripsQuery, _ parameters: NextParameters,
        _ context: RequestContext
    ) {
        for timetable in query.directTrips.timetables {
            let departures = result.directTrips.filter { $0.merged.isReported(by: timetable) }
                .map(\.merged.call.departure)
            demand.recordRequest(about: timetable.feed, departures: departures, at: clock.reading())
        }
        if parameters.at == nil, query.entry.definition != .request {
            recentViews.record(
                .commute(query.entry.commute.name), of: context.caller.uid, at: clock.reading())
        }
    }
}
