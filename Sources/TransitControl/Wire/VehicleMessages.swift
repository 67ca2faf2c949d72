public import TransitModel

/// Lists the vehicles that tell their position.
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
        "VehiclesParameters", "Lists the vehicles that tell their position.", Self.init,
        Field("feed", \.feed, "Only in this feed.", in: 1...64),
        Field("route", \.route, "Only of this route, by identifier or name.", in: 1...300),
        Field("stop", \.stop, "Only those that are on their way to this stop.", in: 1...300),
        Field("trip", \.trip, "Only of this trip, by `FEED:TRIP_ID`, identifier, or a departure's `id`.", in: 1...300),
        Field("count", \.count, "How many at most.", in: 1...500, default: 100),
        Field("cursor", \.cursor, "Where to go on: `next_cursor` of the answer before.", in: 1...300),
        Field(
            "language", \.language, "An IETF BCP 47 code, such as \"de\": texts in it where the feed has them.",
            in: 1...35))
}

/// Why a vehicle of a network without times is no departure.
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
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A vehicle that tells its position.
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
        "VehicleSummary", "A vehicle that tells its position.", Self.init,
        Field("feed", \.feed, "The feed that it comes from."),
        Field("id", \.id, "The publisher's name for it."),
        Field("label", \.label, "What riders can read on it."),
        Field("trip", \.trip, "The trip that it runs."),
        Field("is_matched", \.isMatched, "Whether the timetable has that trip."),
        Field("service_date", \.serviceDate, "The date that the trip belongs to."),
        Field("route", \.route, "The trip's route."),
        Field("headsign", \.headsign, "Where it says that it goes."),
        Field("direction_id", \.directionId, "`direction_id`, 0 or 1."),
        Field("position", \.position, "Where it is."),
        Field("bearing", \.bearing, "Clockwise from north.", unit: .degrees),
        Field("speed", \.speed, "How fast it is, in meters per second."),
        Field("status", \.status, "Where it is with regard to `stop`. More may follow."),
        Field("stop", \.stop, "Its next stop."),
        Field(
            "stops_away", \.stopsAway,
            "How many calls lie between it and the stop that was asked about; null when none was."),
        Field("occupancy", \.occupancy, "How full it is. More may follow."),
        Field(
            "occupancy_percentage", \.occupancyPercentage,
            "The same in percent; over 100 when more crowded than meant.", unit: .percent),
        Field("delay", \.delay, "How late its trip is; negative when it is early.", unit: .seconds),
        Field("timestamp", \.timestamp, "When the position was measured."),
        Field("age", \.age, "How long ago that was.", unit: .seconds),
        Field(
            "no_departure_reason", \.noDepartureReason,
            """
            In a network without times: why it is no departure. parked: it has not moved for an hour; off_route: it is far from \
            the path of its trip; stale: its place was measured too long ago. Null for one that is a departure. More may follow.
            """))
}

/// The vehicles that tell their position.
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
        "VehiclesResult", "The vehicles that tell their position.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("vehicles", \.vehicles, "By feed and route; by distance when a stop was asked about."),
        Field("next_cursor", \.nextCursor, "What to give as `cursor` for more; null at the end."),
        Field("notices", \.notices, "What to know about this answer."))
}
