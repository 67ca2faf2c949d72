/// Realtime predictions for one trip (GTFS-Realtime reference, *TripUpdate*).
public struct TripUpdate: Hashable, Sendable {
    /// The `id` of the feed entity.
    public var id: EntityID
    public var trip: TripDescriptor
    public var vehicle: VehicleDescriptor?
    /// The updates in message order. The specification requires ascending order along the trip.
    public var updates: [StopTimeUpdate]
    /// The time at which the trip's progress was measured. `nil` means the header's timestamp.
    public var timestamp: Instant?
    /// The delay of the whole trip in seconds, for stops without their own prediction. Negative if early.
    public var delay: Int32?
    public var properties: TripProperties?
    /// The basis of the times.
    public var basis: TripUpdateBasis
    /// A message from the operator about this trip, such as “Last bus”.
    public var remark: TranslatedText?
    /// Whether the update covers only some calls of the trip. Partial updates with the same trip and date are combined
    /// into one trip.
    public var isPartial: Bool

    public init(
        id: EntityID, trip: TripDescriptor, vehicle: VehicleDescriptor? = nil, updates: [StopTimeUpdate] = [],
        timestamp: Instant? = nil, delay: Int32? = nil, properties: TripProperties? = nil,
        basis: TripUpdateBasis = .predicted, remark: TranslatedText? = nil, isPartial: Bool = false
    ) {
        self.id = id
        self.trip = trip
        self.vehicle = vehicle
        self.updates = updates
        self.timestamp = timestamp
        self.delay = delay
        self.properties = properties
        self.basis = basis
        self.remark = remark
        self.isPartial = isPartial
    }
}

/// The prediction for one call of a trip (GTFS-Realtime reference, *TripUpdate.StopTimeUpdate*).
public struct StopTimeUpdate: Hashable, Sendable {
    /// `stop_sequence`.
    public var sequence: UInt32?
    public var stopID: StopID?
    public var arrival: StopTimeEvent?
    public var departure: StopTimeEvent?
    public var relationship: StopScheduleRelationship
    /// `assigned_stop_id`: the platform that the trip uses instead of the planned platform.
    public var assignedStopID: StopID?
    /// `departure_occupancy_status`.
    public var departureOccupancy: Occupancy?

    public init(
        sequence: UInt32? = nil, stopID: StopID? = nil, arrival: StopTimeEvent? = nil,
        departure: StopTimeEvent? = nil, relationship: StopScheduleRelationship = .scheduled,
        assignedStopID: StopID? = nil,
        departureOccupancy: Occupancy? = nil
    ) {
        self.sequence = sequence
        self.stopID = stopID
        self.arrival = arrival
        self.departure = departure
        self.relationship = relationship
        self.assignedStopID = assignedStopID
        self.departureOccupancy = departureOccupancy
    }
}

/// A predicted arrival or departure (GTFS-Realtime reference, *TripUpdate.StopTimeEvent*), given as a time, a delay or
/// both.
public struct StopTimeEvent: Hashable, Sendable {
    /// Takes precedence over ``delay``.
    public var time: Instant?
    /// The delay relative to the timetable in seconds. Negative if early.
    public var delay: Int32?
    /// The uncertainty in seconds. 0 means certain, as for a past call. `nil` means unknown.
    public var uncertainty: Int32?
    /// `scheduled_time`, for a trip that is not in the timetable.
    public var scheduledTime: Instant?

    @inlinable
    public init(
        time: Instant? = nil, delay: Int32? = nil, uncertainty: Int32? = nil, scheduledTime: Instant? = nil
    ) {
        self.time = time
        self.delay = delay
        self.uncertainty = uncertainty
        self.scheduledTime = scheduledTime
    }
}

/// The relation of a call to the timetable (GTFS-Realtime reference, *StopTimeUpdate.ScheduleRelationship*).
public enum StopScheduleRelationship: UInt8, Hashable, Sendable, CaseIterable {
    case scheduled = 0
    /// The vehicle does not stop here.
    case skipped = 1
    /// No realtime data is available from this call on. This does not mean that the trip is on time.
    case noData = 2
    /// A call of a trip in frequencies.txt with `exact_times` 0.
    case unscheduled = 3
}

/// The basis of the times in a ``TripUpdate``. GTFS-Realtime has no field for it. Decoders set it for sources that
/// publish it.
public enum TripUpdateBasis: UInt8, Hashable, Sendable, CaseIterable {
    /// The times are predicted by the publisher.
    case predicted
    /// The times are computed from the vehicle's position, by this program or by a publisher that declares its
    /// predictions as such.
    case estimated
    /// The times are planned times that the publisher repeats without tracking the vehicle, such as the “Scheduled Bus”
    /// of KMB.
    case planned
}
