internal import Glibc
internal import TransitModel

/// Converts the fields of a row to valid UTF-8 without zero bytes, and reports the changes.
///
/// A field that is not UTF-8 is decoded as Windows-1252, which is the encoding of most feeds that are not UTF-8. If a
/// feed has another encoding, some letters are wrong, and the report explains why.
struct FieldCleaner: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>?
    private var capacity = 0

    deinit { memory?.deallocate() }

    /// Returns whether the text contains a zero byte or a byte outside of ASCII.
    static func isNeeded(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
        isHigh(UnsafeBufferPointer(start: bytes, count: count)) || memchr(bytes, 0, count) != nil
    }

    /// Replaces the fields that need a conversion. Their new bytes are valid until the next call.
    mutating func clean(
        _ fields: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>, _ count: Int, file: String, line: Int,
        _ context: ReadingContext
    ) {
        var broken = 0
        for index in 0..<count where fields[index].count > 0 {
            if memchr(fields[index].baseAddress!, 0, fields[index].count) != nil {
                fields[index] = Self.withoutZeros(fields[index])
                context.add(
                    "nul_byte", .warning, at: .init(file: file, line: line),
                    "A field contains zero bytes, which are removed")
            }
            if Self.isHigh(fields[index]), !Self.isUTF8(fields[index]) { broken += 3 * fields[index].count }
        }
        guard broken > 0 else { return }
        reserve(broken)
        var used = 0
        for index in 0..<count where Self.isHigh(fields[index]) && !Self.isUTF8(fields[index]) {
            fields[index] = decode(fields[index], at: &used)
            context.add(
                "invalid_utf8", .warning, at: .init(file: file, line: line),
                "“\(String(decoding: fields[index].prefix(64), as: UTF8.self))” is not UTF-8; decoded as Windows-1252")
        }
    }

    private static func isHigh(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = UnsafeRawPointer(field.baseAddress) else { return false }
        var bits: UInt64 = 0
        var position = 0
        while position + 8 <= field.count {
            bits |= base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += 8
        }
        while position < field.count {
            bits |= UInt64(field[position])
            position += 1
        }
        return bits & 0x8080_8080_8080_8080 != 0
    }

    private static func isUTF8(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        (try? UTF8Span(validating: field.span)) != nil
    }

    private static func withoutZeros(_ field: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let bytes = UnsafeMutableBufferPointer(mutating: field)
        var count = 0
        for byte in field where byte != 0 {
            bytes[count] = byte
            count += 1
        }
        return UnsafeBufferPointer(rebasing: field[..<count])
    }

    private mutating func reserve(_ needed: Int) {
        guard needed > capacity else { return }
        memory?.deallocate()
        memory = .allocate(capacity: needed)
        capacity = needed
    }

    private func decode(_ field: UnsafeBufferPointer<UInt8>, at used: inout Int) -> UnsafeBufferPointer<UInt8> {
        guard let memory else { return field }
        let start = used
        for byte in field {
            for unit in UTF8.encode(Windows1252.scalar(byte)) ?? UTF8.encode("\u{FFFD}")! {
                memory[used] = unit
                used += 1
            }
        }
        return UnsafeBufferPointer(start: memory + start, count: used - start)
    }
}

/// The encoding of Western European Windows programs. From 0xA0 on, it is identical to Latin-1 (ISO 8859-1).
private enum Windows1252 {
    /// The characters of the bytes 0x80 to 0x9F according to the WHATWG Encoding Standard.
    private static let upper: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{0192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{02C6}",
        "\u{2030}", "\u{0160}", "\u{2039}", "\u{0152}", "\u{8D}", "\u{017D}", "\u{8F}", "\u{90}", "\u{2018}",
        "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{02DC}", "\u{2122}", "\u{0161}",
        "\u{203A}", "\u{0153}", "\u{9D}", "\u{017E}", "\u{0178}",
    ]

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
