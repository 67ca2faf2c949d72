/// Why a request is not answered with a result.
///
/// On the wire: `{"code": -32020, "message": "…", "data": {"kind": "stop.not_found", "retryable": false, "hint":
/// "…"}}`.
public struct ControlError: Error, Hashable, Sendable {
    /// The stable part, which programs look at.
    public var kind: ErrorKind
    /// JSON-RPC's number.
    public var code: Int
    /// For people.
    public var message: String
    /// Whether the same request may succeed later.
    public var isRetryable: Bool
    /// What to do about it, for people.
    public var hint: String?
    /// What a program can use, such as the stops among which to choose.
    public var details: JSONValue?

    public init(_ kind: ErrorKind, _ message: String, hint: String? = nil, details: JSONValue? = nil) {
        self.kind = kind
        self.code = kind.code
        self.message = message
        self.isRetryable = kind.isRetryable
        self.hint = hint
        self.details = details
    }

    /// Parameters that do not have their form.
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

    /// Understands any JSON-RPC error; one without our `data` is of the kind `other`.
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
                "kind": ["type": "string", "description": "The stable part. More may follow."],
                "retryable": ["type": "boolean", "description": "Whether the same request may succeed later."],
                "hint": ["type": ["string", "null"], "description": "What to do about it, for people."],
                "details": ["description": "What a program can use; depends on the kind."],
            ],
        ]
        return [
            "type": "object", "required": ["code", "message", "data"],
            "properties": [
                "code": ["type": "integer", "description": "JSON-RPC's number."],
                "message": ["type": "string", "description": "For people."],
                "data": .object(data),
            ],
        ]
    }
}
