/// A value with a form on the wire: written, read, and described by a JSON Schema, all three by the same type.
public protocol WireValue: Sendable {
    func write(to writer: inout JSONWriter)
    /// The same for a value where it lies: what is large need not be copied for it.
    static func write(at value: UnsafePointer<Self>, to writer: inout JSONWriter)
    /// Reads the value, or says what is wrong with it.
    init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch)
    /// The JSON Schema (draft 2020-12) of its form.
    static func schema(in builder: inout SchemaBuilder) -> JSONObject
    /// Whether a member of this type may be left out.
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

/// On which side of a conversation a value stands.
public enum WireRole: Sendable {
    /// From a client: unknown members and values out of range are refused before any effect.
    case parameters
    /// From the daemon: unknown members are ignored, since a newer daemon may say more.
    case result
}

/// Why a value does not have the form that is asked for.
public struct WireSchemaMismatch: Error, Hashable, Sendable {
    /// From the outermost member inwards; array positions as numbers.
    public var path: [String]
    /// "must be 1...100, not 0".
    public var problem: String
    /// What to write instead, when that can be said.
    public var hint: String?

    public init(_ problem: String, hint: String? = nil) {
        path = []
        self.problem = problem
        self.hint = hint
    }

    /// `position.lat`.
    public var place: String { path.joined(separator: ".") }

    func inside(_ name: String) -> WireSchemaMismatch {
        var outer = self
        outer.path.insert(name, at: 0)
        return outer
    }
}

/// Collects the schemas of named objects while the schema of something is built.
public struct SchemaBuilder: Sendable {
    public let role: WireRole
    /// The schemas of the objects met, by name; only in ``WireRole/result``. Parameters are described in place.
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
