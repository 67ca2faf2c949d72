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
