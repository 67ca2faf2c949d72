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
