/// A dictionary of values that contain their key. A saved state contains the list of the values.
@propertyWrapper
package struct SavedAsList<Value: Identifiable & Codable & Hashable & Sendable>: Hashable, Sendable
where Value.ID: Sendable {
    package var wrappedValue: [Value.ID: Value]

    package init(wrappedValue: [Value.ID: Value]) { self.wrappedValue = wrappedValue }
}

extension SavedAsList: Codable {
    package init(from decoder: any Decoder) throws {
        let values = try [Value](from: decoder)
        wrappedValue = Dictionary(values.map { ($0.id, $0) }) { _, last in last }
    }

    /// The order of the list has no meaning: a set is saved in the same order each time.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Set(wrappedValue.values))
    }
}
