/// What was found while a feed was read: kept beside the version, shown by `transitctl feed validate`.
///
/// Every finding is counted; of each rule the first ``examplesPerRule`` are kept with their place.
public struct ValidationReport: Hashable, Sendable {
    public enum Severity: UInt8, Hashable, Sendable, Comparable, CaseIterable {
        case info = 0
        case warning = 1
        /// A row was skipped, or something in it was not used.
        case error = 2
        /// The feed is refused.
        case fatal = 3
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Where: `line` and `column` count from 1; the header is line 1; `column` is the field's position in the row, `field` its name.
    public struct Place: Hashable, Sendable {
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
        public var place: Place
        /// A sentence for a person; values from the feed are quoted and cut to 64 characters.
        public var message: String
        public init(place: Place, message: String) {
            self.place = place
            self.message = message
        }
    }

    /// All findings of one rule in one file, or of a rule about files as such in all of them.
    public struct Finding: Hashable, Sendable {
        /// Snake case, stable, the name of the canonical GTFS validator where it has the rule: "foreign_key_violation".
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

    /// In the order of first occurrence.
    public private(set) var findings: [Finding] = []

    public init() {}
    public init(findings: [Finding]) { self.findings = findings }

    /// Counts a finding `count` times. The message is created only when it is kept as an example.
    public mutating func add(
        _ rule: String, _ severity: Severity, at place: Place, count: Int = 1, _ message: @autoclosure () -> String
    ) {
        add(rule, severity, at: place, count: count, message()) { $0.examples.first?.place.file == place.file }
    }

    /// Counts a finding about a file as such. All files share one finding for each rule: an archive may have ten thousand
    /// of them, and every later finding is looked for among those that there are.
    public mutating func add(_ rule: String, _ severity: Severity, file: String, _ message: @autoclosure () -> String) {
        add(rule, severity, at: Place(file: file), count: 1, message()) { _ in true }
    }

    private mutating func add(
        _ rule: String, _ severity: Severity, at place: Place, count: Int, _ message: @autoclosure () -> String,
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

    /// `nil` when nothing was found.
    public var worst: Severity? { findings.map(\.severity).max() }
    public func count(_ severity: Severity) -> Int {
        findings.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }
}
