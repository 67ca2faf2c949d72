internal import TransitModel

/// One run of a trip: the trip itself, or one of its repetitions by frequencies.txt.
struct TripInstance {
    /// Position of the trip in its lane.
    var trip: Int32
    /// Its first departure in seconds of service time.
    var start: Int32
    /// Position in ``Lane/frequencies``; -1 for a trip that runs once.
    var frequency: Int32
}

/// The trips of a pattern's lanes, made for a search by time: nothing is unpacked but rows of frequencies.txt.
struct PatternTripInstances {
    let pattern: Pattern
    private let timingGroupEnds: NumberColumn
    private let starts: NumberColumn
    private let services: NumberColumn
    private let hasFrequencies: Bool

    init(_ pattern: Pattern) {
        self.pattern = pattern
        timingGroupEnds = pattern.column(.timingGroupEnds)
        starts = pattern.column(.starts)
        services = pattern.column(.services)
        hasFrequencies = pattern.hasFrequencies
    }

    var timingGroupCount: Int { timingGroupEnds.count }

    func trip(_ run: TripInstance, ofTimingGroup timingGroup: Int) -> TripIndex {
        pattern.trip(timingGroup: timingGroup, position: Int(run.trip))
    }

    /// The seconds of service time between which a lane's runs start, so that a question about another time can pass it
    /// over.
    @inline(__always)
    func span(ofTimingGroup timingGroup: Int) -> ClosedRange<Int64> {
        let places = tripRange(ofTimingGroup: timingGroup)
        if hasFrequencies || places.isEmpty { return repeatedSpan(timingGroup, places) }
        return Int64(starts[places.lowerBound])...Int64(starts[places.upperBound - 1])
    }

    private func repeatedSpan(_ timingGroup: Int, _ places: Range<Int>) -> ClosedRange<Int64> {
        var first = places.isEmpty ? 0 : Int64(starts[places.lowerBound])
        var last = places.isEmpty ? 0 : Int64(starts[places.upperBound - 1])
        for row in pattern.frequencies(ofTimingGroup: timingGroup) {
            first = min(first, Int64(row.start))
            last = max(last, Int64(row.end))
        }
        return first...max(first, last)
    }

    /// The positions in a lane of the trips whose own first departure is between two times, in seconds of service time.
    func positions(ofTimingGroup timingGroup: Int, startingIn starts: ClosedRange<Int64>) -> Range<Int> {
        let places = tripRange(ofTimingGroup: timingGroup)
        let first = firstPlace(in: places, from: starts.lowerBound)
        let end = firstPlace(in: places, from: starts.upperBound + 1)
        return first - places.lowerBound..<end - places.lowerBound
    }

    /// Visits a lane's runs that start at `earliest` (seconds of service time) or later, each with its service.
    ///
    /// Trips that run once come in the order of their starts, then each row of frequencies.txt in its own order; where
    /// `body` returns false, the rest of that series is left out.
    @inline(__always)
    func forEachRun(ofTimingGroup timingGroup: Int, from earliest: Int64, _ body: (TripInstance, ServiceIndex) -> Bool)
    {
        let places = tripRange(ofTimingGroup: timingGroup)
        let first = firstPlace(in: places, from: earliest)
        if hasFrequencies {
            return forEachRepeatedRun(ofTimingGroup: timingGroup, places, from: earliest, first: first, body)
        }
        for place in first..<places.upperBound {
            let run = TripInstance(trip: Int32(place - places.lowerBound), start: starts[place], frequency: -1)
            guard body(run, service(place)) else { return }
        }
    }

    /// A trip that frequencies.txt repeats does not run at its own time (GTFS reference, frequencies.txt).
    private func forEachRepeatedRun(
        ofTimingGroup timingGroup: Int, _ places: Range<Int>, from earliest: Int64, first: Int,
        _ body: (TripInstance, ServiceIndex) -> Bool
    ) {
        let frequencies = pattern.frequencies(ofTimingGroup: timingGroup)
        for place in first..<places.upperBound {
            let run = TripInstance(trip: Int32(place - places.lowerBound), start: starts[place], frequency: -1)
            if frequencies.contains(where: { $0.trip == UInt32(run.trip) }) { continue }
            guard body(run, service(place)) else { break }
        }
        for (position, row) in frequencies.enumerated() {
            // Runs before `earliest` are stepped over at once.
            let behind = max(0, earliest - Int64(row.start))
            let headway = Int64(max(1, row.headway))
            var start = Int64(row.start) + (behind + headway - 1) / headway * headway
            while start < Int64(row.end) {
                let run = TripInstance(trip: Int32(row.trip), start: Int32(start), frequency: Int32(position))
                guard body(run, service(places.lowerBound + Int(row.trip))) else { break }
                start += headway
            }
        }
    }

    private func service(_ place: Int) -> ServiceIndex { ServiceIndex(UInt32(bitPattern: services[place])) }

    /// Where a lane's trips stand in ``starts`` and ``services``.
    private func tripRange(ofTimingGroup timingGroup: Int) -> Range<Int> {
        (timingGroup == 0 ? 0 : Int(timingGroupEnds[timingGroup - 1]))..<Int(timingGroupEnds[timingGroup])
    }

    /// The place of the first of the ascending starts that lies then or later.
    private func firstPlace(in places: Range<Int>, from earliest: Int64) -> Int {
        var low = places.lowerBound
        var high = places.upperBound
        while low < high {
            let middle = (low + high) / 2
            if Int64(starts[middle]) < earliest { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
