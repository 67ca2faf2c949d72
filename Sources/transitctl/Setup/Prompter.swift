internal import Glibc
internal import TransitClient

/// Prompts for answers. Each prompt reads one line of standard input, from a terminal or a file.
///
/// Prompts go to standard error, so that standard output contains only the final result.
struct Prompter {
    /// A failure to read an answer.
    enum Failure: Error, Equatable {
        /// Standard input has no more lines.
        case ended
        case interrupted
        case unreadable(Int32)
    }

    let session: Session

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

    /// Prompts for a line. Returns the line without surrounding white space, or `defaultAnswer` if it is empty.
    func ask(_ question: String, defaultAnswer: String? = nil) throws(Failure) -> String {
        write(question + (defaultAnswer.map { $0.isEmpty ? "" : " [\($0)]" } ?? "") + ": ")
        let line = try readLine()
        let answer = line.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }
            .reversed()
        return answer.isEmpty ? defaultAnswer ?? "" : String(answer)
    }

    /// Prompts for a location. On a terminal, the prompt is `label` and suggests addresses.
    func askAddress(_ question: String, label: String) throws(Failure) -> SuggestionLineEditor.Answer {
        guard isOnTerminal else { return .text(try ask(question)) }
        show(Line(question + "."))
        return try AddressPrompt(session: session, question: label).run()
    }

    func confirm(_ question: String, defaultAnswer: Bool) throws(Failure) -> Bool {
        while true {
            switch try ask(question + " (y/n)", defaultAnswer: defaultAnswer ? "y" : "n").lowercased() {
            case "y", "yes": return true
            case "n", "no": return false
            default: say("Enter y or n.", .caution)
            }
        }
    }

    /// Prompts for one of several choices and returns its index.
    func choose(_ question: String, among choices: [String]) throws(Failure) -> Int {
        for (position, choice) in choices.enumerated() { show(Line("  \(position + 1)  \(choice)")) }
        while true {
            let answer = try ask(question)
            if let number = Int(answer), choices.indices.contains(number - 1) { return number - 1 }
            if let position = choices.firstIndex(where: { $0.lowercased() == answer.lowercased() }) { return position }
            say("Enter a number from 1 to \(choices.count).", .caution)
        }
    }

    /// Prompts for a key without displaying it.
    func askKey(_ question: String) throws(Failure) -> String {
        while true {
            let line = isatty(STDIN_FILENO) == 1 ? nil : try ask(question)
            do throws(HiddenKeyPrompt.Failure) {
                guard let line else { return try HiddenKeyPrompt.read(question + " (not displayed): ") }
                return try HiddenKeyPrompt.trimmed(Array(line.utf8))
            } catch {
                switch error {
                case .empty: return ""
                case .tooLong: say("\(error)", .caution)
                case .interrupted: throw .interrupted
                case .unreadable(let number): throw .unreadable(number)
                }
            }
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
        if isatty(STDIN_FILENO) == 0 { write("\n") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Prompter.Failure {
    /// The error to report for a command other than `setup`.
    var clientError: ClientError {
        switch self {
        case .ended: .usage("standard input has no more lines")
        case .interrupted: .interrupted
        case .unreadable(let number): .system(call: "reading the answer", number: number)
        }
    }
}
