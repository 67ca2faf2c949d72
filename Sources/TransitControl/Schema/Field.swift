/// In what a number counts; shown in the schema as `x-unit` and in the description.
public enum WireUnit: String, Sendable {
    case seconds, milliseconds, meters, bytes, days, degrees, percent
}

/// One member of an object: its name on the wire, where it is kept, and what it means.
///
/// The description is the member's documentation: `describe` and transitd-protocol(7) show it, and the properties of
/// wire
/// types are not commented a second time.
///
/// The type itself asks nothing of the value, its initializer does. The runtime would search all conformances of the program
/// once for each kind of field, which was half of what a client did before it had an answer.
public struct Field<Root: Sendable, Value: Sendable>: Sendable {
    let column: WireSchemaColumn
    let notes: FieldMetadata
    /// Of its type, without the notes.
    let schema: @Sendable (inout SchemaBuilder) -> JSONObject
    /// The member's value in an object that was read.
    let read: @Sendable (JSONObject, WireRole) throws(WireSchemaMismatch) -> Value
}

extension Field where Value: WireValue {
    // The closures are made here, where the types are known to the compiler, and not where the fields are gone through
    // as a pack: an answer is written several times as fast. They hold as little as possible, since the protocol has
    // hundreds of members.
    /// - Parameters:
    ///   - name: ASCII that needs no escapes in JSON.
    ///   - property: A stored one.
    ///   - range: of a number, of the count of an array, or of the characters of a text. Checked in parameters only.
    ///   - fallback: what is meant when the member is left out.
    @inline(never)
    init(
        _ name: StaticString, _ property: KeyPath<Root, Value>, _ about: String, unit: WireUnit? = nil,
        in range: ClosedRange<Double>? = nil, default fallback: Value? = nil
    ) {
        let notes = FieldMetadata(
            name: "\(name)", about: about, unit: unit, range: range, fallback: fallback?.encoded,
            isOptional: Value.isOptional)
        guard let offset = MemoryLayout<Root>.offset(of: property) else {
            preconditionFailure("\(Root.self) does not store \(name)")
        }
        self.notes = notes
        column = WireSchemaColumn(name: name, offset: offset, of: Value.self)
        schema = Value.schema
        read = { (object, role) throws(WireSchemaMismatch) -> Value in
            let value = try notes.find(in: object, role)
            if case .null = value, let fallback { return fallback }
            do throws(WireSchemaMismatch) { return try Value(reading: value, as: role) } catch {
                throw error.inside(notes.name)
            }
        }
    }
}

/// What a field says about itself besides its type.
final class FieldMetadata: Sendable {
    let name: String
    let about: String
    let unit: WireUnit?
    let range: ClosedRange<Double>?
    /// As JSON; `nil` without one.
    let fallback: [UInt8]?
    let isOptional: Bool

    init(
        name: String, about: String, unit: WireUnit?, range: ClosedRange<Double>?, fallback: [UInt8]?, isOptional: Bool
    ) {
        self.name = name
        self.about = about
        self.unit = unit
        self.range = range
        self.fallback = fallback
        self.isOptional = isOptional
    }

    var isRequired: Bool { fallback == nil && !isOptional }

    /// What stands for the member when it is left out; `nil` when it must not be.
    var defaultValue: [UInt8]? { fallback ?? (isOptional ? JSONValue.null.encoded : nil) }

    /// The member's value; null for one that is absent and may be. Many clients write null for what they leave out.
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

    /// Refuses a value that is out of range.
    func check(_ value: JSONValue) throws(WireSchemaMismatch) {
        guard let range else { return }
        switch value {
        case .int(let number) where !range.contains(Double(number)):
            throw WireSchemaMismatch("must be \(Self.words(range)), not \(number)")
        case .double(let number) where !range.contains(number):
            throw WireSchemaMismatch("must be \(Self.words(range)), not \(number)")
        case .string(let text) where !range.contains(Double(text.unicodeScalars.count)):
            throw WireSchemaMismatch("must have \(Self.words(range)) characters, not \(text.unicodeScalars.count)")
        case .array(let elements) where !range.contains(Double(elements.count)):
            throw WireSchemaMismatch("must have \(Self.words(range)) elements, not \(elements.count)")
        default: break
        }
    }

    private static func words(_ range: ClosedRange<Double>) -> String {
        func word(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? String(bound) }
        return word(range.lowerBound) + " to " + word(range.upperBound)
    }
}

extension FieldMetadata {
    /// The schema of the member, from that of its type.
    func complete(_ type: JSONObject) -> JSONObject {
        var schema = type
        schema["description"] = .string(unit.map { "\(about) In \($0.rawValue)." } ?? about)
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
