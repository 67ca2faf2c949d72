/// An error response to a request.
///
/// On the wire: `{"code": -32020, "message": "…", "data": {"kind": "stop.not_found", "retryable": false, "hint":
/// "…"}}`.
public struct ControlError: Error, Hashable, Sendable {
    /// The stable identifier of the error, for programs.
    public var kind: ErrorKind
    /// The JSON-RPC error code.
    public var code: Int
    /// The human-readable message.
    public var message: String
    /// Whether the same request may succeed later.
    public var isRetryable: Bool
    /// A human-readable suggestion.
    public var hint: String?
    /// Data for programs, such as the stops that match an ambiguous name.
    public var details: JSONValue?

    public init(_ kind: ErrorKind, _ message: String, hint: String? = nil, details: JSONValue? = nil) {
        self.kind = kind
        self.code = kind.code
        self.message = message
        self.isRetryable = kind.isRetryable
        self.hint = hint
        self.details = details
    }

    /// Creates an error for the value of a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter. A client can replace it by what a person typed.
    ///   - problem: The predicate of a sentence, with its period.
    public init(parameter: String, _ problem: String, hint: String? = nil) {
        self.init(
            .invalidParameters, "params.\(parameter) \(problem)", hint: hint, details: ["parameter": .string(parameter)]
        )
    }

    /// Creates an error for parameters that do not match their schema.
    public init(_ mismatch: WireSchemaMismatch) {
        let subject = mismatch.path.isEmpty ? "params" : mismatch.place
        self.init(.invalidParameters, "\(subject) \(mismatch.problem)", hint: mismatch.hint)
        if !mismatch.path.isEmpty { details = ["parameter": .string(mismatch.place)] }
    }
}

extension ControlError: WireValue {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("code")
        writer.int(Int64(code))
        writer.name("message")
        writer.string(message)
        writer.name("data")
        writer.beginObject()
        writer.name("kind")
        writer.string(kind.rawValue)
        writer.name("retryable")
        writer.bool(isRetryable)
        writer.name("hint")
        hint.write(to: &writer)
        writer.name("details")
        details.write(to: &writer)
        writer.endObject()
        writer.endObject()
    }

    /// Reads any JSON-RPC error. An error without the daemon's `data` has the kind `other`.
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        guard case .int(let code)? = value["code"], let message = value["message"]?.text else {
            throw WireSchemaMismatch("must be a JSON-RPC error with code and message")
        }
        let data = value["data"]
        self.init(ErrorKind(rawValue: data?["kind"]?.text ?? "other"), message, hint: data?["hint"]?.text)
        self.code = Int(code)
        if case .bool(let flag)? = data?["retryable"] { isRetryable = flag }
        if let details = data?["details"], details != .null { self.details = details }
    }

    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        let data: JSONObject = [
            "type": "object", "required": ["kind", "retryable", "hint", "details"],
            "properties": [
                "kind": ["type": "string", "description": "The stable kind of error. More values may be added."],
                "retryable": ["type": "boolean", "description": "Whether the same request may succeed later."],
                "hint": ["type": ["string", "null"], "description": "A human-readable suggestion."],
                "details": ["description": "Data for programs; the format depends on the kind."],
            ],
        ]
        return [
            "type": "object", "required": ["code", "message", "data"],
            "properties": [
                "code": ["type": "integer", "description": "The JSON-RPC error code."],
                "message": ["type": "string", "description": "A human-readable message."],
                "data": .object(data),
            ],
        ]
    }
}
