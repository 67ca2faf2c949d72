internal import TransitModel

/// What is learnt while the patterns pass by, and written once they are through: where each stop is visited, the
/// patterns of each route and of each trip, and the latest call.
struct PatternIndexBuilder {
    /// The pattern of each trip, one higher; 0 for a trip without calls.
    private(set) var patternOfTrip: [UInt32]
    private(set) var patternsOfRoute: [[PatternIndex]]
    private(set) var latestCall: Int32 = 0
    private var visits: [Visit] = []

    private struct Visit {
        var stop: UInt32
        var pattern: UInt32
        var position: UInt32
    }

    init(sizes: TableSizes) {
        patternOfTrip = [UInt32](repeating: 0, count: sizes.trips)
        patternsOfRoute = [[PatternIndex]](repeating: [], count: sizes.routes)
    }

    /// The pattern's numbers were checked before.
    mutating func add(_ pattern: Pattern) throws(StoreError) {
        patternsOfRoute[pattern.route.position].append(pattern.index)
        for (position, call) in pattern.calls.enumerated() {
            visits.append(
                Visit(stop: call.stop.rawValue, pattern: pattern.index.rawValue, position: UInt32(position)))
        }
        for timingGroup in 0..<pattern.timingGroupCount {
            let first = pattern.firstTrip(ofTimingGroup: timingGroup).position
            for trip in first..<first + pattern.places(ofTimingGroup: timingGroup).count {
                guard patternOfTrip[trip] == 0 else { throw .draft("trip \(trip) runs twice") }
                patternOfTrip[trip] = pattern.index.rawValue + 1
            }
        }
        latestCall = max(latestCall, pattern.latestCall)
    }

    /// The blob of each stop's visits, `nil` where nothing calls, in the order of the stops.
    consuming func forEachStop(
        _ count: Int, _ body: (Int, [UInt8]?) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Stable, so that a stop's visits stay in the order of the patterns.
        var ends = [Int](repeating: 0, count: count + 1)
        for visit in visits { ends[Int(visit.stop) + 1] += 1 }
        for stop in 0..<count { ends[stop + 1] += ends[stop] }
        var order = [UInt32](repeating: 0, count: visits.count)
        var next = ends
        for (number, visit) in visits.enumerated() {
            order[next[Int(visit.stop)]] = UInt32(number)
            next[Int(visit.stop)] += 1
        }
        var writer = ByteWriter()
        for stop in 0..<count {
            guard ends[stop] < ends[stop + 1] else {
                try body(stop, nil)
                continue
            }
            writer.clear()
            var previous: UInt32 = 0
            for number in order[ends[stop]..<ends[stop + 1]] {
                let visit = visits[Int(number)]
                writer.put(visit.pattern - previous)
                writer.put(visit.position)
                previous = visit.pattern
            }
            writer.seal()
            try body(stop, writer.bytes)
        }
    }
}

extension Pattern {
    /// Seconds of service time.
    fileprivate var latestCall: Int32 {
        var longest = [Int32](repeating: 0, count: timingGroupCount)
        let dwellTimes = column(.dwellTimes)
        for call in 0..<callCount {
            let departures = departures(at: call)
            for timingGroup in longest.indices {
                let departure = departures[timingGroup]
                longest[timingGroup] = max(
                    longest[timingGroup], departure, departure - dwellTimes[call * timingGroupCount + timingGroup])
            }
        }
        let starts = column(.starts)
        return longest.indices.reduce(0) { latest, timingGroup in
            let lastEnd = frequencies(ofTimingGroup: timingGroup).map(\.end).max() ?? 0
            let lastStart = places(ofTimingGroup: timingGroup).last.map { starts[$0] } ?? 0
            return max(latest, longest[timingGroup] + max(lastStart, lastEnd))
        }
    }
}
