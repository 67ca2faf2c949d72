import TransitEngine
import TransitModel
import TransitStore

/// What the floor program for journeys reads (`Floor/journeys.c`): the connections of the 24 hours after a time, the
/// changes between stops, and questions. Times are seconds from that time.
struct JourneyFloor {
    /// A vehicle from one stop to the next.
    private struct Connection {
        var from: UInt32
        var to: UInt32
        var departure: Int32
        var arrival: Int32
        var trip: UInt32
        /// 1 if riders can board, 2 if they can alight.
        var flags: UInt32
    }

    private let base: Instant
    private let network: JourneyNetwork
    private var connections: [Connection] = []
    private var trips: UInt32 = 0
    private var questions: [JourneyQuery] = []

    private static let seconds = 86_400
    private static let never = UInt32(bitPattern: .max)

    /// - Throws: `BenchmarkError` if the changes depend on the vehicles, which the floor does not know.
    init(_ file: TimetableFile, _ context: BenchmarkContext, _ network: JourneyNetwork, at base: Instant) throws {
        guard network.nodeCount == network.stopCount else {
            throw BenchmarkError("the floor does not know transfers between single routes and trips")
        }
        self.base = base
        self.network = network
        for number in 0..<file.summary.counts.patterns { add(try file.pattern(PatternIndex(number)), context) }
        connections.sort {
            ($0.departure, $0.arrival, $0.trip) < ($1.departure, $1.arrival, $1.trip)
        }
    }

    mutating func add(_ question: JourneyQuery) { questions.append(question) }

    private mutating func add(_ pattern: Pattern, _ context: BenchmarkContext) {
        let zone = context.zone(of: pattern.route)
        let calls = Array(pattern.calls)
        for back in -2...1 {
            let date = zone.civil(at: base).date.advanced(by: back)
            let start = base.seconds(to: zone.serviceDayStart(date))
            for group in pattern.timingGroups {
                for position in group.starts.indices where context.runs(group.services[position], on: date) {
                    let repetitions = group.frequencies.filter { Int($0.trip) == position }
                    var starts = repetitions.isEmpty ? [group.starts[position]] : []
                    for row in repetitions { starts += stride(from: row.start, to: row.end, by: Int(row.headway)) }
                    for time in starts { addTrip(calls, group.times, Int32(start) + time) }
                }
            }
        }
    }

    private mutating func addTrip(_ calls: [PatternCall], _ times: [CallTimes], _ start: Int32) {
        guard let last = times.last, start + last.arrival >= 0, start + times[0].departure <= Self.seconds else {
            return
        }
        for call in calls.indices.dropLast() {
            connections.append(
                Connection(
                    from: calls[call].stop.rawValue, to: calls[call + 1].stop.rawValue,
                    departure: start + times[call].departure, arrival: start + times[call + 1].arrival, trip: trips,
                    flags: (calls[call].pickup != .none ? 1 : 0) | (calls[call + 1].dropOff != .none ? 2 : 0)))
        }
        trips += 1
    }

    // MARK: The file

    func write(to path: String) throws(BenchmarkError) {
        let changes = changes()
        var words: [UInt32] = [
            UInt32(network.stopCount), UInt32(connections.count), trips, UInt32(changes.targets.count / 2),
            UInt32(questions.count),
        ]
        words.reserveCapacity(connections.count * 6 + changes.targets.count + 1_000_000)
        for one in connections {
            words += [
                one.from, one.to, UInt32(bitPattern: one.departure), UInt32(bitPattern: one.arrival), one.trip,
                one.flags,
            ]
        }
        words += changes.offsets + changes.targets + changes.here
        for question in questions {
            words += [
                UInt32(base.seconds(to: question.earliest)), UInt32(question.origins.count),
                UInt32(question.destinations.count),
            ]
            for end in question.origins + question.destinations { words += [end.stop.rawValue, UInt32(end.walk)] }
        }
        try Files.write(words.withUnsafeBytes { Array($0) }, to: path)
    }

    /// The first change of each stop; the target and the seconds of each change; and the seconds of a change at each stop.
    private func changes() -> (offsets: [UInt32], targets: [UInt32], here: [UInt32]) {
        var (offsets, targets, here): ([UInt32], [UInt32], [UInt32]) = ([], [], [])
        for stop in 0..<network.stopCount {
            offsets.append(UInt32(targets.count / 2))
            here.append(0)
            let node = network.nodes(of: stop).lowerBound
            for number in network.footpaths(of: node) {
                let footpath = network.footpaths[number]
                let seconds =
                    switch footpath.kind {
                    case .walk: UInt32(WalkingSpeed.usual.seconds(meters: Double(footpath.value)))
                    case .stated, .timed: footpath.value
                    case .notPossible: Self.never
                    }
                let target = network.stopsOfNodes[footpath.node]
                if Int(target) == stop { here[stop] = seconds } else { targets += [target, seconds] }
            }
        }
        offsets.append(UInt32(targets.count / 2))
        return (offsets, targets, here)
    }
}
