/// A call of a trip on one service date. It contains indices, not names. The store resolves the names for the calls
/// that are displayed.
public struct ScheduledCall: Sendable {
    public var pattern: Pattern
    /// Position in ``Pattern/timingGroups``.
    public var timingGroup: Int
    /// Position of the trip in its timing group.
    public var tripPosition: Int
    public var serviceDate: ServiceDate
    /// Position of the call in ``Pattern/calls``.
    public var position: Int
    public var arrival: Instant
    public var departure: Instant
    /// For a trip in frequencies.txt, the start of this repetition in service time and the row that defines it.
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
