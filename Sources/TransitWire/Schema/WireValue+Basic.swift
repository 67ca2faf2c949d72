extension Bool: WireValue {
    public func write(to writer: inout JSONWriter) { writer.bool(self) }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        guard case .bool(let flag) = value else {
            throw WireSchemaMismatch("must be true or false, not \(value.kindName)")
        }
        self = flag
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { ["type": "boolean"] }
}

extension Int: WireValue {
    public func write(to writer: inout JSONWriter) { writer.int(Int64(self)) }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        switch value {
        case .int(let number): self = Int(number)
        case .double(let number):
            guard let whole = Int(exactly: number) else {
                throw WireSchemaMismatch("must be a whole number, not \(number)")
            }
            self = whole
        default: throw WireSchemaMismatch("must be a whole number, not \(value.kindName)")
        }
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { ["type": "integer"] }
}

extension Double: WireValue {
    public func write(to writer: inout JSONWriter) { writer.double(self) }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        switch value {
        case .int(let number): self = Double(number)
        case .double(let number): self = number
        default: throw WireSchemaMismatch("must be a number, not \(value.kindName)")
        }
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { ["type": "number"] }
}

extension String: WireValue {
    public func write(to writer: inout JSONWriter) { writer.string(self) }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        guard case .string(let text) = value else {
            throw WireSchemaMismatch("must be a string, not \(value.kindName)")
        }
        // No valid name contains NUL, and C interfaces would treat it as the end of the string.
        if role == .parameters, text.utf8.contains(0) { throw WireSchemaMismatch("must not contain a NUL character") }
        self = text
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { ["type": "string"] }
}

extension Optional: WireValue where Wrapped: WireValue {
    public func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        if case .null = value { self = nil } else { self = try Wrapped(reading: value, as: role) }
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        var schema = Wrapped.schema(in: &builder)
        guard case .string(let type)? = schema["type"], schema["enum"] == nil else {
            return ["anyOf": .array([.object(schema), ["type": "null"]])]
        }
        schema["type"] = .array([.string(type), "null"])
        return schema
    }
    public static var isOptional: Bool { true }
}

extension Array: WireValue where Element: WireValue {
    public func write(to writer: inout JSONWriter) {
        writer.beginArray()
        withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return }
            for position in elements.indices { writer.value(at: first + position) }
        }
        writer.endArray()
    }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        guard case .array(let elements) = value else {
            throw WireSchemaMismatch("must be an array, not \(value.kindName)")
        }
        self = []
        reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            do { append(try Element(reading: element, as: role)) } catch { throw error.inside(String(position)) }
        }
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        ["type": "array", "items": .object(Element.schema(in: &builder))]
    }
}

/// Any JSON value, for members with a format of their own, such as a JSON Schema.
extension JSONValue: WireValue {
    public func write(to writer: inout JSONWriter) { writer.value(self) }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) { self = value }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { [:] }
}
