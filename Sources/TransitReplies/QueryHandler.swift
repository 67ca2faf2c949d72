package import TransitControl
package import TransitQueries

/// Answers one method of the control protocol from the data of a query alone, without side effects.
package protocol QueryHandler<Parameters>: Sendable {
    associatedtype Parameters: ControlParameters

    /// Returns the reply. Called on any thread; ``ControlMethod/responseTime`` states how long it may take.
    func reply(to parameters: Parameters, _ context: QueryContext) throws -> Parameters.Reply
}
