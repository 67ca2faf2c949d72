internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// A pinned journey: a subject for each of its rides and, if it broke, for each ride of what replaces it.
struct JourneySource: SubjectSource {
    private let query: PinnedJourneyQuery
    private var name: String { query.name }

    let feeds: Set<FeedID>

    /// The pinned journey.
    var pin: SavedJourney { query.saved }

    /// How long before the departure it is first searched whether the journey is the last one of the day, in seconds: longer
    /// than the rule `last` can be set to.
    private static let leadOfLast = 3 * 3600 + 15 * 60

    init(_ journey: SavedJourney, _ context: QueryContext) throws {
        query = try PinnedJourneyQuery(journey, context)
        feeds = Set(query.feeds.flatMap(context.feedsOfAgency))
    }

    func evaluation(
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?,
        awaiting awaited: AwaitedDepartures
    ) throws -> SubjectEvaluation {
        let now = context.now
        guard now <= pin.expiry else {
            let later = now.advanced(by: 86_400)
            return SubjectEvaluation(subjects: [], at: now, near: later, until: later)
        }
        let known = previous?.subjects.filter(\.isBoarded).compactMap { $0.departures.first?.key } ?? []
        var detour = (previous?.detour ?? awaited.detours.first { $0.isOf(pin) } ?? JourneyDetour(of: pin)).at(now)
        var searches = previous?.searches ?? JourneySearches()
        // A way that is no longer in the timetable leaves the pinned one.
        let way = detour.taken.flatMap { try? PinnedJourneyQuery(pin.onWay($0), context) } ?? query
        var pinned = try way.situation(boarded: awaited.taken.union(known), context)
        let search = NotificationSearch(for: pin, on: way, in: pinned, context)
        var isSearching = false
        if pinned.problem == nil {
            searches.stopWaiting()
            (detour.next, detour.isTakenFrom) = (nil, nil)
        } else {
            switch searches.replacement(search, at: now) {
            case .found(let replacement):
                pinned.replacement = replacement
                if let replacement {
                    detour.next = try replacement.plan(insteadOf: pinned.saved).map(JourneyDetour.Way.init)
                    detour.isTakenFrom = replacement.isTakenFrom
                }
            case .awaited(let end):
                // The rides and their replacement are shown as of one message.
                var evaluation = previous ?? SubjectEvaluation(subjects: [], at: now, near: now, until: end)
                (evaluation.at, evaluation.until) = (now, end)
                (evaluation.detour, evaluation.searches) = (detour, searches)
                return evaluation
            case .overdue: isSearching = true
            }
        }
        var subjects = try rides(pinned, context, &observer)
        for position in subjects.indices { subjects[position].isReplacementSearched = isSearching }
        let isLastDue = findsLast(pinned, detour, awaited, now)
        if isLastDue { searches.findLater(search, at: now) }
        if detour.taken == nil, pinned.stage == .beforeDeparture, let first = subjects.indices.first {
            subjects[first].showLast(
                isLastDue ? searches.later : nil, isAnnounced: awaited.last.contains(pin.legs[0].departure))
        }
        var evaluation = SubjectEvaluation(
            subjects: pinned.stage == .arrived ? subjects.filter(\.isBoarded) : subjects, at: now,
            near: pin.legs[0].departure.scheduled.advanced(by: -SubjectEvaluation.lead), until: now)
        evaluation.until = end(of: evaluation, pinned, isLastDue ? searches.nextLater : nil)
        evaluation.feeds = Set(subjects.flatMap(\.departures).map(\.key.feed).flatMap(context.feedsOfAgency))
        (evaluation.detour, evaluation.searches) = (detour, searches)
        return evaluation
    }

    /// Returns the time at which the journey is evaluated even without a message: riders board and alight.
    ///
    /// - Parameter nextLater: When it is searched again what can be taken later.
    private func end(
        of evaluation: SubjectEvaluation, _ pinned: PinnedJourney, _ nextLater: Instant?
    ) -> Instant {
        let now = evaluation.at
        let over = max(pin.expiry, pinned.replacement?.journey.arrival ?? pinned.journey.arrival).advanced(by: 1)
        var moments = [over, nextLater, startOfLast].compactMap(\.self)
        if now >= evaluation.near {
            moments += evaluation.subjects.compactMap(\.departures.first).flatMap { departure in
                [departure.observation.time, departure.arrival ?? departure.observation.time]
            }.map { $0.advanced(by: 1) }
        }
        return max(now.advanced(by: 30), moments.filter { $0 > now }.min() ?? over)
    }

    // MARK: The last journey of the day

    private var startOfLast: Instant { pin.legs[0].departure.scheduled.advanced(by: -Self.leadOfLast) }

    /// Whether it matters that the journey is the last one of the day: it holds, and the user can still choose another one.
    private func findsLast(
        _ pinned: PinnedJourney, _ detour: JourneyDetour, _ awaited: AwaitedDepartures, _ now: Instant
    ) -> Bool {
        pinned.problem == nil && pinned.stage == .beforeDeparture && detour.taken == nil && now >= startOfLast
            && now < pinned.journey.leaveBy && !awaited.last.contains(pin.legs[0].departure)
    }

    // MARK: Rides

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
            walk: position == 0 ? pinned.saved.walkBefore : nil,
            leadsHome: position == 0 && pin.to == CommuteList.home, isForDate: true)
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
            walk: replacement.kind == .otherStart ? replacement.journey.walkBefore : nil,
            arrival: replacement.journey.arrival)
    }

    func requiredArrivals(_ context: QueryContext, _ namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] { [] }
}

extension WatchedSubject {
    /// Says that the journey is the last one of the day, if it is known to be, or was announced as such.
    fileprivate mutating func showLast(_ later: LaterJourneys?, isAnnounced: Bool) {
        guard kind == .journey, isAnnounced || later?.isLast == true else { return }
        last = departures.first
        lastJourney = later.map {
            WatchedLastJourney(following: $0.following, searched: $0.at, unsearched: $0.unsearched)
        }
    }
}
