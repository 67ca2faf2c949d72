public import TransitModel

/// A response with realtime data in the terms of GTFS-Realtime: the result of ``Provider/message(_:of:received:)``.
///
/// ``RealtimeReader`` reads one entity at a time; ``DecodedMessage`` holds the few entities of a small response.
public protocol RealtimeMessage {
    var header: RealtimeHeader { get }
    /// The number of entities; 0 if it is unknown until the whole message has been read.
    var entityCount: Int { get }
    /// The trips in the message that are known without reading all of the message, up to a limit.
    func tripIDs(limit: Int) -> [TripID]
    /// Calls `body` with every entity and returns the problems found.
    func read<Failure: Error>(
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) -> RealtimeProblems
}

extension RealtimeReader: RealtimeMessage {}

/// A message that is held in memory as a whole.
public struct DecodedMessage: RealtimeMessage, Hashable, Sendable {
    public var header: RealtimeHeader
    public var entities: [RealtimeEntity] = []
    public var problems: RealtimeProblems = RealtimeProblems()

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
