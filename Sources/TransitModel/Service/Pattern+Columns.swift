/// What a search through many lanes asks, answered from the columns without unpacking anything.
extension Pattern {
    public var callCount: Int { column(.stops).count }
    public var timingGroupCount: Int { column(.timingGroupEnds).count }

    /// The stop of one call.
    public func stop(at call: Int) -> StopIndex { StopIndex(UInt32(bitPattern: column(.stops)[call])) }

    /// Whether passengers may board at one call.
    public func pickup(at call: Int) -> PickupDropOff {
        PickupDropOff(rawValue: UInt8(truncatingIfNeeded: column(.pickups)[call] & 3)) ?? .regular
    }

    /// When every lane departs at one call.
    public func departures(at call: Int) -> TimingGroupDepartures {
        TimingGroupDepartures(
            earliest: column(.earliest)[call], delays: column(.delays), first: call * timingGroupCount)
    }

    /// When a trip of a lane calls, in seconds from its start.
    public func times(timingGroup: Int, call: Int) -> CallTimes { times(ofTimingGroup: timingGroup)[call] }

    /// From the start of a lane's trips to their last arrival, in seconds; 0 without calls.
    public func duration(ofTimingGroup timingGroup: Int) -> Int32 {
        let earliest = column(.earliest)
        if earliest.isEmpty { return 0 }
        let place = (earliest.count - 1) * timingGroupCount + timingGroup
        return earliest[earliest.count - 1] &+ column(.delays)[place] &- column(.dwellTimes)[place]
    }

    /// The same for all its calls.
    public func times(ofTimingGroup timingGroup: Int) -> TimingGroupTimes {
        TimingGroupTimes(pattern: self, timingGroup: timingGroup)
    }

    /// Puts when a trip of a lane calls, in seconds from its start, in the place of what is in the arrays, whose memory is
    /// used again: for whoever reads thousands of lanes from one end to the other.
    public func readTimes(ofTimingGroup timingGroup: Int, arrivals: inout [Int32], departures: inout [Int32]) {
        let (calls, timingGroups) = (callCount, timingGroupCount)
        departures.removeAll(keepingCapacity: true)
        departures.append(contentsOf: repeatElement(0, count: calls))
        departures.withUnsafeMutableBufferPointer { departures in
            column(.earliest).add(to: departures, first: 0, step: 1)
            column(.delays).add(to: departures, first: timingGroup, step: timingGroups)
        }
        arrivals.removeAll(keepingCapacity: true)
        arrivals.append(contentsOf: departures)
        arrivals.withUnsafeMutableBufferPointer { arrivals in
            column(.dwellTimes).add(to: arrivals, first: timingGroup, step: timingGroups, factor: -1)
        }
    }

    /// The places of a lane's trips in the columns `starts` and `services`.
    public func places(ofTimingGroup timingGroup: Int) -> Range<Int> {
        let ends = column(.timingGroupEnds)
        return (timingGroup == 0 ? 0 : Int(ends[timingGroup - 1]))..<Int(ends[timingGroup])
    }

    public func firstTrip(ofTimingGroup timingGroup: Int) -> TripIndex {
        let first = Int32(truncatingIfNeeded: places(ofTimingGroup: timingGroup).lowerBound)
        return TripIndex(UInt32(bitPattern: column(.trips)[timingGroup] &+ first))
    }

    public func trip(timingGroup: Int, position: Int) -> TripIndex {
        TripIndex(firstTrip(ofTimingGroup: timingGroup).rawValue + UInt32(position))
    }

    /// The lane of a trip and its position there, as they are searched from `timingGroup` on; `nil` when it is not on this pattern.
    public func place(of trip: TripIndex, near timingGroup: Int = 0) -> (timingGroup: Int, position: Int)? {
        let (ends, trips) = (column(.timingGroupEnds), column(.trips))
        let start = ends.indices.contains(timingGroup) ? timingGroup : 0
        for step in ends.indices {
            let timingGroup = start + step < ends.count ? start + step : start + step - ends.count
            let begin = timingGroup == 0 ? 0 : Int(ends[timingGroup - 1])
            let position = trip.position - Int(trips[timingGroup]) - begin
            if position >= 0, position < Int(ends[timingGroup]) - begin { return (timingGroup, position) }
        }
        return nil
    }

    /// The service of the trip at one place.
    public func service(_ place: Int) -> ServiceIndex { ServiceIndex(UInt32(bitPattern: column(.services)[place])) }

    /// Whether frequencies.txt repeats any of its trips.
    public var hasFrequencies: Bool { !column(.frequencyTrips).isEmpty }

    /// ``Lane/frequencies`` of one lane.
    public func frequencies(ofTimingGroup timingGroup: Int) -> [Frequency] {
        let trips = column(.frequencyTrips)
        if trips.isEmpty { return [] }
        let places = places(ofTimingGroup: timingGroup)
        return trips.indices.filter { places.contains(Int(trips[$0])) }.map { row in
            Frequency(
                trip: UInt32(Int(trips[row]) - places.lowerBound), start: column(.frequencyStarts)[row],
                end: column(.frequencyEnds)[row], headway: column(.headways)[row],
                isExact: column(.exactTimes)[row] != 0)
        }
    }
}

/// The departures of a pattern's lanes at one of its calls, in seconds from a trip's start, by the number of the lane.
public struct TimingGroupDepartures: Sendable {
    @usableFromInline let earliest: Int32
    @usableFromInline let delays: NumberColumn
    /// The place of the first lane among the delays.
    @usableFromInline let first: Int

    @inlinable
    public subscript(timingGroup: Int) -> Int32 { earliest &+ delays[first + timingGroup] }
}

/// When a trip of one lane calls, call after call, in seconds from its start; read from the columns.
public struct TimingGroupTimes: RandomAccessCollection, Sendable {
    private let earliest: NumberColumn
    private let delays: NumberColumn
    private let dwellTimes: NumberColumn
    private let approximate: NumberColumn
    private let timingGroup: Int
    private let timingGroupCount: Int

    init(pattern: Pattern, timingGroup: Int) {
        earliest = pattern.column(.earliest)
        delays = pattern.column(.delays)
        dwellTimes = pattern.column(.dwellTimes)
        approximate = pattern.column(.approximate)
        timingGroupCount = pattern.timingGroupCount
        self.timingGroup = timingGroup
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { earliest.count }

    public subscript(call: Int) -> CallTimes {
        let place = call * timingGroupCount + timingGroup
        let departure = earliest[call] &+ delays[place]
        return CallTimes(
            arrival: departure &- dwellTimes[place], departure: departure, isExact: approximate[place] == 0)
    }
}

// MARK: Unpacking

/// The calls of a pattern, each unpacked when it is asked for.
public struct PatternCalls: RandomAccessCollection, Sendable {
    private let stops: NumberColumn
    private let sequences: NumberColumn
    private let pickups: NumberColumn
    private let headsigns: NumberColumn

    init(pattern: Pattern) {
        stops = pattern.column(.stops)
        sequences = pattern.column(.sequences)
        pickups = pattern.column(.pickups)
        headsigns = pattern.column(.headsigns)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { stops.count }

    public subscript(position: Int) -> PatternCall {
        let types = UInt8(truncatingIfNeeded: pickups[position])
        let headsign = UInt32(bitPattern: headsigns[position])
        return PatternCall(
            stop: StopIndex(UInt32(bitPattern: stops[position])),
            sequence: UInt32(bitPattern: sequences[position]) &+ UInt32(position),
            pickup: PickupDropOff(rawValue: types & 3) ?? .regular,
            dropOff: PickupDropOff(rawValue: types >> 2) ?? .regular,
            headsign: headsign == 0 ? nil : TextIndex(headsign - 1))
    }
}

/// The lanes of a pattern, each unpacked when it is asked for.
public struct PatternTimingGroups: RandomAccessCollection, Sendable {
    let pattern: Pattern

    public var startIndex: Int { 0 }
    public var endIndex: Int { pattern.timingGroupCount }

    public subscript(number: Int) -> TimingGroup {
        let places = pattern.places(ofTimingGroup: number)
        let starts = pattern.column(.starts)
        return TimingGroup(
            times: Array(pattern.times(ofTimingGroup: number)),
            firstTrip: pattern.firstTrip(ofTimingGroup: number), starts: places.map { starts[$0] },
            services: places.map { pattern.service($0) },
            frequencies: pattern.frequencies(ofTimingGroup: number))
    }
}
