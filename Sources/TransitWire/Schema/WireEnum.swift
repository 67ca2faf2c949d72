/// An enumeration that is written as a string. Raw values are ASCII without quotes and backslashes.
public protocol WireEnum: WireValue, Hashable, CaseIterable, RawRepresentable where RawValue == String {
    /// The case that represents an unknown value; `nil` if reading an unknown value fails.
    ///
    /// Enumerations in results have such a case, since a newer daemon can send more values. It is never written.
    static var unrecognized: Self? { get }
}

/// An enumeration in results, to which newer daemons can add values.
public protocol OpenWireEnum: WireEnum {
    /// A value that this version does not know.
    static var other: Self { get }
}

extension OpenWireEnum {
    public static var unrecognized: Self? { other }
}

extension WireEnum {
    public static var unrecognized: Self? { nil }

    public func write(to writer: inout JSONWriter) { writer.string(plain: rawValue) }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let text = try String(reading: value, as: role)
        if let known = Self(rawValue: text), role == .result || known != Self.unrecognized {
            self = known
        } else if let other = Self.unrecognized, role == .result {
            self = other
        } else {
            throw WireSchemaMismatch(
                "must be one of \(Self.knownValues.joined(separator: ", ")), not \"\(text.prefix(40))\"")
        }
    }

    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        ["type": "string", "enum": .array(knownValues.map { .string($0) })]
    }

    private static var knownValues: [String] { allCases.filter { $0 != unrecognized }.map(\.rawValue) }
}
