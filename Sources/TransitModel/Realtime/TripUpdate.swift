/// What is known about the progress of one trip (GTFS-Realtime reference, *TripUpdate*).
public struct TripUpdate: Hashable, Sendable {
    /// Of the entity that brought it.
    public var id: EntityID
    public var trip: TripDescriptor
    public var vehicle: VehicleDescriptor?
    /// In the order of the message, which the specification wants ascending along the trip.
    public var updates: [StopTimeUpdate]
    /// When the trip's progress was measured; `nil`: the header's time counts.
    public var timestamp: Instant?
    /// Seconds late for the whole trip, where no stop says better; negative when early.
    public var delay: Int32?
    public var properties: TripProperties?
    /// What its times rest on.
    public var basis: TripUpdateBasis
    /// What the operator says about this trip, in words of its own: “Last bus”.
    public var remark: TranslatedText?
    /// Whether it tells some calls of the trip and others may tell more of them: what has the same trip and date is one trip.
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

/// What is expected at one call of a trip (GTFS-Realtime reference, *TripUpdate.StopTimeUpdate*).
public struct StopTimeUpdate: Hashable, Sendable {
    /// `stop_sequence`.
    public var sequence: UInt32?
    public var stopID: StopID?
    public var arrival: StopTimeEvent?
    public var departure: StopTimeEvent?
    public var relationship: StopScheduleRelationship
    /// `assigned_stop_id`: the platform that the trip uses instead.
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

/// A predicted moment (GTFS-Realtime reference, *TripUpdate.StopTimeEvent*): by its time, by its delay, or both.
public struct StopTimeEvent: Hashable, Sendable {
    /// Where both are given, the time counts.
    public var time: Instant?
    /// Seconds late against the timetable; negative when early.
    public var delay: Int32?
    /// Seconds; 0: certain, as for a call that has happened. `nil`: not known.
    public var uncertainty: Int32?
    /// `scheduled_time`, for a trip that the timetable does not have.
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

/// How a call relates to the timetable (GTFS-Realtime reference, *StopTimeUpdate.ScheduleRelationship*).
public enum StopScheduleRelationship: UInt8, Hashable, Sendable, CaseIterable {
    case scheduled = 0
    /// The vehicle does not stop there.
    case skipped = 1
    /// Nothing is known from here on, which is not "on time".
    case noData = 2
    /// A call of a trip of frequencies.txt with `exact_times` 0.
    case unscheduled = 3
}
