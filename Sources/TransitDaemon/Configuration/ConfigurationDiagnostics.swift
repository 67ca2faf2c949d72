/// Collects the problems and warnings of one configuration reading. All its tables share one instance.
final class ConfigurationDiagnostics {
    /// Problems that make the configuration unusable.
    private(set) var problems: [ConfigurationError.Problem] = []
    /// Problems that do not: the configuration names something that is unavailable at present.
    private(set) var warnings: [ConfigurationError.Problem] = []
    /// The number of problems beyond those in ``problems``.
    private var omittedCount = 0
    /// Removes duplicates, because a value may be checked twice.
    private var known: Set<ConfigurationError.Problem> = []

    /// The maximum number of listed problems, so that a reply can hold them.
    private static let most = 100

    /// Whether further problems are only counted.
    var isFull: Bool { problems.count >= Self.most }

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
        if warnings.count < Self.most, known.insert(warning).inserted { warnings.append(warning) }
    }

    /// The problems in the order of the lines, with a last entry for those that were only counted.
    var listedProblems: [ConfigurationError.Problem] {
        var listed = Self.inOrder(problems)
        if omittedCount > 0 {
            listed.append(
                .init(position: nil, message: "there are \(omittedCount) more mistakes", remedy: "correct these first"))
        }
        return listed
    }

    var listedWarnings: [ConfigurationError.Problem] { Self.inOrder(warnings) }

    private static func inOrder(_ problems: [ConfigurationError.Problem]) -> [ConfigurationError.Problem] {
        let start = TextPosition(line: 0, column: 0)
        return problems.sorted { ($0.position ?? start) < ($1.position ?? start) }
    }
}
