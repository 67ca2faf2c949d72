/// Percent-encoding of text.
public enum PercentEncoding {
    /// Encodes all characters except the unreserved ones of URLs (RFC 3986, section 2.3) as `%` and two hexadecimal digits
    /// for each UTF-8 byte.
    public static func of(_ text: String) -> String { of(text, keeping: "-._~") }

    /// Encodes all characters except ASCII letters, digits and the given others, which are ASCII and not `%`.
    public static func of(_ text: String, keeping others: StaticString) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
            case _ where others.withUTF8Buffer { $0.contains(byte) }: bytes.append(byte)
            default: bytes += [0x25, digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The digits are uppercase, as recommended by RFC 3986 section 2.1.
    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

    /// Decodes text. Returns `nil` if a `%` has no two digits, or if the result is not UTF-8.
    public static func decoded(_ text: some StringProtocol) -> String? {
        bytes(of: text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Decodes text to bytes. Returns `nil` if a `%` has no two digits.
    public static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25 {
                guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
