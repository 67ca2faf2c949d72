/// Why a configuration cannot be used: everything that is wrong with it, in the order of its lines.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that is wrong, and what to do about it.
    public struct Problem: Hashable, Sendable {
        /// `nil` when it is about the file as a whole.
        public var position: TextPosition?
        /// A sentence without a full stop.
        public var message: String
        /// What to write instead; a sentence without a full stop.
        public var remedy: String

        public init(position: TextPosition?, message: String, remedy: String) {
            self.position = position
            self.message = message
            self.remedy = remedy
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

    /// The line of ``description`` for one of the problems.
    public func line(for problem: Problem) -> String {
        let place = problem.position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return "\(place): \(problem.message); \(problem.remedy)"
    }
}

/// A place in a text; both count from 1, and the column counts characters (Unicode scalars).
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
