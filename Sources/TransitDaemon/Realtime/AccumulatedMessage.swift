internal import TransitFeeds
internal import TransitModel

/// The sum of a source's messages, the first of which is full and the others of which are differential, as one message.
///
/// The entities are kept in their encoded form, which takes a small part of the memory of the decoded values.
struct AccumulatedMessage: Sendable {
    private struct Entry: Sendable {
        /// The position in the message. An entity that changes keeps its position.
        var position: Int
        /// The number of the last message that changed the entity, and the time of its receipt.
        var message: Int
        var received: Instant?
        var bytes: [UInt8]
    }

    private var header = RealtimeHeader()
    private var entries: [EntityID: Entry] = [:]
    private var nextPosition = 0
    private var messages = 0
    /// The total size of the entities in bytes.
    private(set) var size = 0
    /// The time of the oldest change that was removed although its trip was not over; `nil` if there is none.
    private(set) var removedSince: Instant?
    private let maximumSize: Int
    private let maximumCount: Int

    /// - Parameters:
    ///   - maximumSize: The maximum total size of the entities in bytes.
    ///   - maximumCount: The maximum number of identifiers.
    init(maximumSize: Int = RealtimeLimits.memory, maximumCount: Int = RealtimeLimits.changes) {
        self.maximumSize = maximumSize
        self.maximumCount = maximumCount
    }

    /// Applies a message. An entity replaces all earlier ones with its identifier; in one message, several may have the
    /// same identifier, such as a trip update and a position that were published as one.
    ///
    /// - Parameters:
    ///   - received: The time of receipt; `nil` for the timestamp of the message.
    ///   - over: Returns the entities of trips that are over. Called if there is not enough room.
    mutating func apply(
        _ message: some RealtimeMessage, received: Instant? = nil, over: () -> Set<EntityID> = { [] }
    ) throws {
        header = message.header
        messages += 1
        let received = received ?? header.timestamp
        var replaced: Set<EntityID> = []
        _ = try message.read { (entity) throws in
            if replaced.insert(entity.id).inserted { remove(entity.id) }
            guard case .deleted = entity else { return append(entity, received) }
        }
        for id in replaced where entries[id]?.bytes.isEmpty == true { entries[id] = nil }
        if isTooLarge { remove(over()) }
        if isTooLarge { removeOldest() }
    }

    private var isTooLarge: Bool { size > maximumSize || entries.count > maximumCount }

    /// The approximate number of bytes in memory.
    var memory: Int { size + entries.count * 160 }

    /// Removes the entities of trips that are over, which some publishers never delete.
    private mutating func remove(_ over: Set<EntityID>) {
        for id in over {
            remove(id)
            entries[id] = nil
        }
    }

    /// Removes the quarter of the entities that have not changed for the longest time.
    private mutating func removeOldest() {
        let oldest = entries.sorted { ($0.value.message, $0.value.position) < ($1.value.message, $1.value.position) }
        var removed = 0
        for (id, entry) in oldest {
            guard removed * 4 < oldest.count || size > maximumSize else { return }
            size -= entry.bytes.count
            entries[id] = nil
            removed += 1
            if let time = entry.received { removedSince = min(removedSince ?? time, time) }
        }
    }

    private mutating func remove(_ id: EntityID) {
        guard let entry = entries[id] else { return }
        size -= entry.bytes.count
        entries[id]?.bytes = []
    }

    private mutating func append(_ entity: RealtimeEntity, _ received: Instant?) {
        let bytes = RealtimeWriter.field(entity)
        if entries[entity.id] == nil {
            entries[entity.id] = Entry(position: nextPosition, message: messages, bytes: [])
            nextPosition += 1
        }
        size += bytes.count
        entries[entity.id]?.bytes += bytes
        entries[entity.id]?.message = messages
        entries[entity.id]?.received = received
    }

    /// The message. Its header states that it is differential, which a cached message from any other source never is.
    var bytes: [UInt8] {
        var header = header
        header.incrementality = .differential
        var bytes = RealtimeWriter(header).bytes
        bytes.reserveCapacity(bytes.count + size)
        for entry in entries.values.filter({ !$0.bytes.isEmpty }).sorted(by: { $0.position < $1.position }) {
            bytes += entry.bytes
        }
        return bytes
    }
}
