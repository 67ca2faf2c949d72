internal import TransitEngine
package import TransitModel
package import TransitStore

/// A pinned journey as it is known at one moment.
package struct PinnedJourney {
    /// Where the rider is if the journey goes as planned.
    package enum Stage: Hashable, Sendable {
        case beforeDeparture
        /// In the vehicle of the ride at this position.
        case riding(Int)
        /// On the way to the ride at this position, after the ride before it.
        case changing(Int)
        case arrived
    }

    /// Why the journey cannot be made as it was pinned.
    package enum Break: Hashable, Sendable {
        /// The vehicle of the ride at this position is canceled, or does not stop where riders board or alight.
        case notRunning(Int)
        /// Riders do not reach the ride at this position.
        case missed(Int)

        /// The position of the first ride that cannot be made.
        package var leg: Int {
            switch self {
            case .notRunning(let leg), .missed(let leg): leg
            }
        }
    }

    package var saved: SavedJourney
    /// The rides that were pinned, with what is known about their vehicles. Some may not run.
    package var journey: Journey
    package var stage: Stage
    /// `nil` if the journey holds.
    package var problem: Break?
    /// What the rider does instead; `nil` if the journey holds, and if nothing is known.
    package var replacement: JourneyReplacement?
}

/// The best way to the destination of a journey that broke.
package struct JourneyReplacement {
    /// What the rider does differently.
    package enum Kind: Hashable, Sendable {
        /// Sets out otherwise, because the first ride does not run.
        case otherStart
        /// Takes a later vehicle of the same route.
        case laterConnection
        /// Takes another route from the same stop, or one that is reached from there.
        case otherRoute
        /// Gets off before the stop of the change.
        case earlierStop
        /// Gets off after the stop of the change.
        case laterStop
    }

    package var kind: Kind
    /// The rides from now on. The first one is that of the vehicle in which the rider is, or that the rider takes next, if it
    /// is still part of the way.
    package var journey: Journey
    /// The number of pinned rides before those of ``journey``.
    package var keptLegs: Int

    /// The position in ``journey`` of the first ride that was not pinned; `nil` if the rider only gets off elsewhere.
    package var firstNewLeg: Int?

    /// The moment at which the rider is on this way: when the vehicle is where the rider gets off before the pinned stop, when
    /// it is at the pinned stop and the rider stays, or else when the first vehicle that was not pinned leaves.
    package var isTakenFrom: Instant

    /// Returns the way as a pinned journey: the rides that were kept, and those of the way.
    ///
    /// - Returns: `nil` if a ride is not in the timetable.
    package func plan(insteadOf saved: SavedJourney) throws(StoreError) -> SavedJourney? {
        var plan = saved
        plan.legs = Array(saved.legs.prefix(keptLegs))
        for leg in journey.legs {
            guard let key = try leg.departure.key, leg.departure.call.scheduledCall != nil else { return nil }
            plan.legs.append(
                SavedJourney.Leg(
                    departure: key, destination: try leg.departure.timetable.cachedStop(leg.arrival.scheduledStop).id,
                    arrival: leg.arrival.scheduledCall?.arrival ?? leg.arrival.arrival,
                    changeTime: plan.legs.isEmpty || leg.isContinuation ? nil : leg.change?.seconds ?? 0,
                    isTimed: leg.change?.isTimed ?? false))
        }
        if keptLegs == 0 { plan.walkBefore = journey.walkBefore }
        plan.walkAfter = journey.walkAfter
        return plan
    }
}

/// A pinned journey that has been found in the current timetables.
package struct PinnedJourneyQuery {
    package let saved: SavedJourney
    package let request: CommuteRequest
    private let rides: [PinnedRide]

    /// - Throws: ``QueryError/routeGone(_:_:)``, ``QueryError/stopGone(_:_:)``, ``QueryError/noData(_:)``,
    ///   ``QueryError/departureNotFound(_:)``, and the errors of ``CommuteRequest``.
    package init(_ saved: SavedJourney, _ context: QueryContext) throws {
        self.saved = saved
        rides = try saved.legs.map { try PinnedRide($0, context) }
        request = try CommuteRequest(between: (saved.from, saved.to), at: nil, context)
        name = context.commute(of: saved) ?? request.entry.commute.name
    }

    /// The name of the commute between the same ends or, without one, both ends: "Mill Lane to work".
    package let name: String

    /// The feeds on which the journey depends. What replaces it may depend on others.
    package var feeds: Set<FeedID> { Set(rides.map(\.timetable.feed)) }

    /// Returns the journey as it is known without a search: it has no replacement, and its tight changes do not say what
    /// follows.
    ///
    /// - Parameter boarded: The departures of which it is known that the rider took them.
    /// - Throws: ``QueryError/departureNotFound(_:)`` if a ride is no longer in the timetable.
    package func situation(boarded: Set<DepartureKey> = [], _ context: QueryContext) throws -> PinnedJourney {
        let journey = try journey(context)
        let progress = JourneyProgress(journey, saved, boarded: boarded, now: context.now)
        return PinnedJourney(saved: saved, journey: journey, stage: progress.stage, problem: progress.problem)
    }

    /// Returns the journey with what replaces it if it broke, and with what follows its tight changes.
    ///
    /// - Parameter boarded: The departures of which it is known that the rider took them.
    /// - Throws: ``QueryError/departureNotFound(_:)`` if a ride is no longer in the timetable.
    package func result(boarded: Set<DepartureKey> = [], _ context: QueryContext) throws -> PinnedJourney {
        var result = try situation(boarded: boarded, context)
        let tight = result.journey.legs.indices.filter { position in
            let leg = result.journey.legs[position]
            return leg.change.map { $0.judgment != .safe } == true && leg.departure.call.departure > context.now
        }
        guard !tight.isEmpty || result.problem != nil else { return result }
        let search = try PinnedJourneySearch(result, request, context)
        for position in tight {
            result.journey.legs[position].change?.replacement = try search.connection(at: position)
        }
        result.replacement = try search.replacement()
        return result
    }

    private func journey(_ context: QueryContext) throws -> Journey {
        let uncertainty = JourneyChange.UnstatedUncertainty(
            base: context.settings.changeUncertainty, now: context.now)
        var legs: [Journey.Leg] = []
        for (ride, saved) in zip(rides, saved.legs) {
            let calls = try ride.calls(context)
            var change: JourneyChange?
            // A vehicle that does not run has no change before or after it.
            if let previous = legs.last, let planned = saved.changeTime, previous.arrival.isRunning,
                calls.departure.call.isRunning
            {
                let seconds = try changeTime(from: previous, to: calls.departure, planned: planned, context)
                change = JourneyChange(
                    from: previous.arrival, to: calls.departure.call, seconds: seconds, isTimed: saved.isTimed,
                    uncertainty: uncertainty)
            }
            legs.append(
                Journey.Leg(
                    departure: calls.departure, arrival: calls.arrival,
                    isContinuation: !legs.isEmpty && saved.changeTime == nil, change: change))
        }
        let (first, last) = (legs[0], legs[legs.count - 1])
        return Journey(
            legs: legs, walkBefore: saved.walkBefore, walkAfter: saved.walkAfter,
            leaveBy: first.departure.leaveBy(walk: saved.walkBefore ?? 0, try first.departure.prediction),
            arrival: last.arrival.arrival.advanced(by: saved.walkAfter ?? 0),
            changes: legs.dropFirst().count { !$0.isContinuation })
    }

    /// Returns the time of a change in seconds: that which was planned or, if a vehicle stops elsewhere, what the way between
    /// the stops takes, as far as it is known.
    private func changeTime(
        from leg: Journey.Leg, to departure: MergedDeparture, planned: Int, _ context: QueryContext
    ) throws(StoreError) -> Int {
        let (arrival, next) = (leg.arrival, departure.call)
        guard arrival.stop != arrival.scheduledStop || next.stop != next.scheduledStop else { return planned }
        let feeds = try JourneyFeeds(from: request.origins.map(\.timetable), context)
        return feeds.changeTime(
            from: arrival.stop, of: leg.departure.timetable, to: next.stop, of: departure.timetable) ?? planned
    }
}

extension QueryContext {
    /// Returns the name of a pinned journey, whose rides may no longer be in the timetable: that of the commute between the
    /// same ends or, without one, both ends as far as they are known.
    package func name(of journey: SavedJourney) -> String {
        if let commute = commute(of: journey) { return commute }
        let request = try? CommuteRequest(between: (journey.from, journey.to), at: nil, self)
        return request?.entry.commute.name ?? "\(journey.from) to \(journey.to)"
    }

    /// Returns the name of the commute between the ends of a journey; `nil` if there is none.
    fileprivate func commute(of journey: SavedJourney) -> String? {
        commuteList.entries.first { $0.commute.from == journey.from && $0.commute.to == journey.to }?.commute.name
    }
}

extension SavedJourney {
    /// What the rider required of the journey.
    var options: JourneyOptions {
        JourneyOptions(
            modes: modes.isEmpty ? nil : modes, wheelchair: needsWheelchair, bicycles: needsBicycle)
    }
}

/// A ride of a pinned journey in the current timetable.
private struct PinnedRide {
    let timetable: Timetable
    private let saved: SavedJourney.Leg
    private let stop, destination: StopIndex
    /// The visits of the route to the stop from which riders reach the destination.
    private let visits: [PatternCallPosition]

    /// The maximum difference in seconds between the saved time and the scheduled departure. A larger change of the timetable
    /// means that the departure is gone.
    private static let maximumShift = 600

    init(_ saved: SavedJourney.Leg, _ context: QueryContext) throws {
        let key = saved.departure
        let feed = try context.feed(key.feed)
        guard let timetable = try QueryContext.timetables(of: [feed]).first else { throw QueryError.noData([feed]) }
        guard let route = timetable.file.route(id: key.route) else { throw QueryError.routeGone(key.route, feed.id) }
        guard let stop = try timetable.file.stop(id: key.stop) else { throw QueryError.stopGone(key.stop, feed.id) }
        guard let destination = try timetable.file.stop(id: saved.destination) else {
            throw QueryError.stopGone(saved.destination, feed.id)
        }
        (self.saved, self.timetable, self.stop, self.destination) = (saved, timetable, stop, destination)
        visits = try FeedBoard(timetable, stops: [stop], routes: [route]).visits.filter { visit in
            (key.direction == nil || visit.pattern.direction == key.direction)
                && Self.alighting(visit.pattern, after: visit.position, at: destination) != nil
        }
    }

    private static func alighting(_ pattern: Pattern, after position: Int, at stop: StopIndex) -> Int? {
        pattern.calls.indices.first { $0 > position && pattern.calls[$0].stop == stop }
    }

    /// - Throws: ``QueryError/departureNotFound(_:)`` if the ride is no longer in the timetable.
    func calls(_ context: QueryContext) throws -> (departure: MergedDeparture, arrival: ExpectedCall) {
        let (key, realtime) = (saved.departure, context.realtime(timetable))
        let found = DepartureBoard.departures(
            visits: visits, context: timetable.context, realtime: realtime, now: context.now,
            plannedAround: key.scheduled, within: Self.maximumShift, count: 32)
        func distance(_ call: ExpectedCall) -> Int {
            abs((call.scheduledDeparture ?? call.departure).seconds(to: key.scheduled))
        }
        let nearest = found.filter { $0.serviceDate == key.serviceDate }.min { distance($0) < distance($1) }
        guard let call = nearest, let scheduled = call.scheduledCall,
            let position = Self.alighting(scheduled.pattern, after: scheduled.position, at: destination)
        else {
            let stop = try TimetableNames(timetable, language: context.language).stopName(stop)
            throw QueryError.departureNotFound(
                "\(key.route) from \(stop) at \(timetable.zone.timeOfDay(at: key.scheduled))")
        }
        let planned = ScheduledCall(
            pattern: scheduled.pattern, timingGroup: scheduled.timingGroup, tripPosition: scheduled.tripPosition,
            serviceDate: scheduled.serviceDate, position: position,
            start: scheduled.departure.advanced(by: -Int(scheduled.times.departure)),
            frequency: scheduled.frequency)
        let arrival =
            realtime.flatMap { $0.expected(planned, now: context.now) } ?? ExpectedCall(scheduled: planned)
        return try context.mergedRide(call, arrival, of: timetable)
    }
}

/// How far a rider is on a pinned journey, and what breaks it.
struct JourneyProgress {
    private(set) var stage = PinnedJourney.Stage.beforeDeparture
    private(set) var problem: PinnedJourney.Break?

    init(_ journey: Journey, _ saved: SavedJourney, boarded: Set<DepartureKey>, now: Instant) {
        // Whether the rider has not boarded the ride yet.
        var isAhead = false
        for (position, leg) in journey.legs.enumerated() {
            let (departure, arrival) = (leg.departure.call, leg.arrival)
            let isBoarded = boarded.contains(saved.legs[position].departure)
            if !isBoarded {
                guard departure.isRunning, arrival.isRunning else {
                    problem = .notRunning(position)
                    return
                }
                if leg.change?.judgment == .missed || leg.change.map({ hasLeft(departure, $0, now) }) == true {
                    problem = .missed(position)
                    return
                }
                isAhead = isAhead || departure.departure > now
            }
            if isAhead { continue }
            stage = .riding(position)
            let end = max(arrival.arrival, departure.departure)
            let isLast = position == journey.legs.count - 1
            isAhead = end.advanced(by: isLast ? saved.walkAfter ?? 0 : 0) > now
            if end <= now, !isLast { stage = .changing(position + 1) }
            if isLast, !isAhead { stage = .arrived }
        }
    }

    /// Whether a vehicle left before the rider was there. After that, many sources state nothing about it any more, and then
    /// it is not known that the rider missed it.
    private func hasLeft(_ departure: ExpectedCall, _ change: JourneyChange, _ now: Instant) -> Bool {
        departure.departure <= now && change.inHand < 0 && !change.isTimed && departure.predictedDeparture != nil
    }
}
