/// The reasons why a configuration cannot be used: all problems, in the order of their lines.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A mistake and its remedy.
    public struct Problem: Hashable, Sendable {
        /// `nil` if the problem is not at a single position in the file.
        public var position: TextPosition?
        /// A sentence without a period.
        public var message: String
        /// The way to fix the problem; a sentence without a period.
        public var remedy: String

        /// Truncates a long message or remedy. Both may repeat a key or a value, which may be as long as the file.
        public init(position: TextPosition?, message: String, remedy: String) {
            self.position = position
            self.message = Self.shortened(message)
            self.remedy = Self.shortened(remedy)
        }

        /// Maximum number of characters of a message or remedy.
        private static let maximumLength = 400

        private static func shortened(_ text: String) -> String {
            let start = text.prefix(maximumLength)
            return start.endIndex == text.endIndex ? text : start + "…"
        }
    }

    public var file: String
    /// Never empty.
    public var problems: [Problem]

    /// One line for each problem: `FILE:LINE:COLUMN: message; remedy`.
    public var description: String { problems.map(line(for:)).joined(separator: "\n") }

    /// Returns the line of ``description`` for a problem.
    public func line(for problem: Problem) -> String {
        let place = problem.position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return "\(place): \(problem.message); \(problem.remedy)"
    }
}

/// A position in a text. Lines and columns are counted from 1; columns are counted in Unicode scalars.
public struct TextPosition: Hashable, Comparable, Sendable {
    public var line: Int
    public var column: Int

    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Collects the problems and warnings found while a configuration is read. All tables share one instance.
final class ConfigurationDiagnostics {
    /// Problems that make the configuration unusable.
    private(set) var problems: [ConfigurationError.Problem] = []
    /// Problems that do not make the configuration unusable, such as a file that is currently missing.
    private(set) var warnings: [ConfigurationError.Problem] = []
    /// Number of problems omitted from ``problems``.
    private var omittedCount = 0
    /// The reported problems, to omit duplicates: a value may be checked twice.
    private var known: Set<ConfigurationError.Problem> = []

    /// Maximum number of listed problems. It ensures that they fit into a reply.
    private static let maximumCount = 100

    /// Whether further problems are counted but not listed.
    var isFull: Bool { problems.count >= Self.maximumCount }

    func report(at position: TextPosition?, _ message: String, remedy: String) {
        let problem = ConfigurationError.Problem(position: position, message: message, remedy: remedy)
        if isFull {
            omittedCount += 1
        } else if known.insert(problem).inserted {
            problems.append(problem)
        }
    }

    func warn(at position: TextPosition?, _ message: String, remedy: String) {
        let warning = ConfigurationError.Problem(position: position, message: message, remedy: remedy)
        if warnings.count < Self.maximumCount, known.insert(warning).inserted { warnings.append(warning) }
    }

    /// The problems in the order of their lines. The last entry gives the number of omitted problems.
    var listedProblems: [ConfigurationError.Problem] {
        var listed = Self.inOrder(problems)
        if omittedCount > 0 {
            listed.append(
                .init(position: nil, message: "there are \(omittedCount) more mistakes", remedy: "fix these first"))
        }
        return listed
    }

    var listedWarnings: [ConfigurationError.Problem] { Self.inOrder(warnings) }

    private static func inOrder(_ problems: [ConfigurationError.Problem]) -> [ConfigurationError.Problem] {
        let start = TextPosition(line: 0, column: 0)
        return problems.sorted { ($0.position ?? start) < ($1.position ?? start) }
    }
}
