/// The header of a GTFS-Realtime message (GTFS-Realtime reference, *FeedHeader*).
public struct RealtimeHeader: Hashable, Sendable {
    /// `gtfs_realtime_version`, as written: "2.0".
    public var version: String?
    public var incrementality: Incrementality
    /// When the content was made by the publisher. Some publishers leave it out.
    public var timestamp: Instant?
    /// `feed_version`: that of the timetable (feed_info.txt) which the identifiers belong to.
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

    /// When the content was made, as far as it can be believed: by the clock of whoever received it, never later than the receipt.
    /// Otherwise data would stay fresh for as long as the publisher's clock is fast.
    public func time(received: Instant) -> Instant { timestamp.map { min($0, received) } ?? received }
}

/// Whether a message replaces everything known of the feed, or only the entities that it names.
public enum Incrementality: UInt8, Hashable, Sendable, CaseIterable {
    case fullDataset = 0
    case differential = 1
}

/// One entity of a GTFS-Realtime message (GTFS-Realtime reference, *FeedEntity*).
///
/// A publisher may put a trip update and a position into one entity; they are then two values with the same `id`.
public enum RealtimeEntity: Hashable, Sendable {
    case tripUpdate(TripUpdate)
    case vehicle(VehiclePosition)
    case alert(Alert)
    /// `is_deleted` of a differential message: what an earlier message said under this identifier is no longer true.
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

/// `id` of an entity: unique within one message, and across messages where they are differential.
public typealias EntityID = Identifier<RealtimeEntity>
