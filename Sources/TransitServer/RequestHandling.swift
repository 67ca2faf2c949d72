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
    /// What the client may not do, as it requested itself.
    public var restriction: CallerRestriction

    public init(
        uid: UInt32, gid: UInt32, pid: Int32?, connection: UInt64, restriction: CallerRestriction = .none
    ) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.connection = connection
        self.restriction = restriction
    }
}

/// What a client may not do. Each restriction contains the ones before it.
public enum CallerRestriction: UInt8, Comparable, Sendable {
    case none
    /// Change anything, or leave a trace in the user's data.
    case readOnly
    /// Use the user's personal data.
    case anonymous

    public static func < (left: CallerRestriction, right: CallerRestriction) -> Bool { left.rawValue < right.rawValue }
}

/// A JSON-RPC notification from the server.
public struct ServerNotification: Sendable {
    public var method: String
    public var parameters: any WireValue

    public init(method: String, parameters: any WireValue) {
        self.method = method
        self.parameters = parameters
    }

    /// The notification as a line.
    var line: [UInt8] {
        var writer = JSONWriter()
        OutgoingLine.write(notification: method, parameters, to: &writer)
        return writer.bytes
    }
}

/// Sends notifications about a long-running request to its client.
///
/// ``send(_:)`` may be called at any frequency. If the client reads slowly, intermediate notifications are dropped.
public struct RequestNotifier: Sendable {
    /// The request's identifier; `nil` if the request is itself a notification.
    public let id: RequestID?
    private let deliver: @Sendable (ServerNotification) -> Void

    public init(id: RequestID?, deliver: @escaping @Sendable (ServerNotification) -> Void) {
        self.id = id
        self.deliver = deliver
    }

    public func send(_ notification: ServerNotification) { deliver(notification) }
}

/// Lets a handler signal that a request takes longer than usual.
public struct SlowWorkSignal: Sendable {
    private let onSlowWork: @Sendable () -> Void
    public init(_ onSlowWork: @escaping @Sendable () -> Void) { self.onSlowWork = onSlowWork }
    /// Call this before work that takes several hundred microseconds or more, so that another thread serves the other
    /// clients. Repeated calls have no effect.
    public func beginSlowWork() { onSlowWork() }
}

/// A request that the handler has parsed.
public protocol ServedRequest: Sendable {
    /// Determines the thread that handles the request.
    var responseTime: ResponseTime { get }
    /// The requested number of results and the requested page, for the error for a reply that is too large; `nil` for
    /// the default and for the first page.
    var requestedCount: Int? { get }
    var requestedCursor: String? { get }
}

/// What a client asks of the server. The server handles everything but ``handled(_:)`` itself.
public enum ServerCall<Request: Sendable, Topic: Sendable>: Sendable {
    /// Cancels a request on the same connection.
    case cancel(RequestID)
    /// Sends the results of topics now, and an event whenever one changes.
    case subscribe([Topic])
    /// Ends a subscription on the same connection.
    case unsubscribe(Int)
    case handled(Request)
    /// Restricts the connection from now on, and handles a request. A weaker restriction changes nothing.
    case restricted(CallerRestriction, Request)
}

/// A subscription with the last result of its topic.
public struct SubscriptionState<Topic: Sendable, Result: Sendable>: Sendable {
    /// The number of the subscription on its connection.
    public var number: Int
    /// The sequence number of the last result sent.
    public var sequence: Int
    public var topic: Topic
    public var result: Result
}

/// Handles requests, evaluates topics and words the messages of a session. The conforming types are the daemon's
/// handlers and a fake in the server's tests.
public protocol RequestHandling: Sendable {
    associatedtype Request: ServedRequest
    /// What a client can subscribe to, with the user for whom it is evaluated. Equal topics share their results.
    associatedtype Topic: Hashable & Sendable
    associatedtype TopicResult: WatchedResult

    /// Parses a request.
    ///
    /// - Throws: ``ErrorKind/methodNotFound`` and ``ErrorKind/invalidParameters``.
    func resolve(_ call: MethodCall, from caller: Caller) throws(ControlError) -> ServerCall<Request, Topic>

    /// Prepares a request that is usually answered immediately. Called before ``answer(_:from:slowWork:)``, which
    /// receives the prepared request.
    ///
    /// - Returns: Whether the request should wait for data. It is then handled as a long-running request.
    func prepare(_ request: inout Request, from caller: Caller, slowWork: SlowWorkSignal) -> Bool

    /// Handles a request that is not long-running (``ResponseTime/lengthy``). Called concurrently on the server's few
    /// threads, so it must neither block for long nor wait for another request, and must signal slow work before it
    /// starts.
    func answer(
        _ request: Request, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue

    /// Handles a long-running request in a task that is canceled by `cancel`, when the connection ends, and when the
    /// server stops. A handler that supports cancellation throws ``ErrorKind/canceled``.
    func answerLongRunning(
        _ request: Request, from caller: Caller, notifier: RequestNotifier
    ) async throws(ControlError) -> any WireValue

    /// Returns the result of a topic. Subject to the same rules as ``answer(_:from:slowWork:)``.
    func evaluate(_ topic: Topic, for caller: Caller, slowWork: SlowWorkSignal) throws(ControlError) -> TopicResult

    /// Returns the result of a topic that cannot be evaluated.
    func failure(_ error: ControlError, of topic: Topic, for caller: Caller) -> TopicResult

    // MARK: The messages of a session

    /// - Parameter isCanceled: Whether the request was in progress.
    func cancelReply(isCanceled: Bool) -> any WireValue
    func subscribeReply(
        _ subscriptions: [SubscriptionState<Topic, TopicResult>], for caller: Caller
    ) -> any WireValue
    /// - Parameter isEnded: Whether the subscription existed.
    func unsubscribeReply(isEnded: Bool) -> any WireValue
    func heartbeat(
        _ subscriptions: [SubscriptionState<Topic, TopicResult>], for caller: Caller
    ) -> ServerNotification
    /// The last notification to a subscriber that reads too slowly.
    func laggedNotification(_ message: String) -> ServerNotification
}

extension RequestHandling {
    public func prepare(_ request: inout Request, from caller: Caller, slowWork: SlowWorkSignal) -> Bool { false }
}
