/// Percent-encodes a text for a path segment or a parameter of a query.
enum PercentEncoding {
    /// Everything but the unreserved characters (RFC 3986 section 2.3): stops are named "7901p2&3".
    static func of(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded += "%"
                if byte < 0x10 { encoded += "0" }
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
