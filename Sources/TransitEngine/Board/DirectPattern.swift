internal import TransitModel

/// Where along a pattern one may board and alight to get from one set of stops to another.
struct DirectPattern {
    struct End {
        /// Position in ``Pattern/calls``.
        var position: Int
        /// Seconds on foot.
        var walk: Int
    }

    let pattern: Pattern
    let runs: PatternTripInstances
    /// Where boarding is allowed, ascending.
    let boardings: [End]
    /// Where alighting is allowed, ascending; the last lies after the first of ``boardings``.
    let alightings: [End]

    /// `nil` when no trip of the pattern leads from an origin to a destination.
    init?(pattern: Pattern, origins: StopWalkTimes, destinations: StopWalkTimes) {
        var boardings: [End] = []
        var alightings: [End] = []
        for (position, call) in pattern.calls.enumerated() {
            if !boardings.isEmpty, call.dropOff != .none, let walk = destinations[call.stop] {
                alightings.append(End(position: position, walk: walk))
            }
            if call.pickup != .none, let walk = origins[call.stop] {
                boardings.append(End(position: position, walk: walk))
            }
        }
        guard let last = alightings.last else { return nil }
        boardings.removeAll { $0.position >= last.position }
        self.pattern = pattern
        runs = PatternTripInstances(pattern)
        self.boardings = boardings
        self.alightings = alightings
    }

    /// What a lane's trips offer, best first: by arrival, then latest leaving, then shortest walk, then the first call.
    /// For each place to board there is the best place to alight.
    func rides(timingGroup: Int) -> [TripLeg] {
        let rides = boardings.compactMap { ride(from: $0, timingGroup: timingGroup) }
        if rides.count < 2 { return rides }
        return rides.sorted {
            ($0.reaches, -$0.leave, $0.walkBefore + $0.walkAfter, $0.board)
                < ($1.reaches, -$1.leave, $1.walkBefore + $1.walkAfter, $1.board)
        }
    }

    /// The first of those that arrive earliest, the shortest walk preferred.
    private func ride(from board: End, timingGroup: Int) -> TripLeg? {
        var best: TripLeg?
        for alight in alightings where alight.position > board.position {
            let reaches =
                Int64(pattern.times(timingGroup: timingGroup, call: alight.position).arrival) + Int64(alight.walk)
            if let best, (best.reaches, best.walkAfter) <= (reaches, alight.walk) { continue }
            best = TripLeg(
                board: board.position, alight: alight.position, walkBefore: board.walk, walkAfter: alight.walk,
                departure: Int64(pattern.departures(at: board.position)[timingGroup]), reaches: reaches)
        }
        return best
    }
}

/// A pair of calls, with its times in seconds from the trip's start.
struct TripLeg {
    var board: Int
    var alight: Int
    var walkBefore: Int
    var walkAfter: Int
    var departure: Int64
    /// The arrival and the walk after it.
    var reaches: Int64

    /// When one must set out.
    var leave: Int64 { departure - Int64(walkBefore) }
}

/// A lane of a way: what decides whether a day needs a look at its trips.
///
/// Most lanes are passed over on most days, so these are plain numbers.
struct DirectTimingGroup {
    /// Position of the way.
    var way: Int
    var timingGroup: Int
    /// The latest that any ride lets one set out, and the earliest that any leaves; seconds from a trip's start.
    var latestLeave: Int64
    var earliestDeparture: Int64
    /// Between which seconds of service time trips start.
    var starts: ClosedRange<Int64>

    init(_ way: DirectPattern, number: Int, timingGroup: Int) {
        self.way = number
        self.timingGroup = timingGroup
        starts = way.runs.span(ofTimingGroup: timingGroup)
        latestLeave = .min
        earliestDeparture = .max
        for board in way.boardings {
            let departure = Int64(way.pattern.departures(at: board.position)[timingGroup])
            latestLeave = max(latestLeave, departure - Int64(board.walk))
            earliestDeparture = min(earliestDeparture, departure)
        }
    }
}
