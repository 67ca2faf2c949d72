internal import TransitWire

/// JSON for types whose coding the compiler writes (`Codable`), without Foundation.
///
/// The same value has the same text: the members of dictionaries and the elements of sets are sorted.
extension JSONValue {
    /// The types of a state encode their members, which does not fail.
    init(encoding value: some Encodable) {
        let node = Node()
        do { try node.set(value) } catch { preconditionFailure("\(type(of: value)) cannot be encoded: \(error)") }
        self = node.json
    }

    /// The members of an object; empty for other types.
    var members: [JSONObject.Member] {
        guard case .object(let object) = self else { return [] }
        return object.members
    }

    func decode<Value: Decodable>(_ type: Value.Type, at path: [any CodingKey] = []) throws -> Value {
        if let value = number(type) ?? (self.plain as? Value) { return value }
        guard !Self.isPlain(type) else { throw Self.mismatch(type, path) }
        return try Value(from: ValueDecoder(json: self, codingPath: path))
    }

    private var plain: Any? {
        switch self {
        case .bool(let flag): flag
        case .string(let text): text
        default: nil
        }
    }

    /// A number that is beyond this counts as this, so that arithmetic with a number of a damaged document does not
    /// overflow.
    static let largestInteger = 1_000_000_000_000

    private func number<Value>(_ type: Value.Type) -> Value? {
        switch self {
        case .int(let number):
            func exact<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? { Number(exactly: number) }
            if type == Int.self {
                return min(max(Int(clamping: number), -Self.largestInteger), Self.largestInteger) as? Value
            }
            if type == Double.self { return Double(number) as? Value }
            return (type as? any FixedWidthInteger.Type).flatMap { exact($0) as? Value }
        case .double(let number): return number as? Value
        default: return nil
        }
    }

    private static func isPlain<Value>(_ type: Value.Type) -> Bool {
        type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type || type == Bool.self
            || type == String.self
    }

    fileprivate static func mismatch(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "The value is not a \(type)."))
    }
}

/// A collection whose order has no meaning.
private protocol Unordered {}
extension Set: Unordered {}
extension Dictionary: Unordered {}

// MARK: - Encoding

/// A value that is being written.
private final class Node {
    private var value = JSONValue.null
    private var members: [(name: String, node: Node)]?
    private var elements: [Node]?

    var json: JSONValue {
        if let elements { return .array(elements.map(\.json)) }
        guard let members else { return value }
        var object = JSONObject()
        for (name, node) in members { object[name] = node.json }
        return .object(object)
    }

    var count: Int { elements?.count ?? 0 }

    func becomeObject() { members = members ?? [] }
    func becomeArray() { elements = elements ?? [] }

    func member(_ name: String) -> Node {
        let node = Node()
        members?.append((name, node))
        return node
    }

    func element() -> Node {
        let node = Node()
        elements?.append(node)
        return node
    }

    func set<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let flag as Bool: self.value = .bool(flag)
        case let text as String: self.value = .string(text)
        case let number as any BinaryInteger: self.value = .int(Int64(clamping: number))
        case let number as Double: self.value = .double(number)
        default:
            try value.encode(to: NodeEncoder(node: self))
            if value is any Unordered { sort() }
        }
    }

    private func sort() {
        members?.sort { $0.name < $1.name }
        elements = elements.map { nodes in
            nodes.map { (text: "\($0.json)", node: $0) }.sorted { $0.text < $1.text }.map(\.node)
        }
    }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(Members<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return Elements(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    /// A value is null unless it is set.
    func encodeNil() throws {}
    func encode<Value: Encodable>(_ value: Value) throws { try node.set(value) }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: Node
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) throws { _ = node.member(key.stringValue) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try node.member(key.stringValue).set(value)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            superEncoder(forKey: key).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            superEncoder(forKey: key).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { NodeEncoder(node: node.member("super")) }
        func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.member(key.stringValue)) }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let node: Node
        var codingPath: [any CodingKey] { [] }
        var count: Int { node.count }

        func encodeNil() throws { _ = node.element() }
        func encode<Value: Encodable>(_ value: Value) throws { try node.element().set(value) }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            superEncoder().container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }
        func superEncoder() -> any Encoder { NodeEncoder(node: node.element()) }
    }
}

// MARK: - Decoding

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let json: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = json else { throw JSONValue.mismatch(JSONObject.self, codingPath) }
        return KeyedDecodingContainer(Members<Key>(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = json else { throw JSONValue.mismatch([JSONValue].self, codingPath) }
        return Elements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { json == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try json.decode(type, at: codingPath) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let object: JSONObject
        let codingPath: [any CodingKey]
        var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

        func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key).json == .null }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try member(key).decode(type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try member(key).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try member(key).unkeyedContainer()
        }
        func superDecoder() throws -> any Decoder { ValueDecoder(json: .object(object), codingPath: codingPath) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

        private func member(_ key: Key) throws -> ValueDecoder {
            guard let value = object[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key, .init(codingPath: codingPath, debugDescription: "There is no member \(key.stringValue)."))
            }
            return ValueDecoder(json: value, codingPath: codingPath + [key])
        }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let elements: [JSONValue]
        let codingPath: [any CodingKey]
        var currentIndex = 0
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, elements[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            try next().container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }

        private mutating func next() throws -> ValueDecoder {
            guard !isAtEnd else { throw JSONValue.mismatch(JSONValue.self, codingPath) }
            defer { currentIndex += 1 }
            return ValueDecoder(json: elements[currentIndex], codingPath: codingPath)
        }
    }
}
