public import TransitModel

/// An answer with live data, in the terms of GTFS-Realtime: what ``Provider/message(_:of:received:)`` makes of a body.
///
/// ``RealtimeReader`` is one that reads entity by entity; ``DecodedMessage`` holds the few entities of a small answer.
public protocol RealtimeMessage {
    var header: RealtimeHeader { get }
    /// How many entities there are; 0 where only reading all of it would tell.
    var entityCount: Int { get }
    /// The trips that are told of, at most so many, as far as they are known without reading all of it.
    func tripIDs(limit: Int) -> [TripID]
    /// Hands over every entity and returns what was found to be wrong.
    func read<Failure: Error>(
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) -> RealtimeProblems
}

extension RealtimeReader: RealtimeMessage {}

/// A message that is in memory as a whole.
public struct DecodedMessage: RealtimeMessage, Hashable, Sendable {
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

    public var entityCount: Int { entities.count }

    public func tripIDs(limit: Int) -> [TripID] {
        let ids = entities.lazy.compactMap { entity -> TripID? in
            switch entity {
            case .tripUpdate(let update): update.trip.tripID
            case .vehicle(let position): position.trip?.tripID
            case .alert, .deleted: nil
            }
        }
        return Array(ids.prefix(limit))
    }

    public func read<Failure: Error>(
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) -> RealtimeProblems {
        for entity in entities { try body(entity) }
        return problems
    }
}
