internal import TransitModel

/// A trip at one start time: the trip itself, or one of its repetitions according to frequencies.txt.
struct TripInstance {
    /// Position of the trip in its timing group.
    var trip: Int32
    /// The first departure, in seconds of service time.
    var start: Int32
    /// Index of the row among the timing group's frequencies; -1 for a trip that runs once.
    var frequency: Int32
}

/// The trips of a pattern's timing groups, for searches by time. Only rows of frequencies.txt are unpacked.
///
/// This is a class because a search refers to it once for each timing group and day.
final class PatternTripInstances: Sendable {
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

    /// Returns the range of start times of a timing group, in seconds of service time, so that queries for other times
    /// can skip the group.
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

    /// Returns the positions of a timing group's trips whose own first departure is between two times, in seconds of
    /// service time.
    func positions(ofTimingGroup timingGroup: Int, startingIn starts: ClosedRange<Int64>) -> Range<Int> {
        let places = tripRange(ofTimingGroup: timingGroup)
        let first = firstPlace(in: places, from: starts.lowerBound)
        let end = firstPlace(in: places, from: starts.upperBound + 1)
        return first - places.lowerBound..<end - places.lowerBound
    }

    /// Visits the trip instances of a timing group that start at `earliest` (seconds of service time) or later, with
    /// their services.
    ///
    /// Trips that run once are visited first, ordered by start, followed by each row of frequencies.txt in order. If
    /// `body` returns false, the rest of the current series is skipped.
    @inline(__always)
    func forEachInstance(
        ofTimingGroup timingGroup: Int, from earliest: Int64, _ body: (TripInstance, ServiceIndex) -> Bool
    ) {
        let places = tripRange(ofTimingGroup: timingGroup)
        let first = firstPlace(in: places, from: earliest)
        if hasFrequencies {
            return forEachRepeatedInstance(ofTimingGroup: timingGroup, places, from: earliest, first: first, body)
        }
        for place in first..<places.upperBound {
            let instance = TripInstance(trip: Int32(place - places.lowerBound), start: starts[place], frequency: -1)
            guard body(instance, service(place)) else { return }
        }
    }

    /// Skips the scheduled times of trips that frequencies.txt repeats (GTFS reference, frequencies.txt).
    private func forEachRepeatedInstance(
        ofTimingGroup timingGroup: Int, _ places: Range<Int>, from earliest: Int64, first: Int,
        _ body: (TripInstance, ServiceIndex) -> Bool
    ) {
        let frequencies = pattern.frequencies(ofTimingGroup: timingGroup)
        for place in first..<places.upperBound {
            let instance = TripInstance(trip: Int32(place - places.lowerBound), start: starts[place], frequency: -1)
            if frequencies.contains(where: { $0.trip == UInt32(instance.trip) }) { continue }
            guard body(instance, service(place)) else { break }
        }
        for (position, row) in frequencies.enumerated() {
            // Skips all instances before `earliest` at once.
            let behind = max(0, earliest - Int64(row.start))
            let headway = Int64(max(1, row.headway))
            var start = Int64(row.start) + (behind + headway - 1) / headway * headway
            while start < Int64(row.end) {
                let instance = TripInstance(trip: Int32(row.trip), start: Int32(start), frequency: Int32(position))
                guard body(instance, service(places.lowerBound + Int(row.trip))) else { break }
                start += headway
            }
        }
    }

    private func service(_ place: Int) -> ServiceIndex { ServiceIndex(UInt32(bitPattern: services[place])) }

    /// Returns the range of a timing group's trips in ``starts`` and ``services``.
    private func tripRange(ofTimingGroup timingGroup: Int) -> Range<Int> {
        (timingGroup == 0 ? 0 : Int(timingGroupEnds[timingGroup - 1]))..<Int(timingGroupEnds[timingGroup])
    }

    /// Returns the position of the first start that is not before `earliest`.
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

extension ScheduledCall {
    /// Creates a call of a trip instance on a service day.
    init(pattern: Pattern, timingGroup: Int, instance: TripInstance, position: Int, day: ServiceDay) {
        var frequency: (start: ServiceTime, row: Frequency)?
        if instance.frequency >= 0 {
            frequency = (
                ServiceTime(seconds: instance.start),
                pattern.frequencies(ofTimingGroup: timingGroup)[Int(instance.frequency)]
            )
        }
        self.init(
            pattern: pattern, timingGroup: timingGroup, tripPosition: Int(instance.trip), serviceDate: day.date,
            position: position, start: Instant(secondsSince1970: day.start + Int64(instance.start)),
            frequency: frequency)
    }
}
