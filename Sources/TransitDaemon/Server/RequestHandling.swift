public import TransitControl

/// Who asks: what the kernel says about the other end of a connection (`SO_PEERCRED`).
public struct Caller: Hashable, Sendable {
    /// Personal state belongs to this user.
    public var uid: UInt32
    public var gid: UInt32
    /// `nil` when the process is out of sight, as in another PID namespace.
    public var pid: Int32?
    /// Names the connection while the server runs; never used twice.
    public var connection: UInt64

    public init(uid: UInt32, gid: UInt32, pid: Int32?, connection: UInt64) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.connection = connection
    }
}

/// What `hello` says that the server does not know by itself.
public struct HelloInfo: Sendable {
    /// The time that the daemon goes by.
    public var at: Timestamp
    public var daemonVersion: String
    public var features: [String]
    /// The methods that this caller may use.
    public var may: [ControlMethod]

    public init(at: Timestamp, daemonVersion: String, features: [String], may: [ControlMethod]) {
        self.at = at
        self.daemonVersion = daemonVersion
        self.features = features
        self.may = may
    }
}

/// Tells a client how far its request is; does nothing when it did not ask for that.
///
/// May be called as often as wanted: while the client is slow to read, what is newer takes the place of what is older.
public struct ProgressReporter: Sendable {
    private let send: @Sendable (RequestProgress) -> Void
    public init(_ send: @escaping @Sendable (RequestProgress) -> Void) { self.send = send }
    public func report(_ progress: RequestProgress) { send(progress) }
}

/// Lets a handler say that an answer takes longer than most.
public struct SlowWorkSignal: Sendable {
    private let onSlowWork: @Sendable () -> Void
    public init(_ onSlowWork: @escaping @Sendable () -> Void) { self.onSlowWork = onSlowWork }
    /// To be called before work of some hundred microseconds and more: another thread serves the other clients meanwhile.
    /// May be called again.
    public func beginSlowWork() { onSlowWork() }
}

/// Answers requests. The daemon's handlers conform to it, and a fake in the server's tests.
///
/// `hello`, `describe`, `cancel`, `subscribe` and `unsubscribe` never arrive here: the server answers them.
public protocol RequestHandling: Sendable {
    func greeting(for caller: Caller) -> HelloInfo

    /// Whether the answer to a request that is usually given at once is worth waiting for: it is then answered as a lengthy one.
    /// Called where ``answer(_:from:pace:)`` would be, before it.
    func waits(_ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal) -> Bool

    /// Answers a request that is not lengthy (``ControlMethod/isLongRunning``), on one of the server's few threads and on
    /// several at
    /// once: it must neither block for long nor wait for another request, and says so before it becomes slow. The result is
    /// the method's `Reply`.
    func answer(
        _ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue

    /// Answers a lengthy request, in a task that is cancelled by `cancel`, by the end of the connection, and when the
    /// server
    /// stops. A handler that lets itself be cancelled throws ``ErrorKind/canceled``.
    func answerLengthy(
        _ request: ControlRequest, from caller: Caller, progress: ProgressReporter
    ) async throws(ControlError) -> any WireValue

    /// Answers a topic that is watched, as ``answer(_:from:)`` would, and says what may change the answer.
    func snapshot(
        of topic: Topic, for caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> TopicSnapshot
}

extension RequestHandling {
    public func waits(_ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal) -> Bool { false }
}
