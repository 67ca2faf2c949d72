public import TransitModel

/// The last answer to each question about arrivals, as entities whose names belong to the question.
///
/// What changes is told as a differential message tells it, so that one answer does not touch the others.
public struct ArrivalsCache: Sendable {
    private struct Answer {
        var entities: [RealtimeEntity]
        var received: Instant
    }

    private var answers: [ArrivalsQueryID: Answer] = [:]
    /// The most answers that are kept.
    private let capacity: Int
    /// The maximum number of entities in all answers together. The plan of a large stop has a few hundred departures.
    private let entityCapacity: Int
    private var entityCount = 0

    public init(capacity: Int = 512, entityCapacity: Int = 40_000) {
        self.capacity = max(1, capacity)
        self.entityCapacity = max(1, entityCapacity)
    }

    public var count: Int { answers.count }

    /// Everything, in the order of the questions.
    public var entities: [RealtimeEntity] {
        answers.sorted { $0.key < $1.key }.flatMap(\.value.entities)
    }

    /// Puts an answer in the place of the one before it.
    ///
    /// - Returns: the entities of the answer under their names, and as deleted what is not in it any more.
    public mutating func take(
        _ entities: [RealtimeEntity], of query: ArrivalsQueryID, received: Instant
    ) -> [RealtimeEntity] {
        let named = entities.map { $0.named(EntityID("\(query)#\($0.id)"), received) }
        let gone = Set(answers[query]?.entities.map(\.id) ?? []).subtracting(named.map(\.id))
        entityCount += named.count - (answers[query]?.entities.count ?? 0)
        answers[query] = Answer(entities: named, received: received)
        return named + gone.map { .deleted($0) } + evictSurplus()
    }

    /// Lets go of answers that came before a moment.
    ///
    /// - Returns: their entities, as deleted.
    public mutating func drop(before moment: Instant) -> [RealtimeEntity] {
        drop(answers.filter { $0.value.received < moment }.map(\.key))
    }

    private mutating func evictSurplus() -> [RealtimeEntity] {
        guard answers.count > capacity || entityCount > entityCapacity else { return [] }
        var dropped: [RealtimeEntity] = []
        let oldest = answers.sorted { ($0.value.received, $0.key) < ($1.value.received, $1.key) }
        // The newest answer stays, because it was just requested.
        for (query, _) in oldest.dropLast() where answers.count > capacity || entityCount > entityCapacity {
            dropped += drop([query])
        }
        return dropped
    }

    private mutating func drop(_ queries: [ArrivalsQueryID]) -> [RealtimeEntity] {
        queries.flatMap { query in
            let entities = answers.removeValue(forKey: query)?.entities ?? []
            entityCount -= entities.count
            return entities.map { RealtimeEntity.deleted($0.id) }
        }
    }
}

extension RealtimeEntity {
    /// The same with another name, and with a time: it is as old as the source says, and at least as old as its own answer.
    fileprivate func named(_ id: EntityID, _ received: Instant) -> RealtimeEntity {
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
