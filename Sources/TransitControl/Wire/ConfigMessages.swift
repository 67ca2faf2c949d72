/// Something wrong in the configuration.
public struct ConfigurationProblem: WireObject {
    public var isError: Bool
    public var line: Int?
    public var column: Int?
    public var key: String?
    public var message: String
    public var remedy: String?

    public init(
        isError: Bool, line: Int? = nil, column: Int? = nil, key: String? = nil, message: String,
        remedy: String? = nil
    ) {
        self.isError = isError
        self.line = line
        self.column = column
        self.key = key
        self.message = message
        self.remedy = remedy
    }

    public static let wireSchema = WireSchema(
        "ConfigurationProblem", "Something wrong in the configuration.", Self.init,
        Field("is_error", \.isError, "Whether the configuration cannot be used because of it; false for a warning."),
        Field("line", \.line, "The line, from 1."),
        Field("column", \.column, "The column, from 1."),
        Field("key", \.key, "The key: \"feed[0].static\"."),
        Field("message", \.message, "What is wrong."),
        Field("remedy", \.remedy, "What to write instead."))
}

/// Reads the daemon's configuration file again without applying it, and says what is wrong with it.
public struct ConfigCheckParameters: ControlParameters {
    public typealias Reply = ConfigCheckResult
    public static let method = ControlMethod.configCheck

    public init() {}

    public static let wireSchema = WireSchema(
        "ConfigCheckParameters",
        """
        Reads the daemon's configuration file again without applying it, and says what is wrong with \
        it.
        """, Self.init)
}

/// What was found in the configuration.
public struct ConfigCheckResult: WireObject {
    public var at: Timestamp
    public var file: String?
    public var isValid: Bool
    public var problems: [ConfigurationProblem]
    public var notices: [Notice]

    public init(
        at: Timestamp, file: String? = nil, isValid: Bool, problems: [ConfigurationProblem], notices: [Notice] = []
    ) {
        self.at = at
        self.file = file
        self.isValid = isValid
        self.problems = problems
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "ConfigCheckResult", "What was found in the configuration.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("file", \.file, "The file's path; null when the daemon runs without one."),
        Field("is_valid", \.isValid, "Whether it could be applied."),
        Field("problems", \.problems, "In the order of the file."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Reads the daemon's configuration file again and applies it; the old one stays when it is wrong.
public struct ConfigReloadParameters: ControlParameters {
    public typealias Reply = ConfigReloadResult
    public static let method = ControlMethod.configReload

    public init() {}

    public static let wireSchema = WireSchema(
        "ConfigReloadParameters",
        """
        Reads the daemon's configuration file again and applies it; the old one stays when it is \
        wrong.
        """, Self.init)
}

/// What the reload changed.
public struct ConfigReloadResult: WireObject {
    public var at: Timestamp
    public var file: String?
    public var changes: [String]
    public var problems: [ConfigurationProblem]
    public var notices: [Notice]

    public init(
        at: Timestamp, file: String? = nil, changes: [String], problems: [ConfigurationProblem],
        notices: [Notice] = []
    ) {
        self.at = at
        self.file = file
        self.changes = changes
        self.problems = problems
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "ConfigReloadResult", "What the reload changed.", Self.init,
        Field("at", \.at, "When it was applied."),
        Field("file", \.file, "The file's path; null when the daemon runs without one."),
        Field("changes", \.changes, "What is different now, a sentence each; empty when nothing is."),
        Field("problems", \.problems, "Warnings."),
        Field("notices", \.notices, "What to know about this answer."))
}
