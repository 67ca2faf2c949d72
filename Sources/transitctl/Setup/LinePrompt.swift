internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitWire

/// The bytes that were read from the terminal after the end of a line. They belong to the next prompt.
final class TypeAhead {
    fileprivate var bytes: [UInt8] = []

    /// Removes and returns the next byte.
    func next() -> UInt8? { bytes.isEmpty ? nil : bytes.removeFirst() }
}

/// Prompts for a line on a terminal. The arrow keys edit the line. For a location, it suggests addresses as the user types.
///
/// Each prompt has its own instance, so that the input for home is not suggested for work.
struct LinePrompt {
    let session: Session
    let question: String
    let typeAhead: TypeAhead
    /// Whether to suggest addresses.
    var suggestsAddresses = false

    /// The number of milliseconds without a key press before suggestions are requested.
    private static let pause = 250
    /// The number of suggestions.
    private static let count = 5
    /// The maximum length of an answer that is not an address, which is that of a URL in the daemon's parameters.
    private static let maximumLength = 2048

    /// Runs the prompt until the user completes the line.
    func run() throws(Prompter.Failure) -> LineEditor.Answer {
        try RawKeyboard.use(discardsInput: false, orElse: Prompter.Failure.unreadable) {
            () throws(Prompter.Failure) -> LineEditor.Answer in
            var entry = LineEditor(maximumLength: suggestsAddresses ? LineEditor.addressLength : Self.maximumLength)
            // Without a connection, there are no suggestions.
            var client = suggestsAddresses ? session.searchClient() : nil
            // Only the latest request matters. Its failure to be sent is reported by the wait for its response.
            var request: RequestID?
            // The query to send after a pause in typing, and the query in progress.
            var pendingQuery: String?
            var sentQuery = ""
            draw(entry)
            while true {
                let deadline = Deadline(milliseconds: pendingQuery == nil ? nil : Self.pause)
                switch next(typeAhead.bytes.isEmpty ? client : nil, before: deadline) {
                case .interrupted:
                    let before = entry.query
                    switch try read(into: &entry) {
                    case .ended: return finish(entry)
                    case .interrupted:
                        leave(entry)
                        throw .interrupted
                    case .unfinished: break
                    }
                    guard entry.query != before else { break }
                    if let id = request { try? client?.cancel(id) }
                    request = nil
                    pendingQuery = entry.query
                case .other:
                    guard let text = pendingQuery else { break }
                    (sentQuery, pendingQuery) = (text, nil)
                    request = try? client?.send(call(text))
                case .answer(let id, let outcome):
                    guard id == request else { continue }
                    request = nil
                    if !apply(outcome, to: sentQuery, into: &entry) { client = nil }
                case nil: client = nil
                case .progress, .event, .heartbeat, .lagged: continue
                }
                draw(entry)
            }
        }
    }

    /// Waits for a message or, without a client, for a key press.
    ///
    /// - Returns: `interrupted` for a key press, `other` after the deadline, and `nil` if the connection has failed.
    private func next(_ client: ControlClient?, before deadline: Deadline) -> ControlClient.Message? {
        guard let client else { return .interrupted }
        do throws(ClientError) {
            return try client.next(before: deadline, interrupt: Interrupt(descriptor: STDIN_FILENO))
        } catch {
            if case .silent = error { return .other }
            return nil
        }
    }

    private func call(_ text: String) -> AddressSearchParameters {
        AddressSearchParameters(text: text, count: Self.count, language: session.language, partial: true)
    }

    /// Reads all available bytes together, so that pasted text is not drawn letter by letter. Bytes after the end of the
    /// line are kept for the next prompt.
    private func read(into entry: inout LineEditor) throws(Prompter.Failure) -> LineEditor.Step {
        var bytes = typeAhead.bytes
        typeAhead.bytes = []
        if bytes.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0 { throw .unreadable(errno) }
            if count == 0 { throw .ended }
            bytes = Array(buffer.prefix(count))
        }
        for (position, byte) in bytes.enumerated() {
            let step = entry.handle(byte)
            guard step != .unfinished else { continue }
            if step == .ended { typeAhead.bytes = Array(bytes[(position + 1)...]) }
            return step
        }
        return .unfinished
    }

    /// Applies a response to the entry. Returns whether further requests are useful.
    private func apply(
        _ outcome: Result<JSONValue, ControlError>, to query: String, into entry: inout LineEditor
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

    private func draw(_ entry: LineEditor) {
        draw(entry.lines(question, width: width), column: entry.column(question, width: width))
    }

    private func draw(_ lines: [Line], column: Int) {
        let drawing = LineEditor.drawing(
            lines, column: column, Painter(canvas: Canvas(width: nil, coloring: session.terminal.error.coloring)))
        _ = StandardStream.error.write(Array(drawing.utf8))
    }

    /// The available width. The last column stays empty because a terminal may wrap a full line.
    private var width: Int { max(20, (StandardStream.error.width ?? 80) - 1) }

    private func finish(_ entry: LineEditor) -> LineEditor.Answer {
        let answer = entry.answer
        if case .address(let address) = answer {
            draw([Line(LineEditor.prompt(question) + address.name).cut(to: width)], column: 0)
        } else {
            draw(Array(entry.lines(question, width: width).prefix(1)), column: 0)
        }
        _ = StandardStream.error.write([UInt8(ascii: "\n")])
        return answer
    }

    private func leave(_ entry: LineEditor) {
        draw(Array(entry.lines(question, width: width).prefix(1)), column: 0)
        _ = StandardStream.error.write([UInt8(ascii: "\n")])
    }
}
