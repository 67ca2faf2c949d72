/// A JSON encoder that writes into its own buffer. The output contains no line breaks except those that ``endLine()``
/// writes.
///
/// The writer inserts commas. The caller balances objects and arrays.
public struct JSONWriter: ~Copyable, Sendable {
    private var buffer: ByteBuffer
    /// Whether the next value needs a comma because a value precedes it at this level.
    private var needsComma = false

    /// The maximum capacity that ``removeAll()`` keeps, in bytes.
    private static let maximumRetainedCapacity = 64 << 10

    public init(reserving capacity: Int = 256) { buffer = ByteBuffer(capacity: capacity) }

    /// A copy of the output.
    public var bytes: [UInt8] { buffer.withBytes { Array($0) } }
    /// The length of the output in bytes.
    public var count: Int { buffer.count }

    /// Removes the output and keeps the buffer unless it is large.
    public mutating func removeAll() {
        buffer.removeAll(keepingCapacityUpTo: Self.maximumRetainedCapacity)
        needsComma = false
    }

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the name of a member. The caller then writes the value.
    public mutating func name(_ text: String) {
        quote(text)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the name of a member that needs no escaping.
    public mutating func name(plain text: StaticString) {
        let needsComma = needsComma
        buffer.append(upTo: text.utf8CodeUnitCount &+ 4) { Self.put(text, needsComma, at: $0) - $0 }
        self.needsComma = false
    }

    /// Writes a member whose value is `null`. The name needs no escaping.
    public mutating func nullMember(_ name: StaticString) {
        let needsComma = needsComma
        buffer.append(upTo: name.utf8CodeUnitCount &+ 8) { place in
            let end = Self.put(name, needsComma, at: place)
            end.update(from: ("null" as StaticString).utf8Start, count: 4)
            return end + 4 - place
        }
        self.needsComma = true
    }

    /// Writes a name that needs no escaping, with up to four bytes around it: a comma, two quotes and a colon.
    ///
    /// - Returns: The place after them.
    @inline(__always)
    private static func put(
        _ name: StaticString, _ needsComma: Bool, at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        place[0] = UInt8(ascii: ",")
        let start = needsComma ? place + 1 : place
        let count = name.utf8CodeUnitCount
        start[0] = UInt8(ascii: "\"")
        ByteBuffer.copy(name.utf8Start, count, to: start + 1)
        start[count &+ 1] = UInt8(ascii: "\"")
        start[count &+ 2] = UInt8(ascii: ":")
        return start + (count &+ 3)
    }

    /// Writes a member of an object. The name needs no escaping.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, _ value: borrowing some WireValue & ~Copyable) {
        self.name(plain: name)
        value.write(to: &self)
    }

    /// Writes an optional member of an object. The name needs no escaping.
    @inlinable @inline(__always)
    public mutating func member<Value: WireValue>(_ name: StaticString, _ value: Value?) {
        guard let value else { return nullMember(name) }
        self.name(plain: name)
        value.write(to: &self)
    }

    /// Writes a member of an object whose value is a whole number. The name needs no escaping.
    public mutating func member(_ name: StaticString, _ value: Int) {
        let needsComma = needsComma
        buffer.append(upTo: name.utf8CodeUnitCount &+ 24) { place in
            Self.put(Int64(value), at: Self.put(name, needsComma, at: place)) - place
        }
        self.needsComma = true
    }

    /// Writes an optional member of an object whose value is a whole number. The name needs no escaping.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, _ value: Int?) {
        if let value { member(name, value) } else { nullMember(name) }
    }

    /// Writes a member of an object whose value is one of a few texts. The name needs no escaping.
    @inlinable @inline(__always)
    public mutating func member(_ name: StaticString, _ value: some WireEnum) { member(name, plain: value.rawValue) }

    /// Writes an optional member of an object whose value is one of a few texts. The name needs no escaping.
    @inlinable @inline(__always)
    public mutating func member<Value: WireEnum>(_ name: StaticString, _ value: Value?) {
        if let value { member(name, plain: value.rawValue) } else { nullMember(name) }
    }

    /// Writes a member of an object whose value is a text. Neither the name nor the text needs escaping.
    public mutating func member(_ name: StaticString, plain text: String) {
        assert(Self.isPlain(text))
        withUTF8(of: text) { (writer, utf8) in
            let needsComma = writer.needsComma
            writer.buffer.append(upTo: name.utf8CodeUnitCount &+ utf8.count &+ 6) { place in
                Self.put(quoted: utf8, at: Self.put(name, needsComma, at: place)) - place
            }
            writer.needsComma = true
        }
    }

    /// Writes a value in place, without copying it.
    mutating func value(at place: UnsafePointer<some WireValue & ~Copyable>) { place.pointee.write(to: &self) }

    public mutating func null() { raw("null") }
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    public mutating func string(_ text: String) { quote(text) }

    /// Writes a string that needs no escaping.
    public mutating func string(plain text: String) {
        assert(Self.isPlain(text))
        withUTF8(of: text) { (writer, utf8) in writer.quote(plain: utf8) }
    }

    /// Whether a text needs no escaping.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    public mutating func int(_ value: Int64) {
        let needsComma = needsComma
        buffer.append(upTo: 21) { place in
            place[0] = UInt8(ascii: ",")
            return Self.put(value, at: needsComma ? place + 1 : place) - place
        }
        self.needsComma = true
    }

    /// Writes a number, at most 20 bytes.
    ///
    /// - Returns: The place after it.
    @inline(__always)
    private static func put(_ value: Int64, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        place[0] = UInt8(ascii: "-")
        let start = value < 0 ? place + 1 : place
        // Most numbers are a few minutes in seconds, meters, or counts.
        guard value.magnitude < 1000 else { return put(large: value.magnitude, at: start) }
        let number = UInt32(truncatingIfNeeded: value.magnitude)
        let (tens, hundreds) = (number / 10, number / 100)
        let ones = UInt8(truncatingIfNeeded: number &- tens &* 10)
        var end = start
        if number >= 100 {
            end[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: hundreds)
            end += 1
        }
        if number >= 10 {
            end[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens &- hundreds &* 10)
            end += 1
        }
        end[0] = UInt8(ascii: "0") &+ ones
        return end + 1
    }

    /// Writes the digits of a number, at most 19.
    ///
    /// - Returns: The place after them.
    @inline(never)
    private static func put(large value: UInt64, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        var count = 1
        var limit: UInt64 = 10
        // 10^19 is greater than the magnitude of every Int64.
        while value >= limit {
            count &+= 1
            limit &*= 10
        }
        var rest = value
        var position = count
        while position > 0 {
            position &-= 1
            place[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return place + count
    }

    /// Writes a number. JSON cannot represent NaN and infinity, so they are written as `null`.
    public mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        append(ascii: value.description)
        needsComma = true
    }

    /// Writes a string of at most `maximumCount` bytes that a closure puts in place: ASCII without quotes and backslashes.
    /// The closure returns the end of the string.
    public mutating func asciiString(
        upTo maximumCount: Int, _ body: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        separate()
        buffer.append(upTo: maximumCount + 2) { place in
            place[0] = UInt8(ascii: "\"")
            let end = body(place + 1)
            end[0] = UInt8(ascii: "\"")
            return end + 1 - place
        }
        needsComma = true
    }

    /// Writes a value that is already encoded as JSON.
    public mutating func encoded(_ value: [UInt8]) {
        separate()
        value.withUnsafeBufferPointer { buffer.append($0) }
        needsComma = true
    }

    /// Ends a message with a line feed, so that another message can follow.
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
        withUTF8(of: text) { (writer, utf8) in writer.buffer.append(utf8) }
    }

    /// Calls a function with the UTF-8 of a text. Most texts are contiguous, and need not be copied.
    @inline(__always)
    private mutating func withUTF8(of text: String, _ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Void) {
        if text.utf8.withContiguousStorageIfAvailable({ body(&self, $0) }) != nil { return }
        var text = text
        text.withUTF8 { body(&self, $0) }
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
        withUTF8(of: text) { (writer, utf8) in writer.quote(utf8) }
    }

    private mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>) {
        guard let special = utf8.firstNeedingEscape else { return quote(plain: utf8) }
        quote(utf8, escapingFrom: special)
    }

    /// Writes a string that needs no escaping, with a comma before it if one is needed.
    @inline(__always)
    private mutating func quote(plain utf8: UnsafeBufferPointer<UInt8>) {
        let needsComma = needsComma
        buffer.append(upTo: utf8.count &+ 3) { place in
            place[0] = UInt8(ascii: ",")
            return Self.put(quoted: utf8, at: needsComma ? place + 1 : place) - place
        }
        self.needsComma = true
    }

    /// Writes a string that needs no escaping, with two quotes.
    ///
    /// - Returns: The place after them.
    @inline(__always)
    private static func put(
        quoted utf8: UnsafeBufferPointer<UInt8>, at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        place[0] = UInt8(ascii: "\"")
        if let bytes = utf8.baseAddress { ByteBuffer.copy(bytes, utf8.count, to: place + 1) }
        place[utf8.count &+ 1] = UInt8(ascii: "\"")
        return place + (utf8.count &+ 2)
    }

    private mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>, escapingFrom first: Int) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(UnsafeBufferPointer(rebasing: utf8[..<first]))
        var rest = UnsafeBufferPointer(rebasing: utf8[first...])
        while let special = rest.firstNeedingEscape {
            buffer.append(UnsafeBufferPointer(rebasing: rest[..<special]))
            appendEscape(rest[special])
            rest = UnsafeBufferPointer(rebasing: rest[(special + 1)...])
        }
        buffer.append(rest)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
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
    /// The index of the first byte that JSON requires to be escaped (RFC 8259, section 7).
    fileprivate var firstNeedingEscape: Int? {
        var position = 0
        // Most strings need no escaping, so eight bytes are tested at a time.
        while position + 8 <= count {
            let bytes = UnsafeRawPointer(baseAddress! + position).loadUnaligned(as: UInt64.self)
            if JSONScanner.specialBytes(in: bytes) != 0 { break }
            position += 8
        }
        while position < count {
            let byte = self[position]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return position }
            position += 1
        }
        return nil
    }
}

extension JSONValue {
    /// The value as compact JSON, without line breaks.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONValue: CustomStringConvertible {
    public var description: String { String(decoding: encoded, as: UTF8.self) }
}
