public import TransitWire

/// Returns the daemon's versions, features and limits, and the caller's permissions.
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
        "Returns the daemon's versions, features and limits, and the caller's permissions.", Self.init,
        Field("client", \.client, "The client's name and version, for the log.", in: 1...100),
        Field("protocol", \.`protocol`, "The newest protocol version that the client supports.", in: 1...1000))
}

/// The limits of the protocol.
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
        "Limits", "The limits of the protocol.", Self.init,
        Field("request", \.request, "The maximum length of a request line.", unit: .bytes),
        Field("reply", \.reply, "The maximum length of a response.", unit: .bytes),
        Field("batch", \.batch, "The maximum number of requests in a batch."),
        Field("connections", \.connections, "The maximum number of open connections."),
        Field("connections_per_user", \.connectionsPerUser, "The maximum number of open connections per user."),
        Field("in_flight", \.inFlight, "The maximum number of requests in progress on one connection."),
        Field(
            "queue_messages", \.queueMessages,
            """
            The maximum number of unread messages. The daemon closes the connection of a client that exceeds it.
            """),
        Field("queue_bytes", \.queueBytes, "The maximum size of unread messages.", unit: .bytes),
        Field(
            "line_timeout", \.lineTimeout, "The maximum time from the first to the last byte of a line.", unit: .seconds
        ),
        Field("subscriptions", \.subscriptions, "The maximum number of subscriptions on one connection.", default: 0),
        Field(
            "heartbeat", \.heartbeat, "The maximum time between two notifications to a subscriber.", unit: .seconds,
            default: 0))
}

/// The caller's identity, from the socket's peer credentials (SO_PEERCRED).
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
        "CallerSummary", "The caller's identity, from the socket's peer credentials (SO_PEERCRED).", Self.init,
        Field("uid", \.uid, "The user ID."),
        Field("gid", \.gid, "The group ID."),
        Field("pid", \.pid, "The process ID; null when it is not visible to the daemon."),
        Field("allowed_methods", \.allowedMethods, "The methods that the caller is allowed to use."))
}

/// The daemon's versions, features and limits.
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
        "HelloResult", "The daemon's versions, features and limits.", Self.init,
        Field("at", \.at, "The daemon's current time."),
        Field("protocol", \.`protocol`, "The protocol version, 1."),
        Field("daemon", \.daemon, "The daemon's version."),
        Field("features", \.features, "The names of the daemon's features. More values may be added."),
        Field("limits", \.limits, "The limits of the protocol."),
        Field("caller", \.caller, "The identity and permissions of the caller."),
        Field("socket", \.socket, "The path of the socket, or the name that systemd gave it."))
}
