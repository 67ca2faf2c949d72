public import TransitWire

/// A problem in the configuration.
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
        "ConfigurationProblem", "A problem in the configuration.", Self.init,
        Field("is_error", \.isError, "Whether the problem makes the configuration unusable; false for a warning."),
        Field("line", \.line, "The line number, from 1."),
        Field("column", \.column, "The column number, from 1."),
        Field("key", \.key, "The key, such as \"feed[0].static\"."),
        Field("message", \.message, "What is wrong."),
        Field("remedy", \.remedy, "How to fix it."))
}

/// Reads the configuration file again without applying it and reports its problems.
public struct ConfigCheckParameters: ControlParameters {
    public typealias Reply = ConfigCheckResult
    public static let method = ControlMethod.configCheck

    public init() {}

    public static let wireSchema = WireSchema(
        "ConfigCheckParameters",
        "Reads the configuration file again without applying it and reports its problems.", Self.init)
}

/// The result of checking the configuration.
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
        "ConfigCheckResult", "The result of checking the configuration.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("file", \.file, "The path of the file; null when the daemon runs without one."),
        Field("is_valid", \.isValid, "Whether the configuration can be applied."),
        Field("problems", \.problems, "In file order."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Reads the configuration file again and applies it. The current configuration stays in effect when the file has
/// errors.
public struct ConfigReloadParameters: ControlParameters {
    public typealias Reply = ConfigReloadResult
    public static let method = ControlMethod.configReload

    public init() {}

    public static let wireSchema = WireSchema(
        "ConfigReloadParameters",
        """
        Reads the configuration file again and applies it. The current configuration stays in effect when the file \
        has errors.
        """, Self.init)
}

/// The changes made by the reload.
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
        "ConfigReloadResult", "The changes made by the reload.", Self.init,
        Field("at", \.at, "When the configuration was applied."),
        Field("file", \.file, "The path of the file; null when the daemon runs without one."),
        Field("changes", \.changes, "The changes, one sentence each; empty when nothing changed."),
        Field("problems", \.problems, "Warnings."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
