public import TransitModel
public import TransitWire

extension Identifier: WireValue {
    public func write(to writer: inout JSONWriter) { writer.string(rawValue) }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        self.init(try String(reading: value, as: role))
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { ["type": "string"] }
}

/// A date such as `2026-03-28`.
extension ServiceDate: WireValue {
    public func write(to writer: inout JSONWriter) {
        writer.asciiString(upTo: 10) { put(at: $0) }
    }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let text = try String(reading: value, as: role)
        guard let date = ServiceDate(iso8601: text) else {
            throw WireSchemaMismatch("must be a date such as 2026-03-28, not \"\(text.prefix(40))\"")
        }
        self = date
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { ["type": "string", "format": "date"] }
}
