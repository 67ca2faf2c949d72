/// One row of pathways.txt (GTFS reference, pathways.txt). Empty columns are `nil`.
public struct Pathway: Hashable, Sendable {
    /// `pathway_mode`.
    public enum Mode: UInt8, Hashable, Sendable, CaseIterable {
        case walkway = 1
        case stairs = 2
        case movingSidewalk = 3
        case escalator = 4
        case elevator = 5
        case fareGate = 6
        /// The path from a paid area into an unpaid one. Never leads back.
        case exitGate = 7
    }

    /// The ends, as positions in ``Pathways/locations``.
    public var from: UInt32
    public var to: UInt32
    public var mode: Mode
    public var isBidirectional: Bool
    /// The horizontal length in centimeters.
    public var length: Int32?
    /// Seconds.
    public var traversalTime: Int32?
    /// Positive if riders walk up from ``from`` to ``to``, and negative if they walk down.
    public var stairCount: Int32?
    /// The steepest slope in ten-thousandths: 830 is 8.3 %. Negative if the path leads down.
    public var maximumSlope: Int32?
    /// The width at the narrowest place in centimeters.
    public var minimumWidth: Int32?

    public init(
        from: UInt32, to: UInt32, mode: Mode, isBidirectional: Bool, length: Int32? = nil,
        traversalTime: Int32? = nil, stairCount: Int32? = nil, maximumSlope: Int32? = nil, minimumWidth: Int32? = nil
    ) {
        self.from = from
        self.to = to
        self.mode = mode
        self.isBidirectional = isBidirectional
        self.length = length
        self.traversalTime = traversalTime
        self.stairCount = stairCount
        self.maximumSlope = maximumSlope
        self.minimumWidth = minimumWidth
    }

    /// Whether the pathway can also be used from ``to`` to ``from``. An exit gate cannot, whatever the feed states (GTFS
    /// reference, pathways.txt, `is_bidirectional`).
    public var leadsBack: Bool { isBidirectional && mode != .exitGate }
}

/// A location of stops.txt at which pathways begin or end.
public struct PathwayLocation: Hashable, Sendable {
    /// The location itself; `nil` if it is not among the stops of the timetable. A timetable need not have all entrances,
    /// nodes and boarding areas of a feed.
    public var stop: StopIndex?
    /// The station to which the location belongs, or the platform if the platform has no station.
    public var station: StopIndex
    /// The platform of a boarding area.
    public var platform: StopIndex?
    /// Whether this is an entrance or exit (`location_type` 2).
    public var isEntrance: Bool
    /// The position of the location, or that of its parent if it has none.
    public var coordinate: Coordinate?

    public init(
        stop: StopIndex?, station: StopIndex, platform: StopIndex? = nil, isEntrance: Bool = false,
        coordinate: Coordinate? = nil
    ) {
        self.stop = stop
        self.station = station
        self.platform = platform
        self.isEntrance = isEntrance
        self.coordinate = coordinate
    }
}

/// pathways.txt with the locations that it connects. Both ends of a pathway belong to one station.
public struct Pathways: Hashable, Sendable {
    public var locations: [PathwayLocation]
    /// In the order of the file.
    public var pathways: [Pathway]

    /// The maximum number of pathways of one station. The pathways of a station with more of them are not used. The
    /// largest stations of published feeds have fewer than 1,000.
    public static let maximumOfStation = 4096

    public init(locations: [PathwayLocation] = [], pathways: [Pathway] = []) {
        self.locations = locations
        self.pathways = pathways
    }
}
