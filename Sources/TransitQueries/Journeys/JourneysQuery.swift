package import TransitEngine
package import TransitModel
package import TransitStore

/// The next journeys from one place or stop to another one, with changes of vehicle, over all feeds.
package struct JourneysQuery {
    package let request: CommuteRequest
    /// Whether the time of the request is that of the arrival.
    package let isArrival: Bool
    package let maximumChanges: Int
    /// The departure from which riders are on board; `nil` for riders who set out from the origin.
    package let onBoard: MergedDeparture?
    /// Whether each leg says which row of transfers.txt decides its change (``Journey/Leg/rule``).
    package var explains = false
    /// What riders require of vehicles and stops, apart from a vehicle that they are on board of.
    package var options = JourneyOptions()
    /// Where the journeys pass; empty for any way.
    package private(set) var via: [AccessStops] = []

    /// The greatest number of changes, unless a caller names another one.
    package static let usualChanges = 3

    private var zone: ServiceZone { request.zone }

    /// - Parameters:
    ///   - from: A place, a ``RequestedPosition``, or a text that ``StopFinder`` accepts.
    ///   - to: Likewise.
    ///   - at: The time of the query as the caller writes it; `nil` for now.
    ///   - isArrival: Whether `at` is the time of the arrival.
    /// - Throws: The errors of ``CommuteRequest``.
    package init(
        from: String, to: String, at: String? = nil, isArrival: Bool = false, maximumChanges: Int = usualChanges,
        _ context: QueryContext
    ) throws {
        self.init(
            try CommuteRequest(between: (from, to), at: at, context), isArrival: isArrival,
            maximumChanges: maximumChanges)
    }

    package init(_ request: CommuteRequest, isArrival: Bool = false, maximumChanges: Int = usualChanges) {
        (self.request, self.isArrival, self.maximumChanges) = (request, isArrival, maximumChanges)
        onBoard = nil
    }

    /// The journeys of riders who are on board of a departure's trip: they stay to any later call, alight there and change. The
    /// origin of the request is the stop of the departure.
    ///
    /// - Parameter to: The destination: a place, a position, or a text that ``StopFinder`` accepts.
    /// - Throws: The errors of ``CommuteRequest``.
    package init(
        onBoard departure: MergedDeparture, to: String, maximumChanges: Int = usualChanges, _ context: QueryContext
    ) throws {
        let timetable = departure.timetable
        let stop = QualifiedStop(
            feed: timetable.feed, stop: try timetable.cachedStop(departure.call.scheduledStop).id)
        request = try CommuteRequest(between: (stop.description, to), at: nil, context)
        (isArrival, self.maximumChanges, onBoard) = (false, maximumChanges, departure)
    }

    /// - Parameter id: The identifier of the departure, see ``DepartureID``.
    /// - Throws: Also ``QueryError/departureNotFound(_:)`` and the other errors of ``ExplainQuery``.
    package init(
        onBoard id: String, to: String, maximumChanges: Int = usualChanges, _ context: QueryContext
    ) throws {
        guard DepartureID(id) != nil else { throw QueryError.departureNotFound(id) }
        let departure = try ExplainQuery(id, context).departure(context)
        try self.init(onBoard: departure, to: to, maximumChanges: maximumChanges, context)
    }

    /// Requires that the journeys pass a stop, a station or a place; see ``JourneysVia``.
    ///
    /// - Parameter text: A place, a position, or a text that ``StopFinder`` accepts.
    /// - Throws: The errors of ``CommuteRequest``.
    package mutating func pass(_ text: String, _ context: QueryContext) throws {
        via = try CommuteRequest(between: (text, request.entry.commute.to), at: nil, context).origins
    }

    /// The time of the query: that of the departure or, if the caller wants to arrive by a time, that of the arrival.
    package func at(_ context: QueryContext) -> Instant {
        (isArrival ? request.time?.end : nil) ?? request.at(context)
    }

    // MARK: Results

    /// Returns the next journeys or, for a time of arrival, the last ones that arrive by then; at most `count` of them, in
    /// order of the time to leave.
    ///
    /// - Parameter end: The time after which none begins; `nil` for the end of the day that the caller names, otherwise for
    ///   the horizon of boards.
    package func result(
        count: Int, until end: Instant? = nil, _ context: QueryContext
    ) throws(StoreError) -> Journeys {
        let search = try RequestedJourneySearch(
            request, onBoard: onBoard, via: via, options: options, maximumChanges: maximumChanges, explains: explains,
            context)
        var result = search.result(at: at(context))
        let (at, last) = (result.at, lastStart(from: result.at))
        if search.isPossible {
            try search.add(to: &result, count) { limit in
                if onBoard != nil { return search.onBoard }
                guard isArrival else {
                    return search.windows.departing(from: at, through: min(end ?? last, last), count: limit)
                }
                var selection = search.windows.arriving(by: at, count: limit, now: context.now)
                // If one of the last journeys does not run, an earlier one takes its place.
                selection.journeys.reverse()
                return selection
            }
        }
        if result.journeys.isEmpty {
            let date = zone.civil(at: at).date
            let lastDate = isArrival ? date : date.advanced(by: DepartureBoard.defaultHorizonDays)
            result.emptyReason =
                search.emptyReason(result, dates: date...lastDate)
                ?? (onBoard != nil ? .noneFromOnBoard : nil)
                ?? (isArrival ? .noneArrives(by: at) : .noneRuns(through: zone.civil(at: last).date))
        }
        search.conclude(&result)
        return result
    }

    /// Returns the last journeys of the day as riders understand it, at most `count` of them, in order of the time to leave,
    /// and the first one after the day. Journeys that wait for the next morning are left out.
    package func lastOfDay(count: Int, _ context: QueryContext) throws(StoreError) -> Journeys {
        let search = try RequestedJourneySearch(
            request, via: via, options: options, maximumChanges: maximumChanges, explains: explains, context)
        var result = search.result(at: request.at(context))
        let day = RiderDay(of: request.time?.end ?? result.at, in: zone)
        let start = result.at
        if search.isPossible {
            let next = search.windows.following(day)
            try search.add(to: &result, count) { limit in
                var selection = search.windows.leaving(before: day.end, from: start, beating: next, count: limit)
                selection.journeys.reverse()
                return selection
            }
            result.following = try next.journeys.first.flatMap { (found) throws(StoreError) in
                try search.journey(found)
            }
        }
        if result.journeys.isEmpty {
            result.emptyReason =
                search.emptyReason(result, dates: day.date...day.date) ?? .noneLeft(before: day.end)
        }
        search.conclude(&result)
        return result
    }

    /// The last time at which a journey may begin.
    private func lastStart(from at: Instant) -> Instant {
        request.time?.end ?? at.advanced(by: DepartureBoard.defaultHorizonDays * 86_400)
    }
}
