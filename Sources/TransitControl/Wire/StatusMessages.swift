public import TransitModel

/// The daemon itself.
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
        "DaemonStatus", "The daemon itself.", Self.init,
        Field("version", \.version, "Its version."),
        Field("pid", \.pid, "Its process."),
        Field("started", \.started, "When it started."),
        Field("uptime", \.uptime, "How long it has been running, suspended time included.", unit: .seconds),
        Field("memory", \.memory, "Its resident memory.", unit: .bytes),
        Field("connections", \.connections, "How many clients are connected."),
        Field("socket", \.socket, "The socket's path, or the name that systemd gave it."),
        Field("configuration", \.configuration, "The configuration file; null without one."),
        Field("is_replay", \.isReplay, "Whether its clock was started at another instant (`--replay-clock`)."))
}

/// What is kept on disk.
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
        "StorageStatus", "What is kept on disk.", Self.init,
        Field("state", \.state, "Commutes, places and ledgers.", unit: .bytes),
        Field("timetables", \.timetables, "All versions of all feeds.", unit: .bytes),
        Field("free", \.free, "What the disk has left; null when not known.", unit: .bytes))
}

/// Tells how the daemon and its feeds stand.
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
        "StatusParameters", "Tells how the daemon and its feeds stand.", Self.init,
        Field("feed", \.feed, "Only this feed.", in: 1...64),
        Field("updates", \.updates, "Tell also the last updates of each dataset.", default: false))
}

/// How the daemon and its feeds stand.
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
        "StatusResult", "How the daemon and its feeds stand.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("daemon", \.daemon, "The daemon itself."),
        Field("feeds", \.feeds, "In the order of the configuration."),
        Field("storage", \.storage, "What is kept on disk."),
        Field("commute", \.commute, "The caller's commute in use; null when the choice goes by the time of day."),
        Field("network", \.network, "Whether the daemon reaches the network; null when it has not tried yet."),
        Field("caches", \.caches, "Files that were found damaged since the daemon started.", default: []),
        Field("notices", \.notices, "What to know about this answer."))
}
