internal import TransitControl

/// Handles one method of the control protocol.
///
/// A handler has only the services that it uses. It reads a consistent snapshot of the data from the context, and maps
/// the result to the wire.
protocol MethodHandler<Parameters>: Sendable {
    associatedtype Parameters: ControlParameters

    /// Returns the reply. Called on any thread; see ``ControlMethod/responseTime`` for how long it may take.
    func reply(to parameters: Parameters, _ context: RequestContext) throws -> Parameters.Reply
}

/// Handles one method that waits for the network or for an import.
protocol LongRunningMethodHandler<Parameters>: Sendable {
    associatedtype Parameters: ControlParameters

    /// Returns the reply. The task is canceled when the client cancels the request or disconnects.
    func reply(
        to parameters: Parameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> Parameters.Reply
}
