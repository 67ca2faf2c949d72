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

/// Limits on the content of one realtime message. Entities beyond a limit are dropped and counted.
///
/// The largest published messages have 60,000 trip updates and a few hundred alerts. A message within the byte limit of
/// ``RefreshPolicy`` could contain many millions of each, which take fifty times as much memory as their encoded bytes.
public enum RealtimeLimits {
    public static let tripUpdates = 200_000
    public static let vehicles = 200_000
    public static let alerts = 20_000
    /// The maximum total number of informed entities in all alerts of a message.
    public static let informedEntities = 200_000
    public static let activePeriods = 200_000
    public static let translations = 200_000
    /// The maximum number of stop time updates in one trip update. No real trip makes that many calls.
    public static let stopTimeUpdatesPerTrip = 10_000
    /// The maximum number of entities in a differential message.
    public static let changes = 500_000
    /// The approximate limit, in bytes, on the decoded content of one message.
    public static let memory = 48 << 20
}
