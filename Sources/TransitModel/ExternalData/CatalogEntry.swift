/// One feed in a catalog of public feeds, as the catalog describes it.
public struct CatalogEntry: Hashable, Sendable {
    /// The identifier in the catalog, such as `mdb-53`.
    public var id: String
    /// The contents of the feed: ``DatasetKind/static`` for a timetable, otherwise realtime datasets.
    public var datasets: [DatasetKind]
    /// The names of the agencies, as one text.
    public var provider: String
    /// The name that distinguishes this feed from others of the provider; empty if there is none.
    public var name = ""
    public var location = CatalogLocation()
    public var box: BoundingBox?
    /// Whether the agency publishes the feed itself; `nil` if the catalog does not say.
    public var isOfficial: Bool?
    public var status = CatalogStatus.active
    /// The entries that replace this entry.
    public var successors: [String] = []
    /// The entries with the timetables of a realtime feed.
    public var timetables: [String] = []
    /// The URL of the producer: `https`, or `http` for a loopback address.
    public var downloadURL: String?
    /// The URL of the catalog's copy of the last version.
    public var copyURL: String?
    public var licenseURL: String?
    public var access = CatalogAccess.none

    public init(id: String, datasets: [DatasetKind], provider: String) {
        self.id = id
        self.datasets = datasets
        self.provider = provider
    }

    /// Whether the entry contains a timetable.
    public var isTimetable: Bool { datasets == [.static] }
}

/// The place of a feed, in the words of the catalog. Unknown parts are empty.
public struct CatalogLocation: Hashable, Sendable {
    /// An ISO 3166-1 code of two letters.
    public var country = ""
    /// A state, province or region.
    public var subdivision = ""
    /// A town, in any language.
    public var municipality = ""

    public init() {}
}

/// The state of a feed in a catalog.
public enum CatalogStatus: Hashable, Sendable, CaseIterable {
    case active
    /// Not yet in service, or for tests.
    case development
    /// The producer's URL no longer works.
    case inactive
    /// Replaced or withdrawn.
    case deprecated

    /// Whether the feed can be expected to work.
    public var isUsable: Bool { self == .active || self == .development }
}

/// How the requests for a feed contain a key.
public enum CatalogAccess: Hashable, Sendable {
    case none
    /// A parameter of the query, by its name if the catalog has it.
    case parameter(name: String?, info: String?)
    /// A header field, by its name if the catalog has it.
    case header(name: String?, info: String?)
    /// Another method. `info` is the URL of a page for people.
    case other(info: String?)
}

/// The area of the stops of a feed.
public struct BoundingBox: Hashable, Sendable {
    /// Degrees north; `south` is at most `north`.
    public let south: Double
    public let north: Double
    /// Degrees east. `west` is greater than `east` if the area crosses the date line.
    public let west: Double
    public let east: Double

    /// Above these sizes in degrees, an area says nothing about the place of a feed. Russia has more than 120 degrees, but
    /// no feed for all of it.
    private static let maximumLatitudes = 60.0
    private static let maximumLongitudes = 120.0

    /// Creates the area between two latitudes and two longitudes. Reversed limits are exchanged, unless the longitudes
    /// are on both sides of the date line.
    ///
    /// - Returns: `nil` for values out of range, and for an area that covers much of the world, which some entries have
    ///   by mistake.
    public init?(latitudes: (Double, Double), longitudes: (Double, Double)) {
        guard [latitudes.0, latitudes.1].allSatisfy({ (-90.0...90.0).contains($0) }),
            [longitudes.0, longitudes.1].allSatisfy({ (-180.0...180.0).contains($0) })
        else { return nil }
        south = min(latitudes.0, latitudes.1)
        north = max(latitudes.0, latitudes.1)
        let crosses = longitudes.0 - longitudes.1 > 180
        west = crosses ? longitudes.0 : min(longitudes.0, longitudes.1)
        east = crosses ? longitudes.1 : max(longitudes.0, longitudes.1)
        guard north - south <= Self.maximumLatitudes, longitudeSpan <= Self.maximumLongitudes else { return nil }
        // Entries without stops have the position (0, 0).
        guard (south, north, west, east) != (0, 0, 0, 0) else { return nil }
    }

    /// Degrees from west to east.
    private var longitudeSpan: Double { east >= west ? east - west : east - west + 360 }

    /// The distance in meters between the corners in the southwest and in the northeast.
    public var diagonal: Double {
        guard let first = Self.corner(south, west), let second = Self.corner(north, east) else { return .infinity }
        return first.distance(to: second)
    }

    /// Returns a position that may be (0, 0), at which the areas of some entries begin by mistake.
    private static func corner(_ latitude: Double, _ longitude: Double) -> Coordinate? {
        Coordinate(latitude: latitude, longitude: longitude == 0 ? 1e-9 : longitude)
    }

    /// Returns the distance in meters from a position to the area; 0 inside.
    public func distance(to position: Coordinate) -> Double {
        let latitude = min(max(position.latitude, south), north)
        let isBetween =
            east >= west
            ? (west...east).contains(position.longitude) : position.longitude >= west || position.longitude <= east
        if isBetween, latitude == position.latitude { return 0 }
        let longitudes = isBetween ? [position.longitude] : [west, east]
        return longitudes.compactMap { Self.corner(latitude, $0)?.distance(to: position) }.min()
            ?? .infinity
    }
}
