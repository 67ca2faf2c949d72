public import TransitWire

/// Finds public timetables in the catalog of the Mobility Database, by name or near a position. Requires one of `text`,
/// `near` and `position`. The daemon downloads the catalog when someone first searches it, and then at most once a week while it is in use. A
/// search is not sent to the catalog.
public struct FeedFindParameters: ControlParameters {
    public typealias Reply = FeedFindResult
    public static let method = ControlMethod.feedFind

    /// The beginnings of words of a provider, town or region, without regard to case and accents. If no name has all of
    /// them as whole words and the configuration has a geocoder, the text is sent to it, and timetables near its first address
    /// are also returned.
    /// - Range: 1...200
    public var text: String?
    /// The name of one of the caller's places. Any other text is sent to the geocoder, if the configuration has one.
    /// - Range: 1...200
    public var near: String?
    /// The position near which timetables are searched.
    public var position: Position?
    /// The maximum number of timetables.
    /// - Range: 1...100
    public var count: Int = 10
    /// The language for the name of an address, as an IETF BCP 47 language tag such as "de".
    /// - Range: 1...35
    public var language: String?
    /// Whether to send `progress` notifications while the catalog is downloaded.
    public var progress: Bool = false
}

/// The state of a feed in the catalog.
public enum CatalogFeedStatus: String, OpenWireEnum {
    /// The feed is in service.
    case active
    /// The feed is not yet in service.
    case development
    /// The producer's URL no longer works. The catalog's copy may still work.
    case inactive
    /// The feed was withdrawn, and the catalog knows no successor.
    case deprecated
    /// A value that this version does not know.
    case other
}

/// How requests for a feed contain a key.
public enum CatalogKeyPlacement: String, OpenWireEnum {
    /// As a parameter of the query.
    case parameter
    /// As a header field.
    case header
    /// By another method, which the page of the producer describes.
    case other
}

/// The key that a feed of the catalog requires.
public struct CatalogKey: WireObject {
    /// How requests contain the key. More values may be added.
    public var placement: CatalogKeyPlacement
    /// The name of the parameter or header field; null when the catalog does not have it.
    public var name: String?
    /// The URL of a page that describes how to get a key.
    public var info: String?
}

/// A realtime feed of a timetable of the catalog.
public struct CatalogRealtime: WireObject {
    /// The identifier in the catalog.
    public var id: String
    /// The datasets that the feed contains. More values may be added.
    public var datasets: [DatasetName]
    /// The URL of the producer.
    public var url: String?
    /// The key that the feed requires; null when it requires none.
    public var key: CatalogKey?
}

/// A timetable of the catalog.
public struct CatalogFeed: WireObject {
    /// The identifier in the catalog, such as "mdb-53".
    public var id: String
    /// The names of the agencies.
    public var provider: String
    /// The name that distinguishes the feed from others of the provider.
    public var name: String?
    /// The town.
    public var municipality: String?
    /// The state, province or region.
    public var subdivision: String?
    /// The country as an ISO 3166-1 code.
    public var country: String?
    /// The state of the feed in the catalog. More values may be added.
    public var status: CatalogFeedStatus
    /// Whether the agency publishes the feed itself; null when the catalog does not say.
    public var isOfficial: Bool?
    /// The URL of the license; null when the catalog does not have it.
    public var license: String?
    /// The key that the feed requires; null when it requires none.
    public var key: CatalogKey?
    /// The realtime feeds of the timetable.
    public var realtime: [CatalogRealtime]
    /// The area of the stops; null when unknown.
    public var area: StopArea?
    /// The distance from the position of the search to the area, 0 inside; null in a search by name.
    /// - Unit: meters
    public var distance: Int?
    /// The URL of the producer.
    public var url: String?
    /// The URL of the catalog's copy of the last version, which is stable.
    public var copyUrl: String?
    /// The identifiers of retired feeds that match and that this feed replaces.
    public var replaces: [String] = []
}

/// The timetables that match, best match first.
public struct FeedFindResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Best match first.
    public var feeds: [CatalogFeed]
    /// The number of timetables that match.
    public var total: Int
    /// The position near which timetables were searched; null in a search by name.
    public var position: Position?
    /// The address at the position, if the geocoder found it.
    public var address: String?
    /// The time since the catalog was last confirmed to be current; null for a catalog that was installed with the
    /// program.
    /// - Unit: seconds
    public var age: Int?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
