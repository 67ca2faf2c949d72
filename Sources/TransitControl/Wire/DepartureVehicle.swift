/// How the live data of a trip stands.
public enum RealtimeState: String, WireEnum {
    /// Fresh live data is behind the departure.
    case fresh
    /// The live data is older than it should be, and still used.
    case aging
    /// The live data is too old to rely on. The departure shows the last prediction of a silent source, or else the
    /// timetable's time.
    case expired
    /// The feed's live data is fresh and does not have this trip, although it should.
    case missing
    /// Nothing live is known of it, nor was it to be expected.
    case notExpected = "not_expected"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Where a vehicle is with regard to its next stop.
public enum VehicleStatus: String, WireEnum {
    case atStop = "at_stop"
    case approaching
    case inTransit = "in_transit"
    /// A word that this reader does not know.
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
    /// A word that this reader does not know.
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
        Field("id", \.id, "The publisher's name for it."),
        Field("label", \.label, "What riders can read on it."),
        Field("status", \.status, "Where it is with regard to its next stop. More may follow."),
        Field(
            "stops_away", \.stopsAway,
            """
            How many calls lie between it and the departure's stop; 0 when it is there or comes there next; \
            negative when it has passed.
            """
        ),
        Field("position", \.position, "Where it is."),
        Field("occupancy", \.occupancy, "How full it is. More may follow."),
        Field("age", \.age, "How long ago its position was measured.", unit: .seconds))
}
