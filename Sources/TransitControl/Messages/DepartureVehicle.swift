public import TransitWire

/// The state of a trip's realtime data.
public enum RealtimeState: String, WireEnum {
    /// The realtime data is up to date.
    case fresh
    /// The realtime data is older than it should be, but still used.
    case aging
    /// The realtime data is too old to rely on. The departure shows the last prediction or, if there is none, the time
    /// in the timetable.
    case expired
    /// The feed's realtime data is fresh, but does not contain this trip although it should.
    case missing
    /// No realtime data exists, and none was expected.
    case notExpected = "not_expected"
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The position of a vehicle relative to its next stop.
public enum VehicleStatus: String, WireEnum {
    case atStop = "at_stop"
    case approaching
    case inTransit = "in_transit"
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// How full a vehicle is (GTFS-Realtime reference, *OccupancyStatus*).
public enum OccupancyLevel: String, WireEnum {
    case empty
    case manySeats = "many_seats"
    case fewSeats = "few_seats"
    case standingRoom = "standing_room"
    case crushed
    case full
    case notAccepting = "not_accepting"
    case notBoardable = "not_boardable"
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The vehicle that runs a trip.
public struct DepartureVehicle: WireObject {
    public var id: String?
    public var label: String?
    public var status: VehicleStatus?
    public var stopsAway: Int?
    public var position: Position?
    public var occupancy: OccupancyLevel?
    public var age: Int?

    public init(
        id: String? = nil, label: String? = nil, status: VehicleStatus? = nil, stopsAway: Int? = nil,
        position: Position? = nil, occupancy: OccupancyLevel? = nil, age: Int? = nil
    ) {
        self.id = id
        self.label = label
        self.status = status
        self.stopsAway = stopsAway
        self.position = position
        self.occupancy = occupancy
        self.age = age
    }

    public static let wireSchema = WireSchema(
        "DepartureVehicle", "The vehicle that runs a trip.", Self.init,
        Field("id", \.id, "The publisher's identifier of the vehicle."),
        Field("label", \.label, "The label visible on the vehicle."),
        Field("status", \.status, "The vehicle's position relative to its next stop. More values may be added."),
        Field(
            "stops_away", \.stopsAway,
            """
            The number of calls between the vehicle and the departure's stop: 0 when the stop is the current or \
            next one, negative when the vehicle has passed it.
            """
        ),
        Field("position", \.position, "The vehicle's coordinates."),
        Field("occupancy", \.occupancy, "How full the vehicle is. More values may be added."),
        Field("age", \.age, "The age of the position.", unit: .seconds))
}
