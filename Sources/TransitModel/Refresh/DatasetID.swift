/// A part of a feed that is refreshed independently.
///
/// The raw values are used in the configuration, in the ledger and on the wire. Never reuse a raw value with another
/// meaning.
public enum DatasetKind: String, Hashable, Sendable, CaseIterable {
    /// The timetable: a whole GTFS feed.
    case `static` = "static"
    /// GTFS-Realtime trip updates.
    case tripUpdates = "trip_updates"
    /// GTFS-Realtime vehicle positions.
    case vehicles = "vehicles"
    /// GTFS-Realtime service alerts.
    case alerts = "alerts"
    /// Next departures at individual stops, requested on demand. The refresh engine does not handle them.
    case arrivals = "arrivals"
    /// Hourly weather forecasts, which belong to no feed.
    case weather = "weather"
    /// Public events near stations, which belong to no feed.
    case events = "events"
    /// The catalog of public feeds, which belongs to no feed.
    case catalog = "catalog"

    /// The realtime datasets, which are polled. Each message covers the whole feed.
    public static let realtime: [DatasetKind] = [.tripUpdates, .vehicles, .alerts]
    /// The datasets of a feed that the refresh engine keeps fresh.
    public static let refreshed: [DatasetKind] = [.static] + realtime

    /// Whether the dataset is realtime data, which is refreshed more often while a client uses it.
    public var isRealtime: Bool { self != .static && !isExternal }

    /// Whether the dataset is optional data that belongs to no feed. No departure depends on it, so no other dataset
    /// waits for it.
    public var isExternal: Bool { self == .weather || self == .events || self == .catalog }
}

/// One dataset of one feed: the unit that the refresh engine plans, fetches and records in the ledger.
public struct DatasetID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var feed: FeedID
    public var kind: DatasetKind

    public init(_ feed: FeedID, _ kind: DatasetKind) {
        self.feed = feed
        self.kind = kind
    }

    /// The weather forecasts of Open-Meteo.
    public static let weather = DatasetID("open-meteo", .weather)
    /// The events of Ticketmaster.
    public static let events = DatasetID("ticketmaster", .events)
    /// The catalog of the Mobility Database.
    public static let catalog = DatasetID("mobility-database", .catalog)
    /// The datasets that belong to no feed. Their sources have the identifiers of feeds, which no feed may have.
    public static let externalData = [weather, events, catalog]

    /// `caltrain/trip_updates`, for logs and the ledger.
    public var description: String { "\(feed)/\(kind.rawValue)" }

    public static func < (left: Self, right: Self) -> Bool {
        (left.feed.rawValue, left.kind.rawValue) < (right.feed.rawValue, right.kind.rawValue)
    }
}
