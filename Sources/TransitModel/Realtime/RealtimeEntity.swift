/// The header of a GTFS-Realtime message (GTFS-Realtime reference, *FeedHeader*).
public struct RealtimeHeader: Hashable, Sendable {
    /// `gtfs_realtime_version` as published, such as "2.0".
    public var version: String?
    public var incrementality: Incrementality
    /// The time at which the publisher created the content. Some publishers omit it.
    public var timestamp: Instant?
    /// `feed_version`: the version of the timetable (feed_info.txt) that the identifiers refer to.
    public var feedVersion: String?

    public init(
        version: String? = nil, incrementality: Incrementality = .fullDataset, timestamp: Instant? = nil,
        feedVersion: String? = nil
    ) {
        self.version = version
        self.incrementality = incrementality
        self.timestamp = timestamp
        self.feedVersion = feedVersion
    }

    /// Returns the time at which the content was created, but never later than `received`, the local time of receipt.
    /// Without this limit, data from a publisher whose clock is fast would count as fresh for too long.
    public func time(received: Instant) -> Instant { timestamp.map { min($0, received) } ?? received }
}

/// Whether a message replaces all data of the feed or only the entities that it lists.
public enum Incrementality: UInt8, Hashable, Sendable, CaseIterable {
    case fullDataset = 0
    case differential = 1
}

/// One entity of a GTFS-Realtime message (GTFS-Realtime reference, *FeedEntity*).
///
/// A publisher may put a trip update and a position into one entity. They become two values with the same `id`.
public enum RealtimeEntity: Hashable, Sendable {
    case tripUpdate(TripUpdate)
    case vehicle(VehiclePosition)
    case alert(Alert)
    /// `is_deleted` in a differential message: the entity with this `id` in an earlier message is no longer valid.
    case deleted(EntityID)

    public var id: EntityID {
        switch self {
        case .tripUpdate(let update): update.id
        case .vehicle(let position): position.id
        case .alert(let alert): alert.id
        case .deleted(let id): id
        }
    }
}

/// The `id` of an entity. It is unique within one message and, for differential messages, across messages.
public typealias EntityID = Identifier<RealtimeEntity>
