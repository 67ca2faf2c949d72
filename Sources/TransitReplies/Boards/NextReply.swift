package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
package import TransitStore
internal import TransitWire

extension DirectTripsQuery {
    package init(_ parameters: NextParameters, _ context: QueryContext) throws {
        let ends = try CommuteRequest.ends(parameters.commute, from: parameters.from, to: parameters.to)
        try self.init(commute: parameters.commute, between: ends, at: parameters.at, context)
        options = try JourneyOptions(
            modes: parameters.modes, wheelchair: parameters.wheelchair, bicycles: parameters.bicycles)
    }

    /// The number of departures of a day.
    private static let maximumCount = 100

    /// The greatest number of journeys.
    private static let maximumJourneyCount = 50

    private func count(_ parameters: NextParameters, _ context: QueryContext) -> Int {
        parameters.count ?? (request.isForDay ? Self.maximumCount : context.settings.nextCount)
    }

    /// Returns the direct trips that a request asks for.
    package func result(
        for parameters: NextParameters, _ context: QueryContext
    ) throws(StoreError) -> DirectTripsResult {
        try result(
            count: count(parameters, context), within: parameters.within, isReachable: parameters.reachable, context)
    }

    /// Returns the journeys that a request asks for besides the direct trips; `nil` if it asks for none.
    package func journeys(
        besides found: DirectTripsResult, for parameters: NextParameters, _ context: QueryContext
    ) throws(StoreError) -> NextJourneys? {
        guard parameters.changes > 0 else { return nil }
        return try NextJourneys(
            besides: found, of: self, count: min(count(parameters, context), Self.maximumJourneyCount),
            within: parameters.within, maximumChanges: parameters.changes, context)
    }
}

/// The reply of `next`.
package struct NextReply {
    private let query: DirectTripsQuery
    private let found: DirectTripsResult
    private let journeys: NextJourneys?
    private let parameters: NextParameters

    /// - Parameter journeys: The journeys besides the direct trips; `nil` if none are asked for.
    package init(
        _ query: DirectTripsQuery, _ found: DirectTripsResult, _ journeys: NextJourneys?, _ parameters: NextParameters
    ) {
        self.query = query
        self.found = found
        self.journeys = journeys
        self.parameters = parameters
    }

    /// - Parameters:
    ///   - arrivals: The status of the arrivals that the departures need; `nil` if no feed is queried on demand.
    ///   - forecasts: The weather forecasts; `nil` if there are none.
    package func result(
        _ context: QueryContext, arrivals: ArrivalsNotices?, forecasts: WeatherSnapshot?
    ) throws -> NextResult {
        let (commute, timetables) = (query.entry.commute, query.directTrips.timetables)
        let direction = query.request.commuteList.place(commute.to).map { _ in commute.to }
        let rendering = MergedDepartureRenderer(timetables, context, language: parameters.language)
        var departures: [Departure] = []
        for found in found.directTrips {
            departures.append(
                try rendering.departure(
                    found.merged, direction: direction, walk: found.walkBefore,
                    directTrip: DepartureRenderer.DirectTripDetails(found)))
        }
        var notices = context.worded(context.mergedNotices(about: query.feeds(context)))
        let summary = context.summary(of: query.request)
        let empty = empty(summary, context)
        if let arrivals {
            notices += arrivals.notices(
                from: summary.from.words, empty: empty,
                hasLaterDepartures: found.emptyReason?.reason.hasLaterDepartures ?? false)
        } else if let empty {
            notices.append(empty)
        }
        let rendered = try journeys.map { (journeys) throws(StoreError) in
            try JourneyRenderer(journeys.search.timetables, context, language: parameters.language)
                .journeys(journeys.journeys)
        }
        return NextResult(
            at: Timestamp(found.at, in: query.zone), commute: summary,
            departures: departures, journeys: rendered ?? [],
            beaten: journeys?.beatenTrips.map {
                BeatenDeparture(departure: departures[$0.directTrip].id, journey: $0.journey)
            } ?? [],
            weather: try forecasts.flatMap { (forecasts) throws(StoreError) in
                try weather(forecasts, rendering, now: context.now)
            }, units: context.units, notices: notices + journeyNotices(context) + (try accessNotices(context)))
    }

    /// The notice about vehicles and stops that may not meet the requirements of riders.
    private func accessNotices(_ context: QueryContext) throws(StoreError) -> [Notice] {
        var isUncertain = false
        for trip in found.directTrips where !isUncertain {
            isUncertain = try trip.isUncertain(for: query.options, context)
        }
        for leg in (journeys?.journeys ?? []).flatMap(\.legs) where !isUncertain {
            isUncertain = try leg.isUncertain(for: query.options, context)
        }
        return isUncertain ? [Notice(unknownAccessFor: query.options)] : []
    }

    /// Why there are no departures; `nil` if there are departures or journeys.
    private func empty(_ commute: CommuteSummary, _ context: QueryContext) -> Notice? {
        guard let reason = found.emptyReason else { return nil }
        let notice = Notice(reason.reason, of: commute, feed: reason.feed, options: query.options)
        guard let journeys, notice.kind == .noService else { return notice }
        if !journeys.journeys.isEmpty { return nil }
        return journeys.search.emptyReason.map {
            Notice($0, of: query.request, maximumChanges: parameters.changes, options: query.options, context)
        } ?? notice
    }

    /// The conditions that affect the journeys. Feeds that take no part in a search for long are named only if there is
    /// nothing to show, because the reply would name them each time.
    private func journeyNotices(_ context: QueryContext) -> [Notice] {
        guard let journeys else { return [] }
        let isEmpty = found.directTrips.isEmpty && journeys.journeys.isEmpty
        var notices = journeys.search.omissions.filter { isEmpty || $0.reason != .withoutTimes }.map { Notice($0) }
        if isEmpty { notices += journeys.search.partialFeeds.map { Notice(partialFeed: $0) } }
        if journeys.search.isIncomplete { notices.append(.incompleteSearch) }
        if let remaining = journeys.remaining, !isEmpty {
            notices.append(
                Notice(
                    remaining: remaining, of: query.request, before: journeys.endOfDay, options: query.options,
                    context))
        }
        return notices
    }

    /// Returns the weather when the first trip that is not canceled arrives.
    private func weather(
        _ forecasts: WeatherSnapshot, _ rendering: MergedDepartureRenderer, now: Instant
    ) throws(StoreError) -> ArrivalWeather? {
        guard let first = found.directTrips.first(where: { ![.canceled, .skipped].contains($0.merged.call.status) }),
            let arrival = first.directTrip.arrival
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
