public import TransitWire

/// How well a feed's realtime data matches its timetable.
public struct RealtimeCounts: WireObject {
    public var tripsMatched: Int
    public var tripsUnmatched: Int
    public var tripsExtra: Int
    public var tripsCanceled: Int
    public var stopsUnmatched: Int
    public var vehicles: Int
    public var vehiclesUnmatched: Int
    public var alerts: Int

    public init(
        tripsMatched: Int, tripsUnmatched: Int, tripsExtra: Int, tripsCanceled: Int, stopsUnmatched: Int,
        vehicles: Int, vehiclesUnmatched: Int, alerts: Int
    ) {
        self.tripsMatched = tripsMatched
        self.tripsUnmatched = tripsUnmatched
        self.tripsExtra = tripsExtra
        self.tripsCanceled = tripsCanceled
        self.stopsUnmatched = stopsUnmatched
        self.vehicles = vehicles
        self.vehiclesUnmatched = vehiclesUnmatched
        self.alerts = alerts
    }

    public static let wireSchema = WireSchema(
        "RealtimeCounts", "How well a feed's realtime data matches its timetable.", Self.init,
        Field("trips_matched", \.tripsMatched, "Trips found in the timetable."),
        Field(
            "trips_unmatched", \.tripsUnmatched,
            "Trips that the source reports as scheduled but that are not in the timetable."),
        Field(
            "trips_extra", \.tripsExtra,
            "Trips that run in addition to the timetable: added, duplicated or unscheduled."),
        Field("trips_canceled", \.tripsCanceled, "Canceled trips."),
        Field("stops_unmatched", \.stopsUnmatched, "Stops that are not in the timetable."),
        Field("vehicles", \.vehicles, "Vehicles with a position."),
        Field("vehicles_unmatched", \.vehiclesUnmatched, "Vehicles whose trip is unknown."),
        Field("alerts", \.alerts, "Service alerts."))
}

/// Whether the daemon has a network connection.
public struct ConnectivityStatus: WireObject {
    public var isOnline: Bool
    public var since: Timestamp?

    public init(isOnline: Bool, since: Timestamp? = nil) {
        self.isOnline = isOnline
        self.since = since
    }

    public static let wireSchema = WireSchema(
        "NetworkStatus", "Whether the daemon has a network connection.", Self.init,
        Field("is_online", \.isOnline, "Whether the daemon is online."),
        Field("since", \.since, "When this state began."))
}

/// How the daemon recovered a corrupt file.
public enum CacheHealth: String, WireEnum {
    case ok
    case rebuilt
    case restored
    case lost
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A daemon file that has been found to be corrupt since startup.
public struct CacheStatus: WireObject {
    public var name: String
    public var health: CacheHealth
    public var message: String
    public var since: Timestamp?

    public init(name: String, health: CacheHealth, message: String, since: Timestamp? = nil) {
        self.name = name
        self.health = health
        self.message = message
        self.since = since
    }

    public static let wireSchema = WireSchema(
        "CacheStatus", "A daemon file that has been found to be corrupt since startup.", Self.init,
        Field(
            "name", \.name,
            "The file, such as \"state\", \"live snapshot of caltrain\" or \"timetable 12 of caltrain\"."),
        Field(
            "health", \.health,
            """
            How the daemon recovered. rebuilt: the file was rebuilt from the remaining data; restored: a copy was \
            restored; lost: no data remained. More values may be added.
            """
        ),
        Field("message", \.message, "A human-readable sentence."),
        Field("since", \.since, "When the corruption was found."))
}
