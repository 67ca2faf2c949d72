internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The search for the journeys of a request, over the feeds of one moment.
struct RequestedJourneySearch {
    private let request: CommuteRequest
    private let feeds: JourneyFeeds
    private let context: QueryContext
    /// The query with both ends, without a time.
    private var query: JourneyQuery
    /// Whether riders are on board of a trip.
    private var isOnBoard = false
    /// Whether each leg says which row of transfers.txt decides its change.
    private let explains: Bool
    private let options: JourneyOptions
    /// `nil` for any way.
    private let via: JourneysVia?

    /// - Parameters:
    ///   - departure: The departure from which riders are on board; `nil` for riders who set out from the origin.
    ///   - via: Where the journeys pass; empty for any way.
    ///   - options: What riders require.
    init(
        _ request: CommuteRequest, onBoard departure: MergedDeparture? = nil, via: [AccessStops] = [],
        options: JourneyOptions, maximumChanges: Int, explains: Bool = false, _ context: QueryContext
    ) throws(StoreError) {
        context.beginSlowWork()
        self.request = request
        self.context = context
        let origins = request.origins.map(\.timetable) + [departure?.timetable].compactMap(\.self)
        self.options = options
        feeds = try JourneyFeeds(from: origins, options: options, context)
        self.explains = explains
        self.via = via.isEmpty ? nil : try JourneysVia(stops: via, feeds: feeds)
        query = JourneyQuery(
            origins: try feeds.origins(request.origins), destinations: try feeds.destinations(request.destinations),
            earliest: context.now)
        query.maximumVehicles = maximumChanges + 1
        query.isStepFree = options.wheelchair
        query.walkingSpeed = context.settings.walkingSpeed
        if let departure { board(departure) }
    }

    private mutating func board(_ departure: MergedDeparture) {
        isOnBoard = true
        query.origins = []
        guard let ride = feeds.ride(on: departure) else { return }
        query.onBoard = ride
        query.earliest = max(context.now, ride.call.departure)
    }

    /// Returns the search of riders who are on board of a departure's trip, over the same feeds if its feed is among them.
    func onBoard(of departure: MergedDeparture) throws(StoreError) -> RequestedJourneySearch {
        guard feeds.position(of: departure.timetable) != nil else {
            return try RequestedJourneySearch(
                request, onBoard: departure, options: options, maximumChanges: query.maximumVehicles - 1, context)
        }
        var search = self
        search.board(departure)
        return search
    }

    /// Whether there are stops of both ends in the feeds that can be searched.
    var isPossible: Bool {
        (query.onBoard != nil || !query.origins.isEmpty) && !query.destinations.isEmpty && via?.isPossible != false
    }

    /// The best journeys of riders who are on board, from the time of the request or, for a later departure, from that time.
    var onBoard: JourneyWindows.Selection {
        var selection = JourneyWindows.Selection()
        selection.add(feeds.find(query))
        return selection
    }

    var windows: JourneyWindows { JourneyWindows(query) { [feeds, via] in via?.find($0) ?? feeds.find($0) } }

    // MARK: Results

    /// Returns a result without journeys.
    func result(at: Instant) -> Journeys {
        var result = Journeys(at: at)
        result.omissions = feeds.omissions
        result.walk = isOnBoard ? nil : walk
        return result
    }

    /// Adds journeys to a result. If some of those that were found do not run according to an agency's other feed, more are
    /// searched.
    ///
    /// - Parameter find: Returns a number of journeys, the most wanted first.
    func add(
        to result: inout Journeys, _ count: Int, find: (Int) -> JourneyWindows.Selection
    ) throws(StoreError) {
        var limit = count
        for _ in 0..<MergeLimits.maximumRounds {
            let found = find(limit)
            result.isIncomplete = found.isIncomplete
            result.journeys = []
            for journey in found.journeys where result.journeys.count < count {
                if let journey = try self.journey(journey) { result.journeys.append(journey) }
            }
            if result.journeys.count >= count || found.journeys.count < limit || found.isIncomplete { return }
            limit *= 2
        }
    }

    /// Returns the reason for a result without journeys, unless there are none in complete data.
    ///
    /// - Parameter dates: The dates that were searched.
    func emptyReason(_ result: Journeys, dates: ClosedRange<ServiceDate>) -> Journeys.EmptyReason? {
        if !isPossible { return .notSearched }
        if result.isIncomplete { return .stopped }
        let ends = (request.origins + request.destinations).map(\.timetable)
        for timetable in feeds.members.map(\.timetable) where ends.contains(where: { $0 === timetable }) {
            if let covered = timetable.coverage(excluding: dates) {
                return .notCovered(dates.lowerBound, timetable.feed, covered: covered)
            }
        }
        return nil
    }

    /// Sorts the journeys, and adds the timetables on which the result depends: those of both ends and of the trips. Without
    /// journeys, it depends on all of them.
    func conclude(_ result: inout Journeys) {
        result.journeys.sort { ($0.leaveBy, $0.arrival, $0.changes) < ($1.leaveBy, $1.arrival, $1.changes) }
        let journeys = result.journeys + [result.following].compactMap(\.self)
        let used =
            (request.origins + request.destinations).map(\.timetable)
            + journeys.flatMap { $0.legs.map(\.departure.timetable) }
        result.timetables = feeds.members.map(\.timetable).filter { timetable in
            result.journeys.isEmpty || used.contains { $0 === timetable }
        }
        result.partialFeeds = result.timetables.filter(\.isPartial).map(\.feed)
    }

    // MARK: Journeys

    /// Returns a journey with its departures; `nil` if one of its trips does not run according to the agency's other feed.
    func journey(_ found: FoundJourney) throws(StoreError) -> Journey? {
        guard let rides = try rides(of: found) else { return nil }
        var legs: [Journey.Leg] = []
        for (position, (leg, calls)) in zip(found.legs, rides).enumerated() {
            var change: JourneyChange?
            if let previous = legs.last, !leg.isContinuation {
                change = JourneyChange(
                    from: previous.arrival, to: calls.departure.call, seconds: leg.changeTime,
                    isTimed: leg.isTimedTransfer, walk: leg.changeWalk,
                    uncertainty: JourneyChange.UnstatedUncertainty(
                        base: context.settings.changeUncertainty, now: context.now))
                if change?.judgment != .safe {
                    change?.replacement = try replacement(
                        after: found.legs[position - 1], arriving: previous.arrival.arrival, for: leg,
                        departing: calls.departure.call.departure)
                }
            }
            legs.append(
                Journey.Leg(
                    departure: calls.departure, arrival: calls.arrival, isContinuation: leg.isContinuation,
                    change: change))
        }
        guard let first = legs.first, let last = legs.last else { return nil }
        for position in legs.indices {
            legs[position].alternatives = try alternatives(to: found.legs[position], position, legs)
            if explains, position > 0 {
                legs[position].rule = try feeds.rule(from: found.legs[position - 1], to: found.legs[position])
            }
        }
        return Journey(
            legs: legs, walkBefore: Self.walk(found.walkBefore, of: request.origins),
            walkAfter: Self.walk(found.walkAfter, of: request.destinations),
            leaveBy: first.departure.leaveBy(walk: found.walkBefore, try first.departure.prediction),
            arrival: last.arrival.arrival.advanced(by: found.walkAfter), changes: found.vehicles - 1)
    }

    /// Returns the departures and arrivals of a journey; `nil` if one of its trips does not run, or not as riders require,
    /// according to the agency's other feed.
    func rides(
        of found: FoundJourney
    ) throws(StoreError) -> [(departure: MergedDeparture, arrival: ExpectedCall)]? {
        var rides: [(departure: MergedDeparture, arrival: ExpectedCall)] = []
        for (position, leg) in found.legs.enumerated() {
            guard let calls = try feeds.calls(of: leg) else { return nil }
            if !(isOnBoard && position == 0), try !calls.departure.isAllowed(by: options, context) { return nil }
            rides.append((calls.departure, calls.arrival))
        }
        return rides
    }

    /// The number of departures among which other routes for a leg are found.
    private static let alternativeDepartures = 12

    /// Returns the first departure of each other route that serves a leg as well.
    private func alternatives(
        to found: FoundJourney.Leg, _ position: Int, _ legs: [Journey.Leg]
    ) throws(StoreError) -> [MergedDeparture] {
        let (leg, timetable) = (legs[position], feeds.members[found.feed].timetable)
        let next = position + 1 < legs.count ? legs[position + 1] : nil
        // Riders stay in a vehicle that continues, and an agency's other feed may number its routes differently.
        // Riders who are on board do not choose their first vehicle.
        if isOnBoard, position == 0 { return [] }
        // Another route may lead elsewhere.
        if via != nil { return [] }
        guard !leg.isContinuation, next?.isContinuation != true, leg.departure.timetable === timetable else {
            return []
        }
        let earliest =
            leg.change.map { legs[position - 1].arrival.arrival.advanced(by: $0.seconds) }
            ?? leg.departure.call.departure
        let latest =
            next.flatMap { next in next.change.map { next.departure.call.departure.advanced(by: -$0.seconds) } }
            ?? leg.arrival.arrival
        func end(_ stop: StopIndex) -> AccessStops {
            AccessStops(timetable: timetable, walks: [stop: 0], needsWalk: false)
        }
        let trips = try DirectTrips(origins: [end(found.boardStop)], destinations: [end(found.alightStop)])
            .next(at: earliest, count: Self.alternativeDepartures, context)
        var routes = Set([leg.departure.call.route])
        var found: [MergedDeparture] = []
        for trip in trips {
            guard trip.merged.call.isRunning, let arrival = trip.directTrip.arrival, arrival.isRunning,
                arrival.arrival <= latest, try trip.merged.isAllowed(by: options, context),
                routes.insert(trip.merged.call.route).inserted
            else { continue }
            found.append(trip.merged)
        }
        return found
    }

    /// Returns the connection with the earliest arrival for riders who alighted and do not reach the vehicle of a leg;
    /// `nil` if there is none.
    private func replacement(
        after previous: FoundJourney.Leg, arriving: Instant, for leg: FoundJourney.Leg, departing: Instant
    ) throws(StoreError) -> JourneyChange.Replacement? {
        let missed = JourneyQuery.End(feed: leg.feed, stop: leg.boardStop, walk: leg.changeTime)
        let query = query(
            after: previous.alightStop, of: previous.feed, at: arriving, missing: (missed, departing))
        let found = feeds.find(query).journeys.min { ($0.arrival, $0.vehicles) < ($1.arrival, $1.vehicles) }
        guard let found, let first = found.legs.first, let last = found.legs.last,
            let departure = try feeds.calls(of: first)?.departure, let arrival = try feeds.calls(of: last)?.arrival
        else { return nil }
        return JourneyChange.Replacement(
            departure: departure, arrival: arrival.arrival.advanced(by: found.walkAfter))
    }

    /// Returns the query of riders who alighted at a stop and set out at a time.
    ///
    /// - Parameter missed: The departure that they do not reach, with the change to it; `nil` if there is none.
    private func query(
        after stop: StopIndex, of feed: Int, at: Instant,
        missing missed: (change: JourneyQuery.End, departing: Instant)?
    ) -> JourneyQuery {
        var query = query
        query.onBoard = nil
        query.origins = feeds.changes(at: stop, of: feed)
        query.earliest = at
        guard let (change, departing) = missed else { return query }
        // From the stop of the missed departure, the next one leaves at least a second later.
        query.earliest = max(at, departing.advanced(by: 1 - change.walk))
        query.origins.removeAll { $0.feed == change.feed && $0.stop == change.stop }
        query.origins.append(change)
        return query
    }

    // MARK: Journeys that began

    /// The time in seconds within which a journey begins that replaces another one.
    private static let replacementWindow = 6 * 3600

    /// Returns the journey with the earliest arrival for riders who set out at a time or later; `nil` if there is none.
    func earliest(from at: Instant) throws(StoreError) -> Journey? {
        guard isPossible else { return nil }
        return try earliest(
            windows.departing(from: at, through: at.advanced(by: Self.replacementWindow), count: 1).journeys)
    }

    /// Returns the journey with the earliest arrival for riders who alighted from a vehicle; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - at: When they set out.
    ///   - change: The departure that they do not reach, with the seconds that the change to it needs; `nil` if there is none.
    func earliest(
        after leg: Journey.Leg, at: Instant, missing change: (departure: MergedDeparture, seconds: Int)? = nil
    ) throws(StoreError) -> Journey? {
        guard let feed = feeds.position(of: leg.departure.timetable) else { return nil }
        let missed = change.flatMap { change in
            feeds.position(of: change.departure.timetable).map { feed in
                (
                    change: JourneyQuery.End(feed: feed, stop: change.departure.call.stop, walk: change.seconds),
                    departing: change.departure.call.departure
                )
            }
        }
        let query = query(after: leg.arrival.stop, of: feed, at: at, missing: missed)
        return try earliest(feeds.find(query).journeys)
    }

    /// Returns the journey with the earliest arrival for riders who are on board; `nil` if there is none.
    func earliestOnBoard() throws(StoreError) -> Journey? { isPossible ? try earliest(onBoard.journeys) : nil }

    private func earliest(_ found: [FoundJourney]) throws(StoreError) -> Journey? {
        for journey in found.sorted(by: { ($0.arrival, $0.vehicles) < ($1.arrival, $1.vehicles) }) {
            if let journey = try self.journey(journey) { return journey }
        }
        return nil
    }

    // MARK: Walks

    /// Returns a walk that is part of a journey: always for a place, and for a stop if the journey uses another stop.
    private static func walk(_ seconds: Int, of end: [AccessStops]) -> Int? {
        seconds > 0 || end.contains(where: \.needsWalk) ? seconds : nil
    }

    /// The walk from the origin to the destination without a vehicle in seconds, estimated from the distance; `nil` if it is
    /// farther than a usual walk to a stop, or if a position is not known.
    private var walk: Int? {
        guard let from = position(of: request.entry.commute.from, request.origins),
            let to = position(of: request.entry.commute.to, request.destinations)
        else { return nil }
        let meters = from.distance(to: to)
        let isNear = meters <= Double(context.settings.walkingRadius)
        return isNear ? context.settings.walkingSpeed.seconds(meters: meters) : nil
    }

    private func position(of end: String, _ stops: [AccessStops]) -> Coordinate? {
        if case .place(_, let place) = request.commuteList.requestedEnd(end),
            case .coordinate(let position) = place.location
        {
            return position
        }
        guard let first = stops.first, let stop = first.walks.keys.min() else { return nil }
        return (try? first.timetable.cachedStop(stop))?.coordinate
    }
}
