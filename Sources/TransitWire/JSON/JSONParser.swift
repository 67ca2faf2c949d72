/// A syntax error in JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A human-readable phrase, without the position.
    public var reason: String
    /// The byte offset of the error, from 0.
    public var offset: Int

    public init(reason: String, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String { "\(reason) at byte \(offset + 1)" }
}

/// A strict JSON parser (RFC 8259) that is safe for untrusted input.
///
/// In addition to syntax errors, it rejects invalid UTF-8, lone surrogates, duplicate member names (parsers differ in
/// which one they use), numbers too large for a `Double`, and nesting deeper than ``maximumDepth``. It never reads past
/// the end of its input, and its running time is proportional to the length of the input.
struct JSONParser {
    /// The maximum nesting depth. Messages of the protocol have about ten levels at most.
    static let maximumDepth = 64

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Parses the whole input as one value, with optional white space around it.
    mutating func parseDocument() throws(JSONError) -> JSONValue {
        skipWhitespace()
        let value = try parseValue()
        skipWhitespace()
        guard position == bytes.count else { throw failure("unexpected text after the value") }
        return value
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        guard position < bytes.count else { throw failure("unexpected end of input") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in try parser.parseObject() }
        case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in try parser.parseArray() }
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: throw failure("invalid value")
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure("nesting deeper than \(Self.maximumDepth) levels") }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func parseArray() throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            skipWhitespace()
            elements.append(try parseValue())
            skipWhitespace()
            if consume(UInt8(ascii: "]")) { return .array(elements) }
            guard consume(UInt8(ascii: ",")) else { throw failure("missing comma or end of array") }
        }
    }

    private mutating func parseObject() throws(JSONError) -> JSONValue {
        var members: [JSONObject.Member] = []
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return .object(JSONObject()) }
        while true {
            skipWhitespace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw failure("missing member name")
            }
            let name = try parseString()
            skipWhitespace()
            guard consume(UInt8(ascii: ":")) else { throw failure("missing colon after a member name") }
            skipWhitespace()
            members.append(JSONObject.Member(name: name, value: try parseValue()))
            skipWhitespace()
            if consume(UInt8(ascii: "}")) { break }
            guard consume(UInt8(ascii: ",")) else { throw failure("missing comma or end of object") }
        }
        if let name = Self.duplicateName(members) { throw failure("duplicate member \"\(name.prefix(40))\"") }
        return .object(JSONObject(unique: members))
    }

    private static func duplicateName(_ members: [JSONObject.Member]) -> String? {
        guard members.count <= 64 else {
            var seen: Set<String> = []
            return members.first { !seen.insert($0.name).inserted }?.name
        }
        // Most names have distinct hash bits, so few pairs of names are compared.
        var seenBits: UInt64 = 0
        for (position, member) in members.enumerated() {
            let bit = hashBit(member.name)
            if seenBits & bit != 0, members[..<position].contains(where: { $0.name == member.name }) {
                return member.name
            }
            seenBits |= bit
        }
        return nil
    }

    /// Returns a hash of a name: a 64-bit value with a single bit set.
    private static func hashBit(_ name: String) -> UInt64 {
        let utf8 = name.utf8
        guard let first = utf8.first, let last = utf8.last else { return 1 }
        return 1 << UInt64((Int(first) &* 5 &+ Int(last) &* 17 &+ utf8.count &* 3) & 63)
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { throw failure("invalid value") }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] {
            throw failure("invalid value")
        }
        position += count
        return value
    }

    /// Skips the next byte if it equals `byte`, and returns whether it did.
    mutating func consume(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    func failure(_ reason: String) -> JSONError { JSONError(reason: reason, offset: position) }
}

extension JSONValue {
    /// Parses JSON text that consists of one value. See ``JSONParser`` for the restrictions.
    public init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.parseDocument()
    }

    public init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in try JSONValue(parsing: buffer) }
    }

    public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}
