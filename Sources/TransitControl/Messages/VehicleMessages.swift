public import TransitModel
public import TransitWire

/// Lists the vehicles that report their positions.
public struct VehiclesParameters: ControlParameters {
    public typealias Reply = VehiclesResult
    public static let method = ControlMethod.vehicles

    public var feed: FeedID?
    public var route: String?
    public var stop: String?
    public var trip: String?
    public var count: Int
    public var cursor: String?
    public var language: String?

    public init(
        feed: FeedID? = nil, route: String? = nil, stop: String? = nil, trip: String? = nil, count: Int = 100,
        cursor: String? = nil, language: String? = nil
    ) {
        self.feed = feed
        self.route = route
        self.stop = stop
        self.trip = trip
        self.count = count
        self.cursor = cursor
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "VehiclesParameters", "Lists the vehicles that report their positions.", Self.init,
        Field("feed", \.feed, "Limits the result to this feed.", in: 1...64),
        Field("route", \.route, "Limits the result to this route, given by identifier or name.", in: 1...300),
        Field("stop", \.stop, "Limits the result to vehicles on their way to this stop.", in: 1...300),
        Field(
            "trip", \.trip,
            "Limits the result to this trip, given as `FEED:TRIP_ID`, a trip ID, or a departure's `id`.", in: 1...300),
        Field("count", \.count, "The maximum number of vehicles.", in: 1...500, default: 100),
        Field("cursor", \.cursor, "The `next_cursor` of the previous page; omit it for the first page.", in: 1...300),
        Field(
            "language", \.language,
            """
            The language for texts, as an IETF BCP 47 language tag such as "de". Texts are translated only if the feed \
            has translations.
            """,
            in: 1...35))
}

/// The reason why a vehicle in a feed without stop times yields no departure.
public enum VehicleExclusionReason: String, WireEnum {
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

    public static var unrecognized: Self? { .other }
}

/// A vehicle that reports its position.
public struct VehicleSummary: WireObject {
    public var feed: FeedID
    public var id: String?
    public var label: String?
    public var trip: TripID?
    public var isMatched: Bool
    public var serviceDate: ServiceDate?
    public var route: RouteSummary?
    public var headsign: String?
    public var directionId: Int?
    public var position: Position?
    public var bearing: Double?
    public var speed: Double?
    public var status: VehicleStatus?
    public var stop: CallStop?
    public var stopsAway: Int?
    public var occupancy: OccupancyLevel?
    public var occupancyPercentage: Int?
    public var delay: Int?
    public var timestamp: Timestamp?
    public var age: Int?
    public var noDepartureReason: VehicleExclusionReason?

    public init(
        feed: FeedID, id: String? = nil, label: String? = nil, trip: TripID? = nil, isMatched: Bool,
        serviceDate: ServiceDate? = nil, route: RouteSummary? = nil, headsign: String? = nil, directionId: Int? = nil,
        position: Position? = nil, bearing: Double? = nil, speed: Double? = nil, status: VehicleStatus? = nil,
        stop: CallStop? = nil, stopsAway: Int? = nil, occupancy: OccupancyLevel? = nil, occupancyPercentage: Int? = nil,
        delay: Int? = nil, timestamp: Timestamp? = nil, age: Int? = nil,
        noDepartureReason: VehicleExclusionReason? = nil
    ) {
        self.feed = feed
        self.id = id
        self.label = label
        self.trip = trip
        self.isMatched = isMatched
        self.serviceDate = serviceDate
        self.route = route
        self.headsign = headsign
        self.directionId = directionId
        self.position = position
        self.bearing = bearing
        self.speed = speed
        self.status = status
        self.stop = stop
        self.stopsAway = stopsAway
        self.occupancy = occupancy
        self.occupancyPercentage = occupancyPercentage
        self.delay = delay
        self.timestamp = timestamp
        self.age = age
        self.noDepartureReason = noDepartureReason
    }

    public static let wireSchema = WireSchema(
        "VehicleSummary", "A vehicle that reports its position.", Self.init,
        Field("feed", \.feed, "The feed of the vehicle."),
        Field("id", \.id, "The publisher's identifier of the vehicle."),
        Field("label", \.label, "The label visible on the vehicle."),
        Field("trip", \.trip, "The trip that the vehicle runs."),
        Field("is_matched", \.isMatched, "Whether the trip is in the timetable."),
        Field("service_date", \.serviceDate, "The trip's service date."),
        Field("route", \.route, "The trip's route."),
        Field("headsign", \.headsign, "The destination shown on the vehicle."),
        Field("direction_id", \.directionId, "The direction (`direction_id`), 0 or 1."),
        Field("position", \.position, "The coordinates."),
        Field("bearing", \.bearing, "The heading, clockwise from north.", unit: .degrees),
        Field("speed", \.speed, "The speed, in meters per second."),
        Field("status", \.status, "The vehicle's position relative to `stop`. More values may be added."),
        Field("stop", \.stop, "The next stop."),
        Field(
            "stops_away", \.stopsAway,
            """
            The number of calls between the vehicle and the requested stop; null when no stop was requested.
            """),
        Field("occupancy", \.occupancy, "How full the vehicle is. More values may be added."),
        Field(
            "occupancy_percentage", \.occupancyPercentage,
            "The occupancy in percent; over 100 when the load exceeds the rated capacity.", unit: .percent),
        Field("delay", \.delay, "The delay of the trip; negative when early.", unit: .seconds),
        Field("timestamp", \.timestamp, "When the position was measured."),
        Field("age", \.age, "The age of the position.", unit: .seconds),
        Field(
            "no_departure_reason", \.noDepartureReason,
            """
            In a feed without stop times, the reason why the vehicle yields no departure. no_trip: it reports no \
            trip; unknown_trip: its trip is not in the timetable; no_position: it reports no position; no_timestamp: \
            its position has no timestamp; stale: its position is too old; parked: it has not moved for an hour; \
            unknown_path: the path of its trip is unknown; off_route: it is far from the path of its trip; \
            at_last_stop: it has reached its last stop. Null for a vehicle that yields a departure. More values may be \
            added.
            """))
}

/// The vehicles that report their positions.
public struct VehiclesResult: WireObject {
    public var at: Timestamp
    public var vehicles: [VehicleSummary]
    public var nextCursor: String?
    public var notices: [Notice]

    public init(at: Timestamp, vehicles: [VehicleSummary], nextCursor: String? = nil, notices: [Notice] = []) {
        self.at = at
        self.vehicles = vehicles
        self.nextCursor = nextCursor
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "VehiclesResult", "The vehicles that report their positions.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("vehicles", \.vehicles, "Sorted by feed and route, or by distance when a stop was requested."),
        Field("next_cursor", \.nextCursor, "The `cursor` of the next page; null on the last page."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
