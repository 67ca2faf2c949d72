// Generated from Sources/TransitControl/Messages/Describe.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension DescribeParameters {
    public init(method: ControlMethod? = nil, _: Void = ()) {
        self.method = method
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
    public static var description: String { "Returns the JSON Schema of every method, event and error." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("method", ControlMethod?.self, "Limits the result to this method.")
    }
}

extension MethodDescription {
    public init(
        name: String, summary: String, isLongRunning: Bool, params: JSONValue, result: JSONValue, _: Void = ()
    ) {
        self.name = name
        self.summary = summary
        self.isLongRunning = isLongRunning
        self.params = params
        self.result = result
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.summary = try members.required("summary")
        self.isLongRunning = try members.required("is_long_running")
        self.params = try members.required("params")
        self.result = try members.required("result")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("summary", self.summary)
        writer.member("is_long_running", self.isLongRunning)
        writer.member("params", self.params)
        writer.member("result", self.result)
        writer.endObject()
    }

    public static var schemaName: String { "MethodDescription" }
    public static var description: String { "A method of the protocol." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The name of the method.")
        builder.member("summary", String.self, "A one-sentence summary.")
        builder.member("is_long_running", Bool.self, "Whether a request may take a long time. Such requests can be canceled.")
        builder.member("params", JSONValue.self, "The JSON Schema of the parameters.")
        builder.member("result", JSONValue.self, "The JSON Schema of the result; a `$ref` points into `$defs`.")
    }
}

extension EventDescription {
    public init(name: String, summary: String, params: JSONValue, _: Void = ()) {
        self.name = name
        self.summary = summary
        self.params = params
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.summary = try members.required("summary")
        self.params = try members.required("params")
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
        builder.member("params", JSONValue.self, "The JSON Schema of the parameters.")
    }
}

extension ErrorDescription {
    public init(kind: String, code: Int, retryable: Bool, summary: String, _: Void = ()) {
        self.kind = kind
        self.code = code
        self.retryable = retryable
        self.summary = summary
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.code = try members.required("code")
        self.retryable = try members.required("retryable")
        self.summary = try members.required("summary")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("code", self.code)
        writer.member("retryable", self.retryable)
        writer.member("summary", self.summary)
        writer.endObject()
    }

    public static var schemaName: String { "ErrorDescription" }
    public static var description: String { "A kind of error." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", String.self, "The stable name of the kind.")
        builder.member("code", Int.self, "The JSON-RPC error code.")
        builder.member("retryable", Bool.self, "Whether the same request may succeed later.")
        builder.member("summary", String.self, "When the error occurs.")
    }
}

extension DescribeResult {
    public init(
        `protocol`: Int, methods: [MethodDescription], events: [EventDescription], errors: [ErrorDescription],
        error: JSONValue, defs: JSONValue, _: Void = ()
    ) {
        self.`protocol` = `protocol`
        self.methods = methods
        self.events = events
        self.errors = errors
        self.error = error
        self.defs = defs
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.`protocol` = try members.required("protocol")
        self.methods = try members.array("methods")
        self.events = try members.array("events")
        self.errors = try members.array("errors")
        self.error = try members.required("error")
        self.defs = try members.required("$defs")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("protocol", self.`protocol`)
        writer.member("methods", self.methods)
        writer.member("events", self.events)
        writer.member("errors", self.errors)
        writer.member("error", self.error)
        writer.member("$defs", self.defs)
        writer.endObject()
    }

    public static var schemaName: String { "DescribeResult" }
    public static var description: String { "A description of the protocol." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("protocol", Int.self, "The protocol version, 1.")
        builder.member("methods", [MethodDescription].self, "All methods, or the requested one.")
        builder.member("events", [EventDescription].self, "All notifications.")
        builder.member("errors", [ErrorDescription].self, "All kinds of errors.")
        builder.member("error", JSONValue.self, "The JSON Schema of the `error` member of a response.")
        builder.member("$defs", JSONValue.self, "The definitions that `$ref` points to. Written as `$defs`.")
    }
}
