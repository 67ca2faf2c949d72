package import TransitControl
package import TransitWire

/// The state of a session with a client of the Model Context Protocol: lines in, lines and calls out.
///
/// A client of a revision until 2025-11-25 begins with `initialize`; a client of a later one names the revision in each
/// request (specification 2026-07-28, *Versioning and Compatibility*). Both kinds of requests may arrive in one session.
package struct AssistantSession: Sendable {
    /// What the session asks of its owner.
    package enum Action: Sendable {
        /// Write a line, which ends with a line feed.
        case write([UInt8])
        /// Send a request to the daemon, and pass the outcome to ``AssistantSession/finish(_:with:)``.
        case call(number: Int, any ControlParameters)
        /// Cancel a call. Its outcome no longer matters.
        case cancel(number: Int)
    }

    /// The outcome of a call.
    package enum Outcome: Sendable {
        /// The result, with a text for the model.
        case answer(text: String, JSONValue)
        /// The reason of a failure, with a remedy.
        case failure(String)
    }

    /// The maximum number of calls in progress.
    package static let maximumCalls = 32

    package let catalog: ToolCatalog
    /// The language of the user, for names and texts; `nil` for those of the feeds.
    private let language: String?
    /// The revision that `initialize` negotiated.
    package private(set) var revision: ProtocolRevision?
    private var calls: [Int: Call] = [:]
    private var lastCall = 0
    private var batches: [Int: Batch] = [:]
    private var lastBatch = 0

    /// A tool call in progress.
    private struct Call {
        var id: RequestID
        var batch: Int?
        var revision: ProtocolRevision
    }

    /// A batch whose responses are sent together.
    private struct Batch {
        var responses: [JSONValue] = []
        var pending = 0
    }

    package init(catalog: ToolCatalog, language: String? = nil) {
        self.catalog = catalog
        self.language = language
    }

    /// The numbers of the calls in progress.
    package var pendingCalls: [Int] { calls.keys.sorted() }

    // MARK: Lines

    package mutating func receive(_ line: LineReader.Line) -> [Action] {
        guard case .complete(let bytes) = line else {
            let message = "A line has more than \(LineReader.maximumLength) bytes."
            return [write(Self.failure(.null, ErrorKind.invalidRequest.code, message))]
        }
        let value: JSONValue
        do { value = try JSONValue(parsing: bytes) } catch {
            let message = "The line is not JSON: \(error). Send one JSON-RPC 2.0 message per line."
            return [write(Self.failure(.null, ErrorKind.parseError.code, message))]
        }
        guard case .array = value else { return receive(message: value) }
        return receive(batch: value)
    }

    private mutating func receive(message value: JSONValue) -> [Action] {
        // A response; the server sends no requests.
        guard value["method"] != nil || (value["result"] == nil && value["error"] == nil) else { return [] }
        guard case .single(let request) = RequestLine.parse(value) else { return [] }
        let (response, actions) = answer(request, batch: nil)
        return actions + (response.map { [write($0)] } ?? [])
    }

    private mutating func receive(batch value: JSONValue) -> [Action] {
        guard revision?.hasBatches == true else {
            let message = "Batches are part of the revision \(ProtocolRevision.march2025.rawValue) only."
            return [write(Self.failure(.null, ErrorKind.invalidRequest.code, message))]
        }
        guard case .batch(let requests) = RequestLine.parse(value) else { return receive(message: value) }
        lastBatch += 1
        let number = lastBatch
        var batch = Batch()
        var all: [Action] = []
        for request in requests {
            let (response, actions) = answer(request, batch: number)
            if let response { batch.responses.append(response) }
            all += actions
        }
        batch.pending = calls.values.count { $0.batch == number }
        batches[number] = batch
        return all + completed(number)
    }

    /// Writes the responses of a batch once all are there. A batch of notifications has none.
    private mutating func completed(_ number: Int) -> [Action] {
        guard let batch = batches[number], batch.pending == 0 else { return [] }
        batches[number] = nil
        return batch.responses.isEmpty ? [] : [write(.array(batch.responses))]
    }

    private func write(_ message: JSONValue) -> Action { .write(message.encoded + [UInt8(ascii: "\n")]) }

    // MARK: Requests

    /// The reason why a request is refused with a JSON-RPC error.
    private struct Refusal: Error {
        var code: Int
        var message: String
        var data: JSONValue?

        init(_ kind: ErrorKind, _ message: String) { (code, self.message) = (kind.code, message) }
        init(code: Int, _ message: String, data: JSONValue) {
            (self.code, self.message, self.data) = (code, message, data)
        }
    }

    /// Answers a request.
    ///
    /// - Returns: The response, unless there is none or it follows later.
    private mutating func answer(_ request: IncomingRequest, batch: Int?) -> (JSONValue?, [Action]) {
        guard let id = request.id else {
            guard case .success(let call) = request.call else { return (nil, []) }
            return (nil, receive(notification: call))
        }
        do throws(Refusal) {
            let call: MethodCall
            switch request.call {
            case .success(let received): call = received
            case .failure(let error): throw Refusal(error.kind, error.message)
            }
            guard id != .null else { throw Refusal(.invalidRequest, "The id of a request must not be null.") }
            guard !calls.values.contains(where: { $0.id == id }) else {
                throw Refusal(.invalidRequest, "A request with this id is still in progress.")
            }
            let (result, actions) = try answer(call, id, batch)
            return (result.map { Self.response(id, "result", .object($0)) }, actions)
        } catch {
            return (Self.failure(id, error.code, error.message, data: error.data), [])
        }
    }

    /// Returns the result, or `nil` if it follows later.
    private mutating func answer(
        _ call: MethodCall, _ id: RequestID, _ batch: Int?
    ) throws(Refusal) -> (JSONObject?, [Action]) {
        let parameters = try Self.parameters(call)
        if call.method == "initialize" {
            guard batch == nil else { throw Refusal(.invalidRequest, "initialize must not be part of a batch.") }
            return (try initialize(parameters), [])
        }
        let revision = try revision(of: call.method, parameters)
        switch call.method {
        case "ping" where revision.hasHandshake: return (JSONObject(), [])
        case "server/discover" where !revision.hasHandshake: return (discovery, [])
        case "tools/list": return (try list(parameters, revision), [])
        case "tools/call": return try self.call(parameters, id, batch, revision)
        default: throw Refusal(.methodNotFound, "There is no method \"\(call.method.prefix(40))\".")
        }
    }

    private static func parameters(_ call: MethodCall) throws(Refusal) -> JSONObject {
        switch call.parameters {
        case nil: return JSONObject()
        case .object(let parameters)?: return parameters
        case let other?: throw Refusal(.invalidParameters, "\"params\" must be an object, not \(other.kindName).")
        }
    }

    private mutating func receive(notification call: MethodCall) -> [Action] {
        guard call.method == "notifications/cancelled", let value = call.parameters?["requestId"],
            let id = try? RequestID(reading: value, as: .result),
            let (number, canceled) = calls.first(where: { $0.value.id == id })
        else { return [] }
        // A canceled request gets no response (specification, *Cancellation*).
        calls[number] = nil
        return [.cancel(number: number)] + finished(nil, canceled)
    }

    // MARK: Revisions

    private static let revisionKey = "io.modelcontextprotocol/protocolVersion"
    private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
    private static let serverKey = "io.modelcontextprotocol/serverInfo"
    /// UnsupportedProtocolVersionError (specification 2026-07-28, *Error codes*).
    private static let unsupportedRevision = -32022

    /// Returns the revision of a request: the one that it names, or the negotiated one.
    private func revision(of method: String, _ parameters: JSONObject) throws(Refusal) -> ProtocolRevision {
        let meta = parameters["_meta"]
        guard let named = meta?[Self.revisionKey] else {
            if let revision { return revision }
            if method == "ping" { return .newestWithHandshake }
            throw Refusal(
                .invalidRequest,
                "Send \"initialize\" first, or name the revision as \"\(Self.revisionKey)\" in \"_meta\".")
        }
        guard let revision = named.text.flatMap({ ProtocolRevision(rawValue: $0) }), !revision.hasHandshake else {
            throw Refusal(
                code: Self.unsupportedRevision, "Unsupported protocol version",
                data: ["supported": .array(Self.supported), "requested": named])
        }
        guard case .object? = meta?[Self.capabilitiesKey] else {
            throw Refusal(.invalidParameters, "\"_meta\" must have the object \"\(Self.capabilitiesKey)\".")
        }
        return revision
    }

    /// All revisions, newest first.
    private static let supported: [JSONValue] = ProtocolRevision.allCases.reversed().map { .string($0.rawValue) }

    private static let server: JSONValue = [
        "name": "transitd", "title": "Public transport (transitd)", "version": .string(ReleaseVersion.text),
    ]

    /// Negotiates the revision: that of the client or, if it is not supported, the newest one (specification 2025-11-25,
    /// *Lifecycle*).
    private mutating func initialize(_ parameters: JSONObject) throws(Refusal) -> JSONObject {
        guard revision == nil else { throw Refusal(.invalidRequest, "The session is already initialized.") }
        guard let requested = parameters["protocolVersion"]?.text else {
            throw Refusal(.invalidParameters, "\"protocolVersion\" must be a string.")
        }
        let known = ProtocolRevision(rawValue: requested).flatMap { $0.hasHandshake ? $0 : nil }
        let negotiated = known ?? .newestWithHandshake
        revision = negotiated
        return [
            "protocolVersion": .string(negotiated.rawValue), "capabilities": ["tools": ["listChanged": false]],
            "serverInfo": Self.server, "instructions": .string(catalog.instructions),
        ]
    }

    /// The result of `server/discover` (specification 2026-07-28, *Discovery*).
    private var discovery: JSONObject {
        cacheable([
            "supportedVersions": .array(Self.supported), "capabilities": ["tools": JSONValue.object(JSONObject())],
            "instructions": .string(catalog.instructions),
        ])
    }

    /// Adds what results have since revision 2026-07-28.
    private static func complete(_ result: JSONObject, _ revision: ProtocolRevision) -> JSONObject {
        guard !revision.hasHandshake else { return result }
        var result = result
        result["resultType"] = "complete"
        result["_meta"] = [serverKey: server]
        return result
    }

    /// Adds how long a result that does not change can be cached.
    private func cacheable(_ result: JSONObject) -> JSONObject {
        var result = Self.complete(result, .july2026)
        result["ttlMs"] = 3_600_000
        result["cacheScope"] = "private"
        return result
    }

    // MARK: Tools

    private func list(_ parameters: JSONObject, _ revision: ProtocolRevision) throws(Refusal) -> JSONObject {
        if let cursor = parameters["cursor"], cursor != .null {
            throw Refusal(.invalidParameters, "The list of tools has a single page.")
        }
        let result: JSONObject = ["tools": .array(catalog.tools.map { .object($0.description(in: revision)) })]
        return revision.hasHandshake ? result : cacheable(result)
    }

    private mutating func call(
        _ parameters: JSONObject, _ id: RequestID, _ batch: Int?, _ revision: ProtocolRevision
    ) throws(Refusal) -> (JSONObject?, [Action]) {
        guard let name = parameters["name"]?.text else {
            throw Refusal(.invalidParameters, "\"name\" must be a string.")
        }
        guard let tool = catalog.tool(named: name) else { throw Refusal(.invalidParameters, catalog.unknown(name)) }
        let arguments: JSONObject
        switch parameters["arguments"] {
        case nil, .null?: arguments = JSONObject()
        case .object(let given)?: arguments = given
        case let other?: throw Refusal(.invalidParameters, "\"arguments\" must be an object, not \(other.kindName).")
        }
        let invocation: any ControlParameters
        do { invocation = try tool.parameters(arguments, language: language) } catch {
            let subject = error.path.isEmpty ? "The value of \"arguments\"" : error.place
            let message = ["\(subject) \(error.problem).", error.hint].compactMap { $0 }.joined(separator: " ")
            guard revision.reportsArgumentsToModel else { throw Refusal(.invalidParameters, message) }
            return (Self.result(.failure(message), revision), [])
        }
        guard calls.count < Self.maximumCalls else {
            return (Self.result(.failure("Too many calls are in progress. Repeat the call later."), revision), [])
        }
        lastCall += 1
        calls[lastCall] = Call(id: id, batch: batch, revision: revision)
        return (nil, [.call(number: lastCall, invocation)])
    }

    /// Reports the outcome of a call. A call that was canceled in the meantime is ignored.
    package mutating func finish(_ number: Int, with outcome: Outcome) -> [Action] {
        guard let call = calls.removeValue(forKey: number) else { return [] }
        return finished(Self.response(call.id, "result", .object(Self.result(outcome, call.revision))), call)
    }

    /// - Parameter response: The response; `nil` for a canceled call.
    private mutating func finished(_ response: JSONValue?, _ call: Call) -> [Action] {
        guard let batch = call.batch, batches[batch] != nil else { return response.map { [write($0)] } ?? [] }
        if let response { batches[batch]?.responses.append(response) }
        batches[batch]?.pending -= 1
        return completed(batch)
    }

    /// The result of a call (specification, *Tools*, "Tool Result").
    private static func result(_ outcome: Outcome, _ revision: ProtocolRevision) -> JSONObject {
        var result: JSONObject
        switch outcome {
        case .failure(let message):
            result = ["content": [text(ResultLimit.shortened(message))], "isError": true]
        case .answer(let words, let value):
            guard let shortened = ResultLimit.shortened(value) else {
                let message = "The result is too large. Ask for less, for example with a smaller count."
                return self.result(.failure(message), revision)
            }
            let remarks = revision.hasStructuredContent ? shortened.remarks : []
            result = ["content": [text(([ResultLimit.shortened(words)] + remarks).joined(separator: "\n"))]]
            if revision.hasStructuredContent { result["structuredContent"] = shortened.value }
            result["isError"] = false
        }
        return complete(result, revision)
    }

    private static func text(_ words: String) -> JSONValue { ["type": "text", "text": .string(words)] }

    // MARK: Responses

    private static func response(_ id: RequestID, _ name: String, _ value: JSONValue) -> JSONValue {
        let idValue: JSONValue =
            switch id {
            case .number(let number): .int(number)
            case .text(let text): .string(text)
            case .null: .null
            }
        var response: JSONObject = ["jsonrpc": "2.0", "id": idValue]
        response[name] = value
        return .object(response)
    }

    private static func failure(
        _ id: RequestID, _ code: Int, _ message: String, data: JSONValue? = nil
    ) -> JSONValue {
        var error: JSONObject = ["code": .int(Int64(code)), "message": .string(message)]
        error["data"] = data
        return response(id, "error", .object(error))
    }
}
