public import TransitModel
public import TransitWire

/// The status of the daemon process.
public struct DaemonStatus: WireObject {
    /// The daemon's version.
    public var version: String
    /// The process ID.
    public var pid: Int
    /// When the daemon started.
    public var started: Timestamp
    /// The time since the daemon started, including time in suspend.
    /// - Unit: seconds
    public var uptime: Int
    /// The resident memory.
    /// - Unit: bytes
    public var memory: Int
    /// The number of connected clients.
    public var connections: Int
    /// The path of the socket, or the name that systemd gave it.
    public var socket: String
    /// The path of the configuration file; null when there is none.
    public var configuration: String?
    /// Whether the clock was set to another time at startup (`--replay-clock`).
    public var isReplay: Bool
}

/// The disk space that the daemon uses.
public struct StorageStatus: WireObject {
    /// Commutes, places and ledgers.
    /// - Unit: bytes
    public var state: Int
    /// The size of all timetable versions of all feeds.
    /// - Unit: bytes
    public var timetables: Int
    /// The free disk space; null when unknown.
    /// - Unit: bytes
    public var free: Int?
}

/// Returns the status of the daemon and its feeds.
public struct StatusParameters: ControlParameters {
    public typealias Reply = StatusResult
    public static let method = ControlMethod.status

    /// Limits the result to this feed.
    /// - Range: 1...64
    public var feed: FeedID?
    /// Whether to include the most recent updates of each dataset.
    public var updates: Bool = false
}

/// The status of the daemon and its feeds.
public struct StatusResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The daemon process.
    public var daemon: DaemonStatus
    /// In configuration order.
    public var feeds: [FeedStatus]
    /// The datasets that belong to no feed, such as weather, if they are configured.
    public var context: [DatasetStatus] = []
    /// The disk space in use.
    public var storage: StorageStatus
    /// The caller's commute in use; null when the time of day determines the commute.
    public var commute: String?
    /// Whether the daemon has a network connection; null before its first request.
    public var network: ConnectivityStatus?
    /// The files that were found to be corrupt since startup.
    public var caches: [CacheStatus] = []
    /// The caller's notifications.
    public var notifications: NotificationSummary?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// A part of a feed that has its own refresh policy.
public enum DatasetName: String, OpenWireEnum {
    /// Stops, routes, trips and stop times: GTFS Schedule, or the provider's equivalent.
    case `static`
    /// Trip predictions and cancellations.
    case tripUpdates = "trip_updates"
    /// Vehicle positions.
    case vehicles
    /// Service alerts.
    case alerts
    /// Arrivals at individual stops, fetched on demand.
    case arrivals
    /// Weather.
    case weather
    /// Events.
    case events
    /// The catalog of public feeds.
    case catalog
    /// A value that this version does not know.
    case other
}

/// How the age of a dataset compares with its refresh policy.
public enum DatasetFreshness: String, OpenWireEnum {
    case fresh
    case due
    case aging
    case expired
    case empty
    /// Data has arrived, but none of it matches the timetable.
    case unmatched
    /// A value that this version does not know.
    case other
}

/// One update of a dataset.
public struct DatasetUpdate: WireObject {
    /// When the update ended.
    public var at: Timestamp
    /// The outcome. More values may be added.
    public var outcome: AttemptOutcome
    /// The amount of data transferred over the network.
    /// - Unit: bytes
    public var bytes: Int?
    /// The response time of the source.
    /// - Unit: milliseconds
    public var latency: Int?
    /// The HTTP status code.
    public var status: Int?
}

/// The status of a dataset of a feed.
public struct DatasetStatus: WireObject {
    /// The dataset. More values may be added.
    public var dataset: DatasetName
    /// The format of the source: "GTFS", "GTFS-Realtime", "GTFS-Realtime in JSON".
    public var source: String
    /// How the data's age compares with the refresh policy. fresh: within the policy; due: a fetch is due; aging: older
    /// than the policy allows, and used with less confidence; expired: too old to rely on; empty: no data has arrived
    /// yet; unmatched: data has arrived, but none of it matches the timetable. More values may be added.
    public var freshness: DatasetFreshness
    /// The age of the data, measured from the source's timestamp if it has one.
    /// - Unit: seconds
    public var age: Int?
    /// When the source last sent a successful response, including a response without new data.
    public var lastSuccess: Timestamp?
    /// When the last request was sent to the source.
    public var lastAttempt: Timestamp?
    /// The outcome of the last attempt. More values may be added.
    public var outcome: AttemptOutcome?
    /// The outcome as a human-readable sentence.
    public var message: String?
    /// When the next fetch is due; null when none is planned.
    public var nextDue: Timestamp?
    /// The reason for the time in `next_due`: "fresh", "idle", "due", "retrying", "retry_after", "budget", "offline".
    /// More values may be added.
    public var dueReason: String?
    /// The amount of data transferred by the last successful fetch.
    /// - Unit: bytes
    public var bytes: Int?
    /// The source's response time in the last attempt.
    /// - Unit: milliseconds
    public var latency: Int?
    /// The number of failed attempts since the last success.
    public var failures: Int
    /// Peculiarities of the source as human-readable sentences, such as a server that ignores conditional requests or a
    /// timestamp that moves backward.
    public var notes: [String] = []
    /// The most recent updates, newest first, at most 20. Empty unless requested.
    public var updates: [DatasetUpdate] = []
}

/// How well a feed's realtime data matches its timetable.
public struct RealtimeCounts: WireObject {
    /// Trips found in the timetable whose realtime data is in use; 0 while the source is silent.
    public var tripsMatched: Int
    /// Trips that are not over and of which only the last known data is in use, because the source is silent or no longer
    /// contains them.
    public var tripsLastKnown: Int?
    /// Trips that the source reports as scheduled but that are not in the timetable.
    public var tripsUnmatched: Int
    /// Trips and vehicles outside of the part of the feed that the configuration keeps; null when all of it is kept.
    public var tripsOutside: Int?
    /// Trips that run in addition to the timetable: added, duplicated or unscheduled.
    public var tripsExtra: Int
    /// Canceled trips.
    public var tripsCanceled: Int
    /// Stops that are not in the timetable.
    public var stopsUnmatched: Int
    /// Vehicles with a position.
    public var vehicles: Int
    /// Vehicles whose trip is unknown.
    public var vehiclesUnmatched: Int
    /// Service alerts.
    public var alerts: Int
}

/// Whether the daemon has a network connection.
public struct ConnectivityStatus: WireObject {
    /// Whether the daemon is online.
    public var isOnline: Bool
    /// When this state began.
    public var since: Timestamp?
    /// False if the machine has a network connection, but the names of the sources' hosts cannot be resolved.
    public var resolvesNames: Bool = true
}

/// How the daemon recovered a corrupt file.
public enum CacheHealth: String, OpenWireEnum {
    case ok
    case rebuilt
    case restored
    case lost
    /// A value that this version does not know.
    case other
}

/// A daemon file that has been found to be corrupt since startup.
public struct CacheStatus: WireObject {
    /// The file, such as "state", "live snapshot of caltrain" or "timetable 12 of caltrain".
    public var name: String
    /// How the daemon recovered. rebuilt: the file was rebuilt from the remaining data; restored: a copy was restored;
    /// lost: no data remained. More values may be added.
    public var health: CacheHealth
    /// A human-readable sentence.
    public var message: String
    /// When the corruption was found.
    public var since: Timestamp?
}
