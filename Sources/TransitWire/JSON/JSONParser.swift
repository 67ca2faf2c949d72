/// A syntax error in JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A human-readable phrase, without the position.
    public var reason: String
    /// The byte offset of the error, from 0.
    public var offset: Int

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

    private var scanner: JSONScanner
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { scanner = JSONScanner(bytes) }

    /// Parses the whole input as one value, with optional white space around it.
    mutating func parseDocument() throws(JSONError) -> JSONValue {
        skipWhitespace()
        let value = try parseValue()
        skipWhitespace()
        guard scanner.isAtEnd else { throw failure("unexpected text after the value") }
        return value
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        guard let byte = scanner.next else { throw failure("unexpected end of input") }
        switch byte {
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
        scanner.position += 1
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
        // A request has four members.
        members.reserveCapacity(4)
        while true {
            skipWhitespace()
            guard scanner.next == UInt8(ascii: "\"") else { throw failure("missing member name") }
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
        for position in members.indices {
            let bit = hashBit(members[position].name)
            if seenBits & bit != 0, members[..<position].contains(where: { $0.name == members[position].name }) {
                return members[position].name
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
        guard scanner.skipLiteral(text) == .complete else { throw failure("invalid value") }
        return value
    }

    /// Parses a number whose first byte is a digit or a minus sign.
    private mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = scanner.position
        let form = scanner.skipNumber()
        if form == .missingDigit { throw failure("missing digit") }
        // The scanner ends after a leading zero.
        if form == .integer, scanner.skipDigits() { throw failure("number with a leading zero") }
        let text = String(decoding: scanner.bytes(from: start), as: UTF8.self)
        if form == .integer, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else { throw failure("number out of range") }
        return .double(value)
    }

    // MARK: Strings

    /// Parses a string, including both quotes.
    private mutating func parseString() throws(JSONError) -> String {
        scanner.position += 1
        let start = scanner.position
        let isASCII = scanner.skipPlainText()
        guard scanner.next == UInt8(ascii: "\"") else { return try parseEscapedString(from: start) }
        let content = scanner.bytes(from: start)
        // ASCII text is always valid UTF-8, and validating it would take longer than the rest of the function.
        let text = isASCII ? String(decoding: content, as: UTF8.self) : try text(content)
        scanner.position += 1
        return text
    }

    /// Parses the rest of a string from its first escape sequence. `start` is the position after the opening quote.
    private mutating func parseEscapedString(from start: UnsafePointer<UInt8>) throws(JSONError) -> String {
        var unescaped = Array(scanner.bytes(from: start))
        while let byte = scanner.next {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(unescaped)
                scanner.position += 1
                return text
            case UInt8(ascii: "\\"): unescaped.append(contentsOf: Unicode.UTF8.encode(try parseEscape()) ?? .init())
            default: throw failure("control character in a string")
            }
            let plain = scanner.position
            _ = scanner.skipPlainText()
            unescaped.append(contentsOf: scanner.bytes(from: plain))
        }
        throw failure("unterminated string")
    }

    /// Parses an escape sequence, or two that form a surrogate pair.
    private mutating func parseEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try parseEscapedUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let second = scanner
        guard UTF16.isLeadSurrogate(first), scanner.consume(UInt8(ascii: "\\")), scanner.consume(UInt8(ascii: "u"))
        else { throw failure("lone surrogate") }
        scanner = second
        guard let scalar = JSONScanner.scalar(first, try parseEscapedUnit()) else { throw failure("lone surrogate") }
        return scalar
    }

    private mutating func parseEscapedUnit() throws(JSONError) -> UInt16 {
        do throws(JSONScanner.EscapeFault) { return try scanner.readEscape() } catch {
            let remaining = scanner.end - scanner.position
            switch error {
            case .letter: throw failure("invalid escape sequence", after: 1)
            case .digit(let distance) where remaining >= 6:
                throw failure("\\u without four hexadecimal digits", after: distance)
            case .digit, .truncated: throw failure("unterminated string", after: min(remaining, 2))
            }
        }
    }

    private func text(_ bytes: some Sequence<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("invalid UTF-8 in a string") }
        return text
    }

    private mutating func consume(_ byte: UInt8) -> Bool { scanner.consume(byte) }
    private mutating func skipWhitespace() { scanner.skipWhitespace() }

    /// - Parameter distance: The number of bytes from the position to the error.
    private func failure(_ reason: String, after distance: Int = 0) -> JSONError {
        JSONError(reason: reason, offset: scanner.offset + distance)
    }
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
