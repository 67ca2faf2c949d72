/// Trips of one route and direction that call at the same stops in the same order.
///
/// Patterns are the core of a timetable: the 435,000 stop times of one real feed form 890 timing groups. The departure
/// of a trip is `timingGroup.starts[trip] + timingGroup.times[position].departure`. A pattern is immutable and shared
/// by reference.
///
/// A pattern is a single block of bytes that contains one column after another, in the format of a timetable file. A
/// pattern that is read from a file can be used without decoding. ``calls`` and ``timingGroups`` unpack individual
/// elements. Searches through many timing groups read the columns directly, like ``departures(at:)``.
public final class Pattern: Sendable {
    public let index: PatternIndex
    public let route: RouteIndex
    /// `direction_id`.
    public let direction: Direction?
    /// The encoded pattern, which ``init(index:packed:)`` decodes.
    public let packed: [UInt8]

    public init(
        index: PatternIndex, route: RouteIndex, direction: Direction?, calls: [PatternCall], timingGroups: [TimingGroup]
    ) {
        self.index = index
        self.route = route
        self.direction = direction
        packed = PatternPacking.pack(route: route, direction: direction, calls: calls, timingGroups: timingGroups)
    }

    /// Returns `nil` if the bytes are malformed. Does not check that the stops, services and texts at the indices
    /// exist. The caller can check the indices with ``column(_:)``.
    public init?(index: PatternIndex, packed: [UInt8]) {
        guard let head = PatternPacking.head(of: packed) else { return nil }
        self.index = index
        self.packed = packed
        route = head.route
        direction = head.direction
        guard PatternPacking.isConsistent(self) else { return nil }
    }

    @inlinable
    public func column(_ column: PatternColumn) -> NumberColumn {
        NumberColumn(packed, headAt: column.head)
    }

    public var calls: PatternCalls { PatternCalls(pattern: self) }
    public var timingGroups: PatternTimingGroups { PatternTimingGroups(pattern: self) }
}

/// `direction_id` of trips.txt. The publisher chooses the meaning of each value.
public enum Direction: UInt8, Hashable, Sendable {
    case zero = 0
    case one = 1
}

/// The properties of one call of a pattern that do not depend on the trip.
public struct PatternCall: Hashable, Sendable {
    public var stop: StopIndex
    /// `stop_sequence` as published. The values ascend along the pattern, but not necessarily in steps of one.
    public var sequence: UInt32
    public var pickup: PickupDropOff
    public var dropOff: PickupDropOff
    /// `stop_headsign`, which replaces the trip's headsign at this stop only.
    public var headsign: TextIndex?

    public init(
        stop: StopIndex, sequence: UInt32, pickup: PickupDropOff = .regular, dropOff: PickupDropOff = .regular,
        headsign: TextIndex? = nil
    ) {
        self.stop = stop
        self.sequence = sequence
        self.pickup = pickup
        self.dropOff = dropOff
        self.headsign = headsign
    }
}

/// `pickup_type` and `drop_off_type` of stop_times.txt.
public enum PickupDropOff: UInt8, Hashable, Sendable {
    case regular = 0
    case none = 1
    /// Riders must phone the agency.
    case phone = 2
    /// Riders must coordinate with the driver.
    case driver = 3
}

/// The times of a call in a timing group, in seconds from the start of the trip, which is its first departure.
///
/// The arrival at the first stop may be negative.
public struct CallTimes: Hashable, Sendable {
    public var arrival: Int32
    public var departure: Int32
    /// False for times that were interpolated or that the feed marks as approximate with `timepoint` 0.
    public var isExact: Bool

    public init(arrival: Int32, departure: Int32, isExact: Bool = true) {
        self.arrival = arrival
        self.departure = departure
        self.isExact = isExact
    }
}

/// Trips of one pattern with the same running times, in ascending order of their start times.
///
/// These trips never overtake one another, so the trips at any of their stops can be found by binary search in
/// ``starts``.
public struct TimingGroup: Sendable {
    /// The times at each call of the pattern.
    public var times: [CallTimes]
    /// Trips are numbered consecutively: trip `n` of the timing group is `firstTrip + n`.
    public var firstTrip: TripIndex
    /// The start of each trip in seconds of service time, ascending. For a trip that frequencies.txt repeats, this is
    /// the first departure in stop_times.txt, and ``frequencies`` gives the actual starts.
    public var starts: [Int32]
    /// The service of each trip, parallel to ``starts``.
    public var services: [ServiceIndex]
    /// The repetitions of this timing group's trips, in ascending order of trip and start. A repeated trip does not
    /// also run at its own time (GTFS reference, frequencies.txt). Empty for almost all timing groups.
    public var frequencies: [Frequency]

    public init(
        times: [CallTimes], firstTrip: TripIndex, starts: [Int32], services: [ServiceIndex],
        frequencies: [Frequency] = []
    ) {
        self.times = times
        self.firstTrip = firstTrip
        self.starts = starts
        self.services = services
        self.frequencies = frequencies
    }

    public func trip(_ position: Int) -> TripIndex { TripIndex(firstTrip.rawValue + UInt32(position)) }
}

/// One row of frequencies.txt: the trip leaves its first stop at `start`, `start + headway` and so on before `end`.
public struct Frequency: Hashable, Sendable {
    /// The position of the trip in its timing group.
    public var trip: UInt32
    /// The start in seconds of service time.
    public var start: Int32
    /// The exclusive end in seconds of service time.
    public var end: Int32
    /// The headway in seconds, 1 or more.
    public var headway: Int32
    /// Whether `exact_times` is 1, which means that the repetitions are exact scheduled trips. If it is 0, only the
    /// headway is scheduled.
    public var isExact: Bool

    public init(trip: UInt32, start: Int32, end: Int32, headway: Int32, isExact: Bool) {
        self.trip = trip
        self.start = start
        self.end = end
        self.headway = headway
        self.isExact = isExact
    }
}

/// A call of a pattern at a queried stop.
public struct PatternCallPosition: Sendable {
    public var pattern: Pattern
    /// Position of the call in ``Pattern/calls``.
    public var position: Int

    public init(pattern: Pattern, position: Int) {
        self.pattern = pattern
        self.position = position
    }
}

// MARK: - Columns

/// Access to individual numbers in the columns, for searches through many timing groups. Nothing is unpacked.
extension Pattern {
    public var callCount: Int { column(.stops).count }
    public var timingGroupCount: Int { column(.timingGroupEnds).count }

    /// The stop of one call.
    public func stop(at call: Int) -> StopIndex { StopIndex(UInt32(bitPattern: column(.stops)[call])) }

    /// The `stop_sequence` of one call.
    public func sequence(at call: Int) -> UInt32 { UInt32(bitPattern: column(.sequences)[call]) &+ UInt32(call) }

    /// The `stop_headsign` of one call.
    public func headsign(at call: Int) -> TextIndex? {
        let headsign = UInt32(bitPattern: column(.headsigns)[call])
        return headsign == 0 ? nil : TextIndex(headsign - 1)
    }

    /// Whether and how passengers can board at a call.
    public func pickup(at call: Int) -> PickupDropOff {
        PickupDropOff(rawValue: UInt8(truncatingIfNeeded: column(.pickups)[call] & 3)) ?? .regular
    }

    /// Returns the departures of all timing groups at a call.
    public func departures(at call: Int) -> TimingGroupDepartures {
        TimingGroupDepartures(
            minimumDepartures: column(.minimumDepartures)[call], departureOffsets: column(.departureOffsets),
            first: call * timingGroupCount)
    }

    /// Returns the times of a call in a timing group, in seconds from the start of a trip.
    public func times(timingGroup: Int, call: Int) -> CallTimes {
        let row = call * timingGroupCount + timingGroup
        return CallTimes(
            departure: column(.minimumDepartures)[call] &+ column(.departureOffsets)[row],
            dwell: column(.dwellTimes)[row], approximate: column(.approximate)[row])
    }

    /// Returns the duration of a timing group's trips, from their start to the last arrival, in seconds, or 0 if the
    /// pattern has no calls.
    public func duration(ofTimingGroup timingGroup: Int) -> Int32 {
        let minimumDepartures = column(.minimumDepartures)
        if minimumDepartures.isEmpty { return 0 }
        let row = (minimumDepartures.count - 1) * timingGroupCount + timingGroup
        return minimumDepartures[minimumDepartures.count - 1] &+ column(.departureOffsets)[row]
            &- column(.dwellTimes)[row]
    }

    /// Returns the times of all calls in a timing group.
    public func times(ofTimingGroup timingGroup: Int) -> TimingGroupTimes {
        TimingGroupTimes(pattern: self, timingGroup: timingGroup)
    }

    /// Reads the times of all calls in a timing group into two arrays, in seconds from the start of a trip. The
    /// previous elements of the arrays are removed but their capacity is reused, for callers that read thousands of
    /// timing groups.
    public func readTimes(ofTimingGroup timingGroup: Int, arrivals: inout [Int32], departures: inout [Int32]) {
        let (calls, timingGroups) = (callCount, timingGroupCount)
        departures.removeAll(keepingCapacity: true)
        departures.append(contentsOf: repeatElement(0, count: calls))
        departures.withUnsafeMutableBufferPointer { departures in
            column(.minimumDepartures).add(to: departures, first: 0, step: 1)
            column(.departureOffsets).add(to: departures, first: timingGroup, step: timingGroups)
        }
        arrivals.removeAll(keepingCapacity: true)
        arrivals.append(contentsOf: departures)
        arrivals.withUnsafeMutableBufferPointer { arrivals in
            column(.dwellTimes).add(to: arrivals, first: timingGroup, step: timingGroups, factor: -1)
        }
    }

    /// Returns the range of a timing group's trips in the columns `starts` and `services`.
    public func tripRange(ofTimingGroup timingGroup: Int) -> Range<Int> {
        let ends = column(.timingGroupEnds)
        return (timingGroup == 0 ? 0 : Int(ends[timingGroup - 1]))..<Int(ends[timingGroup])
    }

    public func firstTrip(ofTimingGroup timingGroup: Int) -> TripIndex {
        let first = Int32(truncatingIfNeeded: tripRange(ofTimingGroup: timingGroup).lowerBound)
        return TripIndex(UInt32(bitPattern: column(.trips)[timingGroup] &+ first))
    }

    public func trip(timingGroup: Int, position: Int) -> TripIndex {
        TripIndex(firstTrip(ofTimingGroup: timingGroup).rawValue + UInt32(position))
    }

    /// Returns the timing group of a trip and the trip's position in it, or `nil` if the trip is not in this pattern.
    /// The search starts at `timingGroup`.
    public func position(of trip: TripIndex, near timingGroup: Int = 0) -> (timingGroup: Int, position: Int)? {
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

    /// Returns the service of the trip at a row of the columns `starts` and `services`.
    public func service(_ row: Int) -> ServiceIndex { ServiceIndex(UInt32(bitPattern: column(.services)[row])) }

    /// Whether any of the trips is repeated by frequencies.txt.
    public var hasFrequencies: Bool { !column(.frequencyTrips).isEmpty }

    /// Returns the ``TimingGroup/frequencies`` of one timing group.
    public func frequencies(ofTimingGroup timingGroup: Int) -> [Frequency] {
        let trips = column(.frequencyTrips)
        if trips.isEmpty { return [] }
        let rows = tripRange(ofTimingGroup: timingGroup)
        return trips.indices.filter { rows.contains(Int(trips[$0])) }.map { row in
            Frequency(
                trip: UInt32(Int(trips[row]) - rows.lowerBound), start: column(.frequencyStarts)[row],
                end: column(.frequencyEnds)[row], headway: column(.headways)[row],
                isExact: column(.exactTimes)[row] != 0)
        }
    }
}

/// The departures of a pattern's timing groups at one call, in seconds from the start of a trip. The subscript takes
/// the number of a timing group.
public struct TimingGroupDepartures: Sendable {
    @usableFromInline let minimumDepartures: Int32
    @usableFromInline let departureOffsets: NumberColumn
    /// The row of the first timing group in ``departureOffsets``.
    @usableFromInline let first: Int

    @inlinable
    public subscript(timingGroup: Int) -> Int32 { minimumDepartures &+ departureOffsets[first + timingGroup] }
}

extension CallTimes {
    /// Creates the times from the numbers in the columns.
    fileprivate init(departure: Int32, dwell: Int32, approximate: Int32) {
        self.init(arrival: departure &- dwell, departure: departure, isExact: approximate == 0)
    }
}

/// The times of one timing group's calls, in seconds from the start of a trip. They are read from the columns on
/// access.
public struct TimingGroupTimes: RandomAccessCollection, Sendable {
    private let minimumDepartures: NumberColumn
    private let departureOffsets: NumberColumn
    private let dwellTimes: NumberColumn
    private let approximate: NumberColumn
    private let timingGroup: Int
    private let timingGroupCount: Int

    fileprivate init(pattern: Pattern, timingGroup: Int) {
        minimumDepartures = pattern.column(.minimumDepartures)
        departureOffsets = pattern.column(.departureOffsets)
        dwellTimes = pattern.column(.dwellTimes)
        approximate = pattern.column(.approximate)
        timingGroupCount = pattern.timingGroupCount
        self.timingGroup = timingGroup
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { minimumDepartures.count }

    public subscript(call: Int) -> CallTimes {
        let row = call * timingGroupCount + timingGroup
        return CallTimes(
            departure: minimumDepartures[call] &+ departureOffsets[row], dwell: dwellTimes[row],
            approximate: approximate[row])
    }
}

// MARK: Unpacking

/// The calls of a pattern, unpacked on access.
public struct PatternCalls: RandomAccessCollection, Sendable {
    private let stops: NumberColumn
    private let sequences: NumberColumn
    private let pickups: NumberColumn
    private let headsigns: NumberColumn

    fileprivate init(pattern: Pattern) {
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

/// The timing groups of a pattern, unpacked on access.
public struct PatternTimingGroups: RandomAccessCollection, Sendable {
    fileprivate let pattern: Pattern

    public var startIndex: Int { 0 }
    public var endIndex: Int { pattern.timingGroupCount }

    public subscript(number: Int) -> TimingGroup {
        let rows = pattern.tripRange(ofTimingGroup: number)
        let starts = pattern.column(.starts)
        return TimingGroup(
            times: Array(pattern.times(ofTimingGroup: number)),
            firstTrip: pattern.firstTrip(ofTimingGroup: number), starts: rows.map { starts[$0] },
            services: rows.map { pattern.service($0) },
            frequencies: pattern.frequencies(ofTimingGroup: number))
    }
}
