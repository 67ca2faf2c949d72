public import TransitModel

/// An answer with live data, in the terms of GTFS-Realtime: what ``Provider/message(_:of:received:)`` makes of a body.
///
/// ``RealtimeReader`` is one that reads entity by entity; ``DecodedMessage`` holds the few entities of a small answer.
public protocol LiveMessage {
    var header: RealtimeHeader { get }
    /// Hands over every entity and returns what was found to be wrong.
    func read<Failure: Error>(
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) -> RealtimeProblems
}

extension RealtimeReader: LiveMessage {}

/// A message that is in memory as a whole.
public struct DecodedMessage: LiveMessage, Hashable, Sendable {
    public var header: RealtimeHeader
    public var entities: [RealtimeEntity]
    public var problems: RealtimeProblems

    public init(
        header: RealtimeHeader, entities: [RealtimeEntity] = [], problems: RealtimeProblems = RealtimeProblems()
    ) {
        self.header = header
        self.entities = entities
        self.problems = problems
    }

    public func read<Failure: Error>(
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) -> RealtimeProblems {
        for entity in entities { try body(entity) }
        return problems
    }
}
