/// Trips of one route and direction that call at the same stops in the same order.
///
/// The heart of a timetable: 435,000 stop times of a real feed are 890 lanes. A departure is
/// `timingGroup.starts[trip] + timingGroup.times[position].departure`. Immutable and shared by reference.
///
/// It lies in one piece of memory, column by column, in the very form that a timetable file keeps: a pattern of a file is
/// ready to be asked as soon as its bytes are there. ``calls`` and ``lanes`` unpack what is asked for; a search through
/// many lanes reads the columns themselves, as ``departures(at:)`` does.
public final class Pattern: Sendable {
    public let index: PatternIndex
    public let route: RouteIndex
    /// `direction_id`.
    public let direction: Direction?
    /// What ``init(index:packed:)`` takes.
    public let packed: [UInt8]

    public init(
        index: PatternIndex, route: RouteIndex, direction: Direction?, calls: [PatternCall], timingGroups: [TimingGroup]
    ) {
        self.index = index
        self.route = route
        self.direction = direction
        packed = PatternPacking.pack(route: route, direction: direction, calls: calls, timingGroups: timingGroups)
    }

    /// `nil` when the bytes are not a whole packing. What the numbers point to is not known here: see ``column(_:)``.
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

/// `direction_id` of trips.txt; which way each one means is the publisher's choice.
public enum Direction: UInt8, Hashable, Sendable {
    case zero = 0
    case one = 1
}

/// One call of a pattern: everything about it that does not depend on the trip.
public struct PatternCall: Hashable, Sendable {
    public var stop: StopIndex
    /// `stop_sequence` as published; ascending along the pattern, not always by one.
    public var sequence: UInt32
    public var pickup: PickupDropOff
    public var dropOff: PickupDropOff
    /// `stop_headsign`, which replaces the trip's headsign from here on only at this stop.
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
    /// Must phone the agency.
    case phone = 2
    /// Must coordinate with the driver.
    case driver = 3
}

/// When a trip of a lane calls, in seconds from the trip's start (which is its first departure).
///
/// The first arrival may lie before the start: it is then negative.
public struct CallTimes: Hashable, Sendable {
    public var arrival: Int32
    public var departure: Int32
    /// False for times that were interpolated or that the feed marks with `timepoint` 0.
    public var isExact: Bool

    public init(arrival: Int32, departure: Int32, isExact: Bool = true) {
        self.arrival = arrival
        self.departure = departure
        self.isExact = isExact
    }
}

/// Trips of one pattern with the same running times (the same *profile*), in the order of their starts.
///
/// They never overtake one another, so a search by time at any of their stops is a binary search in ``starts``.
public struct TimingGroup: Sendable {
    /// One for each call of the pattern.
    public var times: [CallTimes]
    /// The trips are numbered without a gap: trip `n` of the lane is `firstTrip + n`.
    public var firstTrip: TripIndex
    /// Seconds of service time, ascending. For a trip of frequencies.txt this is its own first departure, and
    /// ``frequencies`` says when it really leaves.
    public var starts: [Int32]
    /// The service of each trip, beside ``starts``.
    public var services: [ServiceIndex]
    /// For the trips of this lane that frequencies.txt repeats, ascending by trip and start; such a trip does not
    /// run at its own time as well (GTFS reference, frequencies.txt). Empty for almost every lane.
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

/// One row of frequencies.txt: the trip leaves its first stop at `start`, `start + headway`, … before `end`.
public struct Frequency: Hashable, Sendable {
    /// The position of the trip in its lane.
    public var trip: UInt32
    /// Seconds of service time.
    public var start: Int32
    /// Not included.
    public var end: Int32
    /// Seconds, 1 or more.
    public var headway: Int32
    /// `exact_times` 1: a timetable written shortly. 0: only the interval is promised.
    public var isExact: Bool

    public init(trip: UInt32, start: Int32, end: Int32, headway: Int32, isExact: Bool) {
        self.trip = trip
        self.start = start
        self.end = end
        self.headway = headway
        self.isExact = isExact
    }
}

/// A call of a pattern at a stop that was asked for.
public struct PatternVisit: Sendable {
    public var pattern: Pattern
    /// Where in ``Pattern/calls``.
    public var position: Int

    public init(pattern: Pattern, position: Int) {
        self.pattern = pattern
        self.position = position
    }
}
