public import TransitWire

/// Returns the JSON Schema of every method, event and error.
public struct DescribeParameters: ControlParameters {
    public typealias Reply = DescribeResult
    public static let method = ControlMethod.describe

    public var method: ControlMethod?

    public init(method: ControlMethod? = nil) {
        self.method = method
    }

    public static let wireSchema = WireSchema(
        "DescribeParameters", "Returns the JSON Schema of every method, event and error.", Self.init,
        Field("method", \.method, "Limits the result to this method."))
}

/// A method of the protocol.
public struct MethodDescription: WireObject {
    public var name: String
    public var summary: String
    public var isLongRunning: Bool
    public var params: JSONValue
    public var result: JSONValue

    public init(name: String, summary: String, isLongRunning: Bool, params: JSONValue, result: JSONValue) {
        self.name = name
        self.summary = summary
        self.isLongRunning = isLongRunning
        self.params = params
        self.result = result
    }

    public static let wireSchema = WireSchema(
        "MethodDescription", "A method of the protocol.", Self.init,
        Field("name", \.name, "The name of the method."),
        Field("summary", \.summary, "A one-sentence summary."),
        Field(
            "is_long_running", \.isLongRunning,
            "Whether a request may take a long time. Such requests can be canceled."),
        Field("params", \.params, "The JSON Schema of the parameters."),
        Field("result", \.result, "The JSON Schema of the result; a `$ref` points into `$defs`."))
}

/// A notification that the daemon sends.
public struct EventDescription: WireObject {
    public var name: String
    public var summary: String
    public var params: JSONValue

    public init(name: String, summary: String, params: JSONValue) {
        self.name = name
        self.summary = summary
        self.params = params
    }

    public static let wireSchema = WireSchema(
        "EventDescription", "A notification that the daemon sends.", Self.init,
        Field("name", \.name, "The `method` of the notification."),
        Field("summary", \.summary, "When the notification is sent."),
        Field("params", \.params, "The JSON Schema of the parameters."))
}

/// A kind of error.
public struct ErrorDescription: WireObject {
    public var kind: String
    public var code: Int
    public var retryable: Bool
    public var summary: String

    public init(kind: String, code: Int, retryable: Bool, summary: String) {
        self.kind = kind
        self.code = code
        self.retryable = retryable
        self.summary = summary
    }

    public static let wireSchema = WireSchema(
        "ErrorDescription", "A kind of error.", Self.init,
        Field("kind", \.kind, "The stable name of the kind."),
        Field("code", \.code, "The JSON-RPC error code."),
        Field("retryable", \.retryable, "Whether the same request may succeed later."),
        Field("summary", \.summary, "When the error occurs."))
}

/// A description of the protocol.
public struct DescribeResult: WireObject {
    public var `protocol`: Int
    public var methods: [MethodDescription]
    public var events: [EventDescription]
    public var errors: [ErrorDescription]
    public var error: JSONValue
    public var defs: JSONValue

    public init(
        `protocol`: Int, methods: [MethodDescription], events: [EventDescription], errors: [ErrorDescription],
        error: JSONValue, defs: JSONValue
    ) {
        self.protocol = `protocol`
        self.methods = methods
        self.events = events
        self.errors = errors
        self.error = error
        self.defs = defs
    }

    public static let wireSchema = WireSchema(
        "DescribeResult", "A description of the protocol.", Self.init,
        Field("protocol", \.`protocol`, "The protocol version, 1."),
        Field("methods", \.methods, "All methods, or the requested one."),
        Field("events", \.events, "All notifications."),
        Field("errors", \.errors, "All kinds of errors."),
        Field("error", \.error, "The JSON Schema of the `error` member of a response."),
        Field("$defs", \.defs, "The definitions that `$ref` points to. Written as `$defs`."))
}
