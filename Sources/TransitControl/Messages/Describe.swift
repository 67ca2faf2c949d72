public import TransitWire

/// Returns the OpenRPC document of the protocol. The method is also available as `rpc.discover`.
public struct DescribeParameters: ControlParameters {
    public typealias Reply = DescribeResult
    public static let method = ControlMethod.describe

    /// Limits the document to this method and the schemas that it refers to.
    public var method: ControlMethod?
}

/// The title and version of the document.
public struct DescribeInfo: WireObject {
    /// The title of the protocol.
    public var title: String
    /// The protocol version, 1.
    public var version: String
    /// How messages are exchanged.
    public var description: String
}

/// A parameter or result (OpenRPC Content Descriptor).
public struct ContentDescriptor: WireObject {
    /// The name of the parameter, or "result".
    public var name: String
    /// The documentation.
    public var description: String
    /// Whether the parameter is required. A result always is.
    public var required: Bool
    /// The JSON Schema (draft 7). A `$ref` points into `components`.
    public var schema: JSONValue
}

/// A method of the protocol (OpenRPC Method).
public struct MethodDescription: WireObject {
    /// The name of the method.
    public var name: String
    /// A one-sentence summary.
    public var summary: String
    /// Always "by-name": the parameters are the members of an object.
    /// - Name: paramStructure
    public var parameterStructure: String = "by-name"
    /// The parameters.
    public var params: [ContentDescriptor]
    /// The result.
    public var result: ContentDescriptor
    /// Whether a request may take a long time. Such requests can be canceled.
    /// - Name: x-long-running
    public var isLongRunning: Bool
}

/// A notification that the daemon sends.
public struct EventDescription: WireObject {
    /// The `method` of the notification.
    public var name: String
    /// When the notification is sent.
    public var summary: String
    /// The members of `params`.
    public var params: [ContentDescriptor]
}

/// The definitions to which a `$ref` points (OpenRPC Components).
public struct DescribeComponents: WireObject {
    /// The JSON Schemas of all objects in results and notifications, and of `Error`, the `error` member of a response.
    public var schemas: JSONValue
    /// All kinds of errors by name (OpenRPC Error). Any method can fail with errors of the general kinds.
    public var errors: JSONValue
}

/// A complete description of the protocol (OpenRPC 1.3).
public struct DescribeResult: WireObject {
    /// The schema of OpenRPC documents.
    /// - Name: $schema
    public var schema: String = "https://meta.open-rpc.org/"
    /// The version of the OpenRPC specification.
    public var openrpc: String = "1.3.2"
    /// The title and version of the document.
    public var info: DescribeInfo
    /// All methods, or the requested one.
    public var methods: [MethodDescription]
    /// The definitions to which a `$ref` points.
    public var components: DescribeComponents
    /// All notifications. OpenRPC does not specify notifications of a server.
    /// - Name: x-events
    public var events: [EventDescription]
}
