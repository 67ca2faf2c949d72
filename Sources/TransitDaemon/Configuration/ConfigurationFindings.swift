/// What is found while a configuration is read. One for each reading; its tables share it.
final class ConfigurationFindings {
    /// What keeps the configuration from being used.
    private(set) var problems: [ConfigurationError.Problem] = []
    /// What does not: something that it names cannot be used at the moment.
    private(set) var warnings: [ConfigurationError.Problem] = []
    /// How many more problems there are than ``problems`` has.
    private var unlisted = 0
    /// A value may be looked at twice.
    private var known: Set<ConfigurationError.Problem> = []

    /// Nobody mends more at once, and a reply has to hold them.
    private static let most = 100

    /// Whether another problem would only be counted.
    var isFull: Bool { problems.count >= Self.most }

    func report(at position: TextPosition?, _ message: String, remedy: String) {
        let problem = ConfigurationError.Problem(position: position, message: message, remedy: remedy)
        if isFull {
            unlisted += 1
        } else if known.insert(problem).inserted {
            problems.append(problem)
        }
    }

    func warn(at position: TextPosition?, _ message: String, remedy: String) {
        let warning = ConfigurationError.Problem(position: position, message: message, remedy: remedy)
        if warnings.count < Self.most, known.insert(warning).inserted { warnings.append(warning) }
    }

    /// In the order of the lines, with a last line for those that are only counted.
    var listedProblems: [ConfigurationError.Problem] {
        var listed = Self.inOrder(problems)
        if unlisted > 0 {
            listed.append(
                .init(position: nil, message: "there are \(unlisted) more mistakes", remedy: "correct these first"))
        }
        return listed
    }

    var listedWarnings: [ConfigurationError.Problem] { Self.inOrder(warnings) }

    private static func inOrder(_ problems: [ConfigurationError.Problem]) -> [ConfigurationError.Problem] {
        let start = TextPosition(line: 0, column: 0)
        return problems.sorted { ($0.position ?? start) < ($1.position ?? start) }
    }
}
