/// A closed choice, written as one of a few words, which are plain ASCII without quotes and backslashes.
public protocol WireEnum: WireValue, Hashable, CaseIterable, RawRepresentable where RawValue == String {
    /// What a reader makes of a word that it does not know; `nil` when such a word is refused.
    ///
    /// Results have one, since a newer daemon may know more words; it is never written.
    static var unrecognized: Self? { get }
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
            throw WireSchemaMismatch("must be one of \(Self.words.joined(separator: ", ")), not \"\(text.prefix(40))\"")
        }
    }

    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    private static var words: [String] { allCases.filter { $0 != unrecognized }.map(\.rawValue) }
}
