public import TransitModel

/// A direct trip between two places: walk, ride and walk.
public struct ScheduledDirectTrip: Sendable {
    public var departure: ScheduledCall
    public var arrival: ScheduledCall
    /// Walking time to the stop of ``departure``, in seconds.
    public var walkBefore: Int
    /// Walking time from the stop of ``arrival``, in seconds.
    public var walkAfter: Int

    /// The latest time to set out.
    public var leaveBy: Instant { departure.departure.advanced(by: -walkBefore) }
    /// The time of arrival at the destination, including the walk.
    public var destinationArrival: Instant { arrival.arrival.advanced(by: walkAfter) }
}

/// A direct trip between two places, with realtime data applied.
public struct ExpectedDirectTrip: Sendable {
    public var departure: ExpectedCall
    /// The stop where the rider alights.
    public var destination: StopIndex
    /// `nil` if only the departure is known, such as for a prediction for a single stop in a network without
    /// timetables.
    public var arrival: ExpectedCall?
    /// Walking time to the stop of ``departure``, in seconds.
    public var walkBefore: Int
    /// Walking time from the stop of ``arrival``, in seconds.
    public var walkAfter: Int

    /// Moves an arrival that is before a moment, such as the departure, to that moment. An arrival can be too early if
    /// predictions contradict each other, or if a prediction is combined with a scheduled time. A scheduled arrival is
    /// instead delayed by `delay`.
    ///
    /// - Parameter delay: the departure's delay in seconds; `nil` if unknown.
    public mutating func arriveNoEarlier(than moment: Instant, delay: Int?) {
        guard var end = arrival, end.arrival < moment else { return }
        let isPlan = end.expectedArrival == nil
        let late = isPlan ? end.scheduledArrival?.advanced(by: max(0, delay ?? 0)) : nil
        end.expectedArrival = late.map { max($0, moment) } ?? moment
        end.expectedDeparture = end.expectedDeparture.map { max($0, moment) }
        end.confidence = .low
        arrival = end
    }

    /// The latest time to set out.
    public var leaveBy: Instant { departure.departure.advanced(by: -walkBefore) }
    /// The time of arrival at the destination, including the walk; `nil` if the arrival is unknown.
    public var destinationArrival: Instant? { arrival?.arrival.advanced(by: walkAfter) }
}
