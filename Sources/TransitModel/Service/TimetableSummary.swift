/// What a version of a timetable is, without opening it: kept in the file and shown by `feed versions`.
public struct TimetableSummary: Hashable, Sendable {
    public struct Counts: Hashable, Sendable {
        public var agencies = 0, stops = 0, routes = 0, trips = 0, patterns = 0, stopTimes = 0, services = 0, shapes = 0
        public init() {}
    }

    public var counts: Counts
    public var feedInfo: FeedInfo?
    /// The first and last date on which any trip runs; `nil` when none ever does: in a version that was taken into use, a
    /// network without times, which tells where its routes go and leaves the rest to live data.
    public var serviceDates: ClosedRange<ServiceDate>?
    /// The latest call of any trip, in seconds of service time: how many service dates back a question must look.
    public var latestCall: ServiceTime
    /// SHA-256 of the members' contents, lower-case hexadecimal: the same for a feed that was merely zipped again.
    public var contentDigest: String
    public var origin: Origin

    /// Where a version came from.
    public struct Origin: Hashable, Sendable {
        /// The source's URL without credentials, or `demo:`.
        public var url: String
        public var etag: String?
        /// As the server wrote it.
        public var lastModified: String?
        public var fetched: Instant
        public init(url: String, etag: String? = nil, lastModified: String? = nil, fetched: Instant) {
            self.url = url
            self.etag = etag
            self.lastModified = lastModified
            self.fetched = fetched
        }
    }

    public init(
        counts: Counts, feedInfo: FeedInfo?, serviceDates: ClosedRange<ServiceDate>?, latestCall: ServiceTime,
        contentDigest: String, origin: Origin
    ) {
        self.counts = counts
        self.feedInfo = feedInfo
        self.serviceDates = serviceDates
        self.latestCall = latestCall
        self.contentDigest = contentDigest
        self.origin = origin
    }
}
