/// Introduces the daemon: versions, features, limits, and what the caller may do.
public struct HelloParameters: ControlParameters {
    public typealias Reply = HelloResult
    public static let method = ControlMethod.hello

    public var client: String?
    public var `protocol`: Int?

    public init(client: String? = nil, `protocol`: Int? = nil) {
        self.client = client
        self.protocol = `protocol`
    }

    public static let wireSchema = WireSchema(
        "HelloParameters",
        """
        Introduces the daemon: versions, features, limits, and what the caller may do.
        """, Self.init,
        Field("client", \.client, "The client's name and version, for the log.", in: 1...100),
        Field("protocol", \.`protocol`, "The newest protocol version that the client knows.", in: 1...1000))
}

/// What a connection may do.
public struct Limits: WireObject {
    public var request: Int
    public var reply: Int
    public var batch: Int
    public var connections: Int
    public var connectionsPerUser: Int
    public var inFlight: Int
    public var queueMessages: Int
    public var queueBytes: Int
    public var lineTimeout: Int
    public var subscriptions: Int
    public var heartbeat: Int

    public init(
        request: Int, reply: Int, batch: Int, connections: Int, connectionsPerUser: Int, inFlight: Int,
        queueMessages: Int, queueBytes: Int, lineTimeout: Int, subscriptions: Int, heartbeat: Int
    ) {
        self.request = request
        self.reply = reply
        self.batch = batch
        self.connections = connections
        self.connectionsPerUser = connectionsPerUser
        self.inFlight = inFlight
        self.queueMessages = queueMessages
        self.queueBytes = queueBytes
        self.lineTimeout = lineTimeout
        self.subscriptions = subscriptions
        self.heartbeat = heartbeat
    }

    public static let wireSchema = WireSchema(
        "Limits", "What a connection may do.", Self.init,
        Field("request", \.request, "The longest request line.", unit: .bytes),
        Field("reply", \.reply, "The longest answer.", unit: .bytes),
        Field("batch", \.batch, "How many requests a batch may hold."),
        Field("connections", \.connections, "How many clients at a time."),
        Field("connections_per_user", \.connectionsPerUser, "How many of them from one user."),
        Field("in_flight", \.inFlight, "How many requests of one connection are worked on at a time."),
        Field(
            "queue_messages", \.queueMessages,
            "How many answers wait for a client that does not read, before it is closed."),
        Field("queue_bytes", \.queueBytes, "The same by size.", unit: .bytes),
        Field(
            "line_timeout", \.lineTimeout, "How long a line may take from its first to its last byte.", unit: .seconds),
        Field("subscriptions", \.subscriptions, "How many subscriptions of one connection at a time.", default: 0),
        Field(
            "heartbeat", \.heartbeat, "How long at most between two notifications to a subscriber.", unit: .seconds,
            default: 0))
}

/// Who the daemon takes the caller for (SO_PEERCRED).
public struct CallerSummary: WireObject {
    public var uid: Int
    public var gid: Int
    public var pid: Int?
    public var allowedMethods: [String]

    public init(uid: Int, gid: Int, pid: Int? = nil, allowedMethods: [String]) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.allowedMethods = allowedMethods
    }

    public static let wireSchema = WireSchema(
        "CallerSummary", "Who the daemon takes the caller for (SO_PEERCRED).", Self.init,
        Field("uid", \.uid, "The user."),
        Field("gid", \.gid, "The group."),
        Field("pid", \.pid, "The process; null when it is out of sight."),
        Field("allowed_methods", \.allowedMethods, "The methods that the caller may use."))
}

/// The daemon.
public struct HelloResult: WireObject {
    public var at: Timestamp
    public var `protocol`: Int
    public var daemon: String
    public var features: [String]
    public var limits: Limits
    public var caller: CallerSummary
    public var socket: String

    public init(
        at: Timestamp, `protocol`: Int, daemon: String, features: [String], limits: Limits, caller: CallerSummary,
        socket: String
    ) {
        self.at = at
        self.protocol = `protocol`
        self.daemon = daemon
        self.features = features
        self.limits = limits
        self.caller = caller
        self.socket = socket
    }

    public static let wireSchema = WireSchema(
        "HelloResult", "The daemon.", Self.init,
        Field("at", \.at, "The time that the daemon goes by."),
        Field("protocol", \.`protocol`, "The protocol's version: 1."),
        Field("daemon", \.daemon, "The daemon's version."),
        Field("features", \.features, "What this daemon can, by name. More may follow."),
        Field("limits", \.limits, "What a connection may do."),
        Field("caller", \.caller, "Who the daemon takes the caller for."),
        Field("socket", \.socket, "The socket's path, or the name that systemd gave it."))
}
