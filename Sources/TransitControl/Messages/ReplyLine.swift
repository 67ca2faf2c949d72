/// Writes what goes over the socket; every function appends one message and its line feed.
public enum OutgoingLine {
    /// A request of a client. `id` `nil` makes it a notification.
    public static func write(_ call: some ControlParameters, id: RequestID?, to writer: inout JSONWriter) {
        begin(&writer)
        if let id {
            writer.name("id")
            id.write(to: &writer)
        }
        writer.name("method")
        writer.string(type(of: call).method.rawValue)
        writer.name("params")
        call.write(to: &writer)
        writer.endObject()
        writer.endLine()
    }

    /// An answer, as one element of a batch when it has no line feed.
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

    /// A notification of the daemon.
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

    // The version is the same in every message: name and value in one piece, so that the next member puts the comma.
    private static let prologue = Array("\"jsonrpc\":\"2.0\"".utf8)
}

/// What a client reads from the daemon.
public enum ReplyLine: Sendable {
    case answer(id: RequestID, Result<JSONValue, ControlError>)
    case notification(method: String, params: JSONValue)
    case batch([ReplyLine])

    /// Understands a line without its line feed.
    public init(_ line: UnsafeBufferPointer<UInt8>) throws(ReplyError) {
        do { self = try Self.read(JSONValue(parsing: line)) } catch {
            throw ReplyError(reason: "The daemon's answer is not understood: \(error)")
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
        guard let result = value["result"] else { throw ReplyError(reason: "It has neither result nor error.") }
        return .answer(id: id, .success(result))
    }
}

/// Why a line of the daemon is not understood; a sentence for people.
public struct ReplyError: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: String
    public init(reason: String) { self.reason = reason }
    public var description: String { reason }
}

extension ControlParameters {
    /// The typed result out of an answer's `result`.
    public static func reply(from result: JSONValue) throws(ReplyError) -> Reply {
        do { return try Reply(reading: result, as: .result) } catch {
            throw ReplyError(
                reason: "The daemon's answer to \(method.rawValue) is not understood: \(error.place) \(error.problem).")
        }
    }
}

/// A `progress` notification: how far the request `id` is.
public struct ProgressNotification: WireObject {
    public static let name = "progress"

    public var id: RequestID
    public var phase: String
    public var done: Int
    public var total: Int?
    public var unit: String

    public init(id: RequestID, _ progress: RequestProgress) {
        self.init(id: id, phase: progress.phase, done: progress.done, total: progress.total, unit: progress.unit)
    }

    private init(id: RequestID, phase: String, done: Int, total: Int?, unit: String) {
        self.id = id
        self.phase = phase
        self.done = done
        self.total = total
        self.unit = unit
    }

    public var progress: RequestProgress { RequestProgress(phase: phase, done: done, total: total, unit: unit) }

    public static let wireSchema = WireSchema(
        "ProgressNotification", "Tells how far a request is that was made with `progress`.",
        { id, phase, done, total, unit in Self(id: id, phase: phase, done: done, total: total, unit: unit) },
        Field("id", \.id, "The request's id."),
        Field("phase", \.phase, "What is done now."),
        Field("done", \.done, "How much of it is done."),
        Field("total", \.total, "How much there is; null when not known."),
        Field("unit", \.unit, "What is counted: \"bytes\", \"requests\", \"rows\"."))
}
