public import TransitModel
public import TransitWire

/// The severity of a validation finding.
public enum FindingSeverity: String, WireEnum {
    case info
    case warning
    case error
    case fatal
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A location where a validation rule failed.
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
        "FindingExample", "A location where a validation rule failed.", Self.init,
        Field("file", \.file, "The table or dataset, such as \"stops.txt\" or \"trip_updates\"."),
        Field("line", \.line, "The line number, from 1."),
        Field("column", \.column, "The position of the field in the row, from 1."),
        Field("field", \.field, "The field's name."),
        Field("message", \.message, "A description of the problem at this location."))
}

/// The findings of one validation rule in one file.
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
        "Finding", "The findings of one validation rule in one file.", Self.init,
        Field("rule", \.rule, "The stable name of the rule, such as \"foreign_key_violation\" or \"E003\"."),
        Field("severity", \.severity, "The severity."),
        Field("count", \.count, "The number of occurrences."),
        Field("examples", \.examples, "The first occurrences, at most 5."))
}

/// Returns the validation report of a timetable version or of a feed's realtime data.
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
        "FeedValidateParameters", "Returns the validation report of a timetable version or of a feed's realtime data.",
        Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field("version", \.version, "The version. The default is the current version.", in: 1...1_000_000_000),
        Field(
            "attempt", \.attempt,
            """
            Whether to return the report of the last import attempt instead, even if the import was rejected.
            """, default: false),
        Field(
            "realtime", \.realtime,
            """
            Whether to return the findings in the realtime data instead, according to the rules of the GTFS-Realtime \
            validator, such as "E003".
            """,
            default: false))
}

/// A validation report.
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
        "FeedValidateResult", "A validation report.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed."),
        Field("version", \.version, "The version; null for a rejected import."),
        Field("is_refused", \.isRefused, "Whether the import was rejected."),
        Field("counts", \.counts, "The number of findings by severity."),
        Field("findings", \.findings, "Most severe first."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
