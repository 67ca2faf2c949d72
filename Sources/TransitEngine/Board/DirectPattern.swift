internal import TransitModel

/// The calls of a pattern where riders can board and alight to travel between two sets of stops.
struct DirectPattern {
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

    /// Returns the legs of a timing group's trips, best first: by arrival, then the latest time to set out, the
    /// shortest walk, and the first call. For each boarding call, only the best alighting call is included.
    func legs(timingGroup: Int) -> [TripLeg] {
        let legs = boardings.compactMap { leg(from: $0, timingGroup: timingGroup) }
        if legs.count < 2 { return legs }
        return legs.sorted {
            ($0.destinationArrival, -$0.leaveBy, $0.walkBefore + $0.walkAfter, $0.board)
                < ($1.destinationArrival, -$1.leaveBy, $1.walkBefore + $1.walkAfter, $1.board)
        }
    }

    /// Returns the leg with the earliest arrival. If several legs have the same arrival, returns the one with the
    /// shortest walk.
    private func leg(from board: Endpoint, timingGroup: Int) -> TripLeg? {
        var best: TripLeg?
        for alight in alightings where alight.position > board.position {
            let destinationArrival =
                Int64(pattern.times(timingGroup: timingGroup, call: alight.position).arrival) + Int64(alight.walk)
            if let best, (best.destinationArrival, best.walkAfter) <= (destinationArrival, alight.walk) { continue }
            best = TripLeg(
                board: board.position, alight: alight.position, walkBefore: board.walk, walkAfter: alight.walk,
                departure: Int64(pattern.departures(at: board.position)[timingGroup]),
                destinationArrival: destinationArrival)
        }
        return best
    }
}

/// A pair of calls, with times in seconds from the start of the trip.
struct TripLeg {
    var board: Int
    var alight: Int
    var walkBefore: Int
    var walkAfter: Int
    var departure: Int64
    /// The arrival plus the walk after it.
    var destinationArrival: Int64

    /// The latest time to set out.
    var leaveBy: Int64 { departure - Int64(walkBefore) }
}

/// A timing group of a direct pattern, with the times that determine whether a day's trips have to be searched.
///
/// Most timing groups are skipped on most days, so the struct holds only plain numbers.
struct DirectTimingGroup {
    /// The index of the pattern.
    var directPattern: Int
    var timingGroup: Int
    /// The latest time to set out and the earliest departure among all legs, in seconds from the start of a trip.
    var latestLeave: Int64
    var earliestDeparture: Int64
    /// The range of trip starts, in seconds of service time.
    var starts: ClosedRange<Int64>

    init(_ directPattern: DirectPattern, number: Int, timingGroup: Int) {
        self.directPattern = number
        self.timingGroup = timingGroup
        starts = directPattern.tripInstances.span(ofTimingGroup: timingGroup)
        latestLeave = .min
        earliestDeparture = .max
        for board in directPattern.boardings {
            let departure = Int64(directPattern.pattern.departures(at: board.position)[timingGroup])
            latestLeave = max(latestLeave, departure - Int64(board.walk))
            earliestDeparture = min(earliestDeparture, departure)
        }
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
