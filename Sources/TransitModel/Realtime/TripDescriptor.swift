/// Identifies a trip (GTFS-Realtime reference, *TripDescriptor*), either by its ID, with or without a date, or by
/// route, direction, date and start time together.
public struct TripDescriptor: Hashable, Sendable {
    public var tripID: TripID?
    public var routeID: RouteID?
    public var direction: Direction?
    /// `start_time`: the time of the trip's first departure. Together with `tripID`, it identifies one repetition of a
    /// trip in frequencies.txt.
    public var startTime: ServiceTime?
    /// `start_date`, a service date.
    public var startDate: ServiceDate?
    public var relationship: TripScheduleRelationship

    public init(
        tripID: TripID? = nil, routeID: RouteID? = nil, direction: Direction? = nil, startTime: ServiceTime? = nil,
        startDate: ServiceDate? = nil, relationship: TripScheduleRelationship = .scheduled
    ) {
        self.tripID = tripID
        self.routeID = routeID
        self.direction = direction
        self.startTime = startTime
        self.startDate = startDate
        self.relationship = relationship
    }
}

/// The relation of a trip to the timetable (GTFS-Realtime reference, *TripDescriptor.ScheduleRelationship*).
///
/// The raw values are those of the protocol buffer enumeration.
public enum TripScheduleRelationship: UInt8, Hashable, Sendable, CaseIterable {
    case scheduled = 0
    /// An extra trip that is not in the timetable. Deprecated in favor of ``new`` and ``duplicated`` but still common.
    case added = 1
    /// A repetition of a trip in frequencies.txt with `exact_times` 0.
    case unscheduled = 2
    case canceled = 3
    /// A replacement for a trip in the timetable, with different stops or times.
    case replacement = 5
    /// A copy of a trip in the timetable on another date or at another time, which ``TripProperties`` specifies.
    case duplicated = 6
    /// Like ``canceled``, but the trip must not be shown to riders.
    case deleted = 7
    /// An extra trip that is not a copy of a trip in the timetable.
    case new = 8
}

/// Properties of the trip that a trip update overrides (GTFS-Realtime reference, *TripUpdate.TripProperties*).
public struct TripProperties: Hashable, Sendable {
    /// The identifier of the copy, for ``TripScheduleRelationship/duplicated``.
    public var tripID: TripID?
    public var startDate: ServiceDate?
    public var startTime: ServiceTime?
    public var shapeID: ShapeID?
    public var headsign: String?
    public var shortName: String?

    public init(
        tripID: TripID? = nil, startDate: ServiceDate? = nil, startTime: ServiceTime? = nil, shapeID: ShapeID? = nil,
        headsign: String? = nil, shortName: String? = nil
    ) {
        self.tripID = tripID
        self.startDate = startDate
        self.startTime = startTime
        self.shapeID = shapeID
        self.headsign = headsign
        self.shortName = shortName
    }
}

/// Identifies a vehicle (GTFS-Realtime reference, *VehicleDescriptor*).
public struct VehicleDescriptor: Hashable, Sendable {
    public var id: VehicleID?
    /// The label that riders see on the vehicle.
    public var label: String?
    public var licensePlate: String?
    /// `nil` means that the timetable's value applies.
    public var wheelchair: Accessibility?
    /// Whether bicycles are allowed. GTFS-Realtime has no such field, but some providers publish this information.
    /// `nil` if unknown.
    public var bikes: Accessibility?

    public init(
        id: VehicleID? = nil, label: String? = nil, licensePlate: String? = nil, wheelchair: Accessibility? = nil,
        bikes: Accessibility? = nil
    ) {
        self.id = id
        self.label = label
        self.licensePlate = licensePlate
        self.wheelchair = wheelchair
        self.bikes = bikes
    }
}

public typealias VehicleID = Identifier<VehicleDescriptor>
