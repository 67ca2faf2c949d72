internal import TransitModel

/// Where along a pattern one may board and alight to get from one set of stops to another.
struct PatternWay {
    struct End {
        /// Position in ``Pattern/calls``.
        var position: Int
        /// Seconds on foot.
        var walk: Int
    }

    let pattern: Pattern
    /// Where boarding is allowed, ascending.
    let boardings: [End]
    /// Where alighting is allowed, ascending; the last lies after the first of ``boardings``.
    let alightings: [End]

    /// `nil` when no trip of the pattern leads from an origin to a destination.
    init?(pattern: Pattern, origins: [StopIndex: Int], destinations: [StopIndex: Int]) {
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
        self.pattern = pattern
        self.boardings = boardings.filter { $0.position < last.position }
        self.alightings = alightings
    }

    var laneWays: [LaneWay] { pattern.lanes.indices.map { LaneWay(way: self, lane: $0) } }
}

/// A pair of calls, with its times in seconds from the trip's start.
struct Ride {
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

/// The rides that a lane's trips offer: for each place to board, the best place to alight.
struct LaneWay {
    let pattern: Pattern
    let position: Int
    let lane: Lane
    /// Best first: by arrival, then latest leaving, then shortest walk, then the first call.
    let rides: [Ride]
    /// The latest that any of them lets one set out, and the earliest that any leaves; seconds from the trip's start.
    let latestLeave: Int64
    let earliestDeparture: Int64

    init(way: PatternWay, lane position: Int) {
        pattern = way.pattern
        self.position = position
        let lane = way.pattern.lanes[position]
        self.lane = lane
        let rides = way.boardings.compactMap { Self.ride(from: $0, way: way, times: lane.times) }
        self.rides = rides.sorted {
            ($0.reaches, -$0.leave, $0.walkBefore + $0.walkAfter, $0.board)
                < ($1.reaches, -$1.leave, $1.walkBefore + $1.walkAfter, $1.board)
        }
        latestLeave = rides.lazy.map(\.leave).max() ?? 0
        earliestDeparture = rides.lazy.map(\.departure).min() ?? 0
    }

    /// The best ride for someone who sets out at `at`, of a trip that starts at `start`.
    func best(start: Int64, at: Int64) -> Ride? { rides.first { start + $0.leave >= at } }

    /// The first of those that arrive earliest, the shortest walk preferred.
    private static func ride(from board: PatternWay.End, way: PatternWay, times: [CallTimes]) -> Ride? {
        let alight = way.alightings.lazy.filter { $0.position > board.position }.min {
            (Int(times[$0.position].arrival) + $0.walk, $0.walk) < (Int(times[$1.position].arrival) + $1.walk, $1.walk)
        }
        guard let alight else { return nil }
        return Ride(
            board: board.position, alight: alight.position, walkBefore: board.walk, walkAfter: alight.walk,
            departure: Int64(times[board.position].departure),
            reaches: Int64(times[alight.position].arrival) + Int64(alight.walk))
    }
}
