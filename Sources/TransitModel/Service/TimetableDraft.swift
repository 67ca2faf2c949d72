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
    public var pathways = Pathways()
    public var translations: [Translation] = []
    public var feedInfo: FeedInfo?
    /// The number of stop times in the source, which ``patterns`` represent.
    public var stopTimeCount = 0
    /// The kept part of the feed; `nil` if all of it is kept.
    public var subset: TimetableSummary.Subset?
    /// The ``IdentifierHash`` of each trip that is not kept, in any order.
    public var outsideTrips: [UInt64] = []

    public init(patterns: any PatternSource) { self.patterns = patterns }
}

/// A sequence of patterns in index order, produced one at a time.
///
/// The builder in TransitFeeds conforms to it: it unpacks patterns from its buffers.
public protocol PatternSource: Sendable {
    var count: Int { get }
    /// Calls `body` once for each pattern. Stops at the first error that it throws.
    func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure)
}

extension TimetableDraft {
    /// The number of rows of each kind.
    public var counts: TimetableSummary.Counts {
        var counts = TimetableSummary.Counts()
        counts.agencies = agencies.count
        counts.stops = stops.count
        counts.routes = routes.count
        counts.trips = trips.count
        counts.patterns = patterns.count
        counts.stopTimes = stopTimeCount
        counts.services = services.count
        counts.shapes = shapes.count
        return counts
    }

    /// The first and last date of all services that have trips, or `nil` if no trip ever runs.
    public var serviceDates: ClosedRange<ServiceDate>? {
        var isUsed = [Bool](repeating: false, count: services.count)
        for service in trips.services { isUsed[service.position] = true }
        var dates: ClosedRange<ServiceDate>?
        for (service, isUsed) in zip(services, isUsed) where isUsed {
            guard let span = service.span else { continue }
            let known = dates ?? span
            dates = min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
        }
        return dates
    }
}
