internal import TransitModel

/// The calls of a pattern where riders can board and alight to travel between two sets of stops.
struct DirectPattern: SearchedPattern {
    struct Endpoint {
        /// Index into ``Pattern/calls``.
        var position: Int
        /// Walking time, in seconds.
        var walk: Int
    }

    let pattern: Pattern
    let tripInstances: PatternTripInstances
    /// The calls where boarding is allowed, ascending.
    let boardings: [Endpoint]
    /// The calls where alighting is allowed, ascending. The last one is later in the pattern than the first of
    /// ``boardings``.
    let alightings: [Endpoint]

    /// Returns `nil` if no trip of the pattern leads from an origin to a destination.
    init?(pattern: Pattern, origins: StopWalkTimes, destinations: StopWalkTimes) {
        var boardings: [Endpoint] = []
        var alightings: [Endpoint] = []
        for (position, call) in pattern.calls.enumerated() {
            if !boardings.isEmpty, call.dropOff != .none, let walk = destinations[call.stop] {
                alightings.append(Endpoint(position: position, walk: walk))
            }
            if call.pickup != .none, let walk = origins[call.stop] {
                boardings.append(Endpoint(position: position, walk: walk))
            }
        }
        guard let last = alightings.last else { return nil }
        boardings.removeAll { $0.position >= last.position }
        self.pattern = pattern
        tripInstances = PatternTripInstances(pattern)
        self.boardings = boardings
        self.alightings = alightings
    }

    func departures(ofTimingGroup timingGroup: Int) -> (latestLeave: Int64, earliest: Int64) {
        var (latestLeave, earliest) = (Int64.min, Int64.max)
        for board in boardings {
            let departure = Int64(pattern.departures(at: board.position)[timingGroup])
            latestLeave = max(latestLeave, departure - Int64(board.walk))
            earliest = min(earliest, departure)
        }
        return (latestLeave, earliest)
    }

    /// For each boarding call, only the best alighting call is included.
    func legs(ofTimingGroup timingGroup: Int) -> [TripLeg] {
        var legs: [TripLeg] = []
        for board in boardings {
            let departure = Int64(pattern.departures(at: board.position)[timingGroup])
            var best: TripLeg?
            for alight in alightings where alight.position > board.position {
                let arrival = Int64(pattern.times(timingGroup: timingGroup, call: alight.position).arrival)
                let leg = TripLeg(from: board, to: alight, departure: departure, arrival: arrival)
                if best.map({ leg < $0 }) ?? true { best = leg }
            }
            if let best { legs.append(best) }
        }
        return legs.count < 2 ? legs : legs.sorted()
    }

    func excludes(trip number: Int, in view: RealtimeDatasetView, _ range: Range<Int64>) -> Bool {
        boardings.allSatisfy { board in
            view.currentDeparture(ofTrip: number, at: board.position).map { departure in
                departure &- Int64(board.walk) < range.lowerBound || departure >= range.upperBound
            } ?? false
        }
    }

    func leg(of trip: ReportedTrip, in range: Range<Int64>) -> TripLeg? {
        let hasContradiction = trip.hasContradiction
        var best: TripLeg?
        for board in boardings {
            let departure = trip.times(at: board.position).departure
            guard departure &- Int64(board.walk) >= range.lowerBound, departure < range.upperBound,
                !trip.hasPassed(board.position, at: range.lowerBound)
            else { continue }
            let isSkipped = trip.isSkipped(at: board.position)
            for alight in alightings where alight.position > board.position {
                // Nobody can get off there.
                if trip.instance.isRunning, trip.isSkipped(at: alight.position) { continue }
                var arrival = max(departure, trip.times(at: alight.position).arrival)
                if hasContradiction {
                    for call in board.position..<alight.position where trip.isExpected(at: call) {
                        arrival = max(arrival, trip.times(at: call).departure)
                    }
                }
                var leg = TripLeg(from: board, to: alight, departure: departure, arrival: arrival)
                leg.isSkipped = isSkipped
                if best.map({ leg < $0 }) ?? true { best = leg }
            }
        }
        return best
    }
}

extension TripLeg {
    fileprivate init(
        from board: DirectPattern.Endpoint, to alight: DirectPattern.Endpoint, departure: Int64, arrival: Int64
    ) {
        self.init(
            board: board.position, alight: alight.position, walkBefore: board.walk, walkAfter: alight.walk,
            departure: departure, destinationArrival: arrival &+ Int64(alight.walk))
    }
}

/// The stops at one end of a direct trip with their walking times in seconds. Optimized for looking up every call of
/// many patterns.
struct StopWalkTimes {
    private let walks: [StopIndex: Int]
    /// Bit `n` is set if the index of a stop is `n` modulo 256. The bits make most dictionary lookups unnecessary.
    private var marks = SIMD4<UInt64>()

    init(_ walks: [StopIndex: Int]) {
        self.walks = walks
        for stop in walks.keys { marks[Self.word(stop)] |= Self.bit(stop) }
    }

    @inline(__always)
    subscript(stop: StopIndex) -> Int? { marks[Self.word(stop)] & Self.bit(stop) == 0 ? nil : walks[stop] }

    private static func word(_ stop: StopIndex) -> Int { Int(stop.rawValue >> 6 & 3) }
    private static func bit(_ stop: StopIndex) -> UInt64 { 1 << UInt64(stop.rawValue & 63) }
}
