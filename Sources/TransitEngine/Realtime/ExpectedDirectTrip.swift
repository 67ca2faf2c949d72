public import TransitModel

/// One ride from a place to another as a rider may expect it.
public struct ExpectedDirectTrip: Sendable {
    public var departure: ExpectedCall
    /// Where it ends.
    public var destination: StopIndex
    /// `nil` where only the departure is told: a prediction for one stop of a network without times.
    public var arrival: ExpectedCall?
    /// Seconds on foot to the stop of ``departure``.
    public var walkBefore: Int
    /// Seconds on foot from the stop of ``arrival``.
    public var walkAfter: Int

    /// Moves an arrival that is before a moment, such as the departure, to that moment. Such times come from
    /// predictions that contradict each other, or from a prediction and a plan. A planned arrival is instead delayed by
    /// `delay`.
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

    /// The last moment to set out.
    public var leaveBy: Instant { departure.departure.advanced(by: -walkBefore) }
    /// When the destination is reached, the walk included; `nil` where the arrival is not known.
    public var reaches: Instant? { arrival?.arrival.advanced(by: walkAfter) }
}
