public import TransitModel

/// The last response to each arrivals query, as realtime entities whose identifiers contain the query.
///
/// Changes are returned as in a differential message, so that one response does not affect the others.
public struct ArrivalsCache: Sendable {
    private struct Response {
        var entities: [RealtimeEntity]
        var received: Instant
    }

    private var responses: [ArrivalsQueryID: Response] = [:]
    /// The maximum number of responses.
    private let capacity: Int
    /// The maximum number of entities in all responses together. The schedule of a large stop has a few hundred
    /// departures.
    private let entityCapacity: Int
    private var entityCount = 0

    public init(capacity: Int = 512, entityCapacity: Int = 40_000) {
        self.capacity = max(1, capacity)
        self.entityCapacity = max(1, entityCapacity)
    }

    public var count: Int { responses.count }

    /// All entities, sorted by query.
    public var entities: [RealtimeEntity] {
        responses.sorted { $0.key < $1.key }.flatMap(\.value.entities)
    }

    /// Replaces the response to a query.
    ///
    /// - Returns: The entities of the new response under their cached identifiers, and a deletion for each cached
    ///   entity that the new response lacks.
    public mutating func replace(
        _ entities: [RealtimeEntity], of query: ArrivalsQueryID, received: Instant
    ) -> [RealtimeEntity] {
        let renamed = entities.map { $0.renamed(EntityID("\(query)#\($0.id)"), received) }
        let removed = Set(responses[query]?.entities.map(\.id) ?? []).subtracting(renamed.map(\.id))
        entityCount += renamed.count - (responses[query]?.entities.count ?? 0)
        responses[query] = Response(entities: renamed, received: received)
        return renamed + removed.map { .deleted($0) } + evictSurplus()
    }

    /// Removes responses that were received before a time.
    ///
    /// - Returns: Deletions of their entities.
    public mutating func remove(before moment: Instant) -> [RealtimeEntity] {
        remove(responses.filter { $0.value.received < moment }.map(\.key))
    }

    private mutating func evictSurplus() -> [RealtimeEntity] {
        guard responses.count > capacity || entityCount > entityCapacity else { return [] }
        var deletions: [RealtimeEntity] = []
        let oldest = responses.sorted { ($0.value.received, $0.key) < ($1.value.received, $1.key) }
        // The newest response is not evicted, because it was just requested.
        for (query, _) in oldest.dropLast() where responses.count > capacity || entityCount > entityCapacity {
            deletions += remove([query])
        }
        return deletions
    }

    private mutating func remove(_ queries: [ArrivalsQueryID]) -> [RealtimeEntity] {
        queries.flatMap { query in
            let entities = responses.removeValue(forKey: query)?.entities ?? []
            entityCount -= entities.count
            return entities.map { RealtimeEntity.deleted($0.id) }
        }
    }
}

extension RealtimeEntity {
    /// Returns a copy with another identifier and with the source's timestamp, limited to the time of receipt.
    fileprivate func renamed(_ id: EntityID, _ received: Instant) -> RealtimeEntity {
        switch self {
        case .tripUpdate(var update):
            update.id = id
            update.timestamp = min(update.timestamp ?? received, received)
            return .tripUpdate(update)
        case .vehicle(var position):
            position.id = id
            position.timestamp = min(position.timestamp ?? received, received)
            return .vehicle(position)
        case .alert(var alert):
            alert.id = id
            return .alert(alert)
        case .deleted: return .deleted(id)
        }
    }
}
