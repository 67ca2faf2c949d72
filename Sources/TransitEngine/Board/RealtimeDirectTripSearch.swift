public import TransitModel

extension DirectTripFinder {
    /// Returns the next direct trips with realtime data applied, ascending by expected departure.
    ///
    /// Extends ``next(origins:destinations:patterns:context:at:count:horizonDays:)`` as follows. A late trip is
    /// included until it leaves. A trip that has left early is not included. A skipped call is used for boarding only if
    /// the trip has no other suitable call, and never for alighting: a trip that skips all suitable calls at the
    /// destination is not included. A canceled trip is listed at its scheduled time. Trips
    /// that the timetable lacks are listed as well, even if only their departure is known, provided that a pattern of
    /// their route leads to a destination.
    public static func next(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, at: Instant, count: Int,
        horizonDays: Int = DepartureBoard.defaultHorizonDays
    ) -> [ExpectedDirectTrip] {
        guard count > 0 else { return [] }
        guard let realtime, realtime.hasTrips else {
            return next(
                origins: origins, destinations: destinations, patterns: patterns, context: context, at: at,
                count: count, horizonDays: horizonDays
            ).map { ExpectedDirectTrip($0) }
        }
        let (from, to) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        let directPatterns = patterns.compactMap { DirectPattern(pattern: $0, origins: from, destinations: to) }
        var search = RealtimeDirectTripSearch(
            realtime: realtime, now: now, at: at, count: count, origins: from, destinations: to)
        search.before = context.horizon(at: at, days: horizonDays).secondsSince1970
        search.addRealtimeTrips(at: directPatterns)
        search.addExtraTrips(from: origins.keys, directPatterns: directPatterns)
        return search.merged(
            with: next(
                directPatterns: directPatterns, context: context, at: at, before: search.end, count: count,
                excluding: search.views))
    }
}

/// The realtime part of a direct trip query.
private struct RealtimeDirectTripSearch {
    let views: RealtimeDatasetViews
    let at: Int64
    let count: Int
    let origins: StopWalkTimes
    let destinations: StopWalkTimes
    /// The exclusive upper limit of departure times, in seconds since 1970.
    var before = Int64.max
    private var list: SmallestElements<Candidate>

    init(
        realtime: RealtimeDatasets, now: Instant, at: Instant, count: Int, origins: StopWalkTimes,
        destinations: StopWalkTimes
    ) {
        views = RealtimeDatasetViews(realtime, now: now)
        self.at = at.secondsSince1970
        self.count = count
        self.origins = origins
        self.destinations = destinations
        list = SmallestElements(capacity: count)
    }

    /// A leg on a trip, sorted by departure, then by arrival.
    private struct Candidate: Comparable {
        var order: DepartureSortKey
        var leg: RealtimeTripLeg
        var view: Int
        var number: Int
        /// The stop where the leg ends, if only the departure is known.
        var destination: StopIndex?

        static func < (left: Self, right: Self) -> Bool {
            if left.order.time != right.order.time { return left.order.time < right.order.time }
            if left.leg.destinationArrival != right.leg.destinationArrival {
                return left.leg.destinationArrival < right.leg.destinationArrival
            }
            return left.order < right.order
        }

        static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
    }

    // MARK: Scheduled trips

    mutating func addRealtimeTrips(at directPatterns: [DirectPattern]) {
        for view in views.indices {
            let dataset = views[view].dataset
            for directPattern in directPatterns {
                for instance in dataset.trips(on: directPattern.pattern.index) {
                    addRealtimeTrips(at: instance, of: directPattern, inView: view)
                }
            }
        }
    }

    private mutating func addRealtimeTrips(at number: Int, of directPattern: DirectPattern, inView view: Int) {
        let own = views[view]
        let dataset = own.dataset
        let instance = dataset.trips[number]
        guard instance.kind != .deleted, instance.kind != .replaced else { return }
        let validity = own.validity(of: instance)
        guard validity != .outdated, views.isChosen(instance, validity, inView: view) else { return }
        let startInstant = instance.startInstant.secondsSince1970
        let current = views.currentTimes(of: instance, validity, inView: view)
        func times(_ position: Int) -> (arrival: Int64, departure: Int64) {
            if let current, !dataset.call(position, of: instance).isSkipped { return current.times(at: position) }
            let times = own.times(at: position, of: instance, validity)
            return (startInstant &+ Int64(times.arrival), startInstant &+ Int64(times.departure))
        }
        let hasContradiction = current?.instance.hasContradiction ?? instance.hasContradiction
        var best: RealtimeTripLeg?
        for board in directPattern.boardings where !hasPassed(instance, board.position, dataset, validity, current) {
            let isLeavingSkipped = dataset.call(board.position, of: instance).isSkipped
            let departure = times(board.position).departure
            guard departure &- Int64(board.walk) >= at, departure < before else { continue }
            for alight in directPattern.alightings where alight.position > board.position {
                // Nobody can get off there.
                if instance.isRunning, dataset.call(alight.position, of: instance).isSkipped { continue }
                var arrives = max(departure, times(alight.position).arrival)
                if hasContradiction {
                    for call in board.position..<alight.position
                    where (current?.call(at: call) ?? dataset.call(call, of: instance)).isExpected {
                        arrives = max(arrives, times(call).departure)
                    }
                }
                let leg = RealtimeTripLeg(
                    board: board.position, alight: alight.position, walkBefore: board.walk, walkAfter: alight.walk,
                    departure: departure, destinationArrival: arrives &+ Int64(alight.walk),
                    isSkipped: isLeavingSkipped)
                if best.map({ leg < $0 }) ?? true { best = leg }
            }
        }
        guard let best else { return }
        let order = DepartureSortKey(
            instance.key, time: best.departure, position: best.board, startInstant: startInstant)
        list.insert(Candidate(order: order, leg: best, view: view, number: number))
    }

    private func hasPassed(
        _ instance: RealtimeTrip, _ position: Int, _ dataset: RealtimeDataset, _ validity: RealtimeValidity,
        _ current: RealtimeDatasetViews.TripTimes?
    ) -> Bool {
        let call = dataset.call(position, of: instance)
        return at >= views.now.secondsSince1970
            && views.hasPassed(instance, call, position: position, validity, call.isSkipped ? nil : current)
    }

    // MARK: Extra trips

    mutating func addExtraTrips(from stops: some Sequence<StopIndex>, directPatterns: [DirectPattern]) {
        for view in views.indices {
            var numbers: Set<Int32> = []
            for stop in stops {
                for visit in views[view].dataset.extraVisits(at: stop) { numbers.insert(visit.trip) }
            }
            for number in numbers.sorted() { addExtraTrip(Int(number), directPatterns, inView: view) }
        }
    }

    private mutating func addExtraTrip(_ number: Int, _ directPatterns: [DirectPattern], inView view: Int) {
        let trip = views[view].dataset.extraTrips[number]
        guard views[view].validity(of: trip) != .outdated else { return }
        if trip.calls.count == 1 { return addDepartureOnlyTrip(number, at: 0, directPatterns, inView: view) }
        guard let best = bestLeg(of: trip, inView: view) else {
            guard trip.isPartial else { return }
            for board in trip.calls.indices { addDepartureOnlyTrip(number, at: board, directPatterns, inView: view) }
            return
        }
        let order = DepartureSortKey(extra: number, view: view, time: best.departure, position: best.board)
        list.insert(Candidate(order: order, leg: best, view: view, number: number))
    }

    /// Returns the best pair of calls with reported times.
    private func bestLeg(of trip: ExtraTrip, inView view: Int) -> RealtimeTripLeg? {
        let own = views[view]
        var best: RealtimeTripLeg?
        for (board, leaving) in trip.calls.enumerated() {
            let validity = own.validity(of: trip, at: board)
            guard validity != .outdated, let walk = origins[leaving.stop] else { continue }
            let departure = own.times(at: board, of: trip, validity).departure
            guard departure &- Int64(walk) >= at, departure < before else { continue }
            // If stated times contradict each other, the vehicle arrives no earlier than it leaves the calls in
            // between.
            var latest = departure
            for (alight, arriving) in trip.calls.enumerated().dropFirst(board + 1) {
                let times = own.times(at: alight, of: trip, own.validity(of: trip, at: alight))
                let arrives = max(latest, times.arrival)
                if arriving.isExpected { latest = max(latest, times.departure) }
                guard !arriving.isSkipped, let walkOn = destinations[arriving.stop] else { continue }
                let leg = RealtimeTripLeg(
                    board: board, alight: alight, walkBefore: walk, walkAfter: walkOn, departure: departure,
                    destinationArrival: arrives &+ Int64(walkOn),
                    isSkipped: leaving.isSkipped)
                if best.map({ leg < $0 }) ?? true { best = leg }
            }
        }
        return best
    }

    /// Adds a trip that reports no call at a destination. The patterns of its route determine whether it leads to a
    /// destination. Their usual travel time is used only to sort the trip.
    ///
    /// If trips are reported in parts and other trips of the route are reported at the destination, a trip that is not
    /// reported there is assumed to go elsewhere. An example is the opposite direction at a stop that a pattern serves
    /// in both directions.
    private mutating func addDepartureOnlyTrip(
        _ number: Int, at position: Int, _ directPatterns: [DirectPattern], inView view: Int
    ) {
        let trip = views[view].dataset.extraTrips[number]
        let validity = views[view].validity(of: trip, at: position)
        guard validity != .outdated else { return }
        let leaving = trip.calls[position]
        let departure = views[view].times(at: position, of: trip, validity).departure
        var best: (leg: RealtimeTripLeg, destination: StopIndex)?
        for directPattern in directPatterns
        where trip.mayFollow(directPattern.pattern) && directPattern.pattern.timingGroupCount > 0
            && !isReported(trip, atDestinationsOf: directPattern, inView: view)
        {
            let calls = directPattern.pattern.calls
            for board in directPattern.boardings where calls[board.position].stop == leaving.stop {
                guard departure &- Int64(board.walk) >= at, departure < before else { continue }
                let leaves = directPattern.pattern.times(timingGroup: 0, call: board.position).departure
                for alight in directPattern.alightings where alight.position > board.position {
                    let takes = directPattern.pattern.times(timingGroup: 0, call: alight.position).arrival &- leaves
                    let leg = RealtimeTripLeg(
                        board: position, alight: position, walkBefore: board.walk, walkAfter: alight.walk,
                        departure: departure,
                        destinationArrival: departure &+ Int64(max(0, takes)) &+ Int64(alight.walk),
                        isSkipped: leaving.isSkipped)
                    if best.map({ leg < $0.leg }) ?? true { best = (leg, calls[alight.position].stop) }
                }
            }
        }
        guard let best else { return }
        let order = DepartureSortKey(extra: number, view: view, time: departure, position: position)
        list.insert(
            Candidate(order: order, leg: best.leg, view: view, number: number, destination: best.destination))
    }

    /// Returns whether partial trips of the route are reported at a destination of the pattern. If so, this trip would
    /// be reported there as well.
    private func isReported(_ trip: ExtraTrip, atDestinationsOf directPattern: DirectPattern, inView view: Int) -> Bool
    {
        guard trip.isPartial else { return false }
        let dataset = views[view].dataset
        return directPattern.alightings.contains { end in
            dataset.extraVisits(at: directPattern.pattern.stop(at: end.position)).contains { visit in
                let other = dataset.extraTrips[Int(visit.trip)]
                return other.isPartial && other.route == trip.route && other.serviceDate == trip.serviceDate
            }
        }
    }

    // MARK: Merging

    /// The exclusive upper limit of the scheduled departures that can appear in the result.
    var end: Int64 {
        guard list.isFull, let last = list.elements.last else { return before }
        return min(before, last.order.time &+ 1)
    }

    func merged(with scheduled: [ScheduledDirectTrip]) -> [ExpectedDirectTrip] {
        var directTrips: [ExpectedDirectTrip] = []
        var next = 0
        var rest = list.elements[...]
        while directTrips.count < count {
            if let candidate = rest.first, next == scheduled.count || isFirst(candidate, scheduled[next]) {
                rest.removeFirst()
                directTrips.append(rendered(candidate))
            } else if next < scheduled.count {
                directTrips.append(rendered(scheduled[next]))
                next += 1
            } else {
                break
            }
        }
        return directTrips
    }

    private func isFirst(_ candidate: Candidate, _ directTrip: ScheduledDirectTrip) -> Bool {
        let (departure, destinationArrival) = (directTrip.departure.departure, directTrip.destinationArrival)
        if candidate.order.time != departure.secondsSince1970 {
            return candidate.order.time < departure.secondsSince1970
        }
        if candidate.leg.destinationArrival != destinationArrival.secondsSince1970 {
            return candidate.leg.destinationArrival < destinationArrival.secondsSince1970
        }
        return candidate.order < DepartureSortKey(directTrip.departure)
    }

    private func rendered(_ directTrip: ScheduledDirectTrip) -> ExpectedDirectTrip {
        ExpectedDirectTrip(
            departure: views.realtime.scheduled(directTrip.departure, now: views.now),
            destination: directTrip.arrival.call.stop,
            arrival: views.realtime.scheduled(directTrip.arrival, now: views.now), walkBefore: directTrip.walkBefore,
            walkAfter: directTrip.walkAfter)
    }

    private func rendered(_ candidate: Candidate) -> ExpectedDirectTrip {
        let rendering = ExpectedCallBuilder(views, view: candidate.view)
        func call(_ position: Int) -> ExpectedCall {
            candidate.order.isExtra
                ? rendering.expected(extra: candidate.number, position: position)
                : rendering.expected(instance: candidate.number, position: position)
        }
        let arrival = candidate.destination == nil ? call(candidate.leg.alight) : nil
        let departure = call(candidate.leg.board)
        var directTrip = ExpectedDirectTrip(
            departure: departure, destination: candidate.destination ?? arrival?.stop ?? departure.stop,
            arrival: arrival, walkBefore: candidate.leg.walkBefore, walkAfter: candidate.leg.walkAfter)
        directTrip.arriveNoEarlier(
            than: Instant(secondsSince1970: candidate.leg.destinationArrival &- Int64(candidate.leg.walkAfter)),
            delay: departure.delay)
        return directTrip
    }
}

/// A pair of calls of a trip, at their expected times.
private struct RealtimeTripLeg {
    var board: Int
    var alight: Int
    var walkBefore: Int
    var walkAfter: Int
    var departure: Int64
    /// The arrival plus the walk after it, in seconds since 1970.
    var destinationArrival: Int64
    /// Whether the trip skips the boarding stop.
    var isSkipped: Bool

    /// Prefers legs without a skipped stop, then the earlier arrival, the later time to set out, the shorter walk, and
    /// the first call.
    static func < (left: Self, right: Self) -> Bool {
        if left.isSkipped != right.isSkipped { return right.isSkipped }
        if left.destinationArrival != right.destinationArrival {
            return left.destinationArrival < right.destinationArrival
        }
        let (leave, other) = (left.departure - Int64(left.walkBefore), right.departure - Int64(right.walkBefore))
        if leave != other { return leave > other }
        let (walk, otherWalk) = (left.walkBefore + left.walkAfter, right.walkBefore + right.walkAfter)
        return (walk, left.board, left.walkAfter, left.alight) < (otherWalk, right.board, right.walkAfter, right.alight)
    }
}
