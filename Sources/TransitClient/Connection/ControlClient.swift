package import TransitControl
package import TransitWire

/// A client that sends requests to the daemon, one at a time, over one connection.
package struct ControlClient: ~Copyable {
    private var connection: DaemonConnection
    package let interrupt: Interrupt
    private var lastID: Int64 = 0
    /// Expires when the daemon sends nothing, not even a heartbeat, for ``longTimeout``.
    private var silenceDeadline = Deadline(seconds: longTimeout)

    /// The timeout of a request in seconds.
    package static let timeout = 10
    /// The timeout of a long-running request, and between its progress notifications, in seconds.
    package static let longTimeout = 120
    /// The time that a canceled request has to finish, in seconds.
    package static let cancelGrace = 2

    /// Connects to the first socket that exists.
    package init(_ path: SocketPath, exists: @escaping (String) -> Bool, interrupt: Interrupt) throws(ClientError) {
        let chosen = path.chosen(exists: exists) ?? path.candidates[0]
        do { connection = try DaemonConnection(path: chosen, timeout: Self.timeout) } catch {
            guard case .unreachable(let attempts) = error else { throw error }
            // No file exists at the other paths; otherwise one of them would have been chosen.
            let others = path.candidates.filter { $0 != chosen }
            throw .notRunning(
                tried: attempts + others.map { .init(path: $0, reason: "no such file") },
                remedies: DaemonStart(exists: exists).remedies(path))
        }
        self.interrupt = interrupt
    }

    /// Sends a request and waits for its result.
    ///
    /// - Parameters:
    ///   - call: The parameters of the request.
    ///   - timeout: The maximum time in seconds until the response or the next progress notification; `nil` means no
    ///     limit.
    ///   - progress: Called for each progress notification of the request.
    package mutating func request(
        _ call: some ControlParameters, timeout: Int? = timeout, progress: (RequestProgress) -> Void = { _ in }
    ) throws(ClientError) -> JSONValue {
        lastID += 1
        let id = RequestID.number(lastID)
        var writer = JSONWriter(reserving: 256)
        OutgoingLine.write(call, id: id, to: &writer)
        try connection.send(writer.bytes)
        return try awaitReply(to: id, timeout: timeout, progress: progress)
    }

    private mutating func awaitReply(
        to id: RequestID, timeout: Int?, progress: (RequestProgress) -> Void
    ) throws(ClientError) -> JSONValue {
        var deadline = Deadline(seconds: timeout)
        while true {
            switch try connection.receive(before: deadline, interrupt: interrupt) {
            case .interrupted: return try cancel(id)
            case .line(let line):
                switch try read(line) {
                case .answer(id, let outcome): return try Self.result(outcome)
                // The daemon could not parse the id, or rejects the connection.
                case .answer(.null, .failure(let error)): throw .refused(error)
                case .notification(let method, let params) where method == ProgressNotification.name:
                    guard let notification = try? ProgressNotification(reading: params, as: .result) else { continue }
                    deadline.restart()
                    if notification.id == id { progress(notification.progress) }
                default: continue
                }
            }
        }
    }

    /// Cancels a request and waits briefly for its response, which shows whether the request took effect.
    private mutating func cancel(_ id: RequestID) throws(ClientError) -> JSONValue {
        var writer = JSONWriter(reserving: 64)
        OutgoingLine.write(CancelParameters(id: id), id: nil, to: &writer)
        try connection.send(writer.bytes)
        guard let outcome = try? cancelGrace(of: id) else { throw .interrupted }
        // The request may have completed before the cancellation. Only the response shows whether it did.
        return try Self.result(outcome)
    }

    private mutating func cancelGrace(of id: RequestID) throws(ClientError) -> Result<JSONValue, ControlError> {
        let deadline = Deadline(seconds: Self.cancelGrace)
        while true {
            guard case .line(let line) = try connection.receive(before: deadline, interrupt: .none),
                case .answer(id, let outcome) = try read(line)
            else { continue }
            return outcome
        }
    }

    /// Sends a line unchanged, waits for the response, and passes notifications to `notified`.
    package mutating func exchange(
        _ line: [UInt8], notified: ([UInt8]) -> Void
    ) throws(ClientError) -> (line: [UInt8], reply: ReplyLine) {
        try connection.send(line + [UInt8(ascii: "\n")])
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
    package mutating func notify(_ line: [UInt8]) throws(ClientError) {
        try connection.send(line + [UInt8(ascii: "\n")])
    }

    /// Waits for the next notification of a subscription.
    ///
    /// - Throws: ``ClientError/silent(path:seconds:)`` if not even a heartbeat has arrived for two minutes.
    package mutating func nextUpdate(within seconds: Int) throws(ClientError) -> SubscriptionUpdate {
        do throws(ClientError) {
            guard
                case .line(let line) = try connection.receive(before: Deadline(seconds: seconds), interrupt: interrupt)
            else { return .interrupted }
            silenceDeadline.restart()
            guard case .notification(let method, let params) = try read(line) else { return .nothing }
            switch method {
            case EventNotification.name:
                guard let event = try? EventNotification(reading: params, as: .result) else { return .nothing }
                return .event(event)
            case LaggedNotification.name:
                return .lagged((try? LaggedNotification(reading: params, as: .result))?.message ?? "")
            default: return .nothing
            }
        } catch .silent(let path, _) {
            guard silenceDeadline.remaining > 0 else { throw .silent(path: path, seconds: Self.longTimeout) }
            return .nothing
        }
    }

    private func read(_ line: [UInt8]) throws(ClientError) -> ReplyLine {
        do { return try ReplyLine(line) } catch { throw .invalidReply(path: connection.path, reason: error.reason) }
    }

    private static func result(_ outcome: Result<JSONValue, ControlError>) throws(ClientError) -> JSONValue {
        switch outcome {
        case .success(let result): return result
        case .failure(let error): throw .refused(error)
        }
    }
}

/// The outcome of waiting for a notification of a subscription.
package enum SubscriptionUpdate {
    case event(EventNotification)
    /// The daemon is closing the connection for the given reason.
    case lagged(String)
    case nothing
    case interrupted
}
