internal import TransitWire

/// Reads a JSON document (RFC 8259) from an upstream server value by value, directly from its bytes.
///
/// The reader is strict about structure but lenient about strings, which may contain control characters and bytes that
/// are not UTF-8.
///
///     guard try json.beginObject() else { return }
///     while let name = try json.nextMember() {
///         switch name.string {
///         case "id": id = try json.string()
///         case "stops":
///             var list = try json.list()
///             while try json.next(&list) { stops.append(try stop(&json)) }
///         default: break
///         }
///     }
///
/// A value that is not read is skipped. A loop over members or elements must run to its end.
package struct JSONReader {
    /// The kind of a value, as determined by its first byte.
    package enum Kind: Hashable, Sendable {
        case object, array, string, number, boolean, null
    }

    private enum State {
        /// After the opening bracket of an object or array.
        case opened
        case beforeValue
        case afterValue
    }

    /// The maximum nesting of objects and arrays. Only malicious documents exceed it.
    package static let depthLimit = 64

    private var scanner: JSONScanner
    private var state = State.beforeValue
    private var depth = 0

    /// Creates a reader. The bytes must stay valid while the reader, its strings and its numbers are in use. A byte
    /// order mark is skipped.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        scanner = JSONScanner(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position += 3 }
    }

    /// The position in bytes from the start of the body.
    package var offset: Int { scanner.offset }

    /// Checks a whole document and throws if it is not valid JSON.
    package static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(MalformedMessageError) {
        var reader = JSONReader(bytes)
        try reader.skip()
        try reader.finish()
    }

    /// Checks that only whitespace follows the document.
    package mutating func finish() throws(MalformedMessageError) {
        scanner.skipWhitespace()
        guard scanner.isAtEnd else { throw damage(.trailing) }
    }

    /// Returns the kind of the next value.
    package mutating func kind() throws(MalformedMessageError) -> Kind {
        scanner.skipWhitespace()
        guard let byte = scanner.next else { throw damage(.truncated) }
        switch byte {
        case 0x7B: return .object
        case 0x5B: return .array
        case 0x22: return .string
        case 0x2D, 0x30...0x39: return .number
        case 0x74, 0x66: return .boolean
        case 0x6E: return .null
        default: throw damage(.expected(.value))
        }
    }

    func damage(_ fault: MessageFault) -> MalformedMessageError { MalformedMessageError(fault, at: offset) }
}

// MARK: - Objects and arrays
extension JSONReader {
    /// Enters an object. If the next value is not an object, skips it and returns false.
    package mutating func beginObject() throws(MalformedMessageError) -> Bool { try begin(.object) }

    /// Returns the name of the next member, whose value is then the next value. Returns `nil` at the end of the object.
    package mutating func nextMember() throws(MalformedMessageError) -> JSONText? {
        guard try nextInside(closing: 0x7D) else { return nil }
        guard try next() == 0x22 else { throw damage(.expected(.name)) }
        let name = try scanText()
        scanner.skipWhitespace()
        guard try next() == 0x3A else { throw damage(.expected(.colon)) }
        scanner.position += 1
        state = .beforeValue
        return name
    }

    /// Begins a list, which is usually an array. Any other value is read as a list of one element, because some
    /// serializers write a single element without an array. `null` is read as an empty list.
    package mutating func list() throws(MalformedMessageError) -> JSONList {
        switch try kind() {
        case .array:
            _ = try begin(.array)
            return .array
        case .null:
            try skip()
            return .empty
        default: return .single
        }
    }

    /// Advances to the next element, which is then the next value. Returns false at the end.
    package mutating func next(_ list: inout JSONList) throws(MalformedMessageError) -> Bool {
        switch list {
        case .array: return try nextElement()
        case .empty: return false
        case .single:
            list = .empty
            return true
        }
    }

    private mutating func begin(_ expected: Kind) throws(MalformedMessageError) -> Bool {
        guard try kind() == expected else {
            try skip()
            return false
        }
        guard depth < Self.depthLimit else { throw damage(.depth) }
        depth += 1
        scanner.position += 1
        state = .opened
        return true
    }

    private mutating func nextElement() throws(MalformedMessageError) -> Bool {
        guard try nextInside(closing: 0x5D) else { return false }
        state = .beforeValue
        return true
    }

    /// Consumes the comma before a member or element. Returns false after the closing bracket.
    private mutating func nextInside(closing: UInt8) throws(MalformedMessageError) -> Bool {
        if state == .beforeValue { try skip() }
        scanner.skipWhitespace()
        let byte = try next()
        if byte == closing {
            scanner.position += 1
            depth -= 1
            state = .afterValue
            return false
        }
        guard state == .afterValue else { return true }
        guard byte == 0x2C else { throw damage(.expected(.commaOrEnd)) }
        scanner.position += 1
        scanner.skipWhitespace()
        _ = try next()
        return true
    }

    /// Returns the next byte.
    private func next() throws(MalformedMessageError) -> UInt8 {
        guard let byte = scanner.next else { throw damage(.truncated) }
        return byte
    }

    /// Skips the next value and checks its syntax.
    package mutating func skip() throws(MalformedMessageError) {
        switch try kind() {
        case .object:
            _ = try begin(.object)
            while try nextMember() != nil {}
        case .array:
            _ = try begin(.array)
            while try nextElement() {}
        case .string, .number, .boolean, .null: _ = try scalar()
        }
    }
}

/// The state of reading a list. See ``JSONReader/list()``.
package enum JSONList: Hashable, Sendable {
    case array, single, empty
}

// MARK: - Scalars
extension JSONReader {
    /// Reads the next string, number, boolean or null. Returns `nil` for an object or array, which is skipped.
    package mutating func scalar() throws(MalformedMessageError) -> JSONScalar? {
        let value: JSONScalar
        switch try kind() {
        case .object, .array:
            try skip()
            return nil
        case .string: value = .text(try scanText())
        case .number: value = .number(try scanNumber())
        case .boolean where scanner.next == 0x74:
            try word("true")
            value = .boolean(true)
        case .boolean:
            try word("false")
            value = .boolean(false)
        case .null:
            try word("null")
            value = .null
        }
        state = .afterValue
        return value
    }

    private mutating func word(_ word: StaticString) throws(MalformedMessageError) {
        switch scanner.skipLiteral(word) {
        case .complete: break
        case .truncated: throw damage(.truncated)
        case .different: throw damage(.expected(.value))
        }
    }

    private mutating func scanText() throws(MalformedMessageError) -> JSONText {
        scanner.position += 1
        let start = scanner.position
        var hasEscapes = false
        while true {
            _ = scanner.skipPlainText()
            switch try next() {
            case 0x22:
                defer { scanner.position += 1 }
                return JSONText(raw: scanner.bytes(from: start), hasEscapes: hasEscapes)
            case 0x5C:
                hasEscapes = true
                try scanEscape()
            // A control character.
            default: scanner.position += 1
            }
        }
    }

    private mutating func scanEscape() throws(MalformedMessageError) {
        do throws(JSONScanner.EscapeFault) { _ = try scanner.readEscape() } catch {
            switch error {
            case .truncated: throw damage(.truncated)
            case .letter, .digit: throw damage(.expected(.escape))
            }
        }
    }

    private mutating func scanNumber() throws(MalformedMessageError) -> JSONNumber {
        let start = scanner.position
        guard scanner.skipNumber() != .missingDigit else {
            throw damage(scanner.isAtEnd ? .truncated : .expected(.digit))
        }
        return JSONNumber(raw: scanner.bytes(from: start))
    }
}

// MARK: - Values

// The scalar values that most decoders need. Each method returns `nil` for null, for another kind of value, and for an
// invalid value.
extension JSONReader {
    /// Reads a string, or a number as written in the document.
    package mutating func string() throws(MalformedMessageError) -> String? {
        switch try scalar() {
        case .text(let text): text.string
        case .number(let number): number.string
        case .boolean, .null, nil: nil
        }
    }

    /// Reads an integer, which may be in quotes.
    package mutating func integer() throws(MalformedMessageError) -> Int64? {
        switch try scalar() {
        case .number(let number): number.integer
        case .text(let text): text.withBytes(JSONNumber.integer)
        case .boolean, .null, nil: nil
        }
    }

    /// Reads a finite number, which may be in quotes.
    package mutating func double() throws(MalformedMessageError) -> Double? {
        switch try scalar() {
        case .number(let number): number.double
        case .text(let text): text.withBytes(JSONNumber.double)
        case .boolean, .null, nil: nil
        }
    }

    /// Reads `true` or `false`, which may be in quotes.
    package mutating func boolean() throws(MalformedMessageError) -> Bool? {
        switch try scalar() {
        case .boolean(let value): value
        case .text(let text): Bool(text.folded)
        case .number, .null, nil: nil
        }
    }
}
