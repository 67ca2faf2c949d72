/// Checks the daemon's surroundings, files and sources, and says what to do about what is wrong.
public struct DoctorParameters: ControlParameters {
    public typealias Reply = DoctorResult
    public static let method = ControlMethod.doctor

    public var bundle: Bool

    public init(bundle: Bool = false) {
        self.bundle = bundle
    }

    public static let wireSchema = WireSchema(
        "DoctorParameters",
        "Checks the daemon's surroundings, files and sources, and says what to do about what is wrong.", Self.init,
        Field(
            "bundle", \.bundle,
            """
            Add files for a bug report, without secrets and without what is personal. Only for root and the \
            daemon's own user.
            """,
            default: false))
}

/// How a check went.
public enum CheckOutcome: String, WireEnum {
    case ok
    case warning
    case failed
    case skipped
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// One thing that was checked.
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
        "DoctorCheck", "One thing that was checked.", Self.init,
        Field(
            "check", \.check,
            """
            What, stable: "configuration", "clock", "disk", "state", "feed.caltrain.timetable". More may \
            follow.
            """
        ),
        Field("outcome", \.outcome, "How it went. More may follow."),
        Field("message", \.message, "What was found, a sentence for people."),
        Field("remedy", \.remedy, "What to do about it."))
}

/// A file of the bundle for a bug report.
public struct BundleFile: WireObject {
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    public static let wireSchema = WireSchema(
        "BundleFile", "A file of the bundle for a bug report.", Self.init,
        Field("name", \.name, "Its name, without folders."),
        Field("text", \.text, "What is in it."))
}

/// What was found.
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
        "DoctorResult", "What was found.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("checks", \.checks, "In the order in which they were made."),
        Field("bundle", \.bundle, "The files for a bug report; null when they were not asked for."),
        Field("notices", \.notices, "What to know about this answer."))
}
