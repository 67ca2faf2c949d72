/// A summary of a timetable version. It is stored in the timetable file and shown by `feed versions`.
public struct TimetableSummary: Hashable, Sendable {
    public struct Counts: Hashable, Sendable {
        public var agencies = 0, stops = 0, routes = 0, trips = 0, patterns = 0, stopTimes = 0, services = 0, shapes = 0
        public init() {}
    }

    /// The part of the source that was kept.
    public struct Subset: Hashable, Sendable {
        /// The description of the ``FeedSubset``.
        public var rule: String
        /// The number of rows of stops.txt that are kept, without the stops outside at which kept trips call.
        public var stops: Int
        /// The number of rows of stops.txt in the source.
        public var stopsInSource: Int
        /// The number of trips in the source.
        public var tripsInSource: Int

        public init(rule: String, stops: Int, stopsInSource: Int, tripsInSource: Int) {
            self.rule = rule
            self.stops = stops
            self.stopsInSource = stopsInSource
            self.tripsInSource = tripsInSource
        }
    }

    public var counts: Counts
    /// The kept part of the source; `nil` if all of it is kept.
    public var subset: Subset?
    public var feedInfo: FeedInfo?
    /// The first and last date on which any trip runs, or `nil` if no trip ever runs. A version without service dates
    /// is used only for a network without times, which defines the routes and their stops and gets all times from
    /// realtime data.
    public var serviceDates: ClosedRange<ServiceDate>?
    /// The latest stop time of any trip, in seconds of service time. Determines how many earlier service dates a query
    /// must include.
    public var latestStopTime: ServiceTime
    /// SHA-256 of the contents of the archive's files, in lowercase hexadecimal. Compressing the same feed again does
    /// not change it.
    public var contentDigest: String
    public var origin: Origin

    /// The source of a version.
    public struct Origin: Hashable, Sendable {
        /// The source's URL without credentials, or `demo:`.
        public var url: String
        public var etag: String?
        /// The `Last-Modified` header as the server sent it.
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
        counts: Counts, feedInfo: FeedInfo?, serviceDates: ClosedRange<ServiceDate>?, latestStopTime: ServiceTime,
        contentDigest: String, origin: Origin, subset: Subset? = nil
    ) {
        self.counts = counts
        self.subset = subset
        self.feedInfo = feedInfo
        self.serviceDates = serviceDates
        self.latestStopTime = latestStopTime
        self.contentDigest = contentDigest
        self.origin = origin
    }
}
