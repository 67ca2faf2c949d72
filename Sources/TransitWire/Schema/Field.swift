/// The unit of a number. The schema shows it as `x-unit` and in the description.
public enum WireUnit: String, Sendable {
    case seconds, milliseconds, meters, bytes, days, degrees, percent
}

/// A member of an object: its name on the wire, the property that stores it, and its description.
///
/// The description is the member's documentation in `describe` and transitd-protocol(7). The properties of wire types
/// have no doc comments of their own.
///
/// Only the initializer constrains `Value`. A constraint on the type would make the runtime search all protocol
/// conformances of the program once for each kind of field, which took half of a client's time to its first result.
public struct Field<Root: Sendable, Value: Sendable>: Sendable {
    let column: MemberAccessor
    let metadata: FieldMetadata
    /// Returns the schema of the type, without the metadata.
    let schema: @Sendable (inout SchemaBuilder) -> JSONObject
    /// Reads the member from an object.
    let read: @Sendable (JSONObject, WireRole) throws(WireSchemaMismatch) -> Value
}

extension Field where Value: WireValue {
    // The closures are created here, where the compiler knows the types, rather than in the loop over the parameter
    // pack. This makes writing a result several times as fast. They capture as little as possible because the protocol
    // has hundreds of members.
    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The member's name, ASCII without characters that JSON escapes.
    ///   - property: A stored property.
    ///   - description: The member's documentation.
    ///   - unit: The unit of a number.
    ///   - range: The allowed range of a number, of an array's count, or of a string's length in characters. Checked in
    ///     parameters only.
    ///   - fallback: The value of an omitted member.
    @inline(never)
    public init(
        _ name: StaticString, _ property: KeyPath<Root, Value>, _ description: String, unit: WireUnit? = nil,
        in range: ClosedRange<Double>? = nil, default fallback: Value? = nil
    ) {
        let metadata = FieldMetadata(
            name: "\(name)", description: description, unit: unit, range: range, fallback: fallback?.encoded,
            isOptional: Value.isOptional)
        guard let offset = MemoryLayout<Root>.offset(of: property) else {
            preconditionFailure("\(Root.self) does not store \(name)")
        }
        self.metadata = metadata
        column = MemberAccessor(name: name, offset: offset, of: Value.self)
        schema = Value.schema
        read = { (object, role) throws(WireSchemaMismatch) -> Value in
            let value = try metadata.find(in: object, role)
            if case .null = value, let fallback { return fallback }
            do throws(WireSchemaMismatch) { return try Value(reading: value, as: role) } catch {
                throw error.inside(metadata.name)
            }
        }
    }
}

/// The properties of a field that do not follow from its type.
final class FieldMetadata: Sendable {
    let name: String
    let description: String
    let unit: WireUnit?
    let range: ClosedRange<Double>?
    /// The default value as JSON; `nil` when there is none.
    let fallback: [UInt8]?
    let isOptional: Bool

    public init(
        name: String, description: String, unit: WireUnit?, range: ClosedRange<Double>?, fallback: [UInt8]?,
        isOptional: Bool
    ) {
        self.name = name
        self.description = description
        self.unit = unit
        self.range = range
        self.fallback = fallback
        self.isOptional = isOptional
    }

    var isRequired: Bool { fallback == nil && !isOptional }

    /// The JSON value of an omitted member; `nil` for a required member.
    var defaultValue: [UInt8]? { fallback ?? (isOptional ? JSONValue.null.encoded : nil) }

    /// Returns the member's value, or null for an omitted optional member. Many clients send null instead of omitting a
    /// member, so both are equivalent.
    func find(in object: JSONObject, _ role: WireRole) throws(WireSchemaMismatch) -> JSONValue {
        guard let value = object[name] else {
            if isRequired { throw WireSchemaMismatch("is missing").inside(name) }
            return .null
        }
        if role == .parameters {
            do throws(WireSchemaMismatch) { try check(value) } catch { throw error.inside(name) }
        }
        return value
    }

    /// Throws if a value is out of range.
    func check(_ value: JSONValue) throws(WireSchemaMismatch) {
        guard let range else { return }
        switch value {
        case .int(let number) where !range.contains(Double(number)):
            throw WireSchemaMismatch("must be \(Self.text(range)), not \(number)")
        case .double(let number) where !range.contains(number):
            throw WireSchemaMismatch("must be \(Self.text(range)), not \(number)")
        case .string(let text) where !range.contains(Double(text.unicodeScalars.count)):
            throw WireSchemaMismatch("must have \(Self.text(range)) characters, not \(text.unicodeScalars.count)")
        case .array(let elements) where !range.contains(Double(elements.count)):
            throw WireSchemaMismatch("must have \(Self.text(range)) elements, not \(elements.count)")
        default: break
        }
    }

    private static func text(_ range: ClosedRange<Double>) -> String {
        func text(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? String(bound) }
        return text(range.lowerBound) + " to " + text(range.upperBound)
    }
}

extension FieldMetadata {
    /// Returns the schema of the member, given the schema of its type.
    func complete(_ type: JSONObject) -> JSONObject {
        var schema = type
        schema["description"] = .string(unit.map { "\(description) In \($0.rawValue)." } ?? description)
        if let unit { schema["x-unit"] = .string(unit.rawValue) }
        if let range { addRange(range, to: &schema) }
        if let fallback, let value = try? JSONValue(parsing: fallback) { schema["default"] = value }
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
