public import TransitWire

/// Returns the JSON Schema of every method, event and error.
public struct DescribeParameters: ControlParameters {
    public typealias Reply = DescribeResult
    public static let method = ControlMethod.describe

    /// Limits the result to this method.
    public var method: ControlMethod?
}

/// A method of the protocol.
public struct MethodDescription: WireObject {
    /// The name of the method.
    public var name: String
    /// A one-sentence summary.
    public var summary: String
    /// Whether a request may take a long time. Such requests can be canceled.
    public var isLongRunning: Bool
    /// The JSON Schema of the parameters.
    public var params: JSONValue
    /// The JSON Schema of the result; a `$ref` points into `$defs`.
    public var result: JSONValue
}

/// A notification that the daemon sends.
public struct EventDescription: WireObject {
    /// The `method` of the notification.
    public var name: String
    /// When the notification is sent.
    public var summary: String
    /// The JSON Schema of the parameters.
    public var params: JSONValue
}

/// A kind of error.
public struct ErrorDescription: WireObject {
    /// The stable name of the kind.
    public var kind: String
    /// The JSON-RPC error code.
    public var code: Int
    /// Whether the same request may succeed later.
    public var retryable: Bool
    /// When the error occurs.
    public var summary: String
}

/// A description of the protocol.
public struct DescribeResult: WireObject {
    /// The protocol version, 1.
    public var `protocol`: Int
    /// All methods, or the requested one.
    public var methods: [MethodDescription]
    /// All notifications.
    public var events: [EventDescription]
    /// All kinds of errors.
    public var errors: [ErrorDescription]
    /// The JSON Schema of the `error` member of a response.
    public var error: JSONValue
    /// The definitions that `$ref` points to. Written as `$defs`.
    /// - Name: $defs
    public var defs: JSONValue
}
