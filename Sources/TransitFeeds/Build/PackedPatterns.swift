package import TransitModel

/// A row of frequencies.txt whose trip is numbered in timetable order.
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

/// The patterns of a ``TimetableBuilder``, which are unpacked one at a time.
package struct PackedPatterns: PatternSource {
    let calls: TextColumn
    let profiles: TextColumn
    let order: [TimingGroupOrder.PlannedPattern]
    let timingGroups: [PackedTimingGroup]
    /// The start of each trip in seconds of service time, by trip.
    let starts: [Int32]
    /// The service of each trip, by trip.
    let services: [ServiceIndex]
    /// The frequencies, ascending by trip and start.
    let frequencies: [PackedFrequency]

    package var count: Int { order.count }

    package func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure) {
        var firstTimingGroup = 0
        var frequency = 0
        for (position, planned) in order.enumerated() {
            let unpacked = timingGroups[firstTimingGroup..<Int(planned.timingGroupsEnd)].map {
                unpack($0, frequency: &frequency)
            }
            firstTimingGroup = Int(planned.timingGroupsEnd)
            let pattern = calls.withBytes(Int(planned.number)) { CallPacking.unpack($0) }
            try body(
                Pattern(
                    index: PatternIndex(position), route: pattern.route, direction: pattern.direction,
                    calls: pattern.calls, timingGroups: unpacked))
        }
    }

    private func unpack(_ timingGroup: PackedTimingGroup, frequency: inout Int) -> TimingGroup {
        let trips = Int(timingGroup.firstTrip)..<Int(timingGroup.firstTrip + timingGroup.count)
        var repeated: [Frequency] = []
        while frequency < frequencies.count, Int(frequencies[frequency].trip) < trips.upperBound {
            let row = frequencies[frequency]
            repeated.append(
                Frequency(
                    trip: row.trip - timingGroup.firstTrip, start: row.start, end: row.end, headway: row.headway,
                    isExact: row.isExact))
            frequency += 1
        }
        return TimingGroup(
            times: profiles.withBytes(Int(timingGroup.profile)) { RunningTimesPacking.unpack($0) },
            firstTrip: TripIndex(timingGroup.firstTrip), starts: Array(starts[trips]), services: Array(services[trips]),
            frequencies: repeated)
    }
}

extension TextColumn {
    fileprivate func withBytes<Result>(_ position: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let range = range(position)
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
