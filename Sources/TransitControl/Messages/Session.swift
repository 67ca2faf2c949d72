public import TransitWire

/// Returns the daemon's versions, features and limits, and the caller's permissions.
public struct HelloParameters: ControlParameters {
    public typealias Reply = HelloResult
    public static let method = ControlMethod.hello

    /// The client's name and version, for the log.
    /// - Range: 1...100
    public var client: String?
    /// The newest protocol version that the client supports.
    /// - Range: 1...1000
    public var `protocol`: Int?
    /// Restricts the connection from now on; later requests cannot lift a restriction. read_only: only methods that change
    /// nothing are allowed, searches are not remembered, and nothing is learned from requests; anonymous: in addition, the
    /// caller has no personal data, and the places and commutes of the configuration do not exist.
    public var restriction: ConnectionRestriction?
}

/// What a connection may not do.
public enum ConnectionRestriction: String, WireEnum {
    /// Change anything, or leave a trace in the caller's data.
    case readOnly = "read_only"
    /// In addition, use personal data.
    case anonymous
}

extension ControlMethod {
    /// Whether a connection with a restriction may use the method.
    public func isAllowed(with restriction: ConnectionRestriction) -> Bool {
        switch (purpose, restriction) {
        case (.query, _), (.personalQuery, .readOnly): true
        case (.session, _): self != .subscribe && self != .unsubscribe
        case (.personalQuery, .anonymous), (.change, _), (.administration, _): false
        }
    }
}

/// The limits of the protocol.
public struct Limits: WireObject {
    /// The maximum length of a request line.
    /// - Unit: bytes
    public var request: Int
    /// The maximum length of a response.
    /// - Unit: bytes
    public var reply: Int
    /// The maximum number of requests in a batch.
    public var batch: Int
    /// The maximum number of open connections.
    public var connections: Int
    /// The maximum number of open connections per user.
    public var connectionsPerUser: Int
    /// The maximum number of requests in progress on one connection.
    public var inFlight: Int
    /// The maximum number of unread messages. The daemon closes the connection of a client that exceeds it.
    public var queueMessages: Int
    /// The maximum size of unread messages.
    /// - Unit: bytes
    public var queueBytes: Int
    /// The maximum time from the first to the last byte of a line.
    /// - Unit: seconds
    public var lineTimeout: Int
    /// The maximum number of subscriptions on one connection.
    public var subscriptions: Int = 0
    /// The maximum time between two notifications to a subscriber.
    /// - Unit: seconds
    public var heartbeat: Int = 0
}

/// The caller's identity, from the socket's peer credentials (SO_PEERCRED).
public struct CallerSummary: WireObject {
    /// The user ID.
    public var uid: Int
    /// The group ID.
    public var gid: Int
    /// The process ID; null when it is not visible to the daemon.
    public var pid: Int?
    /// The methods that the caller is allowed to use.
    public var allowedMethods: [String]
}

/// The daemon's versions, features and limits.
public struct HelloResult: WireObject {
    /// The daemon's current time.
    public var at: Timestamp
    /// The protocol version, 1.
    public var `protocol`: Int
    /// The daemon's version.
    public var daemon: String
    /// The names of the daemon's features. More values may be added.
    public var features: [String]
    /// The limits of the protocol.
    public var limits: Limits
    /// The identity and permissions of the caller.
    public var caller: CallerSummary
    /// The path of the socket, or the name that systemd gave it.
    public var socket: String
}

/// Cancels a request on the same connection. The canceled request still receives a response.
public struct CancelParameters: ControlParameters {
    public typealias Reply = CancelResult
    public static let method = ControlMethod.cancel

    /// The id of the request to cancel.
    public var id: RequestID
}

/// The result of a cancellation.
public struct CancelResult: WireObject {
    /// Whether the request was still in progress and is now being canceled.
    public var isCanceled: Bool
}

/// The progress of a long-running operation.
public struct RequestProgress: WireObject {
    /// The current step, such as "download", "collecting", "stop_times.txt" or "write".
    public var phase: String
    /// The amount completed.
    public var done: Int
    /// The total amount; null when unknown.
    public var total: Int?
    /// The unit of `done` and `total`: "bytes", "requests" or "rows".
    public var unit: String
}

/// Reports the progress of a request that was sent with `progress`.
public struct ProgressNotification: WireObject {
    /// The notification's method.
    public static let name = "progress"

    /// The id of the request.
    public var id: RequestID
    /// The current step.
    public var phase: String
    /// The amount completed.
    public var done: Int
    /// The total amount; null when unknown.
    public var total: Int?
    /// The unit of `done` and `total`: "bytes", "requests" or "rows".
    public var unit: String
}

extension ProgressNotification {
    public init(id: RequestID, _ progress: RequestProgress) {
        self.init(id: id, phase: progress.phase, done: progress.done, total: progress.total, unit: progress.unit)
    }

    public var progress: RequestProgress { RequestProgress(phase: phase, done: done, total: total, unit: unit) }
}
