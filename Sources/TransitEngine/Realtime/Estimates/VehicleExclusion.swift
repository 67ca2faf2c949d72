/// Why a vehicle is not offered as one to travel with, in a network without times.
public enum VehicleExclusion: UInt8, Hashable, Sendable, CaseIterable {
    /// It says that it serves no trip.
    case withoutTrip
    /// The network does not have the trip that it names.
    case unknownTrip
    /// It tells no place.
    case withoutPlace
    /// It does not say when its place was measured, or a time that lies ahead.
    case undated
    /// Its place was measured too long ago.
    case old
    /// It has not moved for an hour.
    case parked
    /// The way of its trip is not known: a stop of it has no place.
    case withoutPath
    /// It is far from the way of its trip.
    case offRoute
    /// It has come to the last stop.
    case atEnd
}
