internal import TransitClient
internal import TransitControl
internal import TransitWire

/// The agent's connection to the daemon: one subscription, and acknowledgments.
final class DaemonLink {
    private var connection: DaemonConnection
    private var lastID = DaemonLink.subscriptionID

    private static let helloID: Int64 = 1
    private static let subscriptionID: Int64 = 2
    /// The maximum time for connecting and sending, in seconds. The agent does nothing else meanwhile.
    private static let timeout = 1
    /// The maximum number of identifiers in one acknowledgment.
    private static let maximumIDs = 64
    /// The maximum length of a failure's message in characters.
    static let maximumMessageLength = 500

    enum Message {
        /// The first result of the subscription.
        case subscribed(JSONValue)
        case changed(JSONValue)
        /// The daemon refuses the subscription.
        case refused(ControlError)
        /// The daemon cannot list the notifications at present. The subscription stays active.
        case failing(ControlError)
        /// The daemon did not record an acknowledgment.
        case acknowledgmentRefused(ControlError)
        case nothing
    }

    /// Connects and subscribes.
    ///
    /// - Parameter language: The language of texts.
    init(path: String, language: String?) throws(ClientError) {
        connection = try DaemonConnection(path: path, timeout: Self.timeout)
        try send(HelloParameters(client: "transitd-notify \(ReleaseVersion.text)"), Self.helloID)
        var topic: JSONObject = ["topic": "notifications"]
        topic["language"] = language.map { .string($0) }
        var writer = JSONWriter(reserving: 256)
        OutgoingLine.write(
            method: ControlMethod.subscribe.rawValue, JSONValue.object(["topics": .array([.object(topic)])]),
            id: .number(Self.subscriptionID), to: &writer)
        try connection.send(writer.bytes)
    }

    /// The socket, for `poll`.
    var descriptor: CInt { connection.descriptor }

    /// Tells the daemon how far events are.
    func acknowledge(_ ids: [String], _ stage: NotificationStage, message: String? = nil) throws(ClientError) {
        var rest = ids[...]
        while !rest.isEmpty {
            lastID += 1
            try send(
                NotifyAckParameters(
                    ids: Array(rest.prefix(Self.maximumIDs)), stage: stage,
                    message: message.map { PrintableText.clean($0, maximumLength: Self.maximumMessageLength) }), lastID)
            rest = rest.dropFirst(Self.maximumIDs)
        }
    }

    private func send(_ call: some ControlParameters, _ id: Int64) throws(ClientError) {
        var writer = JSONWriter(reserving: 256)
        OutgoingLine.write(call, id: .number(id), to: &writer)
        try connection.send(writer.bytes)
    }

    /// Returns the messages that have arrived, without waiting.
    func receive() throws(ClientError) -> [Message] {
        var messages: [Message] = []
        while true {
            do throws(ClientError) {
                guard case .line(let line) = try connection.receive(before: Deadline(milliseconds: 0), interrupt: .none)
                else { return messages }
                messages.append(try read(line))
            } catch {
                if case .silent = error { return messages }
                // What has arrived is handled first. The failure is reported again by the next call.
                if case .closed = error, !messages.isEmpty { return messages }
                throw error
            }
        }
    }

    private func read(_ line: [UInt8]) throws(ClientError) -> Message {
        let reply: ReplyLine
        do { reply = try ReplyLine(line) } catch { throw .invalidReply(path: connection.path, reason: error.reason) }
        switch reply {
        case .answer(.number(Self.subscriptionID), .success(let result)):
            guard case .array(let subscriptions)? = result["subscriptions"], let data = subscriptions.first?["data"]
            else { throw .unexpectedReply(reason: "The daemon's response has no subscription.") }
            return .subscribed(data)
        case .answer(.number(Self.subscriptionID), .failure(let error)), .answer(.null, .failure(let error)):
            return .refused(error)
        case .answer(.number(Self.helloID), _): return .nothing
        case .answer(_, .failure(let error)): return .acknowledgmentRefused(error)
        case .notification(let method, let params): return try read(notification: method, params)
        case .answer, .batch: return .nothing
        }
    }

    private func read(notification method: String, _ params: JSONValue) throws(ClientError) -> Message {
        switch method {
        case EventNotification.name:
            if let error = params["error"], error != .null {
                return (try? ControlError(reading: error, as: .result)).map { .failing($0) } ?? .nothing
            }
            return params["data"].map { .changed($0) } ?? .nothing
        case LaggedNotification.name: throw .unexpectedReply(reason: params["message"]?.text ?? "")
        default: return .nothing
        }
    }
}
