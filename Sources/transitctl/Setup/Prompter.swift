internal import Glibc
internal import TransitClient
internal import TransitControl

/// Prompts for answers. Each prompt reads one line of standard input, from a terminal or a file.
///
/// Prompts go to standard error, so that standard output contains only the final result.
struct Prompter {
    /// A failure to read an answer.
    enum Failure: Error, Equatable {
        /// Standard input has no more lines.
        case ended
        case interrupted
        /// The user wants to return to the previous question.
        case back
        /// The user wants to end the questions.
        case quit
        case unreadable(Int32)
    }

    /// What the Enter key alone means.
    enum Enter: Equatable {
        /// It is not an answer.
        case nothing
        /// The question is skipped; the answer is empty.
        case skips
        /// The answer is this text.
        case uses(String)
    }

    let session: Session
    /// Whether `back` and `quit` are answers to every question.
    var hasNavigation = false
    private let typeAhead = TypeAhead()

    init(session: Session, hasNavigation: Bool = false) {
        self.session = session
        self.hasNavigation = hasNavigation
    }

    /// The maximum length of a line in bytes, which exceeds that of a key.
    private static let maximumLineSize = 8192

    /// Whether the user answers on a terminal and sees the prompts.
    var isOnTerminal: Bool { isatty(STDIN_FILENO) == 1 && session.terminal.rewritesErrorLine }

    /// Prints information unless `--quiet` is given.
    func say(_ text: String, _ style: Style = .normal) {
        // A problem with an answer is always shown because it belongs to the repeated prompt.
        if style == .caution || style == .bad {
            show(Line(text, style))
        } else {
            session.printNotice(Line(text, style))
        }
    }

    /// Prints a line that belongs to a prompt, even with `--quiet`.
    func show(_ line: Line) { session.report(line) }

    // MARK: Questions

    /// Prompts for a line. Returns the line without surrounding white space.
    ///
    /// - Parameters:
    ///   - question: The question, without a colon.
    ///   - enter: What the Enter key alone means.
    func ask(_ question: String, enter: Enter = .nothing) throws(Failure) -> String {
        let answer = try line(question + hint([], enter))
        if answer.isEmpty, case .uses(let text) = enter { return text }
        return try navigated(answer)
    }

    /// Prompts for a location. On a terminal, the prompt is `label` and suggests addresses.
    func askAddress(_ question: String, label: String) throws(Failure) -> LineEditor.Answer {
        let question = question + hint([], .skips)
        guard isOnTerminal else { return .text(try navigated(try line(question))) }
        show(Line(question + "."))
        let prompt = LinePrompt(session: session, question: label, typeAhead: typeAhead, suggestsAddresses: true)
        switch try prompt.run() {
        case .text(let text): return .text(try navigated(text))
        case .address(let address): return .address(address)
        }
    }

    func confirm(_ question: String, defaultAnswer: Bool) throws(Failure) -> Bool {
        let question = question + hint(["y/n"], .uses(defaultAnswer ? "y" : "n"))
        while true {
            switch try letter(try line(question)).lowercased() {
            case "": return defaultAnswer
            case "y", "yes": return true
            case "n", "no": return false
            default: say("Enter y or n.", .caution)
            }
        }
    }

    /// Prompts for one of several choices and returns its index.
    func choose(_ question: String, among choices: [String]) throws(Failure) -> Int {
        for (position, choice) in choices.enumerated() { show(Line("  \(position + 1)  \(choice)")) }
        let question = question + hint([], .nothing)
        while true {
            let answer = try line(question)
            if let number = Int(answer), choices.indices.contains(number - 1) { return number - 1 }
            if let position = choices.firstIndex(where: { $0.lowercased() == answer.lowercased() }) { return position }
            _ = try letter(answer)
            say("Enter a number from 1 to \(choices.count).", .caution)
        }
    }

    /// The answer to a question with choices that also accepts other text.
    enum Choice: Equatable {
        case index(Int)
        case text(String)
    }

    /// Prompts for one of several choices, or for other text.
    func chooseOrEnter(_ question: String, among choices: [String]) throws(Failure) -> Choice {
        for (position, choice) in choices.enumerated() { show(Line("  \(position + 1)  \(choice)")) }
        let question = question + hint([], .nothing)
        while true {
            let answer = try line(question)
            if let number = Int(answer) {
                if choices.indices.contains(number - 1) { return .index(number - 1) }
            } else if let position = choices.firstIndex(where: { $0.lowercased() == answer.lowercased() }) {
                return .index(position)
            } else if try !letter(answer).isEmpty {
                return .text(answer)
            }
            say("Enter a number from 1 to \(choices.count), or a name.", .caution)
        }
    }

    /// Prompts for a key without displaying it. Returns an empty text for the Enter key alone.
    func askKey(_ question: String, enter: Enter = .nothing) throws(Failure) -> String {
        let hint = self.hint(["not displayed"], enter)
        while true {
            let line = isatty(STDIN_FILENO) == 1 ? nil : try self.line(question + hint)
            let key: String
            do throws(HiddenKeyPrompt.Failure) {
                if let line {
                    key = try HiddenKeyPrompt.trimmed(Array(line.utf8))
                } else {
                    key = try HiddenKeyPrompt.read(question + hint + ": ", typeAhead)
                }
            } catch {
                switch error {
                case .empty: return ""
                case .tooLong:
                    say("\(error)", .caution)
                    continue
                case .interrupted: throw .interrupted
                case .unreadable(let number): throw .unreadable(number)
                }
            }
            return try navigated(key)
        }
    }

    // MARK: Back and quit

    /// Returns the answers to a question other than free text, in parentheses: " (Enter: skip, back, quit)".
    private func hint(_ choices: [String], _ enter: Enter) -> String {
        let key: [String] =
            switch enter {
            case .nothing: []
            case .skips: ["Enter: skip"]
            case .uses(let text): text.isEmpty ? [] : ["Enter: \(text)"]
            }
        let all = choices + key + (hasNavigation ? ["back", "quit"] : [])
        return all.isEmpty ? "" : " (\(all.joined(separator: ", ")))"
    }

    /// Returns an answer unless it is `back` or `quit`.
    private func navigated(_ answer: String) throws(Failure) -> String {
        guard hasNavigation else { return answer }
        switch answer.lowercased() {
        case "back": throw .back
        case "quit": throw .quit
        default: return answer
        }
    }

    /// Like ``navigated(_:)``, for a question whose answers are not free text, so that the first letter is sufficient.
    private func letter(_ answer: String) throws(Failure) -> String {
        guard hasNavigation else { return answer }
        switch answer.lowercased() {
        case "b": throw .back
        case "q": throw .quit
        default: return try navigated(answer)
        }
    }

    // MARK: Lines

    /// The number of columns that a prompt leaves for the answer.
    private static let columnsOfAnswer = 24

    /// Reads an answer to a question, without surrounding white space.
    private func line(_ question: String) throws(Failure) -> String {
        guard isOnTerminal else {
            write(question + ": ")
            let line = try readLine()
            return String(
                line.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }
                    .reversed())
        }
        var label = question
        if DisplayWidth.of(question) + Self.columnsOfAnswer > StandardStream.error.width ?? 80 {
            show(Line(question + ":"))
            label = ">"
        }
        switch try LinePrompt(session: session, question: label, typeAhead: typeAhead).run() {
        case .text(let text): return text
        case .address(let address): return address.name
        }
    }

    private func write(_ text: String) {
        _ = StandardStream.error.write(Array(SafeText.clean(text).utf8))
    }

    /// Reads a line byte by byte, since the following lines belong to the next prompts. Long lines are truncated.
    private func readLine() throws(Failure) -> String {
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0 { throw errno == EINTR ? .interrupted : .unreadable(errno) }
            if count == 0 {
                if bytes.isEmpty { throw .ended }
                break
            }
            if byte == UInt8(ascii: "\n") { break }
            if bytes.count < Self.maximumLineSize { bytes.append(byte) }
        }
        // Without a terminal, no Enter key has ended the line of the prompt.
        if isatty(STDIN_FILENO) == 0 { _ = StandardStream.error.write([UInt8(ascii: "\n")]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Prompter.Failure {
    /// The error to report for a command other than `setup`.
    var clientError: ClientError {
        switch self {
        case .ended: .usage("standard input has no more lines")
        case .interrupted, .back, .quit: .interrupted
        case .unreadable(let number): .system(call: "reading the answer", number: number)
        }
    }
}
