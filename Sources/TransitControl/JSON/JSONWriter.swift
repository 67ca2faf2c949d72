/// Writes JSON into memory of its own: the output has no line break, so that a message is one line.
///
/// Commas are put by the writer. The caller keeps objects and arrays balanced.
public struct JSONWriter: ~Copyable, Sendable {
    private var buffer: ByteBuffer
    /// Whether a value has been written at this level, so that the next needs a comma.
    private var needsComma = false

    /// More than this is not kept for the next message, in bytes.
    private static let kept = 64 << 10

    public init(reserving capacity: Int = 256) { buffer = ByteBuffer(capacity: capacity) }

    /// A copy of what has been written.
    public var bytes: [UInt8] { buffer.withBytes { Array($0) } }
    /// How many bytes have been written.
    public var count: Int { buffer.count }

    /// Starts anew and keeps the memory, unless it is much.
    public mutating func removeAll() {
        buffer.removeAll(keepingUpTo: Self.kept)
        needsComma = false
    }

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// The name of the member whose value is written next.
    public mutating func name(_ text: String) {
        separate()
        quote(text)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// The same for a name that needs no escapes.
    mutating func name(plain text: StaticString) {
        let count = text.utf8CodeUnitCount
        let needsComma = needsComma
        // A comma, two quotes and a colon.
        buffer.append(atMost: count + 4) { place in
            var end = place
            if needsComma {
                end[0] = UInt8(ascii: ",")
                end += 1
            }
            end[0] = UInt8(ascii: "\"")
            (end + 1).update(from: text.utf8Start, count: count)
            end[count + 1] = UInt8(ascii: "\"")
            end[count + 2] = UInt8(ascii: ":")
            return end + count + 3 - place
        }
        self.needsComma = false
    }

    public mutating func null() { raw("null") }
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    public mutating func string(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// The same for a text that needs no escapes.
    mutating func string(plain text: String) {
        assert(text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        separate()
        buffer.append(UInt8(ascii: "\""))
        append(ascii: text)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    public mutating func int(_ value: Int64) {
        separate()
        if value < 0 { buffer.append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude, width: 1)
        needsComma = true
    }

    /// NaN and the infinities have no form in JSON and become `null`.
    public mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        append(ascii: value.description)
        needsComma = true
    }

    /// The text between quotes, given by a closure that appends plain ASCII without quotes and backslashes.
    mutating func asciiString(_ body: (inout JSONWriter) -> Void) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        body(&self)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Decimal digits, with zeros in front up to `width`.
    mutating func appendDigits(_ value: UInt64, width: Int) {
        if value < 100, width == 2 {
            buffer.append(UInt8(ascii: "0") + UInt8(value / 10))
            buffer.append(UInt8(ascii: "0") + UInt8(value % 10))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var position = 20
            var rest = value
            while rest > 0 || 20 - position < width {
                position -= 1
                digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            buffer.append(UnsafeBufferPointer(rebasing: digits[position...]))
        }
    }

    mutating func appendASCII(_ byte: UInt8) { buffer.append(byte) }

    /// A value that is JSON already.
    mutating func encoded(_ value: [UInt8]) {
        separate()
        value.withUnsafeBufferPointer { buffer.append($0) }
        needsComma = true
    }

    /// Ends a message: a line feed, after which a new message may follow.
    public mutating func endLine() {
        buffer.append(0x0A)
        needsComma = false
    }

    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): int(value)
        case .double(let value): double(value)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                name(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }

    private mutating func append(ascii text: String) {
        var text = text
        text.withUTF8 { buffer.append($0) }
    }

    private mutating func raw(_ text: StaticString) {
        separate()
        buffer.append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        needsComma = true
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        buffer.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        buffer.append(byte)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
    }

    private mutating func quote(_ text: String) {
        // Every text of Swift on Linux has its bytes in one piece.
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { quote($0) }
        if isWritten == nil { Array(text.utf8).withUnsafeBufferPointer { quote($0) } }
    }

    private mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>) {
        buffer.append(UInt8(ascii: "\""))
        var rest = utf8
        while let special = rest.firstNeedingEscape {
            buffer.append(UnsafeBufferPointer(rebasing: rest[..<special]))
            appendEscape(rest[special])
            rest = UnsafeBufferPointer(rebasing: rest[(special + 1)...])
        }
        buffer.append(rest)
        buffer.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        buffer.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x0A: buffer.append(UInt8(ascii: "n"))
        case 0x0D: buffer.append(UInt8(ascii: "r"))
        case 0x09: buffer.append(UInt8(ascii: "t"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(byte)
        default:
            let digits: StaticString = "0123456789abcdef"
            append(ascii: "u00")
            buffer.append(digits.utf8Start[Int(byte >> 4)])
            buffer.append(digits.utf8Start[Int(byte & 15)])
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where the first byte is that JSON does not take as it is (RFC 8259, section 7).
    fileprivate var firstNeedingEscape: Int? {
        var position = 0
        // Most texts have none: eight bytes at a time are looked at.
        while position + 8 <= count {
            let bytes = UnsafeRawPointer(baseAddress! + position).loadUnaligned(as: UInt64.self)
            if Self.needsEscape(among: bytes) { break }
            position += 8
        }
        while position < count {
            let byte = self[position]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return position }
            position += 1
        }
        return nil
    }

    /// Whether one of the eight bytes is a quote, a backslash or less than a blank. A byte from which something is taken
    /// away without one of its upper half gets its highest bit when it was less ("Bit Twiddling Hacks", `hasless`).
    private static func needsEscape(among bytes: UInt64) -> Bool {
        let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let controls = (bytes &- ones &* 0x20) & ~bytes
        let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let found = controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return found & highest != 0
    }
}

extension JSONValue {
    /// Compact JSON, without a line break.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONValue: CustomStringConvertible {
    public var description: String { String(decoding: encoded, as: UTF8.self) }
}
