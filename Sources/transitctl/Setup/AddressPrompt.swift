internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitWire

/// Prompts for a location on a terminal and suggests addresses as the user types.
///
/// Each prompt has its own instance, so that the input for home is not suggested for work.
struct AddressPrompt {
    let session: Session
    let question: String

    /// The number of milliseconds without a key press before suggestions are requested.
    private static let pause = 250
    private static let count = 5

    /// Runs the prompt until the user completes the line.
    func run() throws(Prompter.Failure) -> SuggestionLineEditor.Answer {
        try RawKeyboard.use(orElse: Prompter.Failure.unreadable) {
            () throws(Prompter.Failure) -> SuggestionLineEditor.Answer in
            var entry = SuggestionLineEditor()
            // Without a connection, there are no suggestions.
            var requests = session.latestRequest()
            // The query to send after a pause in typing, and the query in progress.
            var pendingQuery: String?
            var sentQuery = ""
            draw(entry)
            while true {
                let deadline = Deadline(milliseconds: pendingQuery == nil ? nil : Self.pause)
                switch requests?.next(before: deadline, input: STDIN_FILENO) ?? .input {
                case .input:
                    let before = entry.query
                    switch try read(into: &entry) {
                    case .ended: return finish(entry)
                    case .interrupted:
                        leave(entry)
                        throw .interrupted
                    case .unfinished: break
                    }
                    guard entry.query != before else { break }
                    requests?.cancel()
                    pendingQuery = entry.query
                case .timedOut:
                    guard let text = pendingQuery else { break }
                    (sentQuery, pendingQuery) = (text, nil)
                    requests?.request(call(text))
                case .answer(let outcome):
                    if !apply(outcome, to: sentQuery, into: &entry) { requests = nil }
                case .ended: requests = nil
                }
                draw(entry)
            }
        }
    }

    private func call(_ text: String) -> AddressSearchParameters {
        AddressSearchParameters(text: text, count: Self.count, language: session.language, partial: true)
    }

    /// Reads all available bytes at once, so that pasted text is not drawn letter by letter.
    private func read(into entry: inout SuggestionLineEditor) throws(Prompter.Failure) -> SuggestionLineEditor.Step {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0 { throw .unreadable(errno) }
        if count == 0 { throw .ended }
        for byte in buffer.prefix(count) {
            let step = entry.handle(byte)
            if step != .unfinished { return step }
        }
        return .unfinished
    }

    /// Applies a response to the entry. Returns whether further requests are useful.
    private func apply(
        _ outcome: Result<JSONValue, ControlError>, to query: String, into entry: inout SuggestionLineEditor
    ) -> Bool {
        switch outcome {
        case .success(let value):
            guard let reply = try? AddressSearchParameters.reply(from: value) else { return false }
            entry.suggest(reply.addresses, for: query)
        case .failure(let refusal):
            if [.addressNotConfigured, .addressNoSuggestions, .methodNotFound].contains(refusal.kind) { return false }
            if refusal.kind != .canceled { entry.suggestNothing(because: refusal.message, for: query) }
        }
        return true
    }

    // MARK: Drawing

    private func draw(_ entry: SuggestionLineEditor) { draw(entry.lines(question, width: width)) }

    private func draw(_ lines: [Line]) {
        let drawing = SuggestionLineEditor.drawing(
            lines, Painter(canvas: Canvas(width: nil, coloring: session.terminal.error.coloring)))
        _ = StandardStream.error.write(Array(drawing.utf8))
    }

    /// The available width. The last column stays empty because a terminal may wrap a full line.
    private var width: Int { max(20, (StandardStream.error.width ?? 80) - 1) }

    private func finish(_ entry: SuggestionLineEditor) -> SuggestionLineEditor.Answer {
        let answer = entry.answer
        if case .address(let address) = answer {
            draw([Line(question + ": " + address.name).cut(to: width)])
        } else {
            draw(Array(entry.lines(question, width: width).prefix(1)))
        }
        _ = StandardStream.error.write([UInt8(ascii: "\n")])
        return answer
    }

    private func leave(_ entry: SuggestionLineEditor) {
        draw(Array(entry.lines(question, width: width).prefix(1)))
        _ = StandardStream.error.write([UInt8(ascii: "\n")])
    }
}
