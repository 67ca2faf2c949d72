/// The declaration of an object on the wire. Its encoding, decoding and JSON Schema all derive from it.
///
/// ```swift
/// static let wireSchema = WireSchema("Position", "A position on the Earth.", Self.init,
///     Field("lat", \.lat, "North is positive.", unit: .degrees, in: -90...90),
///     Field("lon", \.lon, "East is positive.", unit: .degrees, in: -180...180))
/// ```
/// The fields must be in the order of the initializer's parameters; the compiler checks their types.
public final class WireSchema<Root: Sendable>: Sendable {
    /// The properties of a field that decoding and the JSON Schema use.
    struct Member: Sendable {
        let metadata: FieldMetadata
        /// Returns the schema of the type, without the metadata.
        let schema: @Sendable (inout SchemaBuilder) -> JSONObject

        var name: String { metadata.name }
    }

    /// The name of the object in upper camel case, used as the key in `$defs`.
    public let name: String
    public let description: String
    let members: [Member]
    /// The properties of the same fields that encoding uses.
    private let columns: [MemberAccessor]
    let make: @Sendable (JSONObject, WireRole) throws(WireSchemaMismatch) -> Root

    public init<each Value: WireValue>(
        _ name: String, _ description: String, _ make: @escaping @Sendable (repeat each Value) -> Root,
        _ fields: repeat Field<Root, each Value>
    ) {
        self.name = name
        self.description = description
        var members: [Member] = []
        var columns: [MemberAccessor] = []
        for field in repeat each fields {
            members.append(Member(metadata: field.metadata, schema: field.schema))
            columns.append(field.column)
        }
        self.members = members
        self.columns = columns
        let fields = (repeat each fields)
        self.make = { (object, role) throws(WireSchemaMismatch) -> Root in
            make(repeat try (each fields).read(object, role))
        }
    }
}

extension WireSchema {
    func write(at root: UnsafePointer<Root>, to writer: inout JSONWriter) {
        writer.beginObject()
        for column in columns { column.write(of: root, to: &writer) }
        writer.endObject()
    }

    /// Writes the members that differ from their defaults.
    public func writeOmittingDefaults(at root: UnsafePointer<Root>, to writer: inout JSONWriter) {
        writer.beginObject()
        for (column, member) in zip(columns, members) where !column.isEqual(to: member.metadata.defaultValue, in: root)
        {
            column.write(of: root, to: &writer)
        }
        writer.endObject()
    }

    /// - Parameter formerNames: See ``WireObject/formerNames``.
    func read(
        _ value: JSONValue, as role: WireRole, formerNames: KeyValuePairs<String, String> = [:]
    ) throws(WireSchemaMismatch) -> Root {
        guard case .object(let object) = value else {
            throw WireSchemaMismatch("must be an object, not \(value.kindName)")
        }
        if role == .parameters {
            for member in object.members where !members.contains(where: { $0.name == member.name }) {
                throw unknown(member.name, formerNames)
            }
        }
        return try make(object, role)
    }

    private func unknown(_ name: String, _ formerNames: KeyValuePairs<String, String>) -> WireSchemaMismatch {
        let names = members.map(\.name)
        let hint: String
        if let present = formerNames.first(where: { $0.key == name })?.value {
            hint = "\"\(name)\" is now \"\(present)\"."
        } else if let close = Spelling.closest(to: name, among: names) {
            hint = "Did you mean \"\(close)\"?"
        } else if names.isEmpty {
            hint = "There are no parameters."
        } else {
            hint = "The parameters are \(names.joined(separator: ", "))."
        }
        return WireSchemaMismatch("is not a parameter", hint: hint).inside(String(name.prefix(40)))
    }

    public func schema(in builder: inout SchemaBuilder) -> JSONObject {
        var properties = JSONObject()
        for member in members {
            properties[member.name] = .object(member.metadata.complete(member.schema(&builder)))
        }
        var schema: JSONObject = [
            "type": "object", "description": .string(description), "properties": .object(properties),
        ]
        // The daemon always writes every member. A client can omit all members that are not required.
        let required = members.filter { builder.role == .result || $0.metadata.isRequired }.map {
            JSONValue.string($0.name)
        }
        if !required.isEmpty { schema["required"] = .array(required) }
        if builder.role == .parameters { schema["additionalProperties"] = false }
        return schema
    }
}

/// An object on the wire, declared by a ``WireSchema``.
public protocol WireObject: WireValue, Hashable {
    static var wireSchema: WireSchema<Self> { get }
    /// The member names of earlier releases with their present names, for the hints in error responses. The former
    /// names themselves are rejected.
    static var formerNames: KeyValuePairs<String, String> { get }
}

extension WireObject {
    public static var formerNames: KeyValuePairs<String, String> { [:] }
}

extension WireObject {
    public static func write(at value: UnsafePointer<Self>, to writer: inout JSONWriter) {
        wireSchema.write(at: value, to: &writer)
    }
    public func write(to writer: inout JSONWriter) {
        withUnsafePointer(to: self) { Self.write(at: $0, to: &writer) }
    }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        self = try Self.wireSchema.read(value, as: role, formerNames: Self.formerNames)
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { builder.object(wireSchema) }
}
