package import TransitControl
package import TransitWire

/// A client of the daemon, which has one connection.
///
/// A command sends a request and waits for its result: ``request(_:timeout:progress:)``. A program that also waits for
/// other descriptors sends requests without waiting, ``send(_:)``, and receives messages as they arrive:
/// ``next(before:interrupt:)`` and ``received()``.
package final class ControlClient {
    private var connection: DaemonConnection
    package let interrupt: Interrupt
    private var lastID: Int64 = 0
    /// Expires when the daemon sends nothing, not even a heartbeat, for ``longTimeout``.
    private var silence = Deadline(seconds: longTimeout)

    /// The timeout of a request in seconds.
    package static let timeout = 10
    /// The timeout of a long-running request, and between its progress notifications, in seconds.
    package static let longTimeout = 120
    /// The time that a canceled request has to finish, in seconds.
    package static let cancelGrace = 2

    /// A message of the daemon, or the reason why there is none.
    package enum Message {
        case answer(RequestID, Result<JSONValue, ControlError>)
        case progress(ProgressNotification)
        /// A new result of a subscription, or the error with which its query fails.
        case event(data: JSONValue?, error: ControlError?)
        /// The daemon is closing the connection for the given reason.
        case lagged(String)
        /// The daemon's time. It shows that the last result of each subscription is still current.
        case heartbeat(Timestamp)
        /// A message that has no meaning for this client.
        case other
        /// The user pressed Ctrl-C.
        case interrupted

        fileprivate init(_ line: ReplyLine) {
            switch line {
            case .answer(let id, let outcome): self = .answer(id, outcome)
            case .notification(ProgressNotification.name, let params):
                self = (try? ProgressNotification(reading: params, as: .result)).map { Self.progress($0) } ?? .other
            case .notification(TopicUpdate.name, let params):
                let error = params["error"].flatMap { try? ControlError(reading: $0, as: .result) }
                self = .event(data: params["data"] == .null ? nil : params["data"], error: error)
            case .notification(LaggedNotification.name, let params): self = .lagged(params["message"]?.text ?? "")
            case .notification(HeartbeatNotification.name, let params):
                let at = params["at"].flatMap { try? Timestamp(reading: $0, as: .result) }
                self = at.map { .heartbeat($0) } ?? .other
            case .notification, .batch: self = .other
            }
        }
    }

    /// Connects to a socket.
    ///
    /// - Parameter timeout: The maximum time in seconds for connecting, and for sending a request.
    package init(path: String, timeout: Int, interrupt: Interrupt = .none) throws(ClientError) {
        connection = try DaemonConnection(path: path, timeout: timeout)
        self.interrupt = interrupt
    }

    /// Connects to the first socket that exists.
    package convenience init(
        _ path: SocketPath, exists: @escaping (String) -> Bool, interrupt: Interrupt
    ) throws(ClientError) {
        let chosen = path.chosen(exists: exists) ?? path.candidates[0]
        do { try self.init(path: chosen, timeout: Self.timeout, interrupt: interrupt) } catch {
            guard case .unreachable(let attempts) = error else { throw error }
            // No file exists at the other paths; otherwise one of them would have been chosen.
            let others = path.candidates.filter { $0 != chosen }
            throw .notRunning(
                tried: attempts + others.map { .init(path: $0, reason: "no such file") },
                remedies: DaemonStart(exists: exists).remedies(path))
        }
    }

    /// The socket, for `poll` together with other descriptors.
    package var descriptor: CInt { connection.descriptor }

    // MARK: Requests that wait

    /// Sends a request and waits for its result.
    ///
    /// - Parameters:
    ///   - call: The parameters of the request.
    ///   - timeout: The maximum time in seconds until the response or the next progress notification; `nil` means no
    ///     limit.
    ///   - progress: Called for each progress notification of the request.
    package func request(
        _ call: some ControlParameters, timeout: Int? = timeout, progress: (RequestProgress) -> Void = { _ in }
    ) throws(ClientError) -> JSONValue {
        let id = try send(call)
        var deadline = Deadline(seconds: timeout)
        while true {
            switch try next(before: deadline) {
            case .interrupted:
                try cancel(id)
                // The request may have completed before the cancellation. Only the response shows whether it did.
                guard let outcome = try? canceledOutcome(of: id) else { throw .interrupted }
                return try Self.result(outcome)
            case .answer(id, let outcome): return try Self.result(outcome)
            // The daemon could not parse the id, or rejects the connection.
            case .answer(.null, .failure(let error)): throw .refused(error)
            case .progress(let notification):
                deadline.restart()
                if notification.id == id { progress(notification.progress) }
            case .answer, .event, .heartbeat, .lagged, .other: continue
            }
        }
    }

    /// Waits briefly for the response to a canceled request.
    private func canceledOutcome(of id: RequestID) throws(ClientError) -> Result<JSONValue, ControlError> {
        let deadline = Deadline(seconds: Self.cancelGrace)
        while true {
            if case .answer(id, let outcome) = try next(before: deadline, interrupt: Interrupt.none) { return outcome }
        }
    }

    private static func result(_ outcome: Result<JSONValue, ControlError>) throws(ClientError) -> JSONValue {
        do { return try outcome.get() } catch { throw .refused(error) }
    }

    /// Sends a line unchanged, waits for the response, and passes notifications to `notified`.
    package func exchange(
        _ line: [UInt8], notified: ([UInt8]) -> Void
    ) throws(ClientError) -> (line: [UInt8], reply: ReplyLine) {
        try notify(line)
        while true {
            switch try connection.receive(before: Deadline(seconds: nil), interrupt: interrupt) {
            case .interrupted: throw .interrupted
            case .line(let answer):
                let reply = try read(answer)
                guard case .notification = reply else { return (answer, reply) }
                notified(answer)
            }
        }
    }

    /// Sends a line that has no response.
    package func notify(_ line: [UInt8]) throws(ClientError) {
        try connection.send(line + [UInt8(ascii: "\n")])
    }

    // MARK: Messages in any order

    /// Sends a request, and returns its identifier.
    package func send(_ call: some ControlParameters) throws(ClientError) -> RequestID {
        try send(type(of: call).method, call)
    }

    /// Sends a request whose parameters are not built from the type of its method.
    package func send(_ method: ControlMethod, _ parameters: some WireValue) throws(ClientError) -> RequestID {
        lastID += 1
        try send(method.rawValue, parameters, .number(lastID))
        return .number(lastID)
    }

    /// Cancels a request. Its response arrives nevertheless.
    package func cancel(_ id: RequestID) throws(ClientError) {
        try send(CancelParameters.method.rawValue, CancelParameters(id: id), nil)
    }

    private func send(_ method: String, _ parameters: some WireValue, _ id: RequestID?) throws(ClientError) {
        var writer = JSONWriter(reserving: 256)
        OutgoingLine.write(method: method, parameters, id: id, to: &writer)
        try connection.send(writer.bytes)
    }

    /// Waits for the next message.
    ///
    /// - Parameters:
    ///   - deadline: When to give up.
    ///   - interrupt: What ends the wait early; `nil` for ``interrupt``.
    /// - Throws: ``ClientError/silent(path:seconds:)`` after the deadline.
    package func next(before deadline: Deadline, interrupt: Interrupt? = nil) throws(ClientError) -> Message {
        guard case .line(let line) = try connection.receive(before: deadline, interrupt: interrupt ?? self.interrupt)
        else { return .interrupted }
        silence.restart()
        return Message(try read(line))
    }

    /// Returns the messages that have arrived, without waiting.
    package func received() throws(ClientError) -> [Message] {
        var messages: [Message] = []
        while true {
            do throws(ClientError) {
                messages.append(try next(before: Deadline(milliseconds: 0), interrupt: Interrupt.none))
            } catch {
                if case .silent = error { return messages }
                // What has arrived is handled first. The failure is reported again by the next call.
                if case .closed = error, !messages.isEmpty { return messages }
                throw error
            }
        }
    }

    /// Waits for the next message of a connection with subscriptions; `nil` if none arrives in time.
    ///
    /// - Throws: ``ClientError/silent(path:seconds:)`` if not even a heartbeat has arrived for ``longTimeout``.
    package func nextUpdate(within seconds: Int) throws(ClientError) -> Message? {
        do throws(ClientError) { return try next(before: Deadline(seconds: seconds)) } catch {
            guard case .silent = error else { throw error }
            try checkSilence()
            return nil
        }
    }

    /// The time in milliseconds until ``checkSilence()`` fails.
    package var silenceTimeout: CInt { silence.remaining }

    /// Fails if the daemon has sent nothing, not even a heartbeat, for ``longTimeout``.
    package func checkSilence() throws(ClientError) {
        guard silence.remaining > 0 else { throw .silent(path: connection.path, seconds: Self.longTimeout) }
    }

    private func read(_ line: [UInt8]) throws(ClientError) -> ReplyLine {
        do { return try ReplyLine(line) } catch { throw .invalidReply(path: connection.path, reason: error.reason) }
    }
}
