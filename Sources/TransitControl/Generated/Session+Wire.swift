// Generated from Sources/TransitControl/Messages/Session.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension HelloParameters {
    public init(
        client: String? = nil, `protocol`: Int? = nil, restriction: ConnectionRestriction? = nil, _: Void = ()
    ) {
        self.init(client: client, protocol: `protocol`, restriction: restriction)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.client = try members.optional("client", in: 1...100)
        self.`protocol` = try members.optional("protocol", in: 1...1000)
        self.restriction = try members.optional("restriction")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.client != nil { writer.member("client", self.client) }
        if self.`protocol` != nil { writer.member("protocol", self.`protocol`) }
        if self.restriction != nil { writer.member("restriction", self.restriction) }
        writer.endObject()
    }

    public static var schemaName: String { "HelloParameters" }
    public static var description: String { "Returns the daemon's versions, features and limits, and the caller's permissions." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("client", String?.self, "The client's name and version, for the log.", in: 1...100)
        builder.member("protocol", Int?.self, "The newest protocol version that the client supports.", in: 1...1000)
        builder.member("restriction", ConnectionRestriction?.self, "Restricts the connection from now on; later requests cannot lift a restriction. read_only: only methods that change nothing are allowed, searches are not remembered, and nothing is learned from requests; anonymous: in addition, the caller has no personal data, and the places and commutes of the configuration do not exist.")
    }
}

extension Limits {
    public init(
        request: Int, reply: Int, batch: Int, connections: Int, connectionsPerUser: Int, inFlight: Int,
        queueMessages: Int, queueBytes: Int, lineTimeout: Int, subscriptions: Int = 0, heartbeat: Int = 0, _: Void = ()
    ) {
        self.init(
            request: request, reply: reply, batch: batch, connections: connections,
            connectionsPerUser: connectionsPerUser, inFlight: inFlight, queueMessages: queueMessages,
            queueBytes: queueBytes, lineTimeout: lineTimeout, subscriptions: subscriptions, heartbeat: heartbeat
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.request = try members.required("request")
        self.reply = try members.required("reply")
        self.batch = try members.required("batch")
        self.connections = try members.required("connections")
        self.connectionsPerUser = try members.required("connections_per_user")
        self.inFlight = try members.required("in_flight")
        self.queueMessages = try members.required("queue_messages")
        self.queueBytes = try members.required("queue_bytes")
        self.lineTimeout = try members.required("line_timeout")
        self.subscriptions = try members.optional("subscriptions", default: 0)
        self.heartbeat = try members.optional("heartbeat", default: 0)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("request", self.request)
        writer.member("reply", self.reply)
        writer.member("batch", self.batch)
        writer.member("connections", self.connections)
        writer.member("connections_per_user", self.connectionsPerUser)
        writer.member("in_flight", self.inFlight)
        writer.member("queue_messages", self.queueMessages)
        writer.member("queue_bytes", self.queueBytes)
        writer.member("line_timeout", self.lineTimeout)
        writer.member("subscriptions", self.subscriptions)
        writer.member("heartbeat", self.heartbeat)
        writer.endObject()
    }

    public static var schemaName: String { "Limits" }
    public static var description: String { "The limits of the protocol." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("request", Int.self, "The maximum length of a request line.", unit: .bytes)
        builder.member("reply", Int.self, "The maximum length of a response.", unit: .bytes)
        builder.member("batch", Int.self, "The maximum number of requests in a batch.")
        builder.member("connections", Int.self, "The maximum number of open connections.")
        builder.member("connections_per_user", Int.self, "The maximum number of open connections per user.")
        builder.member("in_flight", Int.self, "The maximum number of requests in progress on one connection.")
        builder.member("queue_messages", Int.self, "The maximum number of unread messages. The daemon closes the connection of a client that exceeds it.")
        builder.member("queue_bytes", Int.self, "The maximum size of unread messages.", unit: .bytes)
        builder.member("line_timeout", Int.self, "The maximum time from the first to the last byte of a line.", unit: .seconds)
        builder.member("subscriptions", Int.self, "The maximum number of subscriptions on one connection.", default: 0)
        builder.member("heartbeat", Int.self, "The maximum time between two notifications to a subscriber.", unit: .seconds, default: 0)
    }
}

extension CallerSummary {
    public init(uid: Int, gid: Int, pid: Int? = nil, allowedMethods: [String], _: Void = ()) {
        self.init(uid: uid, gid: gid, pid: pid, allowedMethods: allowedMethods)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.uid = try members.required("uid")
        self.gid = try members.required("gid")
        self.pid = try members.optional("pid")
        self.allowedMethods = try members.array("allowed_methods")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("uid", self.uid)
        writer.member("gid", self.gid)
        writer.member("pid", self.pid)
        writer.member("allowed_methods", self.allowedMethods)
        writer.endObject()
    }

    public static var schemaName: String { "CallerSummary" }
    public static var description: String { "The caller's identity, from the socket's peer credentials (SO_PEERCRED)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("uid", Int.self, "The user ID.")
        builder.member("gid", Int.self, "The group ID.")
        builder.member("pid", Int?.self, "The process ID; null when it is not visible to the daemon.")
        builder.member("allowed_methods", [String].self, "The methods that the caller is allowed to use.")
    }
}

extension HelloResult {
    public init(
        at: Timestamp, `protocol`: Int, daemon: String, features: [String], limits: Limits, caller: CallerSummary,
        socket: String, _: Void = ()
    ) {
        self.init(
            at: at, protocol: `protocol`, daemon: daemon, features: features, limits: limits, caller: caller,
            socket: socket
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.`protocol` = try members.required("protocol")
        self.daemon = try members.required("daemon")
        self.features = try members.array("features")
        self.limits = try members.required("limits")
        self.caller = try members.required("caller")
        self.socket = try members.required("socket")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("protocol", self.`protocol`)
        writer.member("daemon", self.daemon)
        writer.member("features", self.features)
        writer.member("limits", self.limits)
        writer.member("caller", self.caller)
        writer.member("socket", self.socket)
        writer.endObject()
    }

    public static var schemaName: String { "HelloResult" }
    public static var description: String { "The daemon's versions, features and limits." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "The daemon's current time.")
        builder.member("protocol", Int.self, "The protocol version, 1.")
        builder.member("daemon", String.self, "The daemon's version.")
        builder.member("features", [String].self, "The names of the daemon's features. More values may be added.")
        builder.member("limits", Limits.self, "The limits of the protocol.")
        builder.member("caller", CallerSummary.self, "The identity and permissions of the caller.")
        builder.member("socket", String.self, "The path of the socket, or the name that systemd gave it.")
    }
}

extension CancelParameters {
    public init(id: RequestID, _: Void = ()) {
        self.init(id: id)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.endObject()
    }

    public static var schemaName: String { "CancelParameters" }
    public static var description: String { "Cancels a request on the same connection. The canceled request still receives a response." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", RequestID.self, "The id of the request to cancel.")
    }
}

extension CancelResult {
    public init(isCanceled: Bool, _: Void = ()) {
        self.init(isCanceled: isCanceled)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.isCanceled = try members.required("is_canceled")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("is_canceled", self.isCanceled)
        writer.endObject()
    }

    public static var schemaName: String { "CancelResult" }
    public static var description: String { "The result of a cancellation." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("is_canceled", Bool.self, "Whether the request was still in progress and is now being canceled.")
    }
}

extension RequestProgress {
    public init(phase: String, done: Int, total: Int? = nil, unit: String, _: Void = ()) {
        self.init(phase: phase, done: done, total: total, unit: unit)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.phase = try members.required("phase")
        self.done = try members.required("done")
        self.total = try members.optional("total")
        self.unit = try members.required("unit")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("phase", self.phase)
        writer.member("done", self.done)
        writer.member("total", self.total)
        writer.member("unit", self.unit)
        writer.endObject()
    }

    public static var schemaName: String { "RequestProgress" }
    public static var description: String { "The progress of a long-running operation." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("phase", String.self, "The current step, such as \"download\", \"collecting\", \"stop_times.txt\" or \"write\".")
        builder.member("done", Int.self, "The amount completed.")
        builder.member("total", Int?.self, "The total amount; null when unknown.")
        builder.member("unit", String.self, "The unit of `done` and `total`: \"bytes\", \"requests\" or \"rows\".")
    }
}

extension ProgressNotification {
    public init(id: RequestID, phase: String, done: Int, total: Int? = nil, unit: String, _: Void = ()) {
        self.init(id: id, phase: phase, done: done, total: total, unit: unit)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.phase = try members.required("phase")
        self.done = try members.required("done")
        self.total = try members.optional("total")
        self.unit = try members.required("unit")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("phase", self.phase)
        writer.member("done", self.done)
        writer.member("total", self.total)
        writer.member("unit", self.unit)
        writer.endObject()
    }

    public static var schemaName: String { "ProgressNotification" }
    public static var description: String { "Reports the progress of a request that was sent with `progress`." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", RequestID.self, "The id of the request.")
        builder.member("phase", String.self, "The current step.")
        builder.member("done", Int.self, "The amount completed.")
        builder.member("total", Int?.self, "The total amount; null when unknown.")
        builder.member("unit", String.self, "The unit of `done` and `total`: \"bytes\", \"requests\" or \"rows\".")
    }
}
