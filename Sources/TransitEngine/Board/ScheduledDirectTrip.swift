public import TransitModel

/// One ride from a place to another: walk, board, alight, walk.
public struct ScheduledDirectTrip: Sendable {
    public var departure: ScheduledCall
    public var arrival: ScheduledCall
    /// Seconds on foot to the stop of ``departure``.
    public var walkBefore: Int
    /// Seconds on foot from the stop of ``arrival``.
    public var walkAfter: Int

    public init(departure: ScheduledCall, arrival: ScheduledCall, walkBefore: Int, walkAfter: Int) {
        self.departure = departure
        self.arrival = arrival
        self.walkBefore = walkBefore
        self.walkAfter = walkAfter
    }

    /// The last moment to set out.
    public var leaveBy: Instant { departure.departure.advanced(by: -walkBefore) }
    /// When the destination is reached, the walk included.
    public var reaches: Instant { arrival.arrival.advanced(by: walkAfter) }
}
