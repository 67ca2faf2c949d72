/// What a client calls its request (JSON-RPC 2.0, section 4): the answer carries the same.
public enum RequestID: Hashable, Sendable {
    case number(Int64)
    case text(String)
    /// Allowed by JSON-RPC, but of no use for telling answers apart. Also the id of an answer to what had none that
    /// could be read.
    case null
}

extension RequestID: WireValue {
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .number(let number): writer.int(number)
        case .text(let text): writer.string(text)
        case .null: writer.null()
        }
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        switch value {
        case .int(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .null: self = .null
        // JSON-RPC advises against fractions; a number that cannot be given back exactly is worse than a refusal.
        case .double: throw WireSchemaMismatch("must be a whole number of at most 63 bits, a text or null")
        default: throw WireSchemaMismatch("must be a number, a text or null, not \(value.kindName)")
        }
    }

    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        ["type": ["integer", "string", "null"]]
    }
}
