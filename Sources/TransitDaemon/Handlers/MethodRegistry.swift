internal import TransitControl

/// The handler of every method, except those that the server handles itself: `cancel`, `subscribe` and `unsubscribe`.
struct MethodRegistry: Sendable {
    /// The methods by their names, with the alias ``ControlProtocol/discoveryMethod``.
    let methods: [String: any RegisteredMethod]

    init(_ all: [any RegisteredMethod]) {
        var methods = Dictionary(uniqueKeysWithValues: all.map { ($0.method.rawValue, $0) })
        methods[ControlProtocol.discoveryMethod] = methods[ControlMethod.describe.rawValue]
        self.methods = methods
    }

    /// Creates a request to a registered method.
    func request<Parameters: ControlParameters>(_ parameters: Parameters) -> ControlRequest {
        guard let method = methods[Parameters.method.rawValue] as? MethodRegistration<Parameters> else {
            preconditionFailure("\(Parameters.method.rawValue) has no handler")
        }
        return method.request(parsed: parameters)
    }
}
