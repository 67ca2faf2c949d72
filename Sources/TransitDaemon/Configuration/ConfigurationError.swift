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

    public init(file: String, problems: [Problem]) {
        self.file = file
        self.problems = problems
    }

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

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
