/// An API key that can be sent but not printed: its description, debug description and reflection hide it.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// The text that replaces a secret wherever one would be printed.
    package static let placeholder = "<secret>"

    package init(_ value: String) { self.value = value }

    /// Returns the key, so that it can be sent with a request and redacted in other text.
    package func reveal() -> String { value }

    package var description: String { Self.placeholder }
    package var debugDescription: String { Self.placeholder }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The place of a secret in a request.
package enum SecretLocation: Hashable, Sendable {
    case query(name: String, Secret)
    case header(name: String, Secret)
    /// After the name of a scheme in the `Authorization` header (RFC 9110, section 11.6.2).
    case authorization(scheme: String, Secret)
    /// As a bearer token in the `Authorization` header, and without a prefix in another header.
    case bearerAndHeader(name: String, Secret)

    package var secret: Secret {
        switch self {
        case .query(_, let secret), .header(_, let secret), .authorization(_, let secret),
            .bearerAndHeader(_, let secret):
            secret
        }
    }
}

/// Removes secrets from text and data that come from servers.
///
/// A server that repeats a key may percent-encode any of its bytes (RFC 3986 section 2.1), even those that need no
/// encoding, with uppercase or lowercase digits. It may encode the result again to put a URL into a parameter of
/// another URL.
struct Redactor: Sendable {
    /// Maximum number of nested encodings that are detected, such as `%2F`, `%252F` and `%25252F`.
    private static let depth = 3

    /// Longest first, so that a secret that contains another one is removed completely.
    private let secrets: [[UInt8]]

    /// Maximum length of an encoded secret in bytes.
    var maximumEncodedLength: Int { (secrets.first?.count ?? 0) * (1 + 2 * Self.depth) }

    init(_ parts: [SecretLocation]) {
        secrets = Set(parts.map { Array($0.secret.reveal().utf8) }).filter { !$0.isEmpty }
            .sorted { $0.count > $1.count }
    }

    func redact(_ text: String) -> String {
        guard matches(Array(text.utf8)) else { return text }
        return String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    /// Replaces each byte of a secret with an asterisk, so that the length stays the same.
    func redact(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for secret in secrets {
            var start = 0
            while let found = Self.find(secret, in: bytes, from: start) {
                for position in found { bytes[position] = 0x2A }
                start = found.upperBound
            }
        }
        return bytes
    }

    func matches(_ bytes: [UInt8]) -> Bool { secrets.contains { Self.find($0, in: bytes, from: 0) != nil } }

    private static func find(_ secret: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
        bytes.withUnsafeBufferPointer { bytes in
            for position in stride(from: start, through: bytes.count - secret.count, by: 1)
            where bytes[position] == secret[0] || bytes[position] == percent {
                if let end = match(secret[...], bytes, position) { return position..<end }
            }
            return nil
        }
    }

    private static let percent = UInt8(ascii: "%")

    /// Returns the end of the secret that begins at a position, in any encoding.
    private static func match(
        _ secret: ArraySlice<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int
    ) -> Int? {
        guard let first = secret.first else { return position }
        guard position < bytes.count else { return nil }
        if bytes[position] == first, let end = match(secret.dropFirst(), bytes, position + 1) { return end }
        guard bytes[position] == percent else { return nil }
        var digits = position + 1
        for _ in 0..<depth {
            guard digits + 1 < bytes.count else { return nil }
            if hexadecimal(bytes[digits], bytes[digits + 1]) == first,
                let end = match(secret.dropFirst(), bytes, digits + 2)
            {
                return end
            }
            // `%25` is a percent sign, which may belong to an encoded byte.
            guard hexadecimal(bytes[digits], bytes[digits + 1]) == percent else { return nil }
            digits += 2
        }
        return nil
    }

    /// Returns `nil` for characters that are not hexadecimal digits.
    private static func hexadecimal(_ high: UInt8, _ low: UInt8) -> UInt8? {
        func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard let high = digit(high), let low = digit(low) else { return nil }
        return high << 4 | low
    }
}

/// Formats URLs for logs and recordings, without secrets. Keys that are part of a configured URL are removed too.
enum RedactedURL {
    /// Lowercase names of query parameters that usually contain a key or a signature.
    private static let secretParameters: Set<String> = [
        "key", "api_key", "apikey", "api-key", "app_key", "appkey", "appid", "app_id", "token", "access_token", "auth",
        "authorization", "password", "passwd", "secret", "client_secret", "sig", "signature", "subscription-key",
        "ocp-apim-subscription-key", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "googleaccessid",
    ]

    /// A URL that cannot be parsed is omitted entirely.
    static func text(_ url: String, redactor: Redactor) -> String {
        if url.hasPrefix("file:") { return url }
        guard let address = WebURL(url) else { return "(invalid URL)" }
        return redactor.redact(address.hiding("REDACTED") { secretParameters.contains($0.lowercased()) }.text)
    }
}
