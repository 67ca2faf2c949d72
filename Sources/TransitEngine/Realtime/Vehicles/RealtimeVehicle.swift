public import TransitModel

/// A vehicle with its position and the trip that it serves.
public struct RealtimeVehicle: Sendable {
    public var position: VehiclePosition
    /// The trip instance; `nil` if the vehicle serves no trip or a trip that the timetable lacks.
    public var tripInstance: TripInstanceKey?
    /// The progress along the trip; `nil` if it cannot be determined.
    public var progress: VehicleProgress?
    /// The time at which the position was measured, never later than the time of receipt. If this property is `nil`,
    /// the timestamp of the header applies.
    public var measured: Instant?
    /// For a vehicle that waits at its first stop, the time until which its position holds without a newer measurement:
    /// the time of the message, at most the scheduled departure. `nil` for other vehicles.
    public var waitingUntil: Instant?
    /// The route variant that the vehicle follows, in a network without times.
    public var variant: Variant?
    /// The reason why the vehicle yields no departures, in a network without times; `nil` if it yields departures, and
    /// in other networks.
    public var exclusion: VehicleExclusion?

    /// A route variant, which is a trip without times in the timetable.
    public struct Variant: Hashable, Sendable {
        public var pattern: PatternIndex
        public var trip: TripIndex
    }
}

/// The progress of a vehicle along its trip.
public struct VehicleProgress: Hashable, Sendable {
    public enum State: UInt8, Hashable, Sendable {
        /// The vehicle is at the call.
        case atStop
        /// The vehicle is about to arrive at the call.
        case approaching
        /// The vehicle is between the previous call and this call.
        case between
    }

    /// The data from which the progress was derived.
    public enum Basis: UInt8, Hashable, Sendable {
        /// `current_stop_sequence`.
        case sequence
        /// `stop_id`.
        case stop
        /// The coordinate, projected onto the trip's shape.
        case shape
        /// The coordinate, projected onto straight lines between the stops.
        case stops
    }

    public var state: State
    /// Position of the call to which ``state`` refers, in the trip's pattern.
    public var call: Int
    public var basis: Basis
    /// For ``State/between``, the fraction of the distance from the previous call that the vehicle has covered, 0...1;
    /// `nil` if unknown.
    public var fraction: Double?

    /// Returns the number of calls between the vehicle and a call: 0 if the vehicle is at the call or the call is its
    /// next call; `nil` if the vehicle has left the call.
    public func stopsAway(from position: Int) -> Int? { position < call ? nil : position - call }
}

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
