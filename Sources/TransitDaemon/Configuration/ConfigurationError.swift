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

        /// A message and a remedy may repeat a key or a value, which may be as long as the file: the end of a long one is left
        /// out.
        public init(position: TextPosition?, message: String, remedy: String) {
            self.position = position
            self.message = Self.shortened(message)
            self.remedy = Self.shortened(remedy)
        }

        /// Characters.
        private static let longest = 400

        private static func shortened(_ text: String) -> String {
            let start = text.prefix(longest)
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
