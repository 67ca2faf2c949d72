internal import Glibc
internal import TransitClient
internal import TransitModel

/// The command `transitctl complete`, which the completion scripts of the shells run. It is not listed, and it is answered
/// before ArgumentParser reads the command line.
///
/// The first line of its output says what the script does with the rest: `values`, `files` or `folders`, then options.
/// Each further line is a candidate. It prints nothing on standard error and never fails: without an answer, there are no
/// candidates.
enum CompletionCommand {
    /// The first argument of `transitctl` that runs the command.
    static let name = "complete"

    /// The maximum width of a description in columns.
    private static let descriptionWidth = 60

    /// - Parameter arguments: The shell and what it knows about the line; see `contrib/completions`.
    static func main(_ arguments: [String]) {
        guard let output = output(arguments, environment: Environment.variable) else { return }
        _ = Descriptors.write(Array(output.utf8), to: STDOUT_FILENO)
    }

    /// Returns the output; `nil` if the arguments are not those of a script.
    static func output(_ arguments: [String], environment: @escaping (String) -> String?) -> String? {
        switch arguments.first.flatMap(ShellWord.Shell.init) {
        case .bash where arguments.count == 4:
            return bash(type: arguments[1], line: arguments[2], replaced: arguments[3], environment)
        case .zsh where arguments.count > 3:
            let words = arguments[2...].map { ShellWord.value($0, .zsh).text }
            return zsh(
                Completion(words.dropFirst().dropLast(), words[words.count - 1], environment), columns: arguments[1])
        case .fish where arguments.count > 2:
            let current = ShellWord.value(arguments[arguments.count - 1], .fish).text
            return fish(Completion(arguments[2...].dropLast(), current, environment))
        default: return nil
        }
    }

    // MARK: Shells

    /// - Parameters:
    ///   - type: `COMP_TYPE`, the key that was pressed.
    ///   - line: The command up to the cursor.
    ///   - replaced: What readline replaces: the end of the last word, after a quote that is open or a character of
    ///     `COMP_WORDBREAKS`.
    private static func bash(
        type: String, line: String, replaced: String, _ environment: @escaping (String) -> String?
    ) -> String {
        let typed = ShellWord.split(line)
        let word = typed[typed.count - 1]
        if isRedirection(typed) { return "files\n" }
        let words = typed.map { ShellWord.value($0, .bash).text }
        let completion = Completion(words.dropFirst().dropLast(), words[words.count - 1], environment)
        guard completion.mode == .values else { return completion.mode.rawValue + "\n" }
        // What stays before the replaced part, and the quotes that are open there.
        let kept = word.hasSuffix(replaced) ? word.dropLast(replaced.count) : ""
        let (before, state) = ShellWord.value(kept, .bash)
        var written = completion.words.compactMap { candidate -> String? in
            guard candidate.value.hasPrefix(before) else { return nil }
            let rest = candidate.value.dropFirst(before.count)
            return ShellWord.written(rest, after: state, isFirst: before.isEmpty)
        }
        // Readline would replace what is typed by the common beginning of the names, which may be shorter.
        if written.count > 1, !Completion.continues(written, replaced) {
            // The second press of the key lists the names. When the first one does, an empty name keeps what is typed.
            if type == "9" { written = [] } else if type != "63" { written.append("") }
        }
        return "values\(completion.isOpen ? " nospace" : "")\n" + written.map { $0 + "\n" }.joined()
    }

    private static func zsh(_ completion: Completion, columns: String) -> String {
        guard completion.mode == .values else { return completion.mode.rawValue + "\n" }
        let values = completion.words.map(\.value)
        let replaces = values.contains { !$0.hasPrefix(completion.current) }
        let listed = values.count > 1 && !Completion.continues(values, completion.current)
        let options = [(completion.isOpen, " nospace"), (replaces, " replace"), (listed, " list")]
        let width = completion.words.map { DisplayWidth.of($0.value) }.max() ?? 0
        let available = max(20, (Int(columns) ?? 80) - 1)
        return "values" + options.filter(\.0).map(\.1).joined() + "\n"
            + completion.words.map { word in
                var shown = word.value
                if !word.description.isEmpty {
                    shown +=
                        String(repeating: " ", count: width - DisplayWidth.of(word.value)) + "  -- " + word.description
                }
                return "\(word.value)\t\(DisplayWidth.cut(shown, to: available))\n"
            }.joined()
    }

    private static func fish(_ completion: Completion) -> String {
        completion.mode.rawValue + "\n"
            + completion.words.map { accepted($0, for: completion.current) }
            .map { $0.description.isEmpty ? "\($0.value)\n" : "\($0.value)\t\($0.description)\n" }.joined()
    }

    /// Returns a candidate that fish accepts for what is typed. fish ignores case, but not accents. A name that was typed
    /// without them is therefore completed without them, which means the same, and described by the name with them.
    private static func accepted(_ word: Candidate, for current: String) -> Candidate {
        let typed = current.lowercased()
        guard !word.value.lowercased().contains(typed) else { return word }
        let plain = PlainLetters.of(word.value)
        guard plain.lowercased().contains(typed) else { return word }
        return Candidate(
            value: plain, description: word.description.isEmpty ? word.value : "\(word.value), \(word.description)")
    }

    private static func isRedirection(_ typed: [String]) -> Bool {
        typed.suffix(2).contains { word in
            let mark = word.drop { $0.isNumber || $0 == "&" }
            return mark.hasPrefix(">") || mark.hasPrefix("<")
        }
    }

    // MARK: Candidates

    /// The words that can stand at the end of a command line.
    struct Completion {
        enum Mode: String { case values, files, folders }

        let mode: Mode
        /// The word under the cursor.
        let current: String
        /// The words that can replace ``current``, best first, without quotes.
        let words: [Candidate]

        /// Whether the words end where a value follows, as "delay.first=" does.
        var isOpen: Bool { !words.isEmpty && words.allSatisfy { $0.value.hasSuffix("=") } }

        init(
            _ previous: some Sequence<String>, _ current: String, _ environment: @escaping (String) -> String?
        ) {
            self.current = current
            let point = CompletionPoint(Array(previous), current)
            var found = (point.commands + point.options).filter { $0.value.hasPrefix(current) }
            switch point.values {
            case .files:
                (mode, words) = (.files, [])
                return
            case .folders:
                (mode, words) = (.folders, [])
                return
            case .list(let values): found += values.map { Candidate(value: $0) }.matching(point.text).led(by: point)
            case .kind(let kind):
                found += CandidateSource(point, environment: environment).candidates(of: kind).led(by: point)
            case nil: break
            }
            mode = .values
            words = Self.best(found, for: current)
        }

        /// Returns whether the common beginning of some words is at least what is typed, in any case.
        static func continues(_ words: [String], _ typed: String) -> Bool {
            let common = words.dropFirst().reduce(words[0]) { common, word in
                String(zip(common, word).prefix { $0 == $1 }.map(\.0))
            }
            return common.lowercased().hasPrefix(typed.lowercased())
        }

        /// Returns the words that begin as typed or, if there are none, all. Removes what cannot be typed.
        private static func best(_ words: [Candidate], for current: String) -> [Candidate] {
            var known: Set<String> = []
            let printable = words.filter { word in
                word.value == SafeText.clean(word.value) && known.insert(word.value).inserted
            }
            let folded = SearchText.fold(current)
            let continued = printable.filter { word in
                word.value.hasPrefix(current) || !folded.isEmpty && SearchText.fold(word.value).hasPrefix(folded)
            }
            return (continued.isEmpty ? printable : continued).prefix(CandidateSource.maximum).map { word in
                let description = SafeText.clean(word.description)
                return Candidate(
                    value: word.value,
                    description: DisplayWidth.cut(description, to: CompletionCommand.descriptionWidth))
            }
        }
    }
}

extension [Candidate] {
    /// The values as words of the command line: after "--route=", and without those that would be options.
    fileprivate func led(by point: CompletionPoint) -> [Candidate] {
        filter { !(point.dashMeansOption && $0.value.hasPrefix("-")) }.map {
            Candidate(value: point.lead + $0.value, description: $0.description)
        }
    }
}
