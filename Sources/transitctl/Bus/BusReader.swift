/// Reads values of the D-Bus wire format, in either byte order, and never beyond its end.
struct BusReader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    var position = 0

    /// - Throws: ``BusDamage`` for what does not begin like a message of version 1.
    init(header bytes: [UInt8]) throws(BusDamage) {
        guard bytes.count >= BusMessage.prefix, bytes[3] == 1 else { throw BusDamage() }
        switch bytes[0] {
        case UInt8(ascii: "l"): isBigEndian = false
        case UInt8(ascii: "B"): isBigEndian = true
        default: throw BusDamage()
        }
        self.bytes = bytes
    }

    mutating func align(to width: Int) { position = (position + width - 1) / width * width }

    mutating func byte() throws(BusDamage) -> UInt8 {
        guard let byte = try take(1).first else { throw BusDamage() }
        return byte
    }

    mutating func uint32() throws(BusDamage) -> UInt32 { UInt32(truncatingIfNeeded: try number(of: 4)) }

    /// A value of a header's field: a text of any kind or a number.
    enum FieldValue {
        case text(String)
        case number(UInt32)
    }

    mutating func fieldValue() throws(BusDamage) -> FieldValue {
        switch try signature() {
        case "s", "o": .text(try string())
        case "g": .text(try signature())
        case "u": .number(try uint32())
        default: throw BusDamage()
        }
    }

    /// The values of a body.
    ///
    /// - Throws: ``BusDamage`` also for types that are not spoken here.
    mutating func values(_ signature: String) throws(BusDamage) -> [BusValue] {
        var values: [BusValue] = []
        for type in signature { values.append(try value(type, depth: 0)) }
        return values
    }

    private mutating func value(_ type: Character, depth: Int) throws(BusDamage) -> BusValue {
        switch type {
        case "b": return .boolean(try uint32() != 0)
        case "u": return .uint32(try uint32())
        case "d": return .double(Double(bitPattern: try number(of: 8)))
        case "s": return .string(try string())
        case "o": return .objectPath(try string())
        case "v":
            let inner = try signature()
            // The specification allows 64 levels; here nobody needs two.
            guard inner.count == 1, let type = inner.first, depth < 4 else { throw BusDamage() }
            return .variant(try value(type, depth: depth + 1))
        default: throw BusDamage()
        }
    }

    private mutating func number(of width: Int) throws(BusDamage) -> UInt64 {
        align(to: width)
        let taken = try take(width)
        return (isBigEndian ? Array(taken) : taken.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func string() throws(BusDamage) -> String {
        guard let count = Int(exactly: try uint32()) else { throw BusDamage() }
        return try text(count)
    }

    private mutating func signature() throws(BusDamage) -> String { try text(Int(try byte())) }

    /// With the NUL that ends it.
    private mutating func text(_ count: Int) throws(BusDamage) -> String {
        guard count <= bytes.count else { throw BusDamage() }
        return String(decoding: try take(count + 1).dropLast(), as: UTF8.self)
    }

    private mutating func take(_ count: Int) throws(BusDamage) -> ArraySlice<UInt8> {
        guard position <= bytes.count, count <= bytes.count - position else { throw BusDamage() }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
