package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
package import TransitStore
internal import TransitWire

extension DirectTripsQuery {
    package init(_ parameters: NextParameters, _ context: QueryContext) throws {
        let ends: (from: String, to: String)?
        switch (parameters.from, parameters.to) {
        case (nil, nil): ends = nil
        case (let from?, let to?) where parameters.commute == nil: ends = (from, to)
        default:
            throw ControlError(
                .invalidParameters, "from and to belong together, and cannot be combined with commute.",
                hint: "Give a commute, or both from and to.")
        }
        try self.init(commute: parameters.commute, between: ends, at: parameters.at, context)
    }

    /// The number of departures of a day.
    private static let maximumCount = 100

    /// Returns the direct trips that a request asks for.
    package func result(
        for parameters: NextParameters, _ context: QueryContext
    ) throws(StoreError) -> DirectTripsResult {
        let count = parameters.count ?? (isForDay ? Self.maximumCount : context.settings.nextCount)
        return try result(
            count: count, within: parameters.within, isReachable: parameters.reachable, context)
    }
}

/// The reply of `next`.
package struct NextReply {
    private let query: DirectTripsQuery
    private let found: DirectTripsResult
    private let parameters: NextParameters

    package init(_ query: DirectTripsQuery, _ found: DirectTripsResult, _ parameters: NextParameters) {
        self.query = query
        self.found = found
        self.parameters = parameters
    }

    /// - Parameters:
    ///   - arrivals: The status of the arrivals that the departures need; `nil` if no feed is queried on demand.
    ///   - forecasts: The weather forecasts; `nil` if there are none.
    package func result(
        _ context: QueryContext, arrivals: ArrivalsNotices?, forecasts: WeatherSnapshot?
    ) throws -> NextResult {
        let (commute, timetables) = (query.entry.commute, query.directTrips.timetables)
        let direction = query.commuteList.place(commute.to).map { _ in commute.to }
        let rendering = MergedDepartureRenderer(timetables, context, language: parameters.language)
        var departures: [Departure] = []
        for found in found.directTrips {
            departures.append(
                try rendering.departure(
                    found.merged, direction: direction, walk: found.walkBefore,
                    directTrip: DepartureRenderer.DirectTripDetails(found)))
        }
        var notices = context.worded(context.mergedNotices(about: query.feeds(context)))
        let empty = found.emptyReason.map { Notice($0.reason, of: commute, feed: $0.feed) }
        if let arrivals {
            notices += arrivals.notices(
                from: commute.from, empty: empty,
                hasLaterDepartures: found.emptyReason?.reason.hasLaterDepartures ?? false)
        } else if let empty {
            notices.append(empty)
        }
        return NextResult(
            at: Timestamp(found.at, in: query.zone),
            commute: context.summary(of: query.entry, in: query.commuteList), departures: departures,
            weather: try forecasts.flatMap { (forecasts) throws(StoreError) in
                try weather(forecasts, rendering, now: context.now)
            }, units: context.units, notices: notices)
    }

    /// Returns the weather when the first trip that is not canceled arrives.
    private func weather(
        _ forecasts: WeatherSnapshot, _ rendering: MergedDepartureRenderer, now: Instant
    ) throws(StoreError) -> ArrivalWeather? {
        guard let first = found.directTrips.first(where: { ![.canceled, .skipped].contains($0.merged.call.status) }),
            let arrival = first.journey.arrival
        else { return nil }
        let timetable = first.arrivalTimetable
        let stop = try timetable.file.stop(arrival.stop)
        guard let position = stop.coordinate,
            let weather = forecasts.weather(at: position, time: arrival.arrival, now: now)
        else { return nil }
        return ArrivalWeather(
            stop: try rendering.names(timetable).names.name(of: stop),
            weather: HourWeather(weather, zone: timetable.zone), age: weather.age, attribution: DataAttribution.weather)
    }
}
