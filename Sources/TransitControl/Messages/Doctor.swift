public import TransitWire

/// Checks the daemon's environment, files and sources, and suggests how to fix problems.
public struct DoctorParameters: ControlParameters {
    public typealias Reply = DoctorResult
    public static let method = ControlMethod.doctor

    /// Whether to include files for a bug report, without secrets or personal data. Requires root or the daemon's user.
    public var bundle: Bool = false
}

/// The outcome of a check.
public enum CheckOutcome: String, OpenWireEnum {
    case ok
    case warning
    case failed
    case skipped
    /// A value that this version does not know.
    case other
}

/// The result of one check.
public struct DoctorCheck: WireObject {
    /// The stable name of the check: "configuration", "clock", "disk", "state", "feed.caltrain.timetable". More names
    /// may be added.
    public var check: String
    /// The outcome. More values may be added.
    public var outcome: CheckOutcome
    /// The finding as a human-readable sentence.
    public var message: String
    /// How to fix the problem.
    public var remedy: String?
}

/// A file for a bug report.
public struct BundleFile: WireObject {
    /// The file name, without directories.
    public var name: String
    /// The contents of the file.
    public var text: String
}

/// The results of the checks.
public struct DoctorResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The checks in the order in which they ran.
    public var checks: [DoctorCheck]
    /// The files for a bug report; null unless requested.
    public var bundle: [BundleFile]?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// A problem in the configuration.
public struct ConfigurationProblem: WireObject {
    /// Whether the problem makes the configuration unusable; false for a warning.
    public var isError: Bool
    /// The line number, from 1.
    public var line: Int?
    /// The column number, from 1.
    public var column: Int?
    /// The key, such as "feed[0].static".
    public var key: String?
    /// What is wrong.
    public var message: String
    /// How to fix it.
    public var remedy: String?
}

/// Reads the configuration file again without applying it and reports its problems.
public struct ConfigCheckParameters: ControlParameters {
    public typealias Reply = ConfigCheckResult
    public static let method = ControlMethod.configCheck
}

/// The result of checking the configuration.
public struct ConfigCheckResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The path of the file; null when the daemon runs without one.
    public var file: String?
    /// Whether the configuration can be applied.
    public var isValid: Bool
    /// In file order.
    public var problems: [ConfigurationProblem]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Reads the configuration file again and applies it. The current configuration stays in effect when the file has
/// errors.
public struct ConfigReloadParameters: ControlParameters {
    public typealias Reply = ConfigReloadResult
    public static let method = ControlMethod.configReload
}

/// The changes made by the reload.
public struct ConfigReloadResult: WireObject {
    /// When the configuration was applied.
    public var at: Timestamp
    /// The path of the file; null when the daemon runs without one.
    public var file: String?
    /// The changes, one sentence each; empty when nothing changed.
    public var changes: [String]
    /// Warnings.
    public var problems: [ConfigurationProblem]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
