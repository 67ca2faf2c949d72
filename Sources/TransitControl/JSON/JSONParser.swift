/// Why a text is not JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A phrase for people, without the place.
    public var reason: String
    /// The byte at which it was noticed, from 0.
    public var offset: Int

    public init(reason: String, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String { "\(reason) at byte \(offset + 1)" }
}

/// A strict reader of JSON (RFC 8259) that may be given anything.
///
/// Refused besides what the grammar refuses: invalid UTF-8, lone surrogates, members with the same name (readers
/// would differ in
/// which one counts), numbers too large for a `Double`, and nesting deeper than ``maximumDepth``. It never reads past
/// its input and takes time proportional to it.
struct JSONParser {
    /// Nothing on the wire is nested deeper than about ten levels.
    static let maximumDepth = 64

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The whole input as one value, with blanks around it.
    mutating func parseDocument() throws(JSONError) -> JSONValue {
        skipBlanks()
        let value = try parseValue()
        skipBlanks()
        guard position == bytes.count else { throw failure("something follows the value") }
        return value
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        guard position < bytes.count else { throw failure("the text ends too early") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in try parser.parseObject() }
        case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in try parser.parseArray() }
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: throw failure("no value starts like this")
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure("nested deeper than \(Self.maximumDepth) levels") }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func parseArray() throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            skipBlanks()
            elements.append(try parseValue())
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw failure("a comma or the end of the array is missing") }
        }
    }

    private mutating func parseObject() throws(JSONError) -> JSONValue {
        var members: [JSONObject.Member] = []
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(JSONObject()) }
        while true {
            skipBlanks()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw failure("the name of a member is missing")
            }
            let name = try parseString()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing after a name") }
            skipBlanks()
            members.append(JSONObject.Member(name: name, value: try parseValue()))
            skipBlanks()
            if take(UInt8(ascii: "}")) { break }
            guard take(UInt8(ascii: ",")) else { throw failure("a comma or the end of the object is missing") }
        }
        if let twice = Self.repeatedName(members) { throw failure("the member \"\(twice.prefix(40))\" is there twice") }
        return .object(JSONObject(unique: members))
    }

    private static func repeatedName(_ members: [JSONObject.Member]) -> String? {
        guard members.count <= 64 else {
            var seen: Set<String> = []
            return members.first { !seen.insert($0.name).inserted }?.name
        }
        // A few names of different looks are told apart without comparing each with each.
        var looks: UInt64 = 0
        for (position, member) in members.enumerated() {
            let hash = hash(member.name)
            if looks & hash != 0, members[..<position].contains(where: { $0.name == member.name }) {
                return member.name
            }
            looks |= hash
        }
        return nil
    }

    /// One of 64 bits, the same for the same name.
    private static func hash(_ name: String) -> UInt64 {
        let utf8 = name.utf8
        guard let first = utf8.first, let last = utf8.last else { return 1 }
        return 1 << UInt64((Int(first) &* 5 &+ Int(last) &* 17 &+ utf8.count &* 3) & 63)
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { throw failure("no value starts like this") }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] {
            throw failure("no value starts like this")
        }
        position += count
        return value
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
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
    /// Reads one value that fills the bytes; see ``JSONParser`` for what is refused.
    public init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.parseDocument()
    }

    public init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in try JSONValue(parsing: buffer) }
    }

    public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}
