internal import Glibc

/// Asks a person, or answers that stand in a file: each question takes one line of the standard input.
///
/// Questions go to standard error, so that standard output has nothing but the answer at the end.
struct Prompter {
    /// Why it ended before its end.
    enum Failure: Error, Equatable {
        /// There are no more lines.
        case ended
        case interrupted
        case unreadable(Int32)
    }

    let session: Session

    /// In bytes; longer than the longest key.
    private static let maximumLineSize = 8192

    /// Whether a person types the answers and sees what is asked.
    var isOnTerminal: Bool { isatty(STDIN_FILENO) == 1 && session.terminal.rewritesErrorLine }

    /// Shows information for a user who answers questions. `--quiet` suppresses it.
    func say(_ text: String, _ style: Style = .normal) {
        // A problem with an answer belongs to the repeated question and is always shown.
        if style == .caution || style == .bad { show(Line(text, style)) } else { session.note(Line(text, style)) }
    }

    /// Shows a line that belongs to a question, also with `--quiet`.
    func show(_ line: Line) { session.tell(line) }

    /// The answer without the blanks around it; `defaultAnswer` for an empty one.
    func ask(_ question: String, defaultAnswer: String? = nil) throws(Failure) -> String {
        write(question + (defaultAnswer.map { $0.isEmpty ? "" : " [\($0)]" } ?? "") + ": ")
        let line = try readLine()
        let answer = line.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }
            .reversed()
        return answer.isEmpty ? defaultAnswer ?? "" : String(answer)
    }

    /// Where something is; on a terminal with suggestions behind `label` while it is typed.
    func askAddress(_ question: String, label: String) throws(Failure) -> SuggestionEntry.Answer {
        guard isOnTerminal else { return .text(try ask(question)) }
        show(Line(question + "."))
        return try AddressPrompt(session: session, question: label).run()
    }

    func confirm(_ question: String, defaultAnswer: Bool) throws(Failure) -> Bool {
        while true {
            switch try ask(question + " (y/n)", defaultAnswer: defaultAnswer ? "y" : "n").lowercased() {
            case "y", "yes": return true
            case "n", "no": return false
            default: say("Answer y or n.", .caution)
            }
        }
    }

    /// The position of what was chosen, from 0.
    func choose(_ question: String, among choices: [String]) throws(Failure) -> Int {
        for (position, choice) in choices.enumerated() { show(Line("  \(position + 1)  \(choice)")) }
        while true {
            let answer = try ask(question)
            if let number = Int(answer), choices.indices.contains(number - 1) { return number - 1 }
            if let position = choices.firstIndex(where: { $0.lowercased() == answer.lowercased() }) { return position }
            say("Give a number from 1 to \(choices.count).", .caution)
        }
    }

    /// A key, which is not shown while it is typed.
    func askKey(_ question: String) throws(Failure) -> String {
        while true {
            let line = isatty(STDIN_FILENO) == 1 ? nil : try ask(question)
            do throws(KeyEntry.Failure) {
                guard let line else { return try KeyEntry.read(question + " (it is not shown): ") }
                return try KeyEntry.trimmed(Array(line.utf8))
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

    /// Byte by byte: what follows the line belongs to the next question. What is too long for any answer is cut.
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
        // Without a terminal nobody has pressed the key that ends the question's line.
        if isatty(STDIN_FILENO) == 0 { write("\n") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Prompter.Failure {
    /// As a command outside of a dialogue tells it.
    var clientError: ClientError {
        switch self {
        case .ended: .usage("there are no more answers")
        case .interrupted: .interrupted
        case .unreadable(let number): .system(call: "reading the answer", number: number)
        }
    }
}
