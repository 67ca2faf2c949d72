/// In what a number counts; shown in the schema as `x-unit` and in the description.
public enum WireUnit: String, Sendable {
    case seconds, metres, bytes, days, degrees
}

/// One member of an object: its name on the wire, where it is kept, and what it means.
///
/// The description is the member's documentation: `describe` and transitd-protocol(7) show it, and the properties of
/// wire
/// types are not commented a second time.
public struct Field<Root: Sendable, Value: WireValue>: Sendable {
    let name: String
    let get: @Sendable (Root) -> Value
    let about: String
    let unit: WireUnit?
    let range: ClosedRange<Double>?
    let fallback: Value?

    /// - Parameters:
    ///   - range: of a number, of the count of an array, or of the characters of a text. Checked in parameters only.
    ///   - fallback: what is meant when the member is left out.
    init(
        _ name: String, _ get: @escaping @Sendable (Root) -> Value, _ about: String, unit: WireUnit? = nil,
        in range: ClosedRange<Double>? = nil, default fallback: Value? = nil
    ) {
        self.name = name
        self.get = get
        self.about = about
        self.unit = unit
        self.range = range
        self.fallback = fallback
    }

    var isRequired: Bool { fallback == nil && !Value.isOptional }

    /// The member's value in an object that was read.
    func read(_ object: JSONObject, as role: WireRole) throws(ShapeMismatch) -> Value {
        do {
            guard let value = object[name] else { return try absent(as: role) }
            // Many clients write null for what they leave out.
            if case .null = value, let fallback { return fallback }
            if role == .parameters { try check(value) }
            return try Value(reading: value, as: role)
        } catch {
            throw error.inside(name)
        }
    }

    private func absent(as role: WireRole) throws(ShapeMismatch) -> Value {
        if let fallback { return fallback }
        guard Value.isOptional else { throw ShapeMismatch("is missing") }
        return try Value(reading: .null, as: role)
    }

    private func check(_ value: JSONValue) throws(ShapeMismatch) {
        guard let range else { return }
        switch value {
        case .int(let number) where !range.contains(Double(number)):
            throw ShapeMismatch("must be \(Self.words(range)), not \(number)")
        case .double(let number) where !range.contains(number):
            throw ShapeMismatch("must be \(Self.words(range)), not \(number)")
        case .string(let text) where !range.contains(Double(text.unicodeScalars.count)):
            throw ShapeMismatch("must have \(Self.words(range)) characters, not \(text.unicodeScalars.count)")
        case .array(let elements) where !range.contains(Double(elements.count)):
            throw ShapeMismatch("must have \(Self.words(range)) elements, not \(elements.count)")
        default: break
        }
    }

    private static func words(_ range: ClosedRange<Double>) -> String {
        func word(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? String(bound) }
        return word(range.lowerBound) + " to " + word(range.upperBound)
    }
}

extension Field {
    /// The schema of the member.
    func schema(in builder: inout SchemaBuilder) -> JSONObject {
        var schema = Value.schema(in: &builder)
        schema["description"] = .string(unit.map { "\(about) In \($0.rawValue)." } ?? about)
        if let unit { schema["x-unit"] = .string(unit.rawValue) }
        if let range { addRange(range, to: &schema) }
        if let fallback, let value = try? JSONValue(parsing: fallback.encoded) { schema["default"] = value }
        return schema
    }

    private func addRange(_ range: ClosedRange<Double>, to schema: inout JSONObject) {
        let (low, high) = (Self.bound(range.lowerBound), Self.bound(range.upperBound))
        let type = if case .array(let types)? = schema["type"] { types.first } else { schema["type"] }
        let suffix: (String, String)
        switch type?.text {
        case "string": suffix = ("minLength", "maxLength")
        case "array": suffix = ("minItems", "maxItems")
        default: suffix = ("minimum", "maximum")
        }
        schema[suffix.0] = low
        schema[suffix.1] = high
    }

    private static func bound(_ value: Double) -> JSONValue { Int64(exactly: value).map { .int($0) } ?? .double(value) }
}
