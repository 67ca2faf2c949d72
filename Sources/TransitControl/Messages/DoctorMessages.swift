public import TransitWire

/// Checks the daemon's environment, files and sources, and suggests how to fix problems.
public struct DoctorParameters: ControlParameters {
    public typealias Reply = DoctorResult
    public static let method = ControlMethod.doctor

    public var bundle: Bool

    public init(bundle: Bool = false) {
        self.bundle = bundle
    }

    public static let wireSchema = WireSchema(
        "DoctorParameters",
        """
        Checks the daemon's environment, files and sources, and suggests how to fix problems.
        """, Self.init,
        Field(
            "bundle", \.bundle,
            """
            Whether to include files for a bug report, without secrets or personal data. Requires root or the \
            daemon's user.
            """,
            default: false))
}

/// The outcome of a check.
public enum CheckOutcome: String, WireEnum {
    case ok
    case warning
    case failed
    case skipped
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The result of one check.
public struct DoctorCheck: WireObject {
    public var check: String
    public var outcome: CheckOutcome
    public var message: String
    public var remedy: String?

    public init(check: String, outcome: CheckOutcome, message: String, remedy: String? = nil) {
        self.check = check
        self.outcome = outcome
        self.message = message
        self.remedy = remedy
    }

    public static let wireSchema = WireSchema(
        "DoctorCheck", "The result of one check.", Self.init,
        Field(
            "check", \.check,
            """
            The stable name of the check: "configuration", "clock", "disk", "state", "feed.caltrain.timetable". \
            More names may be added.
            """
        ),
        Field("outcome", \.outcome, "The outcome. More values may be added."),
        Field("message", \.message, "The finding as a human-readable sentence."),
        Field("remedy", \.remedy, "How to fix the problem."))
}

/// A file for a bug report.
public struct BundleFile: WireObject {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    public static let wireSchema = WireSchema(
        "BundleFile", "A file for a bug report.", Self.init,
        Field("name", \.name, "The file name, without directories."),
        Field("text", \.text, "The contents of the file."))
}

/// The results of the checks.
public struct DoctorResult: WireObject {
    public var at: Timestamp
    public var checks: [DoctorCheck]
    public var bundle: [BundleFile]?
    public var notices: [Notice]

    public init(at: Timestamp, checks: [DoctorCheck], bundle: [BundleFile]? = nil, notices: [Notice] = []) {
        self.at = at
        self.checks = checks
        self.bundle = bundle
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "DoctorResult", "The results of the checks.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("checks", \.checks, "The checks in the order in which they ran."),
        Field("bundle", \.bundle, "The files for a bug report; null unless requested."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
