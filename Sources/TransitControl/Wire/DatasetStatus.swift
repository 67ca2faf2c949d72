/// A part of a feed with a refresh policy of its own.
public enum DatasetName: String, WireEnum {
    /// Stops, routes, trips and stop times: GTFS static, or what the provider has instead.
    case `static`
    /// Predictions and cancellations of trips.
    case tripUpdates = "trip_updates"
    /// Positions.
    case vehicles
    /// Messages to riders.
    case alerts
    /// Arrivals at single stops, asked for as they are needed.
    case arrivals
    /// Weather.
    case weather
    /// Events.
    case events
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// How a dataset's age compares with its policy.
public enum DatasetFreshness: String, WireEnum {
    case fresh
    case due
    case aging
    case expired
    case empty
    /// The data arrived, but no part of it can be used.
    case unmatched
    /// A word that this reader does not know.
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
        Field("at", \.at, "When it ended."),
        Field("outcome", \.outcome, "How it ended. More may follow."),
        Field("bytes", \.bytes, "How much came over the network.", unit: .bytes),
        Field("latency", \.latency, "How long the source took.", unit: .milliseconds),
        Field("status", \.status, "The HTTP status."))
}

/// How a dataset of a feed stands.
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
        "DatasetStatus", "How a dataset of a feed stands.", Self.init,
        Field("dataset", \.dataset, "Which dataset. More may follow."),
        Field("source", \.source, "The kind of source: \"GTFS\", \"GTFS-Realtime\", \"GTFS-Realtime in JSON\"."),
        Field(
            "freshness", \.freshness,
            """
            fresh: within its policy; due: to be asked; aging: older than its policy, and used with less \
            confidence; expired: too old to rely on; empty: nothing has come yet; unmatched: it came, \
            and nothing of it fits the timetable. More may follow.
            """
        ),
        Field("age", \.age, "How old the data is, by the source's own time where it has one.", unit: .seconds),
        Field(
            """
            last_success
            """, \.lastSuccess, "When the source was last asked with success, also when it had nothing new."),
        Field("last_attempt", \.lastAttempt, "When it was last asked."),
        Field("outcome", \.outcome, "How that ended. More may follow."),
        Field("message", \.message, "The same, a sentence for people."),
        Field("next_due", \.nextDue, "When it will be asked next; null when it is not planned."),
        Field(
            "due_reason", \.dueReason,
            "Why then: \"fresh\", \"idle\", \"due\", \"retrying\", \"retry_after\", \"budget\", \"offline\". More may follow."
        ),
        Field("bytes", \.bytes, "How much the last success brought over the network.", unit: .bytes),
        Field("latency", \.latency, "How long the source took at the last attempt.", unit: .milliseconds),
        Field("failures", \.failures, "How many attempts have failed since the last success."),
        Field(
            "notes", \.notes,
            """
            What is odd about the source, sentences for people: a server that always sends the whole, a time \
            that goes backwards.
            """
        ),
        Field("updates", \.updates, "The last updates, the newest first, at most 20; only when they were asked for."))
}
