/// The reason why a vehicle in a network without times yields no departures.
public enum VehicleExclusion: UInt8, Hashable, Sendable, CaseIterable {
    /// The vehicle reports no trip.
    case withoutTrip
    /// The network lacks the reported trip.
    case unknownTrip
    /// The vehicle reports no position.
    case withoutPosition
    /// The position has no timestamp or a timestamp in the future.
    case undated
    /// The position is too old.
    case old
    /// The vehicle has not moved for an hour.
    case parked
    /// The path of the trip is unknown because a stop has no location.
    case withoutPath
    /// The vehicle is far from the path of its trip.
    case offRoute
    /// The vehicle has reached the last stop.
    case atEnd
}
