public import TransitModel

/// How a feed stands.
public enum FeedState: String, WireEnum {
    case ready
    case empty
    case importing
    case expired
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// How an attempt to update a feed ended.
public enum AttemptOutcome: String, WireEnum {
    case updated
    case unchanged
    case refused
    case failed
    case canceled
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// How many of everything a version has.
public struct FeedCounts: WireObject {
    public var agencies: Int
    public var stops: Int
    public var routes: Int
    public var trips: Int
    public var stopTimes: Int
    public var services: Int
    public var shapes: Int

    public init(agencies: Int, stops: Int, routes: Int, trips: Int, stopTimes: Int, services: Int, shapes: Int) {
        self.agencies = agencies
        self.stops = stops
        self.routes = routes
        self.trips = trips
        self.stopTimes = stopTimes
        self.services = services
        self.shapes = shapes
    }

    public static let wireSchema = WireSchema(
        "FeedCounts", "How many of everything a version has.", Self.init,
        Field("agencies", \.agencies, "Rows of agency.txt."),
        Field("stops", \.stops, "Rows of stops.txt."),
        Field("routes", \.routes, "Rows of routes.txt."),
        Field("trips", \.trips, "Rows of trips.txt."),
        Field("stop_times", \.stopTimes, "Rows of stop_times.txt."),
        Field("services", \.services, "Different `service_id`."),
        Field("shapes", \.shapes, "Different `shape_id`."))
}

/// How much was found while a feed was read, per severity.
public struct FindingCounts: WireObject {
    public var fatal: Int
    public var error: Int
    public var warning: Int
    public var info: Int

    public init(fatal: Int, error: Int, warning: Int, info: Int) {
        self.fatal = fatal
        self.error = error
        self.warning = warning
        self.info = info
    }

    public static let wireSchema = WireSchema(
        "FindingCounts", "How much was found while a feed was read, per severity.", Self.init,
        Field("fatal", \.fatal, "What makes the feed unusable."),
        Field("error", \.error, "Rows that were skipped or not wholly used."),
        Field("warning", \.warning, "What is doubtful."),
        Field("info", \.info, "What is worth knowing."))
}

/// The last attempt to update a feed.
public struct FeedAttempt: WireObject {
    public var at: Timestamp
    public var outcome: AttemptOutcome
    public var message: String
    public var seconds: Double

    public init(at: Timestamp, outcome: AttemptOutcome, message: String, seconds: Double) {
        self.at = at
        self.outcome = outcome
        self.message = message
        self.seconds = seconds
    }

    public static let wireSchema = WireSchema(
        "FeedAttempt", "The last attempt to update a feed.", Self.init,
        Field("at", \.at, "When it ended."),
        Field("outcome", \.outcome, "How it ended. More may follow."),
        Field("message", \.message, "A sentence for people."),
        Field("seconds", \.seconds, "How long it took.", unit: .seconds))
}

/// How a feed stands.
public struct FeedStatus: WireObject {
    public var id: FeedID
    public var provider: String
    public var state: FeedState
    public var version: Int?
    public var feedVersion: String?
    public var publisher: String?
    public var serviceDates: DateSpan?
    public var daysLeft: Int?
    public var imported: Timestamp?
    public var age: Int?
    public var lastAttempt: FeedAttempt?
    public var nextAttempt: Timestamp?
    public var progress: RequestProgress?
    public var counts: FeedCounts?
    public var bytes: Int?
    public var versions: Int
    public var findings: FindingCounts?
    public var datasets: [DatasetStatus]
    public var realtime: RealtimeCounts?
    public var attribution: String?
    public var disclaimer: String?

    public init(
        id: FeedID, provider: String, state: FeedState, version: Int? = nil, feedVersion: String? = nil,
        publisher: String? = nil, serviceDates: DateSpan? = nil, daysLeft: Int? = nil, imported: Timestamp? = nil,
        age: Int? = nil, lastAttempt: FeedAttempt? = nil, nextAttempt: Timestamp? = nil,
        progress: RequestProgress? = nil,
        counts: FeedCounts? = nil, bytes: Int? = nil, versions: Int, findings: FindingCounts? = nil,
        datasets: [DatasetStatus] = [], realtime: RealtimeCounts? = nil, attribution: String? = nil,
        disclaimer: String? = nil
    ) {
        self.id = id
        self.provider = provider
        self.state = state
        self.version = version
        self.feedVersion = feedVersion
        self.publisher = publisher
        self.serviceDates = serviceDates
        self.daysLeft = daysLeft
        self.imported = imported
        self.age = age
        self.lastAttempt = lastAttempt
        self.nextAttempt = nextAttempt
        self.progress = progress
        self.counts = counts
        self.bytes = bytes
        self.versions = versions
        self.findings = findings
        self.datasets = datasets
        self.realtime = realtime
        self.attribution = attribution
        self.disclaimer = disclaimer
    }

    public static let wireSchema = WireSchema(
        "FeedStatus", "How a feed stands.", Self.init,
        Field("id", \.id, "Its name in the configuration."),
        Field("provider", \.provider, "The kind of source, as the configuration names it: \"gtfs\"."),
        Field(
            "state", \.state,
            """
            ready: questions are answered; empty: there is no timetable yet; importing: the first is on \
            its way; expired: its dates are over. More may follow.
            """),
        Field("version", \.version, "The number of the version that is live."),
        Field("feed_version", \.feedVersion, "What the publisher calls it."),
        Field("publisher", \.publisher, "Who publishes it."),
        Field(
            "service_dates", \.serviceDates,
            "When it has service; null without a timetable, and where the source tells no times."),
        Field(
            "days_left", \.daysLeft,
            "How long until the last of these dates; negative when it is past.", unit: .days),
        Field("imported", \.imported, "When the live version was imported."),
        Field(
            "age", \.age,
            "How long ago the source last confirmed that this is its newest version.", unit: .seconds),
        Field("last_attempt", \.lastAttempt, "The last attempt to update it."),
        Field("next_attempt", \.nextAttempt, "When the next is due; null when none is planned."),
        Field("progress", \.progress, "How far a running update is; null when none runs."),
        Field("counts", \.counts, "How much the live version holds."),
        Field("bytes", \.bytes, "The size of the live timetable file.", unit: .bytes),
        Field("versions", \.versions, "How many versions are kept."),
        Field("findings", \.findings, "What was found in the live version."),
        Field("datasets", \.datasets, "What is refreshed by itself, each with its own schedule.", default: []),
        Field("realtime", \.realtime, "How the live data fits the timetable; null without live data."),
        Field("attribution", \.attribution, "To whom the data belong, as its provider wants it shown."),
        Field("disclaimer", \.disclaimer, "What to know before trusting it."))
}

/// A version of a feed.
public struct FeedVersion: WireObject {
    public var number: Int
    public var isCurrent: Bool
    public var feedVersion: String?
    public var publisher: String?
    public var serviceDates: DateSpan?
    public var imported: Timestamp
    public var url: String
    public var etag: String?
    public var lastModified: String?
    public var digest: String
    public var counts: FeedCounts
    public var bytes: Int
    public var findings: FindingCounts

    public init(
        number: Int, isCurrent: Bool, feedVersion: String? = nil, publisher: String? = nil,
        serviceDates: DateSpan? = nil, imported: Timestamp, url: String, etag: String? = nil,
        lastModified: String? = nil, digest: String, counts: FeedCounts, bytes: Int, findings: FindingCounts
    ) {
        self.number = number
        self.isCurrent = isCurrent
        self.feedVersion = feedVersion
        self.publisher = publisher
        self.serviceDates = serviceDates
        self.imported = imported
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
        self.digest = digest
        self.counts = counts
        self.bytes = bytes
        self.findings = findings
    }

    public static let wireSchema = WireSchema(
        "FeedVersion", "A version of a feed.", Self.init,
        Field("number", \.number, "Its number, ascending."),
        Field("is_current", \.isCurrent, "Whether questions are answered from it."),
        Field("feed_version", \.feedVersion, "What the publisher calls it."),
        Field("publisher", \.publisher, "Who publishes it."),
        Field("service_dates", \.serviceDates, "When it has service."),
        Field("imported", \.imported, "When it was imported."),
        Field("url", \.url, "Where it came from, without credentials."),
        Field("etag", \.etag, "The source's ETag."),
        Field("last_modified", \.lastModified, "The source's Last-Modified, as written."),
        Field(
            "digest", \.digest,
            "SHA-256 of the contents, in hexadecimal; the same for a feed that was merely zipped again."),
        Field("counts", \.counts, "How much it holds."),
        Field("bytes", \.bytes, "The size of its timetable file.", unit: .bytes),
        Field("findings", \.findings, "What was found in it."))
}

/// Lists the feeds.
public struct FeedListParameters: ControlParameters {
    public typealias Reply = FeedListResult
    public static let method = ControlMethod.feedList

    public init() {}

    public static let wireSchema = WireSchema(
        "FeedListParameters", "Lists the feeds.", Self.init)
}

/// The feeds.
public struct FeedListResult: WireObject {
    public var at: Timestamp
    public var feeds: [FeedStatus]
    public var notices: [Notice]

    public init(at: Timestamp, feeds: [FeedStatus], notices: [Notice] = []) {
        self.at = at
        self.feeds = feeds
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FeedListResult", "The feeds.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feeds", \.feeds, "In the order of the configuration."),
        Field("notices", \.notices, "What to know about this answer."))
}
