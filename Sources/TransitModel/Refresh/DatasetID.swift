/// A part of a feed that is refreshed by itself.
///
/// The raw values are its spelling in the configuration, in the ledger and on the wire; none is ever given another
/// meaning. More come with their sources: weather, events.
public enum DatasetKind: String, Hashable, Sendable, CaseIterable {
    /// The timetable: a whole GTFS feed.
    case `static` = "static"
    /// GTFS-Realtime trip updates.
    case tripUpdates = "trip_updates"
    /// GTFS-Realtime vehicle positions.
    case vehicles = "vehicles"
    /// GTFS-Realtime service alerts.
    case alerts = "alerts"
    /// What leaves next from single stops, asked when somebody wants to know it: the refresh engine has
    /// nothing to do with it.
    case arrivals = "arrivals"

    /// What one message tells for the whole feed, asked again and again.
    public static let realtime: [DatasetKind] = [.tripUpdates, .vehicles, .alerts]
    /// What the refresh engine keeps fresh.
    public static let refreshed: [DatasetKind] = [.static] + realtime

    /// Whether it tells of the present moment, and so is worth more often asking while somebody looks.
    public var isLive: Bool { self != .static }
}

/// One dataset of one feed: what the refresh engine plans, fetches and keeps a ledger of.
public struct DatasetID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var feed: FeedID
    public var kind: DatasetKind

    public init(_ feed: FeedID, _ kind: DatasetKind) {
        self.feed = feed
        self.kind = kind
    }

    /// `caltrain/trip_updates`, for logs and the ledger.
    public var description: String { "\(feed)/\(kind.rawValue)" }

    public static func < (left: Self, right: Self) -> Bool {
        (left.feed.rawValue, left.kind.rawValue) < (right.feed.rawValue, right.kind.rawValue)
    }
}
