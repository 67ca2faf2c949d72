/// How a feed's live data fits its timetable.
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
        "RealtimeCounts", "How a feed's live data fits its timetable.", Self.init,
        Field("trips_matched", \.tripsMatched, "Trips that the timetable has."),
        Field("trips_unmatched", \.tripsUnmatched, "Trips that it has not, although they say so."),
        Field("trips_extra", \.tripsExtra, "Trips beside the timetable: added, duplicated, unscheduled."),
        Field("trips_canceled", \.tripsCanceled, "Trips that do not run."),
        Field("stops_unmatched", \.stopsUnmatched, "Stops that the timetable has not."),
        Field("vehicles", \.vehicles, "Vehicles with a position."),
        Field("vehicles_unmatched", \.vehiclesUnmatched, "Vehicles whose trip is not known."),
        Field("alerts", \.alerts, "Messages to riders."))
}

/// Whether the daemon reaches the network.
public struct ConnectivityStatus: WireObject {
    public var isOnline: Bool
    public var since: Timestamp?

    public init(isOnline: Bool, since: Timestamp? = nil) {
        self.isOnline = isOnline
        self.since = since
    }

    public static let wireSchema = WireSchema(
        "NetworkStatus", "Whether the daemon reaches the network.", Self.init,
        Field("is_online", \.isOnline, "Whether it does."),
        Field("since", \.since, "Since when."))
}

/// How a cache file was found.
public enum CacheHealth: String, WireEnum {
    case ok
    case rebuilt
    case restored
    case lost
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A file of the daemon that was found damaged since it started.
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
        "CacheStatus", "A file of the daemon that was found damaged since it started.", Self.init,
        Field("name", \.name, "Which: \"state\", \"live snapshot of caltrain\", \"timetable 12 of caltrain\"."),
        Field(
            "health", \.health,
            """
            rebuilt: made anew from what was left; restored: a copy took its place; lost: nothing was left. \
            More may follow.
            """
        ),
        Field("message", \.message, "What happened, a sentence for people."),
        Field("since", \.since, "When it was found."))
}
