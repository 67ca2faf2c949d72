/// Builds JSON Schemas and collects the definitions of the objects that they refer to. The schemas are valid in draft 7,
/// which OpenRPC uses, and in draft 2020-12.
public struct SchemaBuilder: Sendable {
    public let role: WireRole
    /// The schemas of the objects by name. They are collected for ``WireRole/result`` only; the schemas of parameters are
    /// inline.
    public private(set) var definitions = JSONObject()
    /// The schemas of the members of the object that is being described.
    private var properties: [JSONObject.Member] = []
    private var required: [JSONValue] = []
    /// Whether only the names of the members are wanted.
    private var omitsSchemas = false

    public init(role: WireRole) { self.role = role }

    /// Returns the names of an object's members in order.
    public static func memberNames(of type: (some WireObject).Type) -> [String] {
        var builder = SchemaBuilder(role: .parameters)
        builder.omitsSchemas = true
        type.describeMembers(to: &builder)
        return builder.properties.map(\.name)
    }

    /// Returns the schema of an object, or a reference to it in ``definitions``.
    mutating func reference<Root: WireObject>(to type: Root.Type) -> JSONObject {
        guard role == .result else { return object(type) }
        if definitions[type.schemaName] == nil {
            definitions[type.schemaName] = .object(JSONObject())
            definitions[type.schemaName] = .object(object(type))
        }
        return ["$ref": .string(Self.referencePrefix + type.schemaName)]
    }

    /// The beginning of a reference to a definition. A document that contains the schemas has the definitions there.
    public static let referencePrefix = "#/components/schemas/"

    /// Returns the schema of an object.
    public mutating func object<Root: WireObject>(_ type: Root.Type) -> JSONObject {
        let outer = (properties, required)
        defer { (properties, required) = outer }
        (properties, required) = ([], [])
        type.describeMembers(to: &self)
        var schema: JSONObject = [
            "type": "object", "description": .string(type.description),
            "properties": .object(JSONObject(unique: properties)),
        ]
        if !required.isEmpty { schema["required"] = .array(required) }
        if role == .parameters { schema["additionalProperties"] = false }
        return schema
    }

    /// Adds a member. The daemon always writes every member. A client can omit optional members, and those that have a
    /// default.
    @inline(never)
    public mutating func member<Value: WireValue>(_ name: String, _ type: Value.Type, _ description: String) {
        add(name, type, description, nil, nil, nil)
    }

    @inline(never)
    public mutating func member<Value: WireValue>(_ name: String, _ type: Value?.Type, _ description: String) {
        add(name, type, description, nil, nil, nil)
    }

    @inline(never)
    public mutating func member<Value: WireValue>(_ name: String, _ type: [Value].Type, _ description: String) {
        add(name, type, description, nil, nil, nil)
    }

    @inline(never)
    public mutating func member<Value: WireValue>(
        _ name: String, _ type: Value.Type, _ description: String, unit: WireUnit? = nil,
        in range: ClosedRange<Double>? = nil, default fallback: Value? = nil
    ) {
        add(name, type, description, unit, range, fallback?.encoded)
    }

    private mutating func add(
        _ name: String, _ type: any WireValue.Type, _ description: String, _ unit: WireUnit?,
        _ range: ClosedRange<Double>?, _ fallback: [UInt8]?
    ) {
        guard !omitsSchemas else { return properties.append(JSONObject.Member(name: name, value: .null)) }
        var schema = type.schema(in: &self)
        schema.describe(description, unit, range)
        if let fallback, let value = try? JSONValue(parsing: fallback) { schema["default"] = value }
        properties.append(JSONObject.Member(name: name, value: .object(schema)))
        if role == .result || fallback == nil && !type.isOptional { required.append(.string(name)) }
    }
}

extension JSONObject {
    /// Adds the documentation of a member to the schema of its type.
    fileprivate mutating func describe(_ description: String, _ unit: WireUnit?, _ range: ClosedRange<Double>?) {
        self["description"] = .string(unit.map { "\(description) In \($0.rawValue)." } ?? description)
        if let unit { self["x-unit"] = .string(unit.rawValue) }
        guard let range else { return }
        let type = if case .array(let types)? = self["type"] { types.first } else { self["type"] }
        let suffix: (String, String)
        switch type?.text {
        case "string": suffix = ("minLength", "maxLength")
        case "array": suffix = ("minItems", "maxItems")
        default: suffix = ("minimum", "maximum")
        }
        self[suffix.0] = Self.bound(range.lowerBound)
        self[suffix.1] = Self.bound(range.upperBound)
    }

    private static func bound(_ value: Double) -> JSONValue { Int64(exactly: value).map { .int($0) } ?? .double(value) }
}
