/// A trip's call on one date, as the engine finds it: still without names, which the store adds for those that are shown.
public struct ScheduledCall: Sendable {
    public var pattern: Pattern
    /// Positions in ``Pattern/lanes`` and in the lane.
    public var timingGroup: Int
    public var tripPosition: Int
    public var serviceDate: ServiceDate
    /// Position of the call in ``Pattern/calls``.
    public var position: Int
    public var arrival: Instant
    public var departure: Instant
    /// The start of this run of a trip of frequencies.txt, in service time, with the row that gives it.
    public var frequency: (start: ServiceTime, row: Frequency)?

    public init(
        pattern: Pattern, timingGroup: Int, tripPosition: Int, serviceDate: ServiceDate, position: Int,
        arrival: Instant,
        departure: Instant, frequency: (start: ServiceTime, row: Frequency)? = nil
    ) {
        self.pattern = pattern
        self.timingGroup = timingGroup
        self.tripPosition = tripPosition
        self.serviceDate = serviceDate
        self.position = position
        self.arrival = arrival
        self.departure = departure
        self.frequency = frequency
    }

    public var trip: TripIndex { pattern.trip(timingGroup: timingGroup, position: tripPosition) }
    public var call: PatternCall { pattern.calls[position] }
    public var times: CallTimes { pattern.times(timingGroup: timingGroup, call: position) }
}
