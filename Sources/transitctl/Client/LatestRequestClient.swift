internal import TransitClient
internal import TransitControl
internal import TransitWire

/// Sends requests of which only the latest matters. A new request cancels the previous one, whose response is ignored.
final class LatestRequestClient {
    private var connection: DaemonConnection
    private var lastID: Int64 = 0
    private var isPending = false

    /// The outcome of waiting.
    enum Event {
        /// The response to the latest request.
        case answer(Result<JSONValue, ControlError>)
        /// The input descriptor is readable.
        case input
        case timedOut
        /// The daemon closed the connection or sent an invalid response.
        case ended
    }

    init(_ path: String, timeout: Int) throws(ClientError) {
        connection = try DaemonConnection(path: path, timeout: timeout)
    }

    func request(_ call: some ControlParameters) {
        cancel()
        lastID += 1
        isPending = true
        var writer = JSONWriter(reserving: 256)
        OutgoingLine.write(call, id: .number(lastID), to: &writer)
        // A failure to send is reported by the wait for the response.
        try? connection.send(writer.bytes)
    }

    /// Cancels the latest request.
    func cancel() {
        guard isPending else { return }
        isPending = false
        var writer = JSONWriter(reserving: 64)
        OutgoingLine.write(CancelParameters(id: .number(lastID)), id: nil, to: &writer)
        try? connection.send(writer.bytes)
    }

    /// Waits for the response to the latest request, or for input on a descriptor.
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
