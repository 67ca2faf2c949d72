internal import Glibc
internal import TransitControl

/// Asks on a terminal where something is, and suggests addresses while somebody types.
///
/// One for each question: what is typed for home cannot come up for work.
struct AddressPrompt {
    let session: Session
    let question: String

    /// Milliseconds without a key after which a suggestion is asked for.
    private static let pause = 250
    private static let count = 5

    /// Asks until the line is finished.
    func run() throws(Prompter.Failure) -> SuggestionEntry.Answer {
        try RawKeyboard.use(orElse: Prompter.Failure.unreadable) {
            () throws(Prompter.Failure) -> SuggestionEntry.Answer in
            var entry = SuggestionEntry()
            // Without it there are simply no suggestions.
            var questions = session.latestRequest()
            // What is to be asked when nobody types on, and what is being asked.
            var unasked: String?
            var asked = ""
            draw(entry)
            while true {
                let patience = Deadline(milliseconds: unasked == nil ? nil : Self.pause)
                switch questions?.next(before: patience, input: STDIN_FILENO) ?? .input {
                case .input:
                    let before = entry.question
                    switch try read(into: &entry) {
                    case .ended: return finish(entry)
                    case .interrupted:
                        leave(entry)
                        throw .interrupted
                    case .unfinished: break
                    }
                    guard entry.question != before else { break }
                    questions?.cancel()
                    unasked = entry.question
                case .timedOut:
                    guard let text = unasked else { break }
                    (asked, unasked) = (text, nil)
                    questions?.ask(call(text))
                case .answer(let outcome):
                    if !take(outcome, to: asked, into: &entry) { questions = nil }
                case .ended: questions = nil
                }
                draw(entry)
            }
        }
    }

    private func call(_ text: String) -> AddressSearchParameters {
        AddressSearchParameters(text: text, count: Self.count, language: session.language, partial: true)
    }

    /// All that can be read at once: a pasted line is not drawn letter by letter.
    private func read(into entry: inout SuggestionEntry) throws(Prompter.Failure) -> SuggestionEntry.Step {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0 { throw .unreadable(errno) }
        if count == 0 { throw .ended }
        for byte in buffer.prefix(count) {
            let step = entry.take(byte)
            if step != .unfinished { return step }
        }
        return .unfinished
    }

    /// - Returns: whether it makes sense to go on asking.
    private func take(
        _ outcome: Result<JSONValue, ControlError>, to question: String, into entry: inout SuggestionEntry
    ) -> Bool {
        switch outcome {
        case .success(let value):
            guard let reply = try? AddressSearchParameters.reply(from: value) else { return false }
            entry.suggest(reply.addresses, for: question)
        case .failure(let refusal):
            if [.addressNotConfigured, .addressNoSuggestions, .methodNotFound].contains(refusal.kind) { return false }
            if refusal.kind != .canceled { entry.suggestNothing(because: refusal.message, for: question) }
        }
        return true
    }

    // MARK: Drawing

    private func draw(_ entry: SuggestionEntry) { draw(entry.lines(question, width: width)) }

    private func draw(_ lines: [Line]) {
        let drawing = SuggestionEntry.drawing(lines, Painter(canvas: Canvas(color: session.terminal.error.color)))
        _ = StandardStream.error.write(Array(drawing.utf8))
    }

    /// The last column stays free: a terminal may break the line behind it.
    private var width: Int { max(20, (StandardStream.error.width ?? 80) - 1) }

    private func finish(_ entry: SuggestionEntry) -> SuggestionEntry.Answer {
        let answer = entry.answer
        if case .address(let address) = answer {
            draw([Line(question + ": " + address.name).cut(to: width)])
        } else {
            draw(Array(entry.lines(question, width: width).prefix(1)))
        }
        _ = StandardStream.error.write([UInt8(ascii: "\n")])
        return answer
    }

    private func leave(_ entry: SuggestionEntry) {
        draw(Array(entry.lines(question, width: width).prefix(1)))
        _ = StandardStream.error.write([UInt8(ascii: "\n")])
    }
}
