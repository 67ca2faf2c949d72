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
    /// Whether the feed marks the times as approximate, or they were interpolated, or only a headway is scheduled.
    public var isApproximate: Bool
    /// For a trip in frequencies.txt, the start of this repetition in service time and the row that defines it.
    public var frequency: (start: ServiceTime, row: Frequency)?

    /// - Parameter start: The trip's first departure, to which the times of the pattern are added.
    public init(
        pattern: Pattern, timingGroup: Int, tripPosition: Int, serviceDate: ServiceDate, position: Int, start: Instant,
        frequency: (start: ServiceTime, row: Frequency)? = nil
    ) {
        let times = pattern.times(timingGroup: timingGroup, call: position)
        self.pattern = pattern
        self.timingGroup = timingGroup
        self.tripPosition = tripPosition
        self.serviceDate = serviceDate
        self.position = position
        arrival = start.advanced(by: Int(times.arrival))
        departure = start.advanced(by: Int(times.departure))
        isApproximate = !times.isExact || frequency?.row.isExact == false
        self.frequency = frequency
    }

    public var trip: TripIndex { pattern.trip(timingGroup: timingGroup, position: tripPosition) }
    public var call: PatternCall { pattern.calls[position] }
    /// `stop_sequence` as published.
    public var sequence: UInt32 { pattern.sequence(at: position) }
    public var times: CallTimes { pattern.times(timingGroup: timingGroup, call: position) }
}
