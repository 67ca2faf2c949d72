internal import TransitModel

/// The live side of a question to ``Journeys``.
struct RealtimeDirectTripSearch {
    let views: FreshRealtimeSources
    let at: Int64
    let count: Int
    let origins: StopWalkTimes
    let destinations: StopWalkTimes
    /// What leaves at this moment or later is not of interest.
    var before = Int64.max
    private var list: SmallestElements<Candidate>

    init(
        live: RealtimeTimetable, now: Instant, at: Instant, count: Int, origins: StopWalkTimes,
        destinations: StopWalkTimes
    ) {
        views = FreshRealtimeSources(live, now: now)
        self.at = at.secondsSince1970
        self.count = count
        self.origins = origins
        self.destinations = destinations
        list = SmallestElements(capacity: count)
    }

    /// A ride on a run, in the order of departure, then of arrival.
    private struct Candidate: Comparable {
        var order: DepartureSortKey
        var ride: RealtimeTripLeg
        var view: Int
        var number: Int
        /// Where it ends, when only the departure is told.
        var destination: StopIndex?

        static func < (left: Self, right: Self) -> Bool {
            if left.order.time != right.order.time { return left.order.time < right.order.time }
            if left.ride.reaches != right.ride.reaches { return left.ride.reaches < right.ride.reaches }
            return left.order < right.order
        }

        static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }
    }

    // MARK: Runs of the timetable

    mutating func addRealtimeTrips(at ways: [DirectPattern]) {
        for view in views.indices {
            let dataset = views[view].dataset
            for way in ways {
                for run in dataset.runs(on: way.pattern.index) { addRealtimeTrips(at: run, of: way, inView: view) }
            }
        }
    }

    private mutating func addRealtimeTrips(at number: Int, of way: DirectPattern, inView view: Int) {
        let own = views[view]
        let dataset = own.dataset
        let run = dataset.runs[number]
        guard run.kind != .deleted, run.kind != .replaced else { return }
        let validity = own.validity(of: run)
        guard validity != .outdated, views.isChosen(run, validity, inView: view) else { return }
        let begins = run.begins.secondsSince1970
        var best: RealtimeTripLeg?
        for board in way.boardings where !hasPassed(run, board.position, dataset, validity) {
            let isLeavingSkipped = dataset.call(board.position, of: run).isSkipped
            let leaves = own.times(at: board.position, of: run, validity).departure
            let departure = begins &+ Int64(leaves)
            guard departure &- Int64(board.walk) >= at, departure < before else { continue }
            for alight in way.alightings where alight.position > board.position {
                var arrives = max(leaves, own.times(at: alight.position, of: run, validity).arrival)
                if run.hasContradiction {
                    for call in board.position..<alight.position where dataset.call(call, of: run).isExpected {
                        arrives = max(arrives, own.times(at: call, of: run, validity).departure)
                    }
                }
                let ride = RealtimeTripLeg(
                    board: board.position, alight: alight.position, walkBefore: board.walk, walkAfter: alight.walk,
                    departure: departure, reaches: begins &+ Int64(arrives) &+ Int64(alight.walk),
                    isSkipped: isLeavingSkipped || dataset.call(alight.position, of: run).isSkipped)
                if best.map({ ride < $0 }) ?? true { best = ride }
            }
        }
        guard let best else { return }
        let order = DepartureSortKey(run.key, time: best.departure, position: best.board, begins: begins)
        list.insert(Candidate(order: order, ride: best, view: view, number: number))
    }

    private func hasPassed(
        _ run: RealtimeTrip, _ position: Int, _ dataset: RealtimeDataset, _ validity: RealtimeValidity
    ) -> Bool {
        at >= views.now.secondsSince1970
            && views.hasPassed(run, dataset.call(position, of: run), position: position, validity)
    }

    // MARK: Trips that the timetable does not have

    mutating func addExtraTrips(from stops: some Sequence<StopIndex>, ways: [DirectPattern]) {
        for view in views.indices {
            var numbers: Set<Int32> = []
            for stop in stops {
                for visit in views[view].dataset.extraVisits(at: stop) { numbers.insert(visit.trip) }
            }
            for number in numbers.sorted() { addExtraTrip(Int(number), ways, inView: view) }
        }
    }

    private mutating func addExtraTrip(_ number: Int, _ ways: [DirectPattern], inView view: Int) {
        let trip = views[view].dataset.extraTrips[number]
        guard views[view].validity(of: trip) != .outdated else { return }
        if trip.calls.count == 1 { return addDepartureOnlyTrip(number, at: 0, ways, inView: view) }
        guard let best = told(trip, inView: view) else {
            guard trip.isPartial else { return }
            for board in trip.calls.indices { addDepartureOnlyTrip(number, at: board, ways, inView: view) }
            return
        }
        let order = DepartureSortKey(extra: number, view: view, time: best.departure, position: best.board)
        list.insert(Candidate(order: order, ride: best, view: view, number: number))
    }

    /// The best pair of calls that are told.
    private func told(_ trip: ExtraTrip, inView view: Int) -> RealtimeTripLeg? {
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
                guard let walkOn = destinations[arriving.stop] else { continue }
                let ride = RealtimeTripLeg(
                    board: board, alight: alight, walkBefore: walk, walkAfter: walkOn, departure: departure,
                    reaches: arrives &+ Int64(walkOn),
                    isSkipped: leaving.isSkipped || arriving.isSkipped)
                if best.map({ ride < $0 }) ?? true { best = ride }
            }
        }
        return best
    }

    /// A trip of which no call at a destination is told: the ways of its route say whether it leads to one, and how long that
    /// usually takes, which only puts it in its place among the others.
    ///
    /// Where trips are told in parts and others of the route are told at a destination, one that is not goes elsewhere: such as
    /// the other way, from a stop that both ways have on one pattern.
    private mutating func addDepartureOnlyTrip(
        _ number: Int, at position: Int, _ ways: [DirectPattern], inView view: Int
    ) {
        let trip = views[view].dataset.extraTrips[number]
        let validity = views[view].validity(of: trip, at: position)
        guard validity != .outdated else { return }
        let leaving = trip.calls[position]
        let departure = views[view].times(at: position, of: trip, validity).departure
        var best: (ride: RealtimeTripLeg, destination: StopIndex)?
        for way in ways
        where trip.mayFollow(way.pattern) && way.pattern.timingGroupCount > 0
            && !isTold(trip, atDestinationsOf: way, inView: view)
        {
            let calls = way.pattern.calls
            for board in way.boardings where calls[board.position].stop == leaving.stop {
                guard departure &- Int64(board.walk) >= at, departure < before else { continue }
                let leaves = way.pattern.times(timingGroup: 0, call: board.position).departure
                for alight in way.alightings where alight.position > board.position {
                    let takes = way.pattern.times(timingGroup: 0, call: alight.position).arrival &- leaves
                    let ride = RealtimeTripLeg(
                        board: position, alight: position, walkBefore: board.walk, walkAfter: alight.walk,
                        departure: departure, reaches: departure &+ Int64(max(0, takes)) &+ Int64(alight.walk),
                        isSkipped: leaving.isSkipped)
                    if best.map({ ride < $0.ride }) ?? true { best = (ride, calls[alight.position].stop) }
                }
            }
        }
        guard let best else { return }
        let order = DepartureSortKey(extra: number, view: view, time: departure, position: position)
        list.insert(
            Candidate(order: order, ride: best.ride, view: view, number: number, destination: best.destination))
    }

    /// Whether the parts of trips of the route are told where a way ends, so that this one's would be, too.
    private func isTold(_ trip: ExtraTrip, atDestinationsOf way: DirectPattern, inView view: Int) -> Bool {
        guard trip.isPartial else { return false }
        let dataset = views[view].dataset
        return way.alightings.contains { end in
            dataset.extraVisits(at: way.pattern.stop(at: end.position)).contains { visit in
                let other = dataset.extraTrips[Int(visit.trip)]
                return other.isPartial && other.route == trip.route && other.serviceDate == trip.serviceDate
            }
        }
    }

    // MARK: The timetable's own

    /// Where the timetable's own rides end that can stand in the answer: at one moment with the last of a full list of live
    /// ones, they may come before it.
    var end: Int64 {
        guard list.isFull, let last = list.elements.last else { return before }
        return min(before, last.order.time &+ 1)
    }

    func merged(with scheduled: [ScheduledDirectTrip]) -> [ExpectedDirectTrip] {
        var journeys: [ExpectedDirectTrip] = []
        var next = 0
        var rest = list.elements[...]
        while journeys.count < count {
            if let candidate = rest.first, next == scheduled.count || isFirst(candidate, scheduled[next]) {
                rest.removeFirst()
                journeys.append(rendered(candidate))
            } else if next < scheduled.count {
                journeys.append(rendered(scheduled[next]))
                next += 1
            } else {
                break
            }
        }
        return journeys
    }

    private func isFirst(_ candidate: Candidate, _ journey: ScheduledDirectTrip) -> Bool {
        let (departure, reaches) = (journey.departure.departure, journey.reaches)
        if candidate.order.time != departure.secondsSince1970 {
            return candidate.order.time < departure.secondsSince1970
        }
        if candidate.ride.reaches != reaches.secondsSince1970 {
            return candidate.ride.reaches < reaches.secondsSince1970
        }
        return candidate.order < DepartureSortKey(journey.departure)
    }

    private func rendered(_ journey: ScheduledDirectTrip) -> ExpectedDirectTrip {
        ExpectedDirectTrip(
            departure: views.live.scheduled(journey.departure, now: views.now),
            destination: journey.arrival.call.stop,
            arrival: views.live.scheduled(journey.arrival, now: views.now), walkBefore: journey.walkBefore,
            walkAfter: journey.walkAfter)
    }

    private func rendered(_ candidate: Candidate) -> ExpectedDirectTrip {
        let rendering = ExpectedCallBuilder(live: views.live, view: views[candidate.view])
        func call(_ position: Int) -> ExpectedCall {
            candidate.order.isExtra
                ? rendering.expected(extra: candidate.number, position: position)
                : rendering.expected(run: candidate.number, position: position)
        }
        let arrival = candidate.destination == nil ? call(candidate.ride.alight) : nil
        let departure = call(candidate.ride.board)
        var journey = ExpectedDirectTrip(
            departure: departure, destination: candidate.destination ?? arrival?.stop ?? departure.stop,
            arrival: arrival, walkBefore: candidate.ride.walkBefore, walkAfter: candidate.ride.walkAfter)
        journey.arriveNoEarlier(
            than: Instant(secondsSince1970: candidate.ride.reaches &- Int64(candidate.ride.walkAfter)),
            delay: departure.delay)
        return journey
    }
}

/// A pair of calls of a run, at the times that are expected.
struct RealtimeTripLeg {
    var board: Int
    var alight: Int
    var walkBefore: Int
    var walkAfter: Int
    var departure: Int64
    /// The arrival and the walk after it.
    var reaches: Int64
    /// Whether the run does not stop at one of both.
    var isSkipped: Bool

    /// Better: it stops; it gets there earlier; it leaves later; less on foot; the first call.
    static func < (left: Self, right: Self) -> Bool {
        if left.isSkipped != right.isSkipped { return right.isSkipped }
        if left.reaches != right.reaches { return left.reaches < right.reaches }
        let (leave, other) = (left.departure - Int64(left.walkBefore), right.departure - Int64(right.walkBefore))
        if leave != other { return leave > other }
        let (walk, otherWalk) = (left.walkBefore + left.walkAfter, right.walkBefore + right.walkAfter)
        return (walk, left.board, left.walkAfter, left.alight) < (otherWalk, right.board, right.walkAfter, right.alight)
    }
}
