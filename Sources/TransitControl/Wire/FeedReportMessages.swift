public import TransitModel

/// How bad a finding is.
public enum FindingSeverity: String, WireEnum {
    case info
    case warning
    case error
    case fatal
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// One place where a finding was made.
public struct FindingExample: WireObject {
    public var file: String
    public var line: Int?
    public var column: Int?
    public var field: String?
    public var message: String

    public init(file: String, line: Int? = nil, column: Int? = nil, field: String? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.field = field
        self.message = message
    }

    public static let wireSchema = WireSchema(
        "FindingExample", "One place where a finding was made.", Self.init,
        Field("file", \.file, "The table or dataset: \"stops.txt\", \"trip_updates\"."),
        Field("line", \.line, "The line, from 1."),
        Field("column", \.column, "The position of the field in the row, from 1."),
        Field("field", \.field, "The field's name."),
        Field("message", \.message, "What is wrong there."))
}

/// What one rule found in one file.
public struct Finding: WireObject {
    public var rule: String
    public var severity: FindingSeverity
    public var count: Int
    public var examples: [FindingExample]

    public init(rule: String, severity: FindingSeverity, count: Int, examples: [FindingExample]) {
        self.rule = rule
        self.severity = severity
        self.count = count
        self.examples = examples
    }

    public static let wireSchema = WireSchema(
        "Finding", "What one rule found in one file.", Self.init,
        Field("rule", \.rule, "The rule's name, stable: \"foreign_key_violation\", \"E003\"."),
        Field("severity", \.severity, "How bad it is."),
        Field("count", \.count, "How often."),
        Field("examples", \.examples, "The first places; at most 5."))
}

/// Shows what was found in a version of a feed.
public struct FeedValidateParameters: ControlParameters {
    public typealias Reply = FeedValidateResult
    public static let method = ControlMethod.feedValidate

    public var feed: FeedID
    public var version: Int?
    public var attempt: Bool
    public var realtime: Bool

    public init(feed: FeedID, version: Int? = nil, attempt: Bool = false, realtime: Bool = false) {
        self.feed = feed
        self.version = version
        self.attempt = attempt
        self.realtime = realtime
    }

    public static let wireSchema = WireSchema(
        "FeedValidateParameters", "Shows what was found in a version of a feed.", Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field("version", \.version, "Which version; the live one when left out.", in: 1...1_000_000_000),
        Field(
            "attempt", \.attempt,
            "Show instead the report of the last attempt, also when it was refused.", default: false),
        Field(
            "realtime", \.realtime,
            "Show instead what was found in the live data, by the rules of the GTFS-Realtime validator, such as \"E003\".",
            default: false))
}

/// The report of a version.
public struct FeedValidateResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var version: Int?
    public var isRefused: Bool
    public var counts: FindingCounts
    public var findings: [Finding]
    public var notices: [Notice]

    public init(
        at: Timestamp, feed: FeedID, version: Int? = nil, isRefused: Bool, counts: FindingCounts,
        findings: [Finding], notices: [Notice] = []
    ) {
        self.at = at
        self.feed = feed
        self.version = version
        self.isRefused = isRefused
        self.counts = counts
        self.findings = findings
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FeedValidateResult", "The report of a version.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed."),
        Field("version", \.version, "The version; null for an attempt that was refused."),
        Field("is_refused", \.isRefused, "Whether the feed was refused."),
        Field("counts", \.counts, "How many findings, per severity."),
        Field("findings", \.findings, "The worst first."),
        Field("notices", \.notices, "What to know about this answer."))
}
