/// A dictionary of values that contain their key. A saved state contains the values as a list in their order.
@propertyWrapper
package struct SavedAsList<Value: Identifiable & Comparable & Codable & Hashable & Sendable>: Hashable, Sendable
where Value.ID: Sendable {
    package var wrappedValue: [Value.ID: Value]

    package init(wrappedValue: [Value.ID: Value]) { self.wrappedValue = wrappedValue }
}

extension SavedAsList: Codable {
    package init(from decoder: any Decoder) throws {
        let values = try [Value](from: decoder)
        wrappedValue = Dictionary(values.map { ($0.id, $0) }) { _, last in last }
    }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.values.sorted().encode(to: encoder) }
}
