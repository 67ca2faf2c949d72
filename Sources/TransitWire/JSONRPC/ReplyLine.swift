/// Encodes the messages that are sent over the socket. Each function appends one message.
public enum OutgoingLine {
    /// Appends a client's request and a line feed. Without an `id`, the request is a notification.
    public static func write(
        method: String, _ params: some WireValue, id: RequestID?, to writer: inout JSONWriter
    ) {
        begin(&writer)
        if let id {
            writer.name("id")
            id.write(to: &writer)
        }
        writer.name("method")
        writer.string(method)
        writer.name("params")
        params.write(to: &writer)
        writer.endObject()
        writer.endLine()
    }

    /// Appends a response, and a line feed unless the response is an element of a batch.
    public static func write(
        _ outcome: Result<any WireValue, ControlError>, id: RequestID, to writer: inout JSONWriter,
        endingLine: Bool = true
    ) {
        begin(&writer)
        writer.name("id")
        id.write(to: &writer)
        switch outcome {
        case .success(let result):
            writer.name("result")
            result.write(to: &writer)
        case .failure(let error):
            writer.name("error")
            error.write(to: &writer)
        }
        writer.endObject()
        if endingLine { writer.endLine() }
    }

    /// Appends a notification from the daemon and a line feed.
    public static func write(notification method: String, _ params: some WireValue, to writer: inout JSONWriter) {
        begin(&writer)
        writer.name("method")
        writer.string(method)
        writer.name("params")
        params.write(to: &writer)
        writer.endObject()
        writer.endLine()
    }

    private static func begin(_ writer: inout JSONWriter) {
        writer.beginObject()
        writer.encoded(prologue)
    }

    // Written as a single value, so that the writer puts a comma before the next member.
    private static let prologue = Array("\"jsonrpc\":\"2.0\"".utf8)
}

/// A line that a client receives from the daemon.
public enum ReplyLine: Sendable {
    case answer(id: RequestID, Result<JSONValue, ControlError>)
    case notification(method: String, params: JSONValue)
    case batch([ReplyLine])

    /// Parses a line, given without its line feed.
    public init(_ line: UnsafeBufferPointer<UInt8>) throws(ReplyError) {
        do { self = try Self.read(JSONValue(parsing: line)) } catch {
            throw ReplyError(reason: "Cannot parse the daemon's response: \(error)")
        }
    }

    public init(_ line: [UInt8]) throws(ReplyError) {
        self = try line.withUnsafeBufferPointer { (buffer) throws(ReplyError) in try ReplyLine(buffer) }
    }

    private static func read(_ value: JSONValue) throws -> ReplyLine {
        if case .array(let elements) = value { return .batch(try elements.map(read)) }
        if let method = value["method"]?.text { return .notification(method: method, params: value["params"] ?? .null) }
        let id = try RequestID(reading: value["id"] ?? .null, as: .result)
        if let error = value["error"] {
            return .answer(id: id, .failure(try ControlError(reading: error, as: .result)))
        }
        guard let result = value["result"] else {
            throw ReplyError(reason: "The response has neither a result nor an error.")
        }
        return .answer(id: id, .success(result))
    }
}

/// A line from the daemon that cannot be parsed.
public struct ReplyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A human-readable sentence.
    public var reason: String
    public init(reason: String) { self.reason = reason }
    public var description: String { reason }
}
