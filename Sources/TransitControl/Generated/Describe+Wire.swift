// Generated from Sources/TransitControl/Messages/Describe.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension DescribeParameters {
    public init(method: ControlMethod? = nil, _: Void = ()) {
        self.init(method: method)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.method = try members.optional("method")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.method != nil { writer.member("method", self.method) }
        writer.endObject()
    }

    public static var schemaName: String { "DescribeParameters" }
    public static var description: String { "Returns the OpenRPC document of the protocol. The method is also available as `rpc.discover`." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("method", ControlMethod?.self, "Limits the document to this method and the schemas that it refers to.")
    }
}

extension DescribeInfo {
    public init(title: String, version: String, description: String, _: Void = ()) {
        self.init(title: title, version: version, description: description)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.title = try members.required("title")
        self.version = try members.required("version")
        self.description = try members.required("description")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("title", self.title)
        writer.member("version", self.version)
        writer.member("description", self.description)
        writer.endObject()
    }

    public static var schemaName: String { "DescribeInfo" }
    public static var description: String { "The title and version of the document." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("title", String.self, "The title of the protocol.")
        builder.member("version", String.self, "The protocol version, 1.")
        builder.member("description", String.self, "How messages are exchanged.")
    }
}

extension ContentDescriptor {
    public init(name: String, description: String, required: Bool, schema: JSONValue, _: Void = ()) {
        self.init(name: name, description: description, required: required, schema: schema)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.description = try members.required("description")
        self.required = try members.required("required")
        self.schema = try members.required("schema")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("description", self.description)
        writer.member("required", self.required)
        writer.member("schema", self.schema)
        writer.endObject()
    }

    public static var schemaName: String { "ContentDescriptor" }
    public static var description: String { "A parameter or result (OpenRPC Content Descriptor)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The name of the parameter, or \"result\".")
        builder.member("description", String.self, "The documentation.")
        builder.member("required", Bool.self, "Whether the parameter is required. A result always is.")
        builder.member("schema", JSONValue.self, "The JSON Schema (draft 7). A `$ref` points into `components`.")
    }
}

extension MethodDescription {
    public init(
        name: String, summary: String, parameterStructure: String = "by-name", params: [ContentDescriptor],
        result: ContentDescriptor, isLongRunning: Bool, _: Void = ()
    ) {
        self.init(
            name: name, summary: summary, parameterStructure: parameterStructure, params: params, result: result,
            isLongRunning: isLongRunning
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.summary = try members.required("summary")
        self.parameterStructure = try members.optional("paramStructure", default: "by-name")
        self.params = try members.array("params")
        self.result = try members.required("result")
        self.isLongRunning = try members.required("x-long-running")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("summary", self.summary)
        writer.member("paramStructure", self.parameterStructure)
        writer.member("params", self.params)
        writer.member("result", self.result)
        writer.member("x-long-running", self.isLongRunning)
        writer.endObject()
    }

    public static var schemaName: String { "MethodDescription" }
    public static var description: String { "A method of the protocol (OpenRPC Method)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The name of the method.")
        builder.member("summary", String.self, "A one-sentence summary.")
        builder.member("paramStructure", String.self, "Always \"by-name\": the parameters are the members of an object.", default: "by-name")
        builder.member("params", [ContentDescriptor].self, "The parameters.")
        builder.member("result", ContentDescriptor.self, "The result.")
        builder.member("x-long-running", Bool.self, "Whether a request may take a long time. Such requests can be canceled.")
    }
}

extension EventDescription {
    public init(name: String, summary: String, params: [ContentDescriptor], _: Void = ()) {
        self.init(name: name, summary: summary, params: params)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.summary = try members.required("summary")
        self.params = try members.array("params")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("summary", self.summary)
        writer.member("params", self.params)
        writer.endObject()
    }

    public static var schemaName: String { "EventDescription" }
    public static var description: String { "A notification that the daemon sends." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The `method` of the notification.")
        builder.member("summary", String.self, "When the notification is sent.")
        builder.member("params", [ContentDescriptor].self, "The members of `params`.")
    }
}

extension DescribeComponents {
    public init(schemas: JSONValue, errors: JSONValue, _: Void = ()) {
        self.init(schemas: schemas, errors: errors)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.schemas = try members.required("schemas")
        self.errors = try members.required("errors")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("schemas", self.schemas)
        writer.member("errors", self.errors)
        writer.endObject()
    }

    public static var schemaName: String { "DescribeComponents" }
    public static var description: String { "The definitions to which a `$ref` points (OpenRPC Components)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("schemas", JSONValue.self, "The JSON Schemas of all objects in results and notifications, and of `Error`, the `error` member of a response.")
        builder.member("errors", JSONValue.self, "All kinds of errors by name (OpenRPC Error). Any method can fail with errors of the general kinds.")
    }
}

extension DescribeResult {
    public init(
        schema: String = "https://meta.open-rpc.org/", openrpc: String = "1.3.2", info: DescribeInfo,
        methods: [MethodDescription], components: DescribeComponents, events: [EventDescription], _: Void = ()
    ) {
        self.init(
            schema: schema, openrpc: openrpc, info: info, methods: methods, components: components, events: events
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.schema = try members.optional("$schema", default: "https://meta.open-rpc.org/")
        self.openrpc = try members.optional("openrpc", default: "1.3.2")
        self.info = try members.required("info")
        self.methods = try members.array("methods")
        self.components = try members.required("components")
        self.events = try members.array("x-events")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("$schema", self.schema)
        writer.member("openrpc", self.openrpc)
        writer.member("info", self.info)
        writer.member("methods", self.methods)
        writer.member("components", self.components)
        writer.member("x-events", self.events)
        writer.endObject()
    }

    public static var schemaName: String { "DescribeResult" }
    public static var description: String { "A complete description of the protocol (OpenRPC 1.3)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("$schema", String.self, "The schema of OpenRPC documents.", default: "https://meta.open-rpc.org/")
        builder.member("openrpc", String.self, "The version of the OpenRPC specification.", default: "1.3.2")
        builder.member("info", DescribeInfo.self, "The title and version of the document.")
        builder.member("methods", [MethodDescription].self, "All methods, or the requested one.")
        builder.member("components", DescribeComponents.self, "The definitions to which a `$ref` points.")
        builder.member("x-events", [EventDescription].self, "All notifications. OpenRPC does not specify notifications of a server.")
    }
}
