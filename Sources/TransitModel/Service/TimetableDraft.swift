/// A whole timetable on its way from a source's format to the store: what a provider makes and the store writes.
///
/// Everything is numbered; numbers refer to positions in the draft's own tables. The large tables are columns, and
/// patterns are handed out one at a time, so that a feed of ten million stop times needs tens of megabytes.
public struct TimetableDraft: Sendable {
    public var agencies: [Agency] = []
    /// In file order. A parent is always in the same table.
    public var stops: [Stop] = []
    public var routes: [Route] = []
    public var services: [Service] = []
    /// Texts shared by trips and calls, without repetition; ``TextIndex`` points here.
    public var texts = TextColumn()
    public var trips = TripColumns()
    /// Which trips run where and when; sorted by route, then direction, then number of trips.
    public var patterns: any PatternSource
    public var shapes = ShapeColumns()
    public var transfers: [Transfer] = []
    public var translations: [Translation] = []
    public var feedInfo: FeedInfo?
    /// How many stop times the source had: what ``patterns`` stands for.
    public var stopTimeCount = 0

    public init(patterns: any PatternSource) { self.patterns = patterns }
}

/// Hands out patterns one after the other, in the order of their index.
///
/// Two conformers: the builder of TransitFeeds, which unpacks them from its arenas, and ``PatternList``.
public protocol PatternSource: Sendable {
    var count: Int { get }
    /// Calls `body` once for each pattern; ends with the first error that it throws.
    func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure)
}

/// Patterns that are already there: small feeds and tests.
public struct PatternList: PatternSource {
    public var patterns: [Pattern]
    public init(_ patterns: [Pattern]) { self.patterns = patterns }
    public var count: Int { patterns.count }
    public func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure) {
        for pattern in patterns { try body(pattern) }
    }
}

/// trips.txt as columns; a row's position is its ``TripIndex``. Trips of a lane stand together in the order of their starts.
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

/// shapes.txt, each shape as a packed run of bytes in the form of ``ShapePacking``.
public struct ShapeColumns: Sendable {
    public var ids = TextColumn()
    public var packed = TextColumn()
    public init() {}
    public var count: Int { ids.count }
}
