/// The one declaration of an object on the wire, from which come its encoding, its decoding and its JSON Schema.
///
/// ```swift
/// static let shape = Shape("Position", "A place on the Earth.", Self.init,
///     Field("lat", \.lat, "North is positive.", unit: .degrees, in: -90...90),
///     Field("lon", \.lon, "East is positive.", unit: .degrees, in: -180...180))
/// ```
/// The fields stand in the order of the initializer's parameters; the compiler holds them to it.
public final class WireSchema<Root: Sendable>: Sendable {
    /// What reading and describing need of a field.
    struct Member: Sendable {
        let notes: FieldMetadata
        /// Of its type, without the notes.
        let schema: @Sendable (inout SchemaBuilder) -> JSONObject

        var name: String { notes.name }
    }

    /// Upper camel case; the key in `$defs`.
    public let name: String
    public let about: String
    let members: [Member]
    /// What writing needs of the same fields.
    private let columns: [WireSchemaColumn]
    let make: @Sendable (JSONObject, WireRole) throws(WireSchemaMismatch) -> Root

    init<each Value: WireValue>(
        _ name: String, _ about: String, _ make: @escaping @Sendable (repeat each Value) -> Root,
        _ fields: repeat Field<Root, each Value>
    ) {
        self.name = name
        self.about = about
        var members: [Member] = []
        var columns: [WireSchemaColumn] = []
        for field in repeat each fields {
            members.append(Member(notes: field.notes, schema: field.schema))
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

    /// Leaves out what a reader takes for granted.
    func writeOmittingDefaults(at root: UnsafePointer<Root>, to writer: inout JSONWriter) {
        writer.beginObject()
        for (column, member) in zip(columns, members) where !column.holds(member.notes.defaultValue, in: root) {
            column.write(of: root, to: &writer)
        }
        writer.endObject()
    }

    func read(_ value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) -> Root {
        guard case .object(let object) = value else {
            throw WireSchemaMismatch("must be an object, not \(value.kindName)")
        }
        if role == .parameters {
            for member in object.members where !members.contains(where: { $0.name == member.name }) {
                throw unknown(member.name)
            }
        }
        return try make(object, role)
    }

    private func unknown(_ name: String) -> WireSchemaMismatch {
        let names = members.map(\.name)
        let hint: String
        if let former = FormerNames.hint(parameter: name, of: self.name) {
            hint = former
        } else if let close = Spelling.closest(to: name, among: names) {
            hint = "Did you mean \"\(close)\"?"
        } else if names.isEmpty {
            hint = "No parameters are taken here."
        } else {
            hint = "Known are \(names.joined(separator: ", "))."
        }
        return WireSchemaMismatch("is not a parameter", hint: hint).inside(String(name.prefix(40)))
    }

    func schema(in builder: inout SchemaBuilder) -> JSONObject {
        var properties = JSONObject()
        for member in members {
            properties[member.name] = .object(member.notes.complete(member.schema(&builder)))
        }
        var schema: JSONObject = [
            "type": "object", "description": .string(about), "properties": .object(properties),
        ]
        // The daemon always writes every member; a client writes those that it must.
        let required = members.filter { builder.role == .result || $0.notes.isRequired }.map {
            JSONValue.string($0.name)
        }
        if !required.isEmpty { schema["required"] = .array(required) }
        if builder.role == .parameters { schema["additionalProperties"] = false }
        return schema
    }
}

/// An object with a ``Shape``.
public protocol WireObject: WireValue, Hashable {
    static var wireSchema: WireSchema<Self> { get }
}

extension WireObject {
    public static func write(at value: UnsafePointer<Self>, to writer: inout JSONWriter) {
        wireSchema.write(at: value, to: &writer)
    }
    public func write(to writer: inout JSONWriter) {
        withUnsafePointer(to: self) { Self.write(at: $0, to: &writer) }
    }
    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        self = try Self.wireSchema.read(value, as: role)
    }
    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { builder.object(wireSchema) }
}
