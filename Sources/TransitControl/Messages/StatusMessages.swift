public import TransitModel
public import TransitWire

/// The status of the daemon process.
public struct DaemonStatus: WireObject {
    public var version: String
    public var pid: Int
    public var started: Timestamp
    public var uptime: Int
    public var memory: Int
    public var connections: Int
    public var socket: String
    public var configuration: String?
    public var isReplay: Bool

    public init(
        version: String, pid: Int, started: Timestamp, uptime: Int, memory: Int, connections: Int, socket: String,
        configuration: String? = nil, isReplay: Bool
    ) {
        self.version = version
        self.pid = pid
        self.started = started
        self.uptime = uptime
        self.memory = memory
        self.connections = connections
        self.socket = socket
        self.configuration = configuration
        self.isReplay = isReplay
    }

    public static let wireSchema = WireSchema(
        "DaemonStatus", "The status of the daemon process.", Self.init,
        Field("version", \.version, "The daemon's version."),
        Field("pid", \.pid, "The process ID."),
        Field("started", \.started, "When the daemon started."),
        Field("uptime", \.uptime, "The time since the daemon started, including time in suspend.", unit: .seconds),
        Field("memory", \.memory, "The resident memory.", unit: .bytes),
        Field("connections", \.connections, "The number of connected clients."),
        Field("socket", \.socket, "The path of the socket, or the name that systemd gave it."),
        Field("configuration", \.configuration, "The path of the configuration file; null when there is none."),
        Field("is_replay", \.isReplay, "Whether the clock was set to another time at startup (`--replay-clock`)."))
}

/// The disk space that the daemon uses.
public struct StorageStatus: WireObject {
    public var state: Int
    public var timetables: Int
    public var free: Int?

    public init(state: Int, timetables: Int, free: Int? = nil) {
        self.state = state
        self.timetables = timetables
        self.free = free
    }

    public static let wireSchema = WireSchema(
        "StorageStatus", "The disk space that the daemon uses.", Self.init,
        Field("state", \.state, "Commutes, places and ledgers.", unit: .bytes),
        Field("timetables", \.timetables, "The size of all timetable versions of all feeds.", unit: .bytes),
        Field("free", \.free, "The free disk space; null when unknown.", unit: .bytes))
}

/// Returns the status of the daemon and its feeds.
public struct StatusParameters: ControlParameters {
    public typealias Reply = StatusResult
    public static let method = ControlMethod.status

    public var feed: FeedID?
    public var updates: Bool

    public init(feed: FeedID? = nil, updates: Bool = false) {
        self.feed = feed
        self.updates = updates
    }

    public static let wireSchema = WireSchema(
        "StatusParameters", "Returns the status of the daemon and its feeds.", Self.init,
        Field("feed", \.feed, "Limits the result to this feed.", in: 1...64),
        Field("updates", \.updates, "Whether to include the most recent updates of each dataset.", default: false))
}

/// The status of the daemon and its feeds.
public struct StatusResult: WireObject {
    public var at: Timestamp
    public var daemon: DaemonStatus
    public var feeds: [FeedStatus]
    public var storage: StorageStatus
    public var commute: String?
    public var network: ConnectivityStatus?
    public var caches: [CacheStatus]
    public var notices: [Notice]

    public init(
        at: Timestamp, daemon: DaemonStatus, feeds: [FeedStatus], storage: StorageStatus, commute: String? = nil,
        network: ConnectivityStatus? = nil, caches: [CacheStatus] = [], notices: [Notice] = []
    ) {
        self.at = at
        self.daemon = daemon
        self.feeds = feeds
        self.storage = storage
        self.commute = commute
        self.network = network
        self.caches = caches
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "StatusResult", "The status of the daemon and its feeds.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("daemon", \.daemon, "The daemon process."),
        Field("feeds", \.feeds, "In configuration order."),
        Field("storage", \.storage, "The disk space in use."),
        Field("commute", \.commute, "The caller's commute in use; null when the time of day determines the commute."),
        Field("network", \.network, "Whether the daemon has a network connection; null before its first request."),
        Field("caches", \.caches, "The files that were found to be corrupt since startup.", default: []),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
