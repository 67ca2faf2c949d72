/// One row of stops.txt.
public struct Stop: Hashable, Sendable {
    /// `location_type` of stops.txt.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A stop, or a platform if it has a parent station.
        case platform = 0
        case station = 1
        /// An entrance or an exit.
        case entrance = 2
        /// A generic node within a station, used only to link pathways.
        case node = 3
        /// A place on a platform where passengers board.
        case boardingArea = 4
    }

    /// Whether wheelchair users can board at this stop. Inherited from the parent station if the feed leaves it empty.
    public var wheelchair: Accessibility
    public var id: StopID
    /// The short code that riders know the stop by (`stop_code`).
    public var code: String?
    public var name: String
    public var coordinate: Coordinate?
    public var kind: Kind
    /// The station of a platform, entrance or node, or the platform of a boarding area.
    public var parent: StopIndex?
    /// `platform_code`, such as "1" or "G", without words like "platform" (GTFS reference, stops.txt).
    public var platform: String?
    /// `stop_timezone`. The children of a station inherit the station's time zone.
    public var timezone: String?
    /// False for a stop outside of the kept part of a feed (``FeedSubset``). It is in the timetable because kept trips
    /// call there, but it has no board, because other trips that call there are not in the timetable.
    public var isKept = true

    public init(
        id: StopID, code: String? = nil, name: String, coordinate: Coordinate? = nil, kind: Kind = .platform,
        parent: StopIndex? = nil, platform: String? = nil, timezone: String? = nil,
        wheelchair: Accessibility = .unknown
    ) {
        self.id = id
        self.code = code
        self.name = name
        self.coordinate = coordinate
        self.kind = kind
        self.parent = parent
        self.platform = platform
        self.timezone = timezone
        self.wheelchair = wheelchair
    }
}

/// `wheelchair_boarding`, `wheelchair_accessible` and `bikes_allowed`, which share one enumeration.
public enum Accessibility: UInt8, Hashable, Sendable {
    case unknown = 0
    case possible = 1
    case notPossible = 2
}

/// The data of a stop that realtime data is matched against. Names are omitted because thousands of stops are loaded at
/// a time.
public struct StopLocation: Hashable, Sendable {
    public var id: StopID
    /// The station of a platform, entrance or node, or the platform of a boarding area.
    public var parent: StopIndex?
    public var coordinate: Coordinate?

    public init(id: StopID, parent: StopIndex? = nil, coordinate: Coordinate? = nil) {
        self.id = id
        self.parent = parent
        self.coordinate = coordinate
    }

    public init(_ stop: Stop) { self.init(id: stop.id, parent: stop.parent, coordinate: stop.coordinate) }
}
