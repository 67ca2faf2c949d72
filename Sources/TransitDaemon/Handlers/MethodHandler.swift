internal import TransitControl
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitWire

/// Handles one method of the control protocol.
///
/// A handler has only the services that it uses. It reads a consistent snapshot of the data from the context, and maps
/// the result to the wire.
protocol MethodHandler<Parameters>: Sendable {
    associatedtype Parameters: ControlParameters

    /// Returns the reply. Called on any thread; ``ControlMethod/responseTime`` states how long it may take.
    func reply(to parameters: Parameters, _ context: RequestContext) throws -> Parameters.Reply
}

/// Handles one method that waits for other servers or for imports.
protocol LongRunningMethodHandler<Parameters>: Sendable {
    associatedtype Parameters: ControlParameters

    /// Returns the reply. The task is canceled when the client cancels the request or disconnects.
    func reply(
        to parameters: Parameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> Parameters.Reply
}

/// Handles one method whose reply may depend on on-demand arrivals. The query is resolved once: the same query determines
/// the arrivals to wait for and the reply.
protocol ArrivalsMethodHandler<Parameters>: MethodHandler {
    associatedtype Query: Sendable

    /// Resolves the query.
    func query(for parameters: Parameters, _ context: QueryContext) throws -> Query
    /// Whether a query still refers to the current versions of its timetables.
    func isCurrent(_ query: Query, _ context: QueryContext) -> Bool
    /// Returns the upstream queries on which the reply depends; empty if there are none.
    func requirements(of query: Query, _ context: RequestContext) throws -> [ArrivalsRequirement]
    /// Returns the reply, based on the context's realtime data.
    func reply(with query: Query, to parameters: Parameters, _ context: RequestContext) throws -> Parameters.Reply
}

extension ArrivalsMethodHandler {
    func reply(to parameters: Parameters, _ context: RequestContext) throws -> Parameters.Reply {
        try reply(with: query(for: parameters, context.query), to: parameters, context)
    }
}

/// A request whose query has been resolved.
protocol ResolvedInvocation: Sendable {
    /// Returns the upstream queries on which the reply depends; empty if there are none.
    func requirements(_ context: RequestContext) throws -> [ArrivalsRequirement]
    /// Returns the reply. The query is resolved again if a timetable was replaced in the meantime.
    func reply(_ context: RequestContext) throws -> any WireValue
}

/// A parsed request with the handler of its method.
struct ControlRequest: ServedRequest {
    fileprivate let call: any HandledInvocation
    /// The request with its query resolved, once ``resolve(_:)`` has been called.
    private(set) var resolved: (any ResolvedInvocation)?

    fileprivate init(call: any HandledInvocation) { self.call = call }

    var method: ControlMethod { call.method }
    var parameters: any ControlParameters { call.anyParameters }
    var responseTime: ResponseTime { call.responseTime }
    var requestedCount: Int? { (parameters as? any PagedParameters)?.requestedCount }
    var requestedCursor: String? { (parameters as? any PagedParameters)?.requestedCursor }
    /// Whether the reply may depend on on-demand arrivals.
    var mayNeedArrivals: Bool { call.mayNeedArrivals }
    /// Whether the handler waits for other servers or for imports.
    var waitsInTask: Bool { call.waitsInTask }

    /// Resolves the query of a request that may depend on on-demand arrivals, unless it is already resolved. The reply is
    /// computed from the same query.
    ///
    /// - Returns: `nil` for other requests, and for a query with an error, which the reply reports.
    @discardableResult
    mutating func resolve(_ context: RequestContext) -> (any ResolvedInvocation)? {
        if resolved == nil { resolved = try? call.resolve(context) }
        return resolved
    }

    /// Computes the reply on the calling thread.
    func reply(_ context: RequestContext) throws -> any WireValue {
        if let resolved { return try resolved.reply(context) }
        return try call.reply(context)
    }

    /// Computes the reply of a long-running request.
    func reply(_ context: RequestContext, _ progress: ProgressReporter) async throws -> any WireValue {
        try await call.reply(context, progress)
    }
}

/// A method with its handler, for callers that do not know the types of the method.
protocol RegisteredMethod: Sendable {
    var method: ControlMethod { get }
    /// Parses a request of the method.
    func request(_ parameters: JSONValue) throws(WireSchemaMismatch) -> ControlRequest
}

/// A method with its handler.
struct MethodRegistration<Parameters: ControlParameters>: RegisteredMethod {
    private let makeCall: @Sendable (Parameters) -> any HandledInvocation

    init(_ handler: some MethodHandler<Parameters>) {
        makeCall = { HandlerInvocation(handler: handler, parameters: $0) }
    }

    init(arrivals handler: some ArrivalsMethodHandler<Parameters>) {
        makeCall = { ArrivalsInvocation(handler: handler, parameters: $0) }
    }

    /// Registers a method that is answered from the data of the query alone.
    ///
    /// - Parameter record: Called with each reply, to record the request.
    init(
        query handler: some QueryHandler<Parameters>,
        record: (@Sendable (Parameters, Parameters.Reply, RequestContext) -> Void)? = nil
    ) {
        makeCall = { QueryCall(handler: handler, parameters: $0, record: record) }
    }

    init(longRunning handler: some LongRunningMethodHandler<Parameters>) {
        makeCall = { LongRunningCall(handler: handler, parameters: $0) }
    }

    var method: ControlMethod { Parameters.method }

    func request(_ parameters: JSONValue) throws(WireSchemaMismatch) -> ControlRequest {
        request(parsed: try Parameters(reading: parameters, as: .parameters))
    }

    func request(parsed parameters: Parameters) -> ControlRequest { ControlRequest(call: makeCall(parameters)) }
}

// MARK: - Calls

/// The parameters of a request with the handler of its method.
private protocol HandledInvocation: Sendable {
    var method: ControlMethod { get }
    var anyParameters: any ControlParameters { get }
    var responseTime: ResponseTime { get }
    var mayNeedArrivals: Bool { get }
    var waitsInTask: Bool { get }
    func resolve(_ context: RequestContext) throws -> (any ResolvedInvocation)?
    func reply(_ context: RequestContext) throws -> any WireValue
    func reply(_ context: RequestContext, _ progress: ProgressReporter) async throws -> any WireValue
}

extension HandledInvocation {
    var responseTime: ResponseTime { method.responseTime }
    var mayNeedArrivals: Bool { false }
    var waitsInTask: Bool { false }
    func resolve(_ context: RequestContext) throws -> (any ResolvedInvocation)? { nil }
    func reply(_ context: RequestContext, _ progress: ProgressReporter) async throws -> any WireValue {
        try reply(context)
    }
}

private struct HandlerInvocation<Handler: MethodHandler>: HandledInvocation {
    let handler: Handler
    let parameters: Handler.Parameters

    var method: ControlMethod { Handler.Parameters.method }
    var anyParameters: any ControlParameters { parameters }
    func reply(_ context: RequestContext) throws -> any WireValue { try handler.reply(to: parameters, context) }
}

private struct QueryCall<Handler: QueryHandler>: HandledInvocation {
    let handler: Handler
    let parameters: Handler.Parameters
    let record: (@Sendable (Handler.Parameters, Handler.Parameters.Reply, RequestContext) -> Void)?

    var method: ControlMethod { Handler.Parameters.method }
    var anyParameters: any ControlParameters { parameters }

    func reply(_ context: RequestContext) throws -> any WireValue {
        let reply = try handler.reply(to: parameters, context.query)
        record?(parameters, reply, context)
        return reply
    }
}

private struct LongRunningCall<Handler: LongRunningMethodHandler>: HandledInvocation {
    let handler: Handler
    let parameters: Handler.Parameters

    var method: ControlMethod { Handler.Parameters.method }
    var anyParameters: any ControlParameters { parameters }
    var waitsInTask: Bool { true }

    func reply(_ context: RequestContext) throws -> any WireValue {
        throw ControlError(.internalError, "\(method.rawValue) was dispatched to the wrong thread.")
    }

    func reply(_ context: RequestContext, _ progress: ProgressReporter) async throws -> any WireValue {
        try await handler.reply(to: parameters, context, progress: progress)
    }
}

private struct ArrivalsInvocation<Handler: ArrivalsMethodHandler>: HandledInvocation {
    let handler: Handler
    let parameters: Handler.Parameters

    var method: ControlMethod { Handler.Parameters.method }
    var anyParameters: any ControlParameters { parameters }
    var responseTime: ResponseTime { parameters.responseTime }
    var mayNeedArrivals: Bool { true }

    func resolve(_ context: RequestContext) throws -> (any ResolvedInvocation)? {
        Resolved(
            handler: handler, parameters: parameters, query: try handler.query(for: parameters, context.query))
    }

    func reply(_ context: RequestContext) throws -> any WireValue { try handler.reply(to: parameters, context) }

    private struct Resolved: ResolvedInvocation {
        let handler: Handler
        let parameters: Handler.Parameters
        let query: Handler.Query

        func requirements(_ context: RequestContext) throws -> [ArrivalsRequirement] {
            try handler.requirements(of: query, context)
        }

        func reply(_ context: RequestContext) throws -> any WireValue {
            guard handler.isCurrent(query, context.query) else { return try handler.reply(to: parameters, context) }
            return try handler.reply(with: query, to: parameters, context)
        }
    }
}

/// Sends progress notifications for a request, if the client requested them.
struct ProgressReporter: Sendable {
    private let send: @Sendable (RequestProgress) -> Void

    init(_ send: @escaping @Sendable (RequestProgress) -> Void) { self.send = send }

    /// Reports to the client of a request, if the client requested it.
    init(_ request: ControlRequest, _ notifier: RequestNotifier) {
        let isRequested =
            (request.parameters as? FeedUpdateParameters)?.progress
            ?? (request.parameters as? RefreshParameters)?.progress
            ?? (request.parameters as? FeedFindParameters)?.progress ?? false
        guard isRequested, let id = notifier.id else {
            self.init { _ in }
            return
        }
        self.init { progress in
            notifier.send(
                ServerNotification(
                    method: ProgressNotification.name, parameters: ProgressNotification(id: id, progress)))
        }
    }

    /// May be called at any frequency. If the client reads slowly, intermediate notifications are dropped.
    func report(_ progress: RequestProgress) { send(progress) }
}
