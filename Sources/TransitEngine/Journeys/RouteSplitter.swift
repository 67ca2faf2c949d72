internal import TransitModel

extension JourneyNetwork.Times {
    /// Returns a time to the next call that no rider undercuts, whether they board here or stay in the vehicle. Times that
    /// contradict each other may leave before they arrive.
    func shortest(to next: Self) -> Int32 { next.arrival &- max(arrival, departure) }
}

/// The running times of all timing groups of a pattern.
struct TimingGroupMatrix {
    let callCount: Int
    /// The number of timing groups.
    let count: Int
    private let times: [JourneyNetwork.Times]

    init(_ pattern: Pattern) {
        callCount = pattern.callCount
        count = pattern.timingGroupCount
        var times: [JourneyNetwork.Times] = []
        times.reserveCapacity(callCount * pattern.timingGroupCount)
        var (arrivals, departures): ([Int32], [Int32]) = ([], [])
        for timingGroup in 0..<pattern.timingGroupCount {
            pattern.readTimes(ofTimingGroup: timingGroup, arrivals: &arrivals, departures: &departures)
            for (arrival, departure) in zip(arrivals, departures) {
                times.append(JourneyNetwork.Times(arrival: arrival, departure: departure))
            }
        }
        self.times = times
    }

    subscript(timingGroup: Int) -> ArraySlice<JourneyNetwork.Times> {
        times[timingGroup * callCount..<(timingGroup + 1) * callCount]
    }

    /// Returns the shortest time from each call to the next in any of some timing groups, at most 32,767 s; 0 for the last
    /// call. Returns `nil` if times contradict each other by nine hours.
    func fastest(_ groups: Range<Int>) -> [Int16]? {
        var fastest: [Int16] = []
        for call in 0..<callCount - 1 {
            var least = Int32.max
            for group in groups {
                least = min(least, times[group * callCount + call].shortest(to: times[group * callCount + call + 1]))
            }
            guard least >= Int16.min else { return nil }
            fastest.append(Int16(clamping: least))
        }
        return fastest + [0]
    }

    /// The last arrival of a timing group, in seconds from the start.
    func end(_ timingGroup: Int) -> Int32 { times[(timingGroup + 1) * callCount - 1].arrival }

    /// Returns how many seconds after a trip of one timing group a trip of another one has to start so that it is never
    /// before it.
    func gap(_ first: Int, _ second: Int) -> Int32 {
        if first == second { return 0 }
        var gap = Int32.min
        for call in 0..<callCount {
            let (one, other) = (times[first * callCount + call], times[second * callCount + call])
            // No rider uses the first arrival or the last departure.
            if call > 0 { gap = max(gap, one.arrival &- other.arrival) }
            if call + 1 < callCount { gap = max(gap, one.departure &- other.departure) }
        }
        return gap
    }
}

/// Splits the trips of a pattern, which are passed in the order of their starts, into sequences in which no trip
/// overtakes another.
struct RouteSplitter {
    private struct Sequence {
        var start: Int32
        var timingGroup: Int
        var timingGroups: Int
        var lastService: ServiceIndex
    }

    private struct Pair: Hashable {
        var first: Int
        var second: Int
    }

    private let times: TimingGroupMatrix
    private var sequences: [Sequence] = []
    private var gaps: [Pair: Int32] = [:]
    /// The timing groups of each sequence.
    private var groups: [Set<Int>] = []

    /// The number of sequences that are tried for a trip, newest first, so that the work is bounded for a pattern with
    /// thousands of timing groups.
    private static let maximumTried = 64

    init(_ times: TimingGroupMatrix) { self.times = times }

    /// Returns the number of the sequence to which a trip is added; the number of sequences for a new one. A sequence
    /// whose last trip has the same service is preferred, so that few sequences have trips on a given day.
    mutating func sequence(for start: Int32, timingGroup: Int, service: ServiceIndex) -> Int {
        var fitting: Int?
        for number in sequences.indices.reversed().prefix(Self.maximumTried) {
            let last = sequences[number]
            let isFull =
                groups[number].count >= JourneyNetwork.Trip.maximumTimingGroups
                && !groups[number].contains(timingGroup)
            guard !isFull, Int64(start) - Int64(last.start) >= Int64(gap(last.timingGroup, timingGroup)) else {
                continue
            }
            fitting = number
            if last.lastService == service { break }
        }
        let number = fitting ?? sequences.count
        let sequence = Sequence(start: start, timingGroup: timingGroup, timingGroups: 1, lastService: service)
        if number == sequences.count {
            sequences.append(sequence)
            groups.append([timingGroup])
        } else {
            sequences[number] = sequence
            groups[number].insert(timingGroup)
        }
        return number
    }

    private mutating func gap(_ first: Int, _ second: Int) -> Int32 {
        if first == second { return 0 }
        let pair = Pair(first: first, second: second)
        if let known = gaps[pair] { return known }
        let gap = times.gap(first, second)
        if gaps.count < 1 << 16 { gaps[pair] = gap }
        return gap
    }
}
