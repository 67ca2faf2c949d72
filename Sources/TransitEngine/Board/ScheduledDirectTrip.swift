public import TransitModel

/// A direct trip between two places: walk, ride and walk.
public struct ScheduledDirectTrip: Sendable {
    public var departure: ScheduledCall
    public var arrival: ScheduledCall
    /// Walking time to the stop of ``departure``, in seconds.
    public var walkBefore: Int
    /// Walking time from the stop of ``arrival``, in seconds.
    public var walkAfter: Int

    public init(departure: ScheduledCall, arrival: ScheduledCall, walkBefore: Int, walkAfter: Int) {
        self.departure = departure
        self.arrival = arrival
        self.walkBefore = walkBefore
        self.walkAfter = walkAfter
    }

    /// The latest time to set out.
    public var leaveBy: Instant { departure.departure.advanced(by: -walkBefore) }
    /// The time of arrival at the destination, including the walk.
    public var destinationArrival: Instant { arrival.arrival.advanced(by: walkAfter) }
}
