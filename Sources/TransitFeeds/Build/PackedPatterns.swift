package import TransitModel

/// A row of frequencies for a trip of the timetable.
struct PackedFrequency: Sendable {
    var trip: UInt32
    var start: Int32
    var end: Int32
    var headway: Int32
    var isExact: Bool

    init(_ row: SourceFrequency, trip: UInt32) {
        self.trip = trip
        start = row.start.seconds
        end = row.end.seconds
        headway = row.headway
        isExact = row.isExact
    }
}

/// The patterns of a ``TimetableBuilder``, unpacked from its arenas one at a time.
package struct PackedPatterns: PatternSource {
    let calls: TextColumn
    let profiles: TextColumn
    let order: [LanePlan.PlannedPattern]
    let lanes: [PackedLane]
    /// By trip.
    let starts: [Int32]
    let services: [ServiceIndex]
    /// Ascending by trip and start.
    let frequencies: [PackedFrequency]

    package var count: Int { order.count }

    package func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure) {
        var firstLane = 0
        var frequency = 0
        for (position, planned) in order.enumerated() {
            let unpacked = lanes[firstLane..<Int(planned.lanesEnd)].map { unpack($0, frequency: &frequency) }
            firstLane = Int(planned.lanesEnd)
            let pattern = calls.withBytes(Int(planned.number)) { CallPacking.unpack($0) }
            try body(
                Pattern(
                    index: PatternIndex(position), route: pattern.route, direction: pattern.direction,
                    calls: pattern.calls, lanes: unpacked))
        }
    }

    private func unpack(_ lane: PackedLane, frequency: inout Int) -> Lane {
        let trips = Int(lane.firstTrip)..<Int(lane.firstTrip + lane.count)
        var repeated: [Frequency] = []
        while frequency < frequencies.count, Int(frequencies[frequency].trip) < trips.upperBound {
            let row = frequencies[frequency]
            repeated.append(
                Frequency(
                    trip: row.trip - lane.firstTrip, start: row.start, end: row.end, headway: row.headway,
                    isExact: row.isExact))
            frequency += 1
        }
        return Lane(
            times: profiles.withBytes(Int(lane.profile)) { ProfilePacking.unpack($0) },
            firstTrip: TripIndex(lane.firstTrip), starts: Array(starts[trips]), services: Array(services[trips]),
            frequencies: repeated)
    }
}

extension TextColumn {
    fileprivate func withBytes<Result>(_ position: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let range = range(position)
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
