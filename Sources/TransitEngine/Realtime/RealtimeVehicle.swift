public import TransitModel

/// A vehicle that reports its position, with the run that it serves.
public struct RealtimeVehicle: Sendable {
    public var position: VehiclePosition
    /// `nil`: it serves no trip, or none that the timetable has.
    public var run: TripInstanceKey?
    /// Where it is on its run; `nil` when that cannot be told.
    public var progress: VehicleProgress?
    /// When the position was measured, never later than it came; `nil`: the header's time counts.
    public var measured: Instant?
    /// In a network without times: the way that it takes.
    public var variant: Variant?
    /// In a network without times: why it is not offered; `nil` for one that is, and elsewhere.
    public var exclusion: VehicleExclusion?

    /// A way of a route, which the timetable has as a trip without times.
    public struct Variant: Hashable, Sendable {
        public var pattern: PatternIndex
        public var trip: TripIndex
    }
}

/// Where a vehicle is on its run.
public struct VehicleProgress: Hashable, Sendable {
    public enum State: UInt8, Hashable, Sendable {
        /// Stands at the call.
        case atStop
        /// Just about to arrive at the call.
        case approaching
        /// On its way to the call.
        case between
    }

    /// How the place is known.
    public enum Basis: UInt8, Hashable, Sendable {
        /// `current_stop_sequence`.
        case sequence
        /// `stop_id`.
        case stop
        /// The coordinate, laid on the trip's shape.
        case shape
        /// The coordinate, laid on straight lines between the stops.
        case stops
    }

    public var state: State
    /// Position of the call that ``state`` is about, in the run's pattern.
    public var call: Int
    public var basis: Basis
    /// For ``State/between``, where the coordinate tells it: how much of the way from the call before lies behind, 0...1.
    public var fraction: Double?

    public init(state: State, call: Int, basis: Basis, fraction: Double? = nil) {
        self.state = state
        self.call = call
        self.basis = basis
        self.fraction = fraction
    }

    /// How many calls lie between the vehicle and a call: 0 when it is there or on its way there directly; `nil` when it has
    /// left there.
    public func stopsAway(from position: Int) -> Int? { position < call ? nil : position - call }
}
