internal import TransitControl

/// Questions to the daemon of which only the last one counts: the one before is cancelled, and its answer, should it come
/// all the same, is passed over.
final class LatestRequest {
    private var connection: DaemonConnection
    private var lastID: Int64 = 0
    private var isPending = false

    /// What came of waiting.
    enum Event {
        /// To the last question.
        case answer(Result<JSONValue, ControlError>)
        /// Something can be read from the descriptor.
        case input
        case timedOut
        /// The daemon is gone, or says what is no answer.
        case ended
    }

    init(_ path: String, patience: Int) throws(ClientError) {
        connection = try DaemonConnection(path: path, patience: patience)
    }

    func ask(_ call: some ControlParameters) {
        cancel()
        lastID += 1
        isPending = true
        var writer = JSONWriter(reserving: 256)
        OutgoingLine.write(call, id: .number(lastID), to: &writer)
        // What cannot be sent shows itself when the answer is awaited.
        try? connection.send(writer.bytes)
    }

    /// Nobody waits for the last question any more.
    func cancel() {
        guard isPending else { return }
        isPending = false
        var writer = JSONWriter(reserving: 64)
        OutgoingLine.write(CancelParameters(id: .number(lastID)), id: nil, to: &writer)
        try? connection.send(writer.bytes)
    }

    /// Waits for the answer to the last question, or for something to read from a descriptor.
    func next(before deadline: Deadline, input: CInt) -> Event {
        while true {
            do throws(ClientError) {
                switch try connection.receive(before: deadline, interrupt: Interrupt(descriptor: input)) {
                case .interrupted: return .input
                case .line(let line):
                    guard let reply = try? ReplyLine(line) else { return .ended }
                    guard case .answer(.number(lastID), let outcome) = reply, isPending else { continue }
                    isPending = false
                    return .answer(outcome)
                }
            } catch {
                if case .silent = error { return .timedOut }
                return .ended
            }
        }
    }
}
