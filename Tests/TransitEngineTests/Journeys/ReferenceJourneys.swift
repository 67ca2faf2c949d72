internal import TransitEngine
internal import TransitModel

/// A plain implementation of the search for journeys. It enumerates all trip instances and all pairs of an arrival and a
/// departure between which riders can change, and shares no code with the search.
struct ReferenceJourneys {
    struct Result: Hashable, Comparable, CustomStringConvertible {
        var leave: Int64
        var arrival: Int64
        var vehicles: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.leave, left.arrival, left.vehicles) < (right.leave, right.arrival, right.vehicles)
        }

        var description: String {
            "\(Instant(secondsSince1970: leave).rfc3339())>\(Instant(secondsSince1970: arrival).rfc3339()) \(vehicles)"
        }
    }

    /// A trip instance with absolute times.
    struct Run {
        struct Call {
            var stop: Int
            var arrival: Int64
            var departure: Int64
            var canBoard: Bool
            var canAlight: Bool
            /// Whether riders can stay for what follows after the last call.
            var canStay: Bool
        }

        /// The position among the runs of the board.
        var number: Int
        var trip: TripIndex
        var route: RouteIndex
        var date: ServiceDate
        var isRepeated = false
        /// The scheduled departure from the first and arrival at the last call.
        var start: Int64
        var end: Int64
        var calls: [Call]
    }

    /// A trip instance as the timetable has it, whether or not it runs.
    struct PlannedRun {
        var trip: TripIndex
        var date: ServiceDate
        var service: ServiceIndex
        var start: Int64
        var end: Int64
        var firstStop: Int
        var lastStop: Int
    }

    var input: JourneyNetworkInput
    var runs: [Run]
    /// The trip instances of blocks, in the order of their starts and ends.
    var blockRuns: [PlannedRun] = []

    /// The changes between stops of different feeds, if there are several, in seconds by both stops.
    var betweenFeeds: [[Int]: Int] = [:]
    /// The number of the first stop of the second feed.
    var firstOtherStop = Int.max

    /// - Parameters:
    ///   - board: All trip instances on all relevant dates.
    ///   - expected: Returns a call as a board shows it; `nil` for a trip that a board does not show.
    init(
        _ input: JourneyNetworkInput, _ board: ReferenceBoard,
        expected: (ReferenceBoard.Call) -> ExpectedCall? = { ExpectedCall(scheduled: $0.scheduledCall) }
    ) {
        self.input = input
        blockRuns = board.runs.compactMap { run in
            let (first, last) = (run.calls[0], run.calls[run.calls.count - 1])
            guard !input.blocks.isEmpty, input.blocks[run.trip.position] != nil, first.frequency == nil else {
                return nil
            }
            return PlannedRun(
                trip: run.trip, date: first.date,
                service: first.pattern.timingGroups[first.timingGroup].services[first.trip],
                start: first.departure.secondsSince1970, end: last.arrival.secondsSince1970,
                firstStop: first.pattern.calls[0].stop.position,
                lastStop: last.pattern.calls[last.position].stop.position)
        }
        blockRuns.sort { ($0.start, $0.end, $0.trip) < ($1.start, $1.end, $1.trip) }
        runs = board.runs.enumerated().compactMap { number, run in
            var latest = Int64.min
            var calls: [Run.Call] = []
            for (position, call) in run.calls.enumerated() {
                guard let shown = expected(call), shown.status != .canceled else { return nil }
                let planned = call.pattern.calls[call.position]
                let isSkipped = shown.status == .skipped
                let departure = shown.departure.secondsSince1970
                calls.append(
                    Run.Call(
                        stop: planned.stop.position, arrival: max(latest, shown.arrival.secondsSince1970),
                        departure: departure,
                        canBoard: planned.pickup != .none && position + 1 < run.calls.count && !isSkipped
                            && !shown.endsHere,
                        canAlight: planned.dropOff != .none && position > 0 && !isSkipped,
                        canStay: !isSkipped))
                if shown.expectedDeparture != nil, !isSkipped { latest = max(latest, departure) }
            }
            return Run(
                number: number, trip: run.trip, route: run.calls[0].pattern.route, date: run.calls[0].date,
                isRepeated: run.calls[0].frequency != nil, start: run.calls[0].departure.secondsSince1970,
                end: run.calls[run.calls.count - 1].arrival.secondsSince1970, calls: calls)
        }
    }

    /// Adds a second feed. Its stops, trips and routes are numbered after those of the first.
    mutating func append(_ other: ReferenceJourneys) {
        let (stops, trips, routes) = (input.stops.count, 10_000, 100)
        firstOtherStop = stops
        func stop(_ index: StopIndex?) -> StopIndex? { index.map { StopIndex($0.position + stops) } }
        input.stops += other.input.stops.map { .init(parent: stop($0.parent), coordinate: $0.coordinate) }
        for entry in other.input.transfers {
            var moved = entry
            moved.transfer.fromStop = stop(entry.transfer.fromStop)
            moved.transfer.toStop = stop(entry.transfer.toStop)
            moved.transfer.fromRoute = entry.transfer.fromRoute.map { RouteIndex($0.position + routes) }
            moved.transfer.toRoute = entry.transfer.toRoute.map { RouteIndex($0.position + routes) }
            moved.fromTrip = entry.fromTrip.map { TripIndex($0.position + trips) }
            moved.toTrip = entry.toTrip.map { TripIndex($0.position + trips) }
            input.transfers.append(moved)
        }
        // Blocks are numbered within a feed.
        if !input.blocks.isEmpty || !other.input.blocks.isEmpty {
            input.blocks += Array(repeating: nil, count: trips - input.blocks.count)
            input.blocks += other.input.blocks.map { $0.map { TextIndex($0.position + 1000) } }
            input.blocks += Array(repeating: nil, count: trips)
        }
        blockRuns += other.blockRuns.map { run in
            var moved = run
            moved.trip = TripIndex(run.trip.position + trips)
            moved.firstStop += stops
            moved.lastStop += stops
            return moved
        }
        runs += other.runs.map { run in
            var moved = run
            moved.trip = TripIndex(run.trip.position + trips)
            moved.route = RouteIndex(run.route.position + routes)
            moved.calls = run.calls.map { call in
                var call = call
                call.stop += stops
                return call
            }
            return moved
        }
    }

    // MARK: Changes

    /// Returns the seconds that riders need to change from one trip to another; `nil` if they cannot.
    func changeTime(_ from: (run: Run, stop: Int), _ to: (run: Run, stop: Int)) -> Int64? {
        if (from.stop < firstOtherStop) != (to.stop < firstOtherStop) {
            return betweenFeeds[[from.stop, to.stop]].map { Int64($0) }
        }
        let levels = { (stop: Int) -> [Int] in
            [stop] + (input.stops[stop].parent.map { [$0.position] } ?? [])
        }
        var best: (rank: [Int], transfer: Transfer)?
        for (row, entry) in input.transfers.enumerated() {
            let transfer = entry.transfer
            guard [.recommended, .timed, .minimumTime, .notPossible].contains(transfer.kind),
                (0...14_400).contains(transfer.minimumTime ?? 0), let fromStop = transfer.fromStop,
                let toStop = transfer.toStop,
                let fromLevel = levels(from.stop).firstIndex(of: fromStop.position),
                let toLevel = levels(to.stop).firstIndex(of: toStop.position)
            else { continue }
            if let trip = entry.fromTrip, trip != from.run.trip { continue }
            if let trip = entry.toTrip, trip != to.run.trip { continue }
            if let route = transfer.fromRoute, entry.fromTrip == nil, route != from.run.route { continue }
            if let route = transfer.toRoute, entry.toTrip == nil, route != to.run.route { continue }
            let trips = [entry.fromTrip, entry.toTrip].count { $0 != nil }
            let routes =
                (entry.fromTrip == nil && transfer.fromRoute != nil ? 1 : 0)
                + (entry.toTrip == nil && transfer.toRoute != nil ? 1 : 0)
            let rank = [-trips, -routes, fromLevel + toLevel, row]
            if best.map({ rank.lexicographicallyPrecedes($0.rank) }) ?? true { best = (rank, transfer) }
        }
        switch best?.transfer.kind {
        case .notPossible: return nil
        case .timed: return 0
        case .minimumTime where best?.transfer.minimumTime != nil: return Int64(best?.transfer.minimumTime ?? 0)
        default: break
        }
        if from.stop == to.stop { return 0 }
        let (one, other) = (input.stops[from.stop], input.stops[to.stop])
        guard let here = one.coordinate, let there = other.coordinate else {
            let isSameStation = one.parent != nil && one.parent == other.parent
            return isSameStation || best != nil ? 120 : nil
        }
        let meters = here.distance(to: there)
        guard best != nil || meters <= input.walkingDistance || (one.parent != nil && one.parent == other.parent) else {
            return nil
        }
        return Int64((meters.rounded(.up) * WalkingSpeed.detour / WalkingSpeed.usual.metersPerSecond).rounded(.up))
    }

    // MARK: Search

    /// A call where riders board, or where they alight.
    private struct Event {
        var run: Int
        var position: Int
        /// The seconds by which the run is late because the one before, in the same vehicle, ends after it begins.
        var delay: Int64 = 0
    }

    func journeys(
        from origins: [Int: Int], to destinations: [Int: Int], earliest: Int64, latest: Int64, limit: Int64,
        vehicles: Int
    ) -> [Result] {
        best(boarding: nil, to: destinations, earliest, limit, vehicles) { call in
            guard let walk = origins[call.stop] else { return nil }
            let leave = call.departure - Int64(walk)
            return (earliest...latest).contains(leave) ? leave : nil
        }
    }

    /// Returns the best journeys of riders who are on board of a run from a call on.
    func journeys(
        onBoardOf run: Run, from position: Int, to destinations: [Int: Int], earliest: Int64, limit: Int64,
        vehicles: Int
    ) -> [Result] {
        best(boarding: (run, position), to: destinations, earliest, limit, vehicles) { _ in nil }
    }

    /// - Parameters:
    ///   - ridden: The run that riders are on board of, and the call; `nil` for riders who set out from an origin.
    ///   - leave: Returns when riders set out for a boarding; `nil` for one that does not begin a journey.
    private func best(
        boarding ridden: (run: Run, position: Int)?, to destinations: [Int: Int], _ earliest: Int64, _ limit: Int64,
        _ vehicles: Int, _ leave: (Run.Call) -> Int64?
    ) -> [Result] {
        // The vehicle of riders who are on board may have been several of the runs of its date.
        var runs = runs.filter { run in
            run.date == ridden?.run.date || run.calls.contains { $0.departure >= earliest && $0.departure <= limit }
        }
        var boardings: [Event] = []
        for (number, run) in runs.enumerated() {
            for position in run.calls.indices where run.calls[position].canBoard {
                if (earliest...limit).contains(run.calls[position].departure) {
                    boardings.append(Event(run: number, position: position))
                }
            }
        }
        boardings.sort { departure($0, runs) < departure($1, runs) }
        // The ridden run is one more, which nobody boards.
        if let ridden {
            boardings.append(Event(run: runs.count, position: ridden.position))
            runs.append(ridden.run)
        }
        let continuations = runs.indices.map { nextRuns(of: runs[$0], in: runs) }
        // For each boarding, the earliest arrival at a destination with at most k vehicles.
        var best = [Int64](repeating: .max, count: boardings.count)
        var found: Set<Result> = []
        var changes: [[Int]: Int64?] = [:]
        for round in 1...vehicles {
            var next = best
            for (number, boarding) in boardings.enumerated() {
                for alighting in alightings(boarding, runs, continuations) {
                    let run = runs[alighting.run]
                    var call = run.calls[alighting.position]
                    call.arrival += alighting.delay
                    // The vehicle of riders who are on board has passed some calls.
                    if call.arrival < earliest { continue }
                    if let walk = destinations[call.stop], call.arrival + Int64(walk) <= limit {
                        next[number] = min(next[number], call.arrival + Int64(walk))
                    }
                    if round == 1 { continue }
                    for (other, onward) in boardings.enumerated().dropLast(ridden == nil ? 0 : 1).reversed() {
                        let to = runs[onward.run]
                        if departure(onward, runs) < call.arrival { break }
                        guard best[other] < next[number] else { continue }
                        let key = [
                            run.trip.position, run.route.position, call.stop, to.trip.position, to.route.position,
                            to.calls[onward.position].stop,
                        ]
                        if changes[key] == nil {
                            changes[key] = changeTime((run, call.stop), (to, to.calls[onward.position].stop))
                        }
                        guard let change = changes[key] ?? nil else { continue }
                        if call.arrival + change <= departure(onward, runs) { next[number] = best[other] }
                    }
                }
            }
            best = next
            for (number, boarding) in boardings.enumerated() {
                let call = runs[boarding.run].calls[boarding.position]
                let isRidden = ridden != nil && number == boardings.count - 1
                guard best[number] != .max, let leave = isRidden ? call.departure : leave(call) else { continue }
                found.insert(Result(leave: leave, arrival: best[number], vehicles: round))
            }
        }
        return found.filter { one in
            !found.contains { other in
                other != one && other.leave >= one.leave && other.arrival <= one.arrival
                    && other.vehicles <= one.vehicles
            }
        }.sorted()
    }

    private func departure(_ event: Event, _ runs: [Run]) -> Int64 { runs[event.run].calls[event.position].departure }

    private func alightings(_ boarding: Event, _ runs: [Run], _ continuations: [[Int]]) -> [Event] {
        var found: [Event] = []
        var vehicles = [boarding]
        while let vehicle = vehicles.popLast() {
            let (run, position) = (vehicle.run, vehicle.position)
            for later in runs[run].calls.indices where later > position && runs[run].calls[later].canAlight {
                found.append(Event(run: run, position: later, delay: vehicle.delay))
            }
            guard let end = runs[run].calls.last, end.canStay else { continue }
            for next in continuations[run] {
                let delay = max(0, end.arrival + vehicle.delay - runs[next].calls[0].departure)
                vehicles.append(Event(run: next, position: 0, delay: delay))
            }
        }
        return found
    }

    /// The runs as which a run continues: those that transfers.txt names, otherwise those of the block that begin where
    /// it ends within an hour, up to the first one with the same service.
    private func nextRuns(of run: Run, in runs: [Run]) -> [Int] {
        if run.isRepeated { return [] }
        let rules = input.transfers.filter { $0.fromTrip == run.trip && $0.toTrip != nil }
        let named = rules.filter { $0.transfer.kind == .inSeat }.compactMap(\.toTrip)
        let forbidden = rules.filter { $0.transfer.kind == .inSeatNotAllowed }.compactMap(\.toTrip)
        let following = blockRuns(after: run).filter { !forbidden.contains($0) }
        return runs.indices.filter { number in
            let other = runs[number]
            guard other.date == run.date, other.trip != run.trip, !other.isRepeated, other.start >= run.end else {
                return false
            }
            return named.contains(other.trip) || named.isEmpty && following.contains(other.trip)
        }
    }

    /// The trips of the block that can follow a run. The vehicle serves the next one with the same service, so that it
    /// serves none after it.
    private func blockRuns(after run: Run) -> [TripIndex] {
        guard !input.blocks.isEmpty, let block = input.blocks[run.trip.position],
            let planned = blockRuns.first(where: { $0.trip == run.trip && $0.date == run.date })
        else { return [] }
        let candidates = blockRuns.filter { other in
            other.date == run.date && other.trip != run.trip && input.blocks[other.trip.position] == block
                && (run.end...run.end + 3600).contains(other.start) && isSamePlace(planned.lastStop, other.firstStop)
        }
        guard let next = candidates.first(where: { $0.service == planned.service }) else {
            return candidates.map(\.trip)
        }
        return candidates.filter { $0.start < next.start }.map(\.trip) + [next.trip]
    }

    private func isSamePlace(_ one: Int, _ other: Int) -> Bool {
        if one == other { return true }
        let stops = input.stops
        if let parent = stops[one].parent, parent == stops[other].parent { return true }
        guard let here = stops[one].coordinate, let there = stops[other].coordinate else { return false }
        return here.distance(to: there) <= 500
    }
}

extension ReferenceBoard.Call {
    var scheduledCall: ScheduledCall {
        ScheduledCall(
            pattern: pattern, timingGroup: timingGroup, tripPosition: trip, serviceDate: date, position: position,
            start: departure.advanced(by: -Int(pattern.times(timingGroup: timingGroup, call: position).departure)),
            frequency: frequency.map { (start, pattern.frequencies(ofTimingGroup: timingGroup)[$0]) })
    }
}
