public import TransitControl
public import TransitWire

/// The client of a connection, as identified by the kernel (`SO_PEERCRED`).
public struct Caller: Hashable, Sendable {
    /// The user whose personal data the requests refer to.
    public var uid: UInt32
    public var gid: UInt32
    /// `nil` if the process is not visible, for example because it is in another PID namespace.
    public var pid: Int32?
    /// Identifies the connection while the server runs. No number is used twice.
    public var connection: UInt64

    public init(uid: UInt32, gid: UInt32, pid: Int32?, connection: UInt64) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.connection = connection
    }
}

/// The part of the `hello` reply that the handler provides.
public struct HelloInfo: Sendable {
    /// The current time according to the daemon's clock.
    public var at: Timestamp
    public var daemonVersion: String
    public var features: [String]
    /// The methods that the caller is allowed to use.
    public var allowedMethods: [ControlMethod]

    public init(at: Timestamp, daemonVersion: String, features: [String], allowedMethods: [ControlMethod]) {
        self.at = at
        self.daemonVersion = daemonVersion
        self.features = features
        self.allowedMethods = allowedMethods
    }
}

/// Sends progress notifications for a request, if the client requested them.
///
/// ``report(_:)`` may be called at any frequency. If the client reads slowly, intermediate notifications are dropped.
public struct ProgressReporter: Sendable {
    private let send: @Sendable (RequestProgress) -> Void
    public init(_ send: @escaping @Sendable (RequestProgress) -> Void) { self.send = send }
    public func report(_ progress: RequestProgress) { send(progress) }
}

/// Lets a handler signal that a request takes longer than usual.
public struct SlowWorkSignal: Sendable {
    private let onSlowWork: @Sendable () -> Void
    public init(_ onSlowWork: @escaping @Sendable () -> Void) { self.onSlowWork = onSlowWork }
    /// Call this before work that takes several hundred microseconds or more, so that another thread serves the other
    /// clients. Repeated calls have no effect.
    public func beginSlowWork() { onSlowWork() }
}

/// Handles requests. The conforming types are the daemon's handlers and a fake in the server's tests.
///
/// The server handles `hello`, `describe`, `cancel`, `subscribe` and `unsubscribe` itself.
public protocol RequestHandling: Sendable {
    func greeting(for caller: Caller) -> HelloInfo

    /// Whether a request that is usually answered immediately should wait for data. It is then handled as a
    /// long-running request. Called before ``answer(_:from:slowWork:)``.
    func waits(_ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal) -> Bool

    /// Handles a request that is not long-running (``ControlMethod/isLongRunning``). Called concurrently on the
    /// server's few threads, so it must neither block for long nor wait for another request, and must signal slow work
    /// before it starts. The result is the method's `Reply`.
    func answer(
        _ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue

    /// Handles a long-running request in a task that is canceled by `cancel`, when the connection ends, and when the
    /// server stops. A handler that supports cancellation throws ``ErrorKind/canceled``.
    func answerLongRunning(
        _ request: ControlRequest, from caller: Caller, progress: ProgressReporter
    ) async throws(ControlError) -> any WireValue

    /// Returns the result of a watched topic, as ``answer(_:from:slowWork:)`` would, with the changes that may affect
    /// it.
    func snapshot(
        of topic: Topic, for caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> TopicSnapshot
}

extension RequestHandling {
    public func waits(_ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal) -> Bool { false }
}
