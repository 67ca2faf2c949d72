/// A type that can be written to JSON, read from JSON and described by a JSON Schema.
///
/// The protocol does not require copies, so that a generic function such as ``JSONWriter/value(at:)`` writes the elements
/// of an array in place: a copy of one departure would update 50 reference counts.
public protocol WireValue: ~Copyable, Sendable {
    func write(to writer: inout JSONWriter)
    /// Reads a value.
    ///
    /// - Throws: ``WireSchemaMismatch`` if the JSON does not match the schema.
    init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch)
    /// Returns the JSON Schema of the type.
    static func schema(in builder: inout SchemaBuilder) -> JSONObject
    /// Whether a member of this type can be omitted.
    static var isOptional: Bool { get }
}

extension WireValue {
    public static var isOptional: Bool { false }

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
    // One word, because the code that decodes messages has 800 calls that can throw this error.
    private indirect enum Content: Hashable {
        case mismatch(path: [String], problem: String, hint: String?)
    }
    private let content: Content

    public init(_ problem: String, hint: String? = nil) { self.init(path: [], problem, hint) }

    private init(path: [String], _ problem: String, _ hint: String?) {
        content = .mismatch(path: path, problem: problem, hint: hint)
    }

    /// The path to the value, from the outermost member inward. Array indexes are numbers.
    public var path: [String] {
        switch content {
        case .mismatch(let path, _, _): path
        }
    }
    /// The problem as the predicate of a sentence, such as "must be 1 to 100, not 0".
    public var problem: String {
        switch content {
        case .mismatch(_, let problem, _): problem
        }
    }
    /// A suggested correction.
    public var hint: String? {
        switch content {
        case .mismatch(_, _, let hint): hint
        }
    }

    /// The path as text, such as `position.lat`.
    public var place: String { path.joined(separator: ".") }

    public func inside(_ name: String) -> WireSchemaMismatch {
        WireSchemaMismatch(path: [name] + path, problem, hint)
    }
}
