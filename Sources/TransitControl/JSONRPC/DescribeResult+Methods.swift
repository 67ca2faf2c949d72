internal import TransitWire

extension DescribeResult {
    /// Describes the protocol, or a single method, from the types that the daemon and the client use.
    public init(of method: ControlMethod? = nil) {
        var builder = SchemaBuilder(role: .result)
        let methods = (method.map { [$0] } ?? ControlMethod.allCases).map { MethodDescription($0, in: &builder) }
        let events = [
            EventDescription(ProgressNotification.name, ProgressNotification.self, in: &builder),
            EventDescription(EventNotification.name, EventNotification.self, in: &builder),
            EventDescription(HeartbeatNotification.name, HeartbeatNotification.self, in: &builder),
            EventDescription(LaggedNotification.name, LaggedNotification.self, in: &builder),
        ]
        let errors = ErrorKind.all.map { entry in
            ErrorDescription(
                kind: entry.rawValue, code: entry.code, retryable: entry.isRetryable, summary: entry.summary)
        }
        let error = ControlError.schema(in: &builder)
        self.init(
            protocol: ControlMethod.protocolVersion, methods: methods, events: events, errors: errors,
            error: .object(error), defs: .object(builder.definitions))
    }
}

extension MethodDescription {
    fileprivate init(_ method: ControlMethod, in builder: inout SchemaBuilder) {
        self.init(
            name: method.rawValue, summary: method.summary, isLongRunning: method.isLongRunning,
            params: .object(Self.parameters(of: method.call)), result: .object(Self.result(of: method.call, &builder)))
    }

    private static func parameters<Call: ControlParameters>(of call: Call.Type) -> JSONObject {
        var builder = SchemaBuilder(role: .parameters)
        return Call.schema(in: &builder)
    }

    private static func result<Call: ControlParameters>(of call: Call.Type, _ builder: inout SchemaBuilder)
        -> JSONObject
    {
        Call.Reply.schema(in: &builder)
    }
}

extension EventDescription {
    fileprivate init<Root: WireObject>(_ name: String, _ type: Root.Type, in builder: inout SchemaBuilder) {
        self.init(name: name, summary: type.description, params: .object(builder.object(type)))
    }
}
