package import TransitEngine
package import TransitModel
package import TransitStore

/// The next journeys from one place or stop to another one, with changes of vehicle, over all feeds.
package struct JourneysQuery {
    package let entry: CommuteList.Entry
    package let commuteList: CommuteList
    /// The time zone of the stop where the journey begins.
    package let zone: ServiceZone
    private let origins: [AccessStops]
    private let destinations: [AccessStops]
    /// The time that the caller names; `nil` for now.
    private let time: QueryTime?
    /// Whether the time is that of the arrival.
    package let isArrival: Bool
    package let maximumChanges: Int

    /// The length in seconds of the first time window that is searched; each further one is twice as long.
    private static let window = 7200
    /// The number of seconds before the latest arrival that are searched.
    private static let arrivalHorizon = 86_400

    /// - Parameters:
    ///   - from: A place, a position such as "37.3942,-122.0764", or a text that ``StopFinder`` accepts.
    ///   - to: Likewise.
    ///   - at: The time of the query as the caller writes it; `nil` for now.
    ///   - isArrival: Whether `at` is the time of the arrival.
    /// - Throws: The errors of ``StopFinder`` and ``AccessStopFinder``, `QueryTimeError` and `StoreError`.
    package init(
        from: String, to: String, at: String? = nil, isArrival: Bool = false, maximumChanges: Int = 3,
        _ context: QueryContext
    ) throws {
        if context.feeds.isEmpty { throw QueryError.noData([]) }
        _ = try QueryContext.timetables(of: context.feeds)
        commuteList = context.commuteList
        let (origin, destination) = (try Self.end(from, context), try Self.end(to, context))
        guard origin.end != destination.end else { throw QueryError.sameEnds(origin.name) }
        let search = AccessStopFinder(context)
        origins = try search.stops(for: Self.resolved(origin.end, context))
        destinations = try search.stops(for: Self.resolved(destination.end, context))
        zone = try origins.first?.zone ?? context.zone
        time = try context.time(at, zone: zone)
        entry = CommuteList.Entry(
            commute: CommuteConfiguration(
                name: "\(origin.name) to \(destination.name)", from: origin.end, to: destination.end),
            definition: .request)
        (self.isArrival, self.maximumChanges) = (isArrival, maximumChanges)
    }

    private static func end(_ text: String, _ context: QueryContext) throws -> (name: String, end: String) {
        if Coordinate(degrees: text) != nil { return (text, text) }
        return try context.requestedEnd(text, context.commuteList)
    }

    private static func resolved(_ end: String, _ context: QueryContext) -> CommuteList.End {
        guard let coordinate = Coordinate(degrees: end) else { return context.commuteList.end(end) }
        return .place(name: end, PlaceConfiguration(location: .coordinate(coordinate)))
    }

    /// The time of the query: that of the departure or, if the caller wants to arrive by a time, that of the arrival.
    package func at(_ context: QueryContext) -> Instant { (isArrival ? time?.end : nil) ?? time?.start ?? context.now }

    /// Whether the caller names a day without a time of day.
    package var isForDay: Bool { time?.end != nil }

    // MARK: Result

    /// Returns the next journeys or, for a time of arrival, the last ones that arrive by then; at most `count` of them, in
    /// order of the time to leave.
    package func result(count: Int, _ context: QueryContext) throws(StoreError) -> Journeys {
        context.beginSlowWork()
        let feeds = try JourneyFeeds(from: origins.map(\.timetable), context)
        var result = Journeys(at: at(context))
        result.omissions = feeds.omissions
        let (from, to) = (feeds.ends(origins), feeds.ends(destinations))
        let isSearched = !from.isEmpty && !to.isEmpty
        if isSearched {
            var query = JourneyQuery(origins: from, destinations: to, earliest: result.at)
            query.maximumVehicles = maximumChanges + 1
            try search(query, count, feeds, context, &result)
        }
        result.journeys.sort { ($0.leaveBy, $0.arrival, $0.changes) < ($1.leaveBy, $1.arrival, $1.changes) }
        if result.journeys.isEmpty {
            result.emptyReason = emptyReason(isSearched: isSearched, result.isIncomplete, at: result.at, feeds)
        }
        result.timetables = involved(in: result, feeds)
        result.partialFeeds = feeds.members.map(\.timetable).filter { timetable in
            timetable.isPartial && result.timetables.contains { $0 === timetable }
        }.map(\.feed)
        return result
    }

    /// Adds journeys to a result. If some of those that were found do not run according to an agency's other feed, more are
    /// searched.
    private func search(
        _ query: JourneyQuery, _ count: Int, _ feeds: JourneyFeeds, _ context: QueryContext, _ result: inout Journeys
    ) throws(StoreError) {
        var limit = count
        for _ in 0..<MergeLimits.maximumRounds {
            let found =
                isArrival
                ? arriving(by: result.at, query, limit, feeds, now: context.now)
                : departing(from: result.at, query, limit, feeds)
            result.isIncomplete = found.isIncomplete
            result.journeys = []
            for journey in isArrival ? found.journeys.reversed() : found.journeys where result.journeys.count < count {
                if let journey = try self.journey(journey, to: query.destinations, feeds, context) {
                    result.journeys.append(journey)
                }
            }
            if result.journeys.count >= count || found.journeys.count < limit || found.isIncomplete { return }
            limit *= 2
        }
    }

    /// Returns the timetables on which a result depends: those of both ends and of the trips. Without journeys, it
    /// depends on all of them.
    private func involved(in result: Journeys, _ feeds: JourneyFeeds) -> [Timetable] {
        let used =
            (origins + destinations).map(\.timetable)
            + result.journeys.flatMap { $0.legs.map(\.departure.timetable) }
        return feeds.members.map(\.timetable).filter { timetable in
            result.journeys.isEmpty || used.contains { $0 === timetable }
        }
    }

    private func emptyReason(
        isSearched: Bool, _ isIncomplete: Bool, at: Instant, _ feeds: JourneyFeeds
    ) -> Journeys.EmptyReason {
        if !isSearched { return .notSearched }
        if isIncomplete { return .stopped }
        let date = zone.civil(at: at).date
        let last = isArrival ? date : date.advanced(by: DepartureBoard.defaultHorizonDays)
        let timetables = feeds.members.map(\.timetable).filter { timetable in
            (origins + destinations).contains { $0.timetable === timetable }
        }
        for timetable in timetables {
            if let covered = timetable.coverage(excluding: date...last) {
                return .notCovered(date, timetable.feed, covered: covered)
            }
        }
        return isArrival ? .noneArrives(by: at) : .noneRuns(through: lastDate(from: at))
    }

    private func lastDate(from at: Instant) -> ServiceDate {
        let date = zone.civil(at: at).date
        return isForDay ? date : date.advanced(by: DepartureBoard.defaultHorizonDays)
    }

    // MARK: Searches

    /// The best journeys of several time windows.
    private struct Selection {
        /// In ascending order of ``FoundJourney/leaveBy``.
        var journeys: [FoundJourney] = []
        var isIncomplete = false

        /// Adds the journeys of another time window. Those that others beat are left out.
        mutating func add(_ found: FoundJourneys) {
            isIncomplete = isIncomplete || found.isIncomplete
            let all = (journeys + found.journeys).sorted {
                ($0.leaveBy, $0.arrival, $0.vehicles) < ($1.leaveBy, $1.arrival, $1.vehicles)
            }
            journeys = []
            // A journey is only beaten by those that leave at the same time or later.
            for journey in all.reversed()
            where !journeys.contains(where: { $0.arrival <= journey.arrival && $0.vehicles <= journey.vehicles }) {
                journeys.append(journey)
            }
            journeys.reverse()
        }
    }

    /// Searches time windows from a time on until there are enough journeys, and no later one can beat them.
    private func departing(
        from at: Instant, _ query: JourneyQuery, _ count: Int, _ feeds: JourneyFeeds
    ) -> Selection {
        let end = time?.end ?? at.advanced(by: DepartureBoard.defaultHorizonDays * 86_400)
        var selection = Selection()
        var (start, length) = (at, Self.window)
        while start <= end, !selection.isIncomplete {
            let last = min(start.advanced(by: length - 1), end)
            var query = query
            (query.earliest, query.latest) = (start, last)
            selection.add(feeds.find(query))
            start = last.advanced(by: 1)
            length *= 2
            guard selection.journeys.count >= count else { continue }
            guard let latest = selection.journeys.prefix(count).map(\.arrival).max(), latest > last else { break }
            length = max(1, start.seconds(to: latest))
        }
        return selection
    }

    /// Searches time windows before a time backwards until there are enough journeys that arrive by then.
    private func arriving(
        by at: Instant, _ query: JourneyQuery, _ count: Int, _ feeds: JourneyFeeds, now: Instant
    ) -> Selection {
        // Riders can no longer catch a journey that has begun.
        let horizon = at.advanced(by: -Self.arrivalHorizon)
        let first = at >= now ? max(horizon, now) : horizon
        var selection = Selection()
        var (end, length) = (at, Self.window)
        while end >= first, selection.journeys.count < count, !selection.isIncomplete {
            let start = max(at.advanced(by: -length), first)
            var query = query
            (query.earliest, query.latest, query.arriveBy) = (start, end, at)
            selection.add(feeds.find(query))
            end = start.advanced(by: -1)
            length *= 2
        }
        return selection
    }

    // MARK: Journeys

    /// Returns a journey with its departures; `nil` if one of its trips does not run according to the agency's other feed.
    private func journey(
        _ found: FoundJourney, to destinations: [JourneyQuery.End], _ feeds: JourneyFeeds, _ context: QueryContext
    ) throws(StoreError) -> Journey? {
        var legs: [Journey.Leg] = []
        for (position, leg) in found.legs.enumerated() {
            guard let calls = try feeds.calls(of: leg) else { return nil }
            var change: JourneyChange?
            if let previous = legs.last, !leg.isContinuation {
                change = JourneyChange(
                    from: previous.arrival, to: calls.departure.call, seconds: leg.changeTime,
                    isTimed: leg.isTimedTransfer,
                    uncertainty: JourneyChange.UnstatedUncertainty(
                        base: context.settings.changeUncertainty, now: context.now))
                if change?.judgment != .safe {
                    change?.replacement = try replacement(
                        after: found.legs[position - 1], arriving: previous.arrival.arrival, for: leg,
                        departing: calls.departure.call.departure, to: destinations, feeds)
                }
            }
            legs.append(
                Journey.Leg(
                    departure: calls.departure, arrival: calls.arrival, isContinuation: leg.isContinuation,
                    change: change))
        }
        guard let first = legs.first, let last = legs.last else { return nil }
        return Journey(
            legs: legs, walkBefore: origins.contains(where: \.needsWalk) ? found.walkBefore : nil,
            walkAfter: self.destinations.contains(where: \.needsWalk) ? found.walkAfter : nil,
            leaveBy: first.departure.leaveBy(walk: found.walkBefore, try first.departure.prediction),
            arrival: last.arrival.arrival.advanced(by: found.walkAfter), changes: found.vehicles - 1)
    }

    /// Returns the connection with the earliest arrival for riders who alighted and do not reach the vehicle of a leg;
    /// `nil` if there is none.
    private func replacement(
        after previous: FoundJourney.Leg, arriving: Instant, for leg: FoundJourney.Leg, departing: Instant,
        to destinations: [JourneyQuery.End], _ feeds: JourneyFeeds
    ) throws(StoreError) -> JourneyChange.Replacement? {
        // From the stop of the missed departure, the next one leaves at least a second later.
        let earliest = max(arriving, departing.advanced(by: 1 - leg.changeTime))
        var query = JourneyQuery(
            origins: feeds.changes(at: previous.alightStop, of: previous.feed), destinations: destinations,
            earliest: earliest)
        query.origins.removeAll { $0.feed == leg.feed && $0.stop == leg.boardStop }
        query.origins.append(JourneyQuery.End(feed: leg.feed, stop: leg.boardStop, walk: leg.changeTime))
        query.maximumVehicles = maximumChanges + 1
        let found = feeds.find(query).journeys.min { ($0.arrival, $0.vehicles) < ($1.arrival, $1.vehicles) }
        guard let found, let first = found.legs.first, let last = found.legs.last,
            let departure = try feeds.calls(of: first)?.departure, let arrival = try feeds.calls(of: last)?.arrival
        else { return nil }
        return JourneyChange.Replacement(
            departure: departure, arrival: arrival.arrival.advanced(by: found.walkAfter))
    }
}

/// The journeys between two places or stops at one moment.
package struct Journeys {
    /// The time of the query.
    package var at: Instant
    /// In ascending order of the time to leave.
    package var journeys: [Journey] = []
    /// Why there are no journeys; `nil` if there are.
    package var emptyReason: EmptyReason?
    /// Whether a search reached its limit or was canceled, so that journeys may be missing.
    package var isIncomplete = false
    /// The feeds that could not be searched.
    package var omissions: [JourneyFeedOmission] = []
    /// The feeds of which only a part is kept and searched.
    package var partialFeeds: [FeedID] = []
    /// The timetables on which the result depends.
    package var timetables: [Timetable] = []

    /// The reason why there are no journeys. "None", "not known" and "not searched" are different reasons.
    package enum EmptyReason: Hashable, Sendable {
        /// No feed with stops of both ends can be searched; ``Journeys/omissions`` says why.
        case notSearched
        /// The search ended before it found a journey.
        case stopped
        /// The timetable does not cover the date of the query.
        case notCovered(ServiceDate, FeedID, covered: ClosedRange<ServiceDate>)
        /// No journey begins through a date.
        case noneRuns(through: ServiceDate)
        /// No journey that can still be taken arrives by a time.
        case noneArrives(by: Instant)
    }

    init(at: Instant) { self.at = at }
}

/// A journey with what is known about its vehicles.
package struct Journey {
    /// A ride in one vehicle.
    package struct Leg {
        /// The departure, merged from both feeds of a pair.
        package var departure: MergedDeparture
        package var arrival: ExpectedCall
        /// Whether the rider stays in the vehicle of the previous leg.
        package var isContinuation: Bool
        /// The change before this leg; `nil` for the first leg and for a continuation.
        package var change: JourneyChange?
    }

    /// Not empty.
    package var legs: [Leg]
    /// The walk in seconds before the first leg; `nil` if the journey starts at a stop.
    package var walkBefore: Int?
    /// The walk in seconds after the last leg; `nil` if the journey ends at a stop.
    package var walkAfter: Int?
    /// The time to set out, as careful as that of a departure.
    package var leaveBy: Instant
    /// The expected arrival, after the walk.
    package var arrival: Instant
    /// The number of changes of vehicle.
    package var changes: Int
}

extension Coordinate {
    /// Reads a position such as "37.3942,-122.0764"; `nil` for other texts.
    init?(degrees text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
