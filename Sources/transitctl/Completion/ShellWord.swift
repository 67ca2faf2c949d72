/// Reads and writes words as a shell quotes them. Nothing is expanded.
enum ShellWord {
    /// What an unquoted blank would mean after some text.
    enum State: Equatable {
        case unquoted
        case inSingleQuotes
        case inDoubleQuotes
    }

    enum Shell: String { case bash, zsh, fish }

    /// Splits a simple command into words as typed, with their quotes. The last word is the one under the cursor, which is
    /// empty after a blank.
    static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var reader = Reader(.bash)
        for character in line {
            let isBlank = reader.state == .unquoted && !reader.isEscaped && (character == " " || character == "\t")
            if isBlank {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                reader.read(character)
                word.append(character)
            }
        }
        return words + [word]
    }

    /// Returns the value of a word as typed, which may be incomplete, and the state at its end.
    static func value(_ word: some StringProtocol, _ shell: Shell) -> (text: String, state: State) {
        var reader = Reader(shell)
        for character in word { reader.read(character) }
        return (reader.text, reader.state)
    }

    /// Writes a text for bash, to follow a text with a state. Quotes that are open stay open.
    static func written(_ text: some StringProtocol, after state: State, isFirst: Bool) -> String {
        switch state {
        case .inSingleQuotes: return text.reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) }
        case .inDoubleQuotes:
            return text.reduce(into: "") { written, character in
                switch character {
                case "\"", "$", "`", "\\": written += "\\\(character)"
                // A backslash before it would stay.
                case "!": written += "\"'!'\""
                default: written.append(character)
                }
            }
        case .unquoted:
            return text.reduce(into: "") { written, character in
                let isPlain =
                    !character.isASCII && !character.isWhitespace || character.isLetter || character.isNumber
                    || "_./:@+,%=-".contains(character) || character == "~" && !(isFirst && written.isEmpty)
                written += isPlain ? String(character) : "\\\(character)"
            }
        }
    }

    /// Follows the quotes of a shell.
    private struct Reader {
        var text = ""
        var state = State.unquoted
        private(set) var isEscaped = false
        private let shell: Shell

        init(_ shell: Shell) { self.shell = shell }

        mutating func read(_ character: Character) {
            if isEscaped {
                isEscaped = false
                if state != .unquoted, !escapable.contains(character) { text.append("\\") }
                text.append(character)
                return
            }
            switch (state, character) {
            case (.unquoted, "'"): state = .inSingleQuotes
            case (.unquoted, "\""): state = .inDoubleQuotes
            case (.inSingleQuotes, "'"), (.inDoubleQuotes, "\""): state = .unquoted
            case (.unquoted, "\\"), (.inDoubleQuotes, "\\"): isEscaped = true
            case (.inSingleQuotes, "\\") where shell == .fish: isEscaped = true
            default: text.append(character)
            }
        }

        /// The characters that a backslash quotes inside quotes.
        private var escapable: String {
            switch (shell, state) {
            case (.fish, .inSingleQuotes): "'\\"
            case (.fish, _): "\"$\\"
            default: "\"$`\\"
            }
        }
    }
}
