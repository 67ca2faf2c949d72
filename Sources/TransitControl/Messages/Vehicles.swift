public import TransitModel
public import TransitWire

/// Lists the vehicles that report their positions.
public struct VehiclesParameters: ControlParameters {
    public typealias Reply = VehiclesResult
    public static let method = ControlMethod.vehicles

    /// Limits the result to this feed.
    /// - Range: 1...64
    public var feed: FeedID?
    /// Limits the result to this route, given by identifier or name.
    /// - Range: 1...300
    public var route: String?
    /// Limits the result to vehicles on their way to this stop.
    /// - Range: 1...300
    public var stop: String?
    /// Limits the result to this trip, given as `FEED:TRIP_ID`, a trip ID, or a departure's `id`.
    /// - Range: 1...300
    public var trip: String?
    /// The maximum number of vehicles.
    /// - Range: 1...500
    public var count: Int = 100
    /// The `next_cursor` of the previous page; omit it for the first page.
    /// - Range: 1...300
    public var cursor: String?
    /// The language for texts, as an IETF BCP 47 language tag such as "de". Texts are translated only if the feed has
    /// translations.
    /// - Range: 1...35
    public var language: String?
}

/// The reason why a vehicle in a feed without stop times yields no departure.
public enum VehicleExclusionReason: String, OpenWireEnum {
    case noTrip = "no_trip"
    case unknownTrip = "unknown_trip"
    case noPosition = "no_position"
    case noTimestamp = "no_timestamp"
    case stale
    case parked
    case unknownPath = "unknown_path"
    case offRoute = "off_route"
    case atLastStop = "at_last_stop"
    /// A value that this version does not know.
    case other
}

/// A vehicle that reports its position.
public struct VehicleSummary: WireObject {
    /// The feed of the vehicle.
    public var feed: FeedID
    /// The publisher's identifier of the vehicle.
    public var id: String?
    /// The label visible on the vehicle.
    public var label: String?
    /// The trip that the vehicle runs.
    public var trip: TripID?
    /// Whether the trip is in the timetable.
    public var isMatched: Bool
    /// The trip's service date.
    public var serviceDate: ServiceDate?
    /// The trip's route.
    public var route: RouteSummary?
    /// The destination shown on the vehicle.
    public var headsign: String?
    /// The direction (`direction_id`), 0 or 1.
    public var directionId: Int?
    /// The coordinates.
    public var position: Position?
    /// The heading, clockwise from north.
    /// - Unit: degrees
    public var bearing: Double?
    /// The speed, in meters per second.
    public var speed: Double?
    /// The vehicle's position relative to `stop`. More values may be added.
    public var status: VehicleStatus?
    /// The next stop.
    public var stop: CallStop?
    /// The number of calls between the vehicle and the requested stop; null when no stop was requested.
    public var stopsAway: Int?
    /// How full the vehicle is. More values may be added.
    public var occupancy: OccupancyLevel?
    /// The occupancy in percent; over 100 when the load exceeds the rated capacity.
    /// - Unit: percent
    public var occupancyPercentage: Int?
    /// The delay of the trip; negative when early.
    /// - Unit: seconds
    public var delay: Int?
    /// When the position was measured.
    public var timestamp: Timestamp?
    /// The age of the position.
    /// - Unit: seconds
    public var age: Int?
    /// In a feed without stop times, the reason why the vehicle yields no departure. no_trip: it reports no trip;
    /// unknown_trip: its trip is not in the timetable; no_position: it reports no position; no_timestamp: its position
    /// has no timestamp; stale: its position is too old; parked: it has not moved for an hour; unknown_path: the path
    /// of its trip is unknown; off_route: it is far from the path of its trip; at_last_stop: it has reached its last
    /// stop. Null for a vehicle that yields a departure. More values may be added.
    public var noDepartureReason: VehicleExclusionReason?
}

/// The vehicles that report their positions.
public struct VehiclesResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Sorted by feed and route, or by distance when a stop was requested.
    public var vehicles: [VehicleSummary]
    /// The `cursor` of the next page; null on the last page.
    public var nextCursor: String?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
