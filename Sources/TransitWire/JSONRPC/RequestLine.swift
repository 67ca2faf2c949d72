/// The name of a method with its parameters, which have not been parsed.
public struct MethodCall: Hashable, Sendable {
    public var method: String
    /// `nil` if the request has no parameters, which is equivalent to an empty object.
    public var parameters: JSONValue?
}

/// A request or notification from a client, or the error that its parsing caused.
public struct IncomingRequest: Sendable {
    /// The request's identifier; `nil` for a notification, which receives no response.
    public var id: RequestID?
    public var call: Result<MethodCall, ControlError>
}

/// A line from a client (JSON-RPC 2.0, sections 4 and 6).
public enum RequestLine: Sendable {
    case single(IncomingRequest)
    /// A batch. The response is a single array, or nothing if the batch has only notifications.
    case batch([IncomingRequest])

    /// The maximum number of requests in a batch.
    public static let maximumBatch = 64

    /// Parses a line, given without its line feed. Invalid input yields a request that carries an error.
    public static func parse(_ line: UnsafeBufferPointer<UInt8>) -> RequestLine {
        let value: JSONValue
        do { value = try JSONValue(parsing: line) } catch {
            return .failure(
                .parseError, "The line is not JSON: \(error).", "Send one JSON-RPC 2.0 request per line.")
        }
        return parse(value)
    }

    /// Reads the JSON of a line.
    public static func parse(_ value: JSONValue) -> RequestLine {
        guard case .array(let elements) = value else { return .single(IncomingRequest(value)) }
        guard !elements.isEmpty else { return .failure(.invalidRequest, "The batch is empty.", nil) }
        guard elements.count <= maximumBatch else {
            return .failure(
                .invalidRequest, "The batch holds more than \(maximumBatch) requests.", "Send several batches.")
        }
        return .batch(elements.map { IncomingRequest($0) })
    }

    private static func failure(_ kind: ErrorKind, _ message: String, _ hint: String?) -> RequestLine {
        .single(IncomingRequest(id: .null, call: .failure(ControlError(kind, message, hint: hint))))
    }
}

extension IncomingRequest {
    init(_ value: JSONValue) {
        guard case .object(let object) = value else {
            self.init(failure: ControlError(.invalidRequest, "A request must be an object, not \(value.kindName)."))
            return
        }
        do {
            let id = try Self.readID(object)
            do { self.init(id: id, call: .success(try Self.read(object))) } catch {
                // Invalid requests always receive a response, even without an id (JSON-RPC 2.0, section 5).
                self.init(id: error.kind == .invalidRequest ? id ?? .null : id, call: .failure(error))
            }
        } catch {
            self.init(failure: ControlError(.invalidRequest, "\(error.place) \(error.problem)"))
        }
    }

    private init(failure: ControlError) { self.init(id: .null, call: .failure(failure)) }

    private static func readID(_ object: JSONObject) throws(WireSchemaMismatch) -> RequestID? {
        guard let value = object["id"] else { return nil }
        do { return try RequestID(reading: value, as: .parameters) } catch { throw error.inside("id") }
    }

    private static func read(_ object: JSONObject) throws(ControlError) -> MethodCall {
        guard object["jsonrpc"] == "2.0" else {
            throw ControlError(.invalidRequest, "\"jsonrpc\" must be \"2.0\".")
        }
        if let stray = object.members.first(where: { !isMember($0.name) }) {
            throw ControlError(
                .invalidRequest, "A request has no member \"\(stray.name.prefix(40))\".",
                hint: "Put parameters in \"params\".")
        }
        guard let name = object["method"]?.text else {
            throw ControlError(.invalidRequest, "\"method\" must be a string.")
        }
        return MethodCall(method: name, parameters: object["params"])
    }

    /// Returns whether JSON-RPC requests have a member with this name (JSON-RPC 2.0, section 4).
    private static func isMember(_ name: String) -> Bool {
        switch name {
        case "jsonrpc", "id", "method", "params": true
        default: false
        }
    }
}

/// The expected response time of a method, which determines the thread on which a server handles a request.
public enum ResponseTime: Hashable, Sendable {
    /// Typically about ten microseconds. The thread that reads the request handles it immediately.
    case instant
    /// At most 50 ms. The thread that reads the request handles it while another thread serves other clients.
    case quick
    /// The time to write the change to disk. Later requests on the same connection wait for it.
    case write
    /// More than 50 ms, or the response time of another server.
    case lengthy
}
