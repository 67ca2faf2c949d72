/// The identifier of a request, which the client chooses and the response repeats (JSON-RPC 2.0, section 4).
public enum RequestID: Hashable, Sendable {
    case number(Int64)
    case text(String)
    /// A null identifier. JSON-RPC allows it, although it does not distinguish responses. Responses to requests with an
    /// unreadable identifier also have it.
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
        // JSON-RPC advises against fractions, and not every double can be sent back exactly.
        case .double: throw WireSchemaMismatch("must be an integer of at most 63 bits, a string or null")
        default: throw WireSchemaMismatch("must be an integer, a string or null, not \(value.kindName)")
        }
    }

    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        ["type": ["integer", "string", "null"]]
    }
}
