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
