/// An object on the wire: a plain structure whose stored properties are the members.
///
/// ```swift
/// /// Lists the stops near a place.
/// public struct StopsNearParameters: ControlParameters {
///     /// The search radius.
///     /// - Unit: meters
///     /// - Range: 1...20000
///     public var radius: Int?
///     /// The maximum number of stops.
///     /// - Range: 1...100
///     public var count: Int = 10
/// }
/// ```
/// This declaration is the only definition of the object. `transit-wire-generator` reads it and writes the public
/// initializer, the encoding, the decoding and the list of members to `Generated/` (`make generate`). It understands only
/// what is listed here:
///
/// - The doc comment of the structure and of each property is the documentation in `describe` and transitd-protocol(7).
///   It is one paragraph.
/// - The name of a member is that of its property in snake case, or follows `- Name:`.
/// - `- Unit:` is a ``WireUnit``. It is added to the documentation.
/// - `- Range:` is the allowed range of a number, of an array's count, or of a string's length in characters. It is checked
///   in parameters only.
/// - The value of a property is the default of the initializer's parameter and of an omitted member. Optional properties
///   have the default `nil`.
/// - Other than stored properties, a structure has only type aliases and static constants of one line. Computed
///   properties and other initializers are in extensions.
public protocol WireObject: WireValue, Hashable {
    /// The name of the object, used as the key of its JSON Schema.
    static var schemaName: String { get }
    /// The documentation of the object.
    static var description: String { get }
    /// Describes the members in order.
    static func describeMembers(to builder: inout SchemaBuilder)
    /// The names of the members in order. Parameters store them, because each request is checked for unknown members.
    static var memberNames: [String] { get }
    /// The member names of earlier releases with their present names, for the hints in error responses. The former
    /// names themselves are rejected.
    static var formerNames: KeyValuePairs<String, String> { get }
}

extension WireObject {
    public static var formerNames: KeyValuePairs<String, String> { [:] }

    public static var memberNames: [String] { SchemaBuilder.memberNames(of: Self.self) }

    public static func schema(in builder: inout SchemaBuilder) -> JSONObject { builder.reference(to: Self.self) }
}

/// The unit of a number. The schema shows it as `x-unit` and in the description.
public enum WireUnit: String, Sendable {
    case seconds, milliseconds, meters, centimeters, millimeters, bytes, days, degrees, percent
}

/// The members of an object that is being read, in the order of its properties.
///
/// The generated code calls these functions 800 times, so they are a class's, are not inlined and take few arguments.
public final class WireMembers {
    private let members: [JSONObject.Member]
    private let role: WireRole
    /// The position after the member that was read last. Messages usually have their members in order.
    private var position = 0

    private init(_ members: [JSONObject.Member], _ role: WireRole) {
        self.members = members
        self.role = role
    }

    /// Returns the members of an object.
    ///
    /// - Throws: ``WireSchemaMismatch`` if the value is not an object or, in parameters, has an unknown member.
    @inline(never)
    public static func of<Root: WireObject>(
        _ type: Root.Type, in value: JSONValue, as role: WireRole
    ) throws(WireSchemaMismatch) -> WireMembers {
        guard case .object(let object) = value else {
            throw WireSchemaMismatch("must be an object, not \(value.kindName)")
        }
        if role == .parameters, !object.members.isEmpty {
            let names = type.memberNames
            if let unknown = object.members.first(where: { !names.contains($0.name) }) {
                throw Self.unknown(unknown.name, names, type.formerNames)
            }
        }
        return WireMembers(object.members, role)
    }

    /// Reads a required member.
    @inline(never)
    public func required<Value: WireValue>(_ name: String) throws(WireSchemaMismatch) -> Value {
        try required(name, in: nil)
    }

    /// Reads a required member that has a range.
    @inline(never)
    public func required<Value: WireValue>(
        _ name: String, in range: ClosedRange<Double>?
    ) throws(WireSchemaMismatch) -> Value {
        guard let value = find(name) else { throw WireSchemaMismatch("is missing").inside(name) }
        return try read(value, name, range)
    }

    /// Reads an array.
    @inline(never)
    public func array<Value: WireValue>(_ name: String) throws(WireSchemaMismatch) -> [Value] {
        try required(name, in: nil)
    }

    /// Reads an optional member. Many clients send null instead of omitting a member, so both are equivalent.
    @inline(never)
    public func optional<Value: WireValue>(_ name: String) throws(WireSchemaMismatch) -> Value? {
        try optional(name, in: nil)
    }

    /// Reads an optional text that has a range. Most parameters are texts or whole numbers, which are read faster
    /// without generics.
    @inline(never)
    public func optional(_ name: String, in range: ClosedRange<Double>?) throws(WireSchemaMismatch) -> String? {
        guard let value = find(name), value != .null else { return nil }
        return try read(value, name, range)
    }

    /// Reads an optional whole number that has a range.
    @inline(never)
    public func optional(_ name: String, in range: ClosedRange<Double>?) throws(WireSchemaMismatch) -> Int? {
        guard let value = find(name), value != .null else { return nil }
        return try read(value, name, range)
    }

    /// Reads an optional member that has a range.
    @inline(never)
    public func optional<Value: WireValue>(
        _ name: String, in range: ClosedRange<Double>?
    ) throws(WireSchemaMismatch) -> Value? {
        guard let value = find(name), value != .null else { return nil }
        return try read(value, name, range)
    }

    /// Reads a member that has a default.
    @inline(never)
    public func optional<Value: WireValue>(
        _ name: String, in range: ClosedRange<Double>? = nil, default fallback: Value
    ) throws(WireSchemaMismatch) -> Value {
        guard let value = find(name), value != .null else { return fallback }
        return try read(value, name, range)
    }

    private func find(_ name: String) -> JSONValue? {
        if position < members.count, members[position].name == name {
            position += 1
            return members[position - 1].value
        }
        guard let found = members.firstIndex(where: { $0.name == name }) else { return nil }
        position = found + 1
        return members[found].value
    }

    private func read<Value: WireValue>(
        _ value: JSONValue, _ name: String, _ range: ClosedRange<Double>?
    ) throws(WireSchemaMismatch) -> Value {
        do throws(WireSchemaMismatch) {
            if role == .parameters, let range { try range.check(value) }
            return try Value(reading: value, as: role)
        } catch { throw error.inside(name) }
    }

    private static func unknown(
        _ name: String, _ names: [String], _ formerNames: KeyValuePairs<String, String>
    ) -> WireSchemaMismatch {
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
}

extension ClosedRange<Double> {
    /// Throws if a number, the length of a string or the count of an array is outside the range.
    fileprivate func check(_ value: JSONValue) throws(WireSchemaMismatch) {
        switch value {
        case .int(let number) where !contains(Double(number)):
            throw WireSchemaMismatch("must be \(text), not \(number)")
        case .double(let number) where !contains(number):
            throw WireSchemaMismatch("must be \(text), not \(number)")
        case .string(let string) where !contains(Double(string.unicodeScalars.count)):
            throw WireSchemaMismatch("must have \(text) characters, not \(string.unicodeScalars.count)")
        case .array(let elements) where !contains(Double(elements.count)):
            throw WireSchemaMismatch("must have \(text) elements, not \(elements.count)")
        default: break
        }
    }

    private var text: String {
        func text(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? String(bound) }
        return text(lowerBound) + " to " + text(upperBound)
    }
}
