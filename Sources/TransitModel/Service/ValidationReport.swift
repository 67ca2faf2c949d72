/// The findings made while reading a feed. Stored with the version and shown by `transitctl feed validate`.
///
/// Every finding is counted. The first ``examplesPerRule`` findings of each rule are stored as examples with their
/// locations.
public struct ValidationReport: Hashable, Sendable {
    public enum Severity: UInt8, Hashable, Sendable, Comparable, CaseIterable {
        case info = 0
        case warning = 1
        /// A row was skipped, or a part of it was not used.
        case error = 2
        /// The feed is rejected.
        case fatal = 3
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The location of a finding. `line` and `column` count from 1, and the header is line 1. `column` is the position
    /// of the field in the row, and `field` is its name.
    public struct Location: Hashable, Sendable {
        public var file: String
        public var line: Int?
        public var column: Int?
        public var field: String?
        public init(file: String, line: Int? = nil, column: Int? = nil, field: String? = nil) {
            self.file = file
            self.line = line
            self.column = column
            self.field = field
        }
    }

    public struct Example: Hashable, Sendable {
        public var place: Location
        /// A sentence for users. Values from the feed are quoted and truncated to 64 characters.
        public var message: String
        public init(place: Location, message: String) {
            self.place = place
            self.message = message
        }
    }

    /// All findings of one rule in one file or, for rules about whole files, in all files.
    public struct Finding: Hashable, Sendable {
        /// A stable name in snake case, such as "foreign_key_violation". The name is the same as in MobilityData's GTFS
        /// validator if the validator has the rule.
        public var rule: String
        public var severity: Severity
        public var count: Int
        public var examples: [Example]
        public init(rule: String, severity: Severity, count: Int, examples: [Example]) {
            self.rule = rule
            self.severity = severity
            self.count = count
            self.examples = examples
        }
    }

    public static let examplesPerRule = 5

    /// In order of first occurrence.
    public private(set) var findings: [Finding] = []

    public init() {}
    public init(findings: [Finding]) { self.findings = findings }

    /// Counts a finding `count` times. `message` is evaluated only if the finding is stored as an example.
    public mutating func add(
        _ rule: String, _ severity: Severity, at place: Location, count: Int = 1, _ message: @autoclosure () -> String
    ) {
        add(rule, severity, at: place, count: count, message()) { $0.examples.first?.place.file == place.file }
    }

    /// Counts a finding about a whole file. All files share one finding per rule, because an archive may have ten
    /// thousand files and each new finding is searched for among the existing ones.
    public mutating func add(_ rule: String, _ severity: Severity, file: String, _ message: @autoclosure () -> String) {
        add(rule, severity, at: Location(file: file), count: 1, message()) { _ in true }
    }

    private mutating func add(
        _ rule: String, _ severity: Severity, at place: Location, count: Int, _ message: @autoclosure () -> String,
        to isWanted: (Finding) -> Bool
    ) {
        let position = findings.firstIndex { $0.rule == rule && $0.severity == severity && isWanted($0) }
        guard let position else {
            findings.append(
                Finding(
                    rule: rule, severity: severity, count: count,
                    examples: [Example(place: place, message: message())]))
            return
        }
        findings[position].count += count
        if findings[position].examples.count < Self.examplesPerRule {
            findings[position].examples.append(Example(place: place, message: message()))
        }
    }

    public func count(_ severity: Severity) -> Int {
        findings.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }
}
