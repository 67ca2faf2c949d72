public import TransitModel
public import TransitWire

/// The state of a feed's timetable.
public enum FeedState: String, WireEnum {
    case ready
    case empty
    case importing
    case expired
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The outcome of an attempt to update a feed.
public enum AttemptOutcome: String, WireEnum {
    case updated
    case unchanged
    case refused
    case failed
    case canceled
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The number of objects in a timetable version.
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
        "FeedCounts", "The number of objects in a timetable version.", Self.init,
        Field("agencies", \.agencies, "The rows of agency.txt."),
        Field("stops", \.stops, "The rows of stops.txt."),
        Field("routes", \.routes, "The rows of routes.txt."),
        Field("trips", \.trips, "The rows of trips.txt."),
        Field("stop_times", \.stopTimes, "The rows of stop_times.txt."),
        Field("services", \.services, "The distinct values of `service_id`."),
        Field("shapes", \.shapes, "The distinct values of `shape_id`."))
}

/// The number of validation findings by severity.
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
        "FindingCounts", "The number of validation findings by severity.", Self.init,
        Field("fatal", \.fatal, "Findings that make the feed unusable."),
        Field("error", \.error, "Rows that were skipped or only partly used."),
        Field("warning", \.warning, "Questionable data."),
        Field("info", \.info, "Information."))
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
        Field("at", \.at, "When the attempt ended."),
        Field("outcome", \.outcome, "The outcome. More values may be added."),
        Field("message", \.message, "A human-readable sentence."),
        Field("seconds", \.seconds, "The duration of the attempt.", unit: .seconds))
}

/// The status of a feed.
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
        "FeedStatus", "The status of a feed.", Self.init,
        Field("id", \.id, "The feed's identifier in the configuration."),
        Field("provider", \.provider, "The provider, as named in the configuration, such as \"gtfs\"."),
        Field(
            "state", \.state,
            """
            The state of the timetable. ready: available for queries; empty: no timetable yet; importing: the \
            first timetable is being imported; expired: the timetable's service dates have passed. More values may \
            be added.
            """),
        Field("version", \.version, "The number of the current version."),
        Field("feed_version", \.feedVersion, "The publisher's name for the version."),
        Field("publisher", \.publisher, "The publisher's name."),
        Field(
            "service_dates", \.serviceDates,
            "The dates with service; null without a timetable, and when the source publishes no times."),
        Field(
            "days_left", \.daysLeft,
            "The time until the last service date; negative when it has passed.", unit: .days),
        Field("imported", \.imported, "When the current version was imported."),
        Field(
            "age", \.age,
            "The time since the source last confirmed that the current version is its newest.", unit: .seconds),
        Field("last_attempt", \.lastAttempt, "The last attempt to update the feed."),
        Field("next_attempt", \.nextAttempt, "When the next attempt is due; null when none is planned."),
        Field("progress", \.progress, "The progress of a running update; null when none is running."),
        Field("counts", \.counts, "The number of objects in the current version."),
        Field("bytes", \.bytes, "The size of the current timetable file.", unit: .bytes),
        Field("versions", \.versions, "The number of stored versions."),
        Field("findings", \.findings, "The number of validation findings in the current version."),
        Field("datasets", \.datasets, "The datasets of the feed, each with its own refresh schedule.", default: []),
        Field("realtime", \.realtime, "How well the realtime data matches the timetable; null without realtime data."),
        Field("attribution", \.attribution, "The attribution that the provider requires applications to display."),
        Field("disclaimer", \.disclaimer, "The limitations of the data."))
}

/// A timetable version of a feed.
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
        "FeedVersion", "A timetable version of a feed.", Self.init,
        Field("number", \.number, "The version's number. Newer versions have higher numbers."),
        Field("is_current", \.isCurrent, "Whether queries use this version."),
        Field("feed_version", \.feedVersion, "The publisher's name for the version."),
        Field("publisher", \.publisher, "The publisher's name."),
        Field("service_dates", \.serviceDates, "The dates with service."),
        Field("imported", \.imported, "When the version was imported."),
        Field("url", \.url, "The URL of the source, without credentials."),
        Field("etag", \.etag, "The `ETag` header of the response."),
        Field("last_modified", \.lastModified, "The `Last-Modified` header of the response, verbatim."),
        Field(
            "digest", \.digest,
            """
            The SHA-256 of the contents in hexadecimal. It does not change when the same files are compressed \
            again.
            """),
        Field("counts", \.counts, "The number of objects in the version."),
        Field("bytes", \.bytes, "The size of the timetable file.", unit: .bytes),
        Field("findings", \.findings, "The number of validation findings in the version."))
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
        Field("at", \.at, "When the result was produced."),
        Field("feeds", \.feeds, "In configuration order."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
