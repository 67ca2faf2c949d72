/// A type that can be written to JSON, read from JSON and described by a JSON Schema.
public protocol WireValue: Sendable {
    func write(to writer: inout JSONWriter)
    /// Writes a value in place, without copying it.
    static func write(at value: UnsafePointer<Self>, to writer: inout JSONWriter)
    /// Reads a value.
    ///
    /// - Throws: ``WireSchemaMismatch`` if the JSON does not match the schema.
    init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch)
    /// Returns the JSON Schema (draft 2020-12) of the type.
    static func schema(in builder: inout SchemaBuilder) -> JSONObject
    /// Whether a member of this type can be omitted.
    static var isOptional: Bool { get }
}

extension WireValue {
    public static var isOptional: Bool { false }

    public static func write(at value: UnsafePointer<Self>, to writer: inout JSONWriter) {
        value.pointee.write(to: &writer)
    }

    /// The value as compact JSON, without a line break.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

/// The role of a value in a message, which determines how strictly it is read.
public enum WireRole: Sendable {
    /// Parameters from a client. Unknown members and out-of-range values are errors, and are detected before the
    /// request has any effect.
    case parameters
    /// A result from the daemon. Unknown members are ignored, since a newer daemon can send more.
    case result
}

/// The error for JSON that does not match the schema of its type.
public struct WireSchemaMismatch: Error, Hashable, Sendable {
    /// The path to the value, from the outermost member inward. Array indexes are numbers.
    public var path: [String]
    /// The problem as the predicate of a sentence, such as "must be 1 to 100, not 0".
    public var problem: String
    /// A suggested correction.
    public var hint: String?

    public init(_ problem: String, hint: String? = nil) {
        path = []
        self.problem = problem
        self.hint = hint
    }

    /// The path as text, such as `position.lat`.
    public var place: String { path.joined(separator: ".") }

    public func inside(_ name: String) -> WireSchemaMismatch {
        var outer = self
        outer.path.insert(name, at: 0)
        return outer
    }
}

/// Builds JSON Schemas and collects the definitions of the objects that they refer to.
public struct SchemaBuilder: Sendable {
    public let role: WireRole
    /// The schemas of the objects by name. They are collected for ``WireRole/result`` only; the schemas of parameters are
    /// inline.
    public private(set) var definitions = JSONObject()

    public init(role: WireRole) { self.role = role }

    mutating func object<Root>(_ wireSchema: WireSchema<Root>) -> JSONObject {
        guard role == .result else { return wireSchema.schema(in: &self) }
        if definitions[wireSchema.name] == nil {
            definitions[wireSchema.name] = .object(JSONObject())
            definitions[wireSchema.name] = .object(wireSchema.schema(in: &self))
        }
        return ["$ref": .string("#/$defs/" + wireSchema.name)]
    }
}
