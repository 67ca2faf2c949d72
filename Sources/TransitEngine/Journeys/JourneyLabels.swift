internal import TransitModel

/// The times at which a search reaches each node, as plain memory that is filled once.
final class JourneyLabels {
    /// When riders can board at a node.
    struct Boarding {
        var time: Int32
        /// The number of the record in ``JourneyLog/boardings``.
        var record: UInt32
    }

    /// The earliest vehicle of a ``VehicleSequence`` that riders have boarded, and the first call where they did.
    ///
    /// Riders who board the same vehicle or a later one at that call or after it arrive nowhere earlier.
    struct Ridden {
        var vehicle: Int32
        var position: Int32
    }

    /// For each node and number of vehicles so far, at the index `node * rounds + vehicles`: at most that many, but not 0.
    let boardings: UnsafeMutablePointer<Boarding>
    /// For each node and number of vehicles less one, the earliest arrival with at most that many.
    let arrivals: UnsafeMutablePointer<Int32>
    /// The earliest arrival at the destination with at most *k* vehicles, by *k*.
    let best: UnsafeMutablePointer<Int32>
    /// The record in ``JourneyLog/rides`` of a node that the current round has reached; `UInt32.max` for others.
    let arrivalRecords: UnsafeMutablePointer<UInt32>
    /// The nodes whose boarding time the current and the next round have improved, for even and odd rounds.
    let isMarked: (UnsafeMutablePointer<Bool>, UnsafeMutablePointer<Bool>)
    let isDestination: UnsafeMutablePointer<Bool>
    /// For each route of the current round, the first call where riders may board it or the routes that share its calls;
    /// -1 for others.
    let firstPosition: UnsafeMutablePointer<Int32>
    /// For each sequence and round. If the rounds are searched only once, they share one entry.
    private let ridden: UnsafeMutablePointer<Ridden>
    private let riddenRounds: Int
    private let rounds: Int
    private let nodes: Int
    private let sequences: Int

    /// - Parameters:
    ///   - sequences: The number of vehicle sequences.
    ///   - isWindow: Whether the rounds are searched more than once.
    ///   - limit: The arrival at the destination before which journeys are searched.
    init(nodes: Int, routes: Int, sequences: Int, rounds: Int, isWindow: Bool, limit: Int32) {
        func allocate<Value>(_ count: Int, _ value: Value) -> UnsafeMutablePointer<Value> {
            let pointer = UnsafeMutablePointer<Value>.allocate(capacity: max(1, count))
            pointer.initialize(repeating: value, count: count)
            return pointer
        }
        boardings = allocate(nodes * rounds, Boarding(time: .max, record: .max))
        arrivals = allocate(nodes * rounds, Int32.max)
        arrivalRecords = allocate(nodes, UInt32.max)
        isMarked = (allocate(nodes, false), allocate(nodes, false))
        isDestination = allocate(nodes, false)
        firstPosition = allocate(routes, Int32(-1))
        best = allocate(rounds + 1, limit)
        self.rounds = rounds
        self.nodes = nodes
        self.sequences = sequences
        riddenRounds = isWindow ? rounds : 1
        ridden = allocate(sequences * riddenRounds, Ridden(vehicle: .max, position: .max))
    }

    /// Forgets all times and vehicles, so that the search can begin again.
    func forgetTimes() {
        boardings.update(repeating: Boarding(time: .max, record: .max), count: nodes * rounds)
        arrivals.update(repeating: .max, count: nodes * rounds)
        ridden.update(repeating: Ridden(vehicle: .max, position: .max), count: sequences * riddenRounds)
    }

    /// Returns what riders have boarded with at most as many vehicles as in a round.
    @inline(__always)
    func ridden(_ sequence: Int, in round: Int) -> Ridden {
        ridden[sequence &* riddenRounds &+ (riddenRounds == 1 ? 0 : round)]
    }

    @inline(__always)
    func board(_ vehicle: Int, of sequence: Int, at position: Int, in round: Int) {
        let one = Ridden(vehicle: Int32(truncatingIfNeeded: vehicle), position: Int32(truncatingIfNeeded: position))
        for later in (riddenRounds == 1 ? 0 : round)..<riddenRounds {
            let known = ridden[sequence &* riddenRounds &+ later]
            if known.vehicle < one.vehicle || known.vehicle == one.vehicle && known.position <= one.position { return }
            ridden[sequence &* riddenRounds &+ later] = one
        }
    }

    /// The marks of the nodes from which a round starts.
    @inline(__always)
    func isMarked(in round: Int) -> UnsafeMutablePointer<Bool> { round & 1 == 0 ? isMarked.0 : isMarked.1 }

    deinit {
        boardings.deallocate()
        arrivals.deallocate()
        arrivalRecords.deallocate()
        isMarked.0.deallocate()
        isMarked.1.deallocate()
        isDestination.deallocate()
        firstPosition.deallocate()
        best.deallocate()
        ridden.deallocate()
    }
}

/// How each time of a search was reached, so that journeys can be read back. Records are only added.
struct JourneyLog {
    /// A way to the node where riders board.
    struct Boarding {
        /// The ride before the change; `UInt32.max` for a walk from the origin.
        var ride: UInt32
        var node: Int32
        /// The time of the change or of the walk.
        var seconds: Int32
        var kind: JourneyNetwork.FootpathKind
    }

    /// A ride between two calls of a vehicle.
    struct Ride {
        /// The record of the boarding or, for a continuation, of the ride before.
        var boarding: UInt32
        private var line: Int32
        private var trip: Int32
        private var day: Int16
        private var feedAndKind: UInt16
        private var boardPosition: UInt16
        private var alightPosition: UInt16

        @inline(__always)
        init(boarding: UInt32, vehicle: Vehicle, feed: Int, board: Int, alight: Int, isContinuation: Bool) {
            self.boarding = boarding
            line = Int32(truncatingIfNeeded: vehicle.line)
            trip = Int32(truncatingIfNeeded: vehicle.trip)
            day = Int16(truncatingIfNeeded: vehicle.day)
            feedAndKind =
                UInt16(truncatingIfNeeded: feed) << 2 | (vehicle.isReported ? 1 : 0) | (isContinuation ? 2 : 0)
            boardPosition = UInt16(truncatingIfNeeded: board)
            alightPosition = UInt16(truncatingIfNeeded: alight)
        }

        var vehicle: Vehicle {
            Vehicle(line: Int(line), trip: Int(trip), day: Int(day), isReported: feedAndKind & 1 != 0)
        }
        var feedIndex: Int { Int(feedAndKind >> 2) }
        var isContinuation: Bool { feedAndKind & 2 != 0 }
        var board: Int { Int(boardPosition) }
        var alight: Int { Int(alightPosition) }
    }

    private(set) var rides: [Ride] = []
    private(set) var boardings: [Boarding] = []

    @inline(__always)
    mutating func add(_ ride: Ride) -> UInt32 {
        rides.append(ride)
        return UInt32(truncatingIfNeeded: rides.count - 1)
    }

    @inline(__always)
    mutating func add(_ boarding: Boarding) -> UInt32 {
        boardings.append(boarding)
        return UInt32(truncatingIfNeeded: boardings.count - 1)
    }
}
