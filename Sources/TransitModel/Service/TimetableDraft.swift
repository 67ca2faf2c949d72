/// A complete timetable that a provider passes to the store.
///
/// References are positions in the draft's own tables. Large tables are stored as columns, and patterns are produced
/// one at a time, so that a feed with ten million stop times takes tens of megabytes.
public struct TimetableDraft: Sendable {
    public var agencies: [Agency] = []
    /// The stops in file order. Parents are in the same table.
    public var stops: [Stop] = []
    public var routes: [Route] = []
    public var services: [Service] = []
    /// Unique texts shared by trips and calls. ``TextIndex`` refers to this column.
    public var texts = TextColumn()
    public var trips = TripColumns()
    /// Sorted by route, then by direction, then by number of trips.
    public var patterns: any PatternSource
    public var shapes = ShapeColumns()
    public var transfers: [Transfer] = []
    public var translations: [Translation] = []
    public var feedInfo: FeedInfo?
    /// The number of stop times in the source, which ``patterns`` represent.
    public var stopTimeCount = 0

    public init(patterns: any PatternSource) { self.patterns = patterns }
}

/// A sequence of patterns in index order, produced one at a time.
///
/// There are two conforming types: the builder in TransitFeeds, which unpacks patterns from its buffers, and
/// ``PatternList``.
public protocol PatternSource: Sendable {
    var count: Int { get }
    /// Calls `body` once for each pattern. Stops at the first error that it throws.
    func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure)
}

/// A pattern source backed by an array, for small feeds and tests.
public struct PatternList: PatternSource {
    public var patterns: [Pattern]
    public init(_ patterns: [Pattern]) { self.patterns = patterns }
    public var count: Int { patterns.count }
    public func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure) {
        for pattern in patterns { try body(pattern) }
    }
}

/// The rows of trips.txt as columns. The row number of a trip is its ``TripIndex``. The trips of a timing group are
/// consecutive and ordered by start.
public struct TripColumns: Sendable {
    public var ids = TextColumn()
    public var services: [ServiceIndex] = []
    public var headsigns: [TextIndex?] = []
    public var shortNames: [TextIndex?] = []
    public var blocks: [TextIndex?] = []
    public var shapes: [ShapeIndex?] = []
    public var wheelchair: [Accessibility] = []
    public var bikes: [Accessibility] = []

    public init() {}

    public var count: Int { services.count }

    public subscript(index: TripIndex) -> Trip {
        let row = index.position
        return Trip(
            id: TripID(ids[row]), service: services[row], headsign: headsigns[row], shortName: shortNames[row],
            block: blocks[row], shape: shapes[row], wheelchair: wheelchair[row], bikes: bikes[row])
    }

    public mutating func append(_ trip: Trip) {
        ids.append(trip.id.rawValue)
        services.append(trip.service)
        headsigns.append(trip.headsign)
        shortNames.append(trip.shortName)
        blocks.append(trip.block)
        shapes.append(trip.shape)
        wheelchair.append(trip.wheelchair)
        bikes.append(trip.bikes)
    }
}

/// The shapes in shapes.txt as columns. Each shape is encoded by ``ShapePacking``.
public struct ShapeColumns: Sendable {
    public var ids = TextColumn()
    public var packed = TextColumn()
    public init() {}
    public var count: Int { ids.count }
}
