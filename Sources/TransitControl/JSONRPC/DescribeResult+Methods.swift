internal import TransitWire

extension DescribeResult {
    /// Describes the protocol, or a single method, from the types that the daemon and the client use.
    public init(of method: ControlMethod? = nil) {
        var builder = SchemaBuilder(role: .result)
        let methods = (method.map { [$0] } ?? ControlMethod.allCases).map { MethodDescription($0, in: &builder) }
        let events = [
            EventDescription(ProgressNotification.name, ProgressNotification.self, in: &builder),
            EventDescription(TopicUpdate.name, TopicUpdate.self, in: &builder),
            EventDescription(HeartbeatNotification.name, HeartbeatNotification.self, in: &builder),
            EventDescription(LaggedNotification.name, LaggedNotification.self, in: &builder),
        ]
        var schemas = builder.definitions
        var error = ControlError.schema(in: &builder)
        error["description"] = "The `error` member of a response."
        schemas["Error"] = .object(error)
        var errors = JSONObject()
        for entry in ErrorKind.all {
            errors[entry.rawValue] = [
                "code": .int(Int64(entry.code)), "message": .string(entry.summary),
                "data": ["kind": .string(entry.rawValue), "retryable": .bool(entry.isRetryable)],
            ]
        }
        self.init(
            info: DescribeInfo(
                title: "transitd", version: String(ControlMethod.protocolVersion),
                description: "JSON-RPC 2.0 over a Unix stream socket, one message per line; see transitd-protocol(7)."),
            methods: methods, components: DescribeComponents(schemas: .object(schemas), errors: .object(errors)),
            events: events)
    }
}

extension MethodDescription {
    fileprivate init(_ method: ControlMethod, in builder: inout SchemaBuilder) {
        self = Self.describe(method, method.call, &builder)
    }

    private static func describe<Call: ControlParameters>(
        _ method: ControlMethod, _ call: Call.Type, _ builder: inout SchemaBuilder
    ) -> MethodDescription {
        var parameters = SchemaBuilder(role: .parameters)
        return MethodDescription(
            name: method.rawValue, summary: method.summary,
            params: ContentDescriptor.members(of: parameters.object(call)),
            result: ContentDescriptor(
                name: "result", description: Call.Reply.description, required: true,
                schema: .object(Call.Reply.schema(in: &builder))),
            isLongRunning: method.isLongRunning)
    }
}

extension EventDescription {
    fileprivate init<Root: WireObject>(_ name: String, _ type: Root.Type, in builder: inout SchemaBuilder) {
        self.init(
            name: name, summary: type.description, params: ContentDescriptor.members(of: builder.object(type)))
    }
}

extension ContentDescriptor {
    /// Describes the members of an object, given its schema.
    fileprivate static func members(of schema: JSONObject) -> [ContentDescriptor] {
        guard case .object(let properties)? = schema["properties"] else { return [] }
        var required: [JSONValue] = []
        if case .array(let names)? = schema["required"] { required = names }
        return properties.members.map { member in
            guard case .object(var schema) = member.value else {
                return ContentDescriptor(name: member.name, description: "", required: false, schema: member.value)
            }
            let description = schema["description"]?.text ?? ""
            schema["description"] = nil
            return ContentDescriptor(
                name: member.name, description: description, required: required.contains(.string(member.name)),
                schema: .object(schema))
        }
    }
}
