public import TransitWire

/// A part of a feed that has its own refresh policy.
public enum DatasetName: String, WireEnum {
    /// Stops, routes, trips and stop times: GTFS Schedule, or the provider's equivalent.
    case `static`
    /// Trip predictions and cancellations.
    case tripUpdates = "trip_updates"
    /// Vehicle positions.
    case vehicles
    /// Service alerts.
    case alerts
    /// Arrivals at individual stops, fetched on demand.
    case arrivals
    /// Weather.
    case weather
    /// Events.
    case events
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// How the age of a dataset compares with its refresh policy.
public enum DatasetFreshness: String, WireEnum {
    case fresh
    case due
    case aging
    case expired
    case empty
    /// Data has arrived, but none of it matches the timetable.
    case unmatched
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// One update of a dataset.
public struct DatasetUpdate: WireObject {
    public var at: Timestamp
    public var outcome: AttemptOutcome
    public var bytes: Int?
    public var latency: Int?
    public var status: Int?

    public init(at: Timestamp, outcome: AttemptOutcome, bytes: Int? = nil, latency: Int? = nil, status: Int? = nil) {
        self.at = at
        self.outcome = outcome
        self.bytes = bytes
        self.latency = latency
        self.status = status
    }

    public static let wireSchema = WireSchema(
        "DatasetUpdate", "One update of a dataset.", Self.init,
        Field("at", \.at, "When the update ended."),
        Field("outcome", \.outcome, "The outcome. More values may be added."),
        Field("bytes", \.bytes, "The amount of data transferred over the network.", unit: .bytes),
        Field("latency", \.latency, "The response time of the source.", unit: .milliseconds),
        Field("status", \.status, "The HTTP status code."))
}

/// The status of a dataset of a feed.
public struct DatasetStatus: WireObject {
    public var dataset: DatasetName
    public var source: String
    public var freshness: DatasetFreshness
    public var age: Int?
    public var lastSuccess: Timestamp?
    public var lastAttempt: Timestamp?
    public var outcome: AttemptOutcome?
    public var message: String?
    public var nextDue: Timestamp?
    public var dueReason: String?
    public var bytes: Int?
    public var latency: Int?
    public var failures: Int
    public var notes: [String]
    public var updates: [DatasetUpdate]

    public init(
        dataset: DatasetName, source: String, freshness: DatasetFreshness, age: Int? = nil,
        lastSuccess: Timestamp? = nil, lastAttempt: Timestamp? = nil, outcome: AttemptOutcome? = nil,
        message: String? = nil, nextDue: Timestamp? = nil, dueReason: String? = nil, bytes: Int? = nil,
        latency: Int? = nil, failures: Int, notes: [String] = [], updates: [DatasetUpdate] = []
    ) {
        self.dataset = dataset
        self.source = source
        self.freshness = freshness
        self.age = age
        self.lastSuccess = lastSuccess
        self.lastAttempt = lastAttempt
        self.outcome = outcome
        self.message = message
        self.nextDue = nextDue
        self.dueReason = dueReason
        self.bytes = bytes
        self.latency = latency
        self.failures = failures
        self.notes = notes
        self.updates = updates
    }

    public static let wireSchema = WireSchema(
        "DatasetStatus", "The status of a dataset of a feed.", Self.init,
        Field("dataset", \.dataset, "The dataset. More values may be added."),
        Field("source", \.source, "The format of the source: \"GTFS\", \"GTFS-Realtime\", \"GTFS-Realtime in JSON\"."),
        Field(
            "freshness", \.freshness,
            """
            How the data's age compares with the refresh policy. fresh: within the policy; due: a fetch is due; \
            aging: older than the policy allows, and used with less confidence; expired: too old to rely on; \
            empty: no data has arrived yet; unmatched: data has arrived, but none of it matches the timetable. \
            More values may be added.
            """
        ),
        Field("age", \.age, "The age of the data, measured from the source's timestamp if it has one.", unit: .seconds),
        Field(
            "last_success", \.lastSuccess,
            "When the source last sent a successful response, including a response without new data."),
        Field("last_attempt", \.lastAttempt, "When the last request was sent to the source."),
        Field("outcome", \.outcome, "The outcome of the last attempt. More values may be added."),
        Field("message", \.message, "The outcome as a human-readable sentence."),
        Field("next_due", \.nextDue, "When the next fetch is due; null when none is planned."),
        Field(
            "due_reason", \.dueReason,
            """
            The reason for the time in `next_due`: "fresh", "idle", "due", "retrying", "retry_after", "budget", \
            "offline". More values may be added.
            """
        ),
        Field("bytes", \.bytes, "The amount of data transferred by the last successful fetch.", unit: .bytes),
        Field("latency", \.latency, "The source's response time in the last attempt.", unit: .milliseconds),
        Field("failures", \.failures, "The number of failed attempts since the last success."),
        Field(
            "notes", \.notes,
            """
            Peculiarities of the source as human-readable sentences, such as a server that ignores conditional \
            requests or a timestamp that moves backward.
            """
        ),
        Field("updates", \.updates, "The most recent updates, newest first, at most 20. Empty unless requested."))
}
