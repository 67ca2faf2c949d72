internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// How a pinned journey goes on after it broke.
struct JourneyDetour: Hashable, Sendable {
    /// The rides that the user makes instead of the pinned ones; `nil` before the user is on another way.
    var taken: SavedJourney?
    /// The best way, which the user is on from a moment.
    var next: SavedJourney?
    var isTakenFrom: Instant?

    /// Takes the way whose moment has come.
    func at(_ now: Instant) -> JourneyDetour {
        guard let next, let isTakenFrom, isTakenFrom <= now else { return JourneyDetour(taken: taken) }
        return JourneyDetour(taken: next)
    }
}

/// A pinned journey: a subject for each of its rides and, if it broke, for each ride of what replaces it.
struct JourneySource: SubjectSource {
    private let query: PinnedJourneyQuery
    private var name: String { query.name }

    let feeds: Set<FeedID>

    /// The number of the journey among those of its user.
    var number: Int { query.saved.number }

    init(_ journey: SavedJourney, _ context: QueryContext) throws {
        query = try PinnedJourneyQuery(journey, context)
        feeds = query.feeds
    }

    func evaluation(
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?,
        awaiting awaited: AwaitedDepartures
    ) throws -> SubjectEvaluation {
        let now = context.now
        guard now <= query.saved.expiry else {
            let later = now.advanced(by: 86_400)
            return SubjectEvaluation(subjects: [], at: now, near: later, until: later)
        }
        let known = previous?.subjects.filter(\.isBoarded).compactMap { $0.departures.first?.key } ?? []
        var detour = previous?.detour.at(now) ?? JourneyDetour()
        // A way that is no longer in the timetable leaves the pinned one.
        let taken = detour.taken.flatMap { try? PinnedJourneyQuery($0, context) }
        let pinned = try (taken ?? query).result(boarded: awaited.taken.union(known), context)
        if let replacement = pinned.replacement {
            detour.next = try replacement.plan(insteadOf: pinned.saved)
            detour.isTakenFrom = replacement.isTakenFrom
        }
        let subjects = try rides(pinned, context, &observer)
        let start = query.saved.legs[0].departure.scheduled.advanced(by: -SubjectEvaluation.lead)
        let over = max(query.saved.expiry, pinned.replacement?.journey.arrival ?? pinned.journey.arrival)
            .advanced(by: 1)
        // Even without a message, riders board and alight.
        let moments = subjects.compactMap(\.departures.first).flatMap { departure in
            [departure.observation.time, departure.arrival ?? departure.observation.time]
        }.filter { $0 > now }
        let next = moments.min()?.advanced(by: 1) ?? over
        var evaluation = SubjectEvaluation(
            subjects: pinned.stage == .arrived ? subjects.filter(\.isBoarded) : subjects, at: now, near: start,
            until: max(now.advanced(by: 30), now < start ? over : min(over, next)))
        evaluation.detour = detour
        return evaluation
    }

    private func rides(
        _ pinned: PinnedJourney, _ context: QueryContext, _ observer: inout DepartureObserver
    ) throws -> [WatchedSubject] {
        let replacement = try pinned.replacement.map { try self.replacement($0, &observer) }
        var subjects: [WatchedSubject] = []
        let problem = pinned.problem?.leg
        for (position, leg) in pinned.journey.legs.enumerated() where !leg.isContinuation {
            // Rides after the one that cannot be made are not part of the way any more.
            if let problem, position > problem { break }
            var ride = Self.ride(at: position, of: pinned.journey)
            if let other = pinned.replacement, position == other.keptLegs, position < problem ?? 0 {
                // The rider gets off elsewhere.
                ride.arrival = other.journey.legs[0].arrival
            }
            guard var subject = try subject(ride, pinned, position, context, &observer) else { continue }
            subject.change = try change(before: leg, of: pinned, position, &observer)
            if position == problem { subject.replacement = replacement }
            subjects.append(subject)
        }
        guard let other = pinned.replacement, let first = other.firstNewLeg else { return subjects }
        for (position, leg) in other.journey.legs.enumerated() where position >= first && !leg.isContinuation {
            let ride = Self.ride(at: position, of: other.journey)
            guard let departure = try departure(of: ride, isBoarded: false, context, &observer),
                !subjects.contains(where: { $0.departures.first?.key == departure.key })
            else { continue }
            let isStart = other.kind == .otherStart && position == 0
            subjects.append(
                WatchedSubject(
                    kind: isStart ? .journey : .connection, name: name, departures: [departure],
                    walk: isStart ? other.journey.walkBefore : nil, isForDate: true))
        }
        return subjects
    }

    /// Returns a ride to where the rider gets off, which is later if the vehicle continues as another trip.
    private static func ride(at position: Int, of journey: Journey) -> Journey.Leg {
        var ride = journey.legs[position]
        let rest = journey.legs[(position + 1)...].prefix { $0.isContinuation }
        if let last = rest.last { ride.arrival = last.arrival }
        return ride
    }

    private func subject(
        _ leg: Journey.Leg, _ pinned: PinnedJourney, _ position: Int, _ context: QueryContext,
        _ observer: inout DepartureObserver
    ) throws -> WatchedSubject? {
        let isBoarded =
            switch pinned.stage {
            case .beforeDeparture: false
            case .riding(let current): position <= current
            case .changing(let next): position < next
            case .arrived: true
            }
        guard let departure = try departure(of: leg, isBoarded: isBoarded, context, &observer) else { return nil }
        var subject = WatchedSubject(
            kind: position == 0 ? .journey : .connection, name: name, departures: [departure],
            walk: position == 0 ? pinned.saved.walkBefore : nil, isForDate: true)
        subject.isBoarded = isBoarded
        return subject
    }

    private func departure(
        of leg: Journey.Leg, isBoarded: Bool, _ context: QueryContext, _ observer: inout DepartureObserver
    ) throws -> WatchedDeparture? {
        let timetable = leg.departure.timetable
        guard
            var departure = try observer.ride(
                leg.departure, to: leg.arrival.scheduledStop, arrival: leg.arrival, in: timetable)
        else { return nil }
        if !leg.arrival.isRunning, departure.observation.status.isRunning {
            departure.observation.status = leg.arrival.status == .skipped ? .skipped : .canceled
        }
        if isBoarded {
            // What is known about the vehicle is now what is known about the arrival.
            let end = MergedDeparture(leg.departure.feed, leg.arrival)
            departure.observation.status = .departed
            departure.observation.source = leg.arrival.source
            departure.observation.measured = leg.arrival.measured ?? departure.observation.measured
            departure.observation.isFresh =
                end.reliability.isCurrent && end.reliability.realtimeState != .missing
        }
        return departure
    }

    private func change(
        before leg: Journey.Leg, of pinned: PinnedJourney, _ position: Int, _ observer: inout DepartureObserver
    ) throws -> WatchedChange? {
        guard let change = leg.change, position > 0 else { return nil }
        let previous = pinned.journey.legs[position - 1]
        let names = try observer.departure(previous.departure)?.names
        return WatchedChange(
            arriving: names?.routeAndNumber ?? "", arrival: previous.arrival.arrival, inHand: change.inHand,
            isMissed: pinned.problem == .missed(position))
    }

    private func replacement(
        _ replacement: JourneyReplacement, _ observer: inout DepartureObserver
    ) throws -> WatchedReplacement {
        var alighting: WatchedReplacement.Alighting?
        if replacement.kind == .earlierStop || replacement.kind == .laterStop {
            let leg = replacement.journey.legs[0]
            let ride = try observer.ride(
                leg.departure, to: leg.arrival.scheduledStop, arrival: leg.arrival, in: leg.departure.timetable)
            alighting = WatchedReplacement.Alighting(
                stop: ride?.names.destination ?? "", arrival: leg.arrival.arrival)
        }
        let next = try replacement.firstNewLeg.map { replacement.journey.legs[$0] }
            .flatMap { leg in
                try observer.ride(
                    leg.departure, to: leg.arrival.scheduledStop, arrival: leg.arrival, in: leg.departure.timetable)
            }
        return WatchedReplacement(
            alighting: alighting, departure: next,
            leaveBy: replacement.kind == .otherStart ? replacement.journey.leaveBy : nil,
            arrival: replacement.journey.arrival)
    }

    func requiredArrivals(_ context: QueryContext, _ namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] { [] }
}
