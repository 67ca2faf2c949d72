internal import TransitModel

/// Collects the data that is known only after all patterns have been read: the visits of each stop, the patterns of
/// each route and trip, and the latest stop time.
struct PatternIndexBuilder {
    /// The pattern index of each trip plus one; 0 for a trip without calls.
    private(set) var patternOfTrip: [UInt32]
    private(set) var patternsOfRoute: [[PatternIndex]]
    private(set) var latestStopTime: Int32 = 0
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

    /// Adds a pattern whose indices have been checked.
    mutating func add(_ pattern: Pattern) throws(StoreError) {
        patternsOfRoute[pattern.route.position].append(pattern.index)
        for (position, call) in pattern.calls.enumerated() {
            visits.append(
                Visit(stop: call.stop.rawValue, pattern: pattern.index.rawValue, position: UInt32(position)))
        }
        for timingGroup in 0..<pattern.timingGroupCount {
            let first = pattern.firstTrip(ofTimingGroup: timingGroup).position
            for trip in first..<first + pattern.tripRange(ofTimingGroup: timingGroup).count {
                guard patternOfTrip[trip] == 0 else { throw .draft("trip \(trip) is in more than one pattern") }
                patternOfTrip[trip] = pattern.index.rawValue + 1
            }
        }
        latestStopTime = max(latestStopTime, pattern.latestStopTime)
    }

    /// Calls `body` with the encoded visits of each stop in order, or with `nil` for a stop without visits.
    consuming func forEachStop(
        _ count: Int, _ body: (Int, [UInt8]?) throws(StoreError) -> Void
    ) throws(StoreError) {
        // A stable sort keeps the visits of a stop in the order of the patterns.
        var ends = [Int](repeating: 0, count: count + 1)
        for visit in visits { ends[Int(visit.stop) + 1] += 1 }
        for stop in 0..<count { ends[stop + 1] += ends[stop] }
        var sorted = [UInt32](repeating: 0, count: visits.count)
        var next = ends
        for (number, visit) in visits.enumerated() {
            sorted[next[Int(visit.stop)]] = UInt32(number)
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
            for number in sorted[ends[stop]..<ends[stop + 1]] {
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
    /// The latest stop time of any trip, in seconds of service time.
    fileprivate var latestStopTime: Int32 {
        var latestOffsets = [Int32](repeating: 0, count: timingGroupCount)
        let dwellTimes = column(.dwellTimes)
        for call in 0..<callCount {
            let departures = departures(at: call)
            for timingGroup in latestOffsets.indices {
                let departure = departures[timingGroup]
                latestOffsets[timingGroup] = max(
                    latestOffsets[timingGroup], departure, departure - dwellTimes[call * timingGroupCount + timingGroup]
                )
            }
        }
        let starts = column(.starts)
        return latestOffsets.indices.reduce(0) { latest, timingGroup in
            let lastEnd = frequencies(ofTimingGroup: timingGroup).map(\.end).max() ?? 0
            let lastStart = tripRange(ofTimingGroup: timingGroup).last.map { starts[$0] } ?? 0
            return max(latest, latestOffsets[timingGroup] + max(lastStart, lastEnd))
        }
    }
}
