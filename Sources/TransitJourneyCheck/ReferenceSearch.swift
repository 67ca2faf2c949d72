internal import TransitModel

/// The journeys from all boardings to one destination, by the number of vehicles. Each round goes through all calls of all
/// vehicles, from the last to the first.
struct ReferenceSearch {
    /// A journey as it is compared.
    struct Result: Hashable, Comparable {
        var leave: Int64
        var arrival: Int64
        var vehicles: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.leave, left.arrival, left.vehicles) < (right.leave, right.arrival, right.vehicles)
        }
    }

    /// The end of a journey: a stop of a feed with the walk in seconds.
    struct End: Hashable {
        var feed: Int
        var stop: Int
        var walk: Int
    }

    private let timetable: ReferenceTimetable
    /// For each number of vehicles less one and each boarding, the earliest arrival at the destination.
    private var arrivals: [[Int32]] = []
    /// The walk from each place to the destination.
    private var walks: [Int32]
    /// The earliest arrival of riders in each vehicle from its first call on, in the current round.
    private var fromStart: [Int32?] = []
    /// The earliest arrival after a boarding at its place at that time or later, with the vehicles of the last round.
    private var last: [Int32]

    private static let never = Int32.max
    /// A limit of the recursion, which no timetable of a day reaches.
    private static let longestChain = 2000

    init(_ timetable: ReferenceTimetable, to destinations: [End], vehicles: Int) {
        self.timetable = timetable
        walks = [Int32](repeating: Self.never, count: timetable.places.count)
        for end in destinations {
            for place in timetable.placesOfStops[end.feed][end.stop] ?? [] {
                walks[place] = min(walks[place], Int32(end.walk))
            }
        }
        last = [Int32](repeating: Self.never, count: timetable.departures.count)
        for _ in 0..<vehicles { addRound() }
    }

    private mutating func addRound() {
        fromStart = [Int32?](repeating: nil, count: timetable.runs.count)
        var round = [Int32](repeating: Self.never, count: timetable.departures.count)
        for run in timetable.runs.indices {
            var best = stayingAfterEnd(of: run, delay: 0, 0)
            let calls = timetable.runs[run].firstCall..<timetable.runs[run].endCall
            for number in calls.reversed() {
                let call = timetable.calls[number]
                if call.boarding >= 0 { round[call.boarding] = best }
                if call.canAlight, number > calls.lowerBound { best = min(best, alighting(call, delay: 0)) }
            }
        }
        if let previous = arrivals.last {
            for boarding in round.indices { round[boarding] = min(round[boarding], previous[boarding]) }
        }
        arrivals.append(round)
        for boardings in timetable.boardingsOfPlaces {
            var best = Self.never
            for boarding in boardings.reversed() {
                best = min(best, round[boarding])
                last[boarding] = best
            }
        }
    }

    /// The earliest arrival of riders who alight at a call.
    private func alighting(_ call: ReferenceTimetable.Call, delay: Int32) -> Int32 {
        var best = Self.never
        let walk = walks[call.place]
        if walk != Self.never { best = call.arrival &+ delay &+ walk }
        if delay == 0 {
            for change in call.changes { best = min(best, last[Int(timetable.changes[change])]) }
            return best
        }
        for link in timetable.links[call.place] {
            let boarding = timetable.boarding(at: link.place, from: call.arrival &+ delay &+ link.seconds)
            if boarding < timetable.boardingsOfPlaces[link.place].upperBound { best = min(best, last[boarding]) }
        }
        return best
    }

    /// The earliest arrival of riders who stay in a vehicle after its last call.
    ///
    /// - Parameter delay: The seconds by which the vehicle is later than its own times.
    private mutating func stayingAfterEnd(of run: Int, delay: Int32, _ depth: Int) -> Int32 {
        let one = timetable.runs[run]
        guard one.canStay, depth < Self.longestChain else { return Self.never }
        var best = Self.never
        let end = timetable.calls[one.endCall - 1].arrival &+ delay
        for next in one.next {
            let start = timetable.calls[timetable.runs[next].firstCall].departure
            best = min(best, ridingFromStart(of: next, delay: max(0, end &- start), depth + 1))
        }
        return best
    }

    private mutating func ridingFromStart(of run: Int, delay: Int32, _ depth: Int) -> Int32 {
        if delay == 0 {
            if let known = fromStart[run] { return known }
            // Trips without a duration could continue as each other.
            fromStart[run] = Self.never
        }
        var best = stayingAfterEnd(of: run, delay: delay, depth)
        let one = timetable.runs[run]
        for number in (one.firstCall + 1)..<one.endCall where timetable.calls[number].canAlight {
            best = min(best, alighting(timetable.calls[number], delay: delay))
        }
        if delay == 0 { fromStart[run] = best }
        return best
    }

    // MARK: Results

    /// Returns the journeys of riders who set out in a range of times and arrive by a time, in seconds since 1970.
    func journeys(from origins: [End], leaving: ClosedRange<Int64>, by limit: Int64) -> [Result] {
        var found: Set<Result> = []
        for origin in shortest(origins) {
            for place in timetable.placesOfStops[origin.feed][origin.stop] ?? [] {
                for boarding in timetable.boardingsOfPlaces[place] {
                    let leave = timetable.base + Int64(timetable.departures[boarding]) - Int64(origin.walk)
                    guard leaving.contains(leave) else { continue }
                    for (round, arrivals) in arrivals.enumerated() where arrivals[boarding] != Self.never {
                        let arrival = timetable.base + Int64(arrivals[boarding])
                        if arrival <= limit {
                            found.insert(Result(leave: leave, arrival: arrival, vehicles: round + 1))
                        }
                    }
                }
            }
        }
        return Self.best(found)
    }

    private func shortest(_ origins: [End]) -> [End] {
        Dictionary(grouping: origins) { [$0.feed, $0.stop] }.compactMap { $0.value.min { $0.walk < $1.walk } }
    }

    /// Returns the journeys that no other one equals or exceeds in everything.
    static func best(_ found: Set<Result>) -> [Result] {
        let order = found.sorted {
            ($0.vehicles, $0.arrival, -$0.leave) < ($1.vehicles, $1.arrival, -$1.leave)
        }
        var best: [Result] = []
        for one in order {
            let isExceeded = best.contains { $0.leave >= one.leave && $0.arrival <= one.arrival }
            if !isExceeded { best.append(one) }
        }
        return best.sorted()
    }

    /// Returns the earliest arrivals by the number of vehicles of riders who set out at a time or later.
    func arrivals(from origins: [End], leaving earliest: Int64, by limit: Int64) -> [Result] {
        let all = journeys(from: origins, leaving: earliest...limit, by: limit)
        var found: [Result] = []
        for vehicles in 1...arrivals.count {
            guard let first = all.filter({ $0.vehicles <= vehicles }).map(\.arrival).min() else { continue }
            if found.last.map({ $0.arrival > first }) ?? true {
                found.append(Result(leave: earliest, arrival: first, vehicles: vehicles))
            }
        }
        return found
    }
}

// MARK: - Descriptions

extension ReferenceSearch {
    /// Where riders board and alight: positions among the calls of the timetable.
    struct Ride {
        var board: Int
        var alight: Int
    }

    /// Returns one way to make a journey of a result, for the message about a difference.
    func rides(of result: Result, from origins: [End]) -> [Ride] {
        let arrival = Int32(clamping: result.arrival - timetable.base)
        for origin in origins {
            for place in timetable.placesOfStops[origin.feed][origin.stop] ?? [] {
                for boarding in timetable.boardingsOfPlaces[place]
                where timetable.base + Int64(timetable.departures[boarding]) - Int64(origin.walk) == result.leave
                    && arrivals[result.vehicles - 1][boarding] == arrival
                {
                    return rides(from: boarding, vehicles: result.vehicles, arrival)
                }
            }
        }
        return []
    }

    private func rides(from boarding: Int, vehicles: Int, _ arrival: Int32) -> [Ride] {
        let board = timetable.callsOfBoardings[boarding]
        guard let first = timetable.runs.firstIndex(where: { $0.firstCall <= board && board < $0.endCall }) else {
            return []
        }
        var stays: [(run: Int, from: Int, delay: Int32)] = [(first, board + 1, 0)]
        while let stay = stays.popLast() {
            let run = timetable.runs[stay.run]
            for number in stay.from..<run.endCall where timetable.calls[number].canAlight {
                let call = timetable.calls[number]
                let walk = walks[call.place]
                if walk != Self.never, call.arrival &+ stay.delay &+ walk == arrival {
                    return [Ride(board: board, alight: number)]
                }
                guard vehicles > 1 else { continue }
                for link in timetable.links[call.place] {
                    let first = timetable.boarding(at: link.place, from: call.arrival &+ stay.delay &+ link.seconds)
                    for next in first..<timetable.boardingsOfPlaces[link.place].upperBound
                    where arrivals[vehicles - 2][next] == arrival {
                        return [Ride(board: board, alight: number)]
                            + rides(from: next, vehicles: vehicles - 1, arrival)
                    }
                }
            }
            guard run.canStay, stays.count < Self.longestChain else { continue }
            let end = timetable.calls[run.endCall - 1].arrival &+ stay.delay
            for next in run.next {
                let start = timetable.runs[next].firstCall
                stays.append((next, start + 1, max(0, end &- timetable.calls[start].departure)))
            }
        }
        return []
    }
}
