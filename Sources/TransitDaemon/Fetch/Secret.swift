internal import Glibc
internal import TransitModel

/// A key. It can be sent, and is shown nowhere: its description, its debug description and its reflection hide it.
struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// What stands in the place of a secret wherever one would be shown.
    static let placeholder = "<secret>"

    init(_ value: String) { self.value = value }

    /// For the request that carries it, and for finding it in what must not show it.
    func reveal() -> String { value }

    var description: String { Self.placeholder }
    var debugDescription: String { Self.placeholder }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a request carries a secret.
enum SecretPart: Hashable, Sendable {
    case query(name: String, Secret)
    case header(name: String, Secret)
    /// As `Authorization: Bearer`, and by itself in a header.
    case bearerAndHeader(name: String, Secret)

    var secret: Secret {
        switch self {
        case .query(_, let secret), .header(_, let secret), .bearerAndHeader(_, let secret): secret
        }
    }
}

/// Takes secrets out of texts and bytes that came from elsewhere.
struct Redactor: Sendable {
    /// Each secret as it is and percent-encoded, in capital and small digits; the longest first.
    let patterns: [[UInt8]]

    init(_ parts: [SecretPart]) {
        var patterns: Set<[UInt8]> = []
        for text in parts.map({ $0.secret.reveal() }) where !text.isEmpty {
            let encoded = PercentEncoding.of(text)
            patterns.formUnion([Array(text.utf8), Array(encoded.utf8), Array(Self.smallDigits(encoded).utf8)])
        }
        self.patterns = patterns.sorted { $0.count > $1.count }
    }

    func redact(_ text: String) -> String {
        guard isNeeded(Array(text.utf8)) else { return text }
        return String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    /// Stars in the place of each secret; the length stays.
    func redact(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for pattern in patterns {
            var start = 0
            while let found = Self.find(pattern, in: bytes, from: start) {
                for position in found..<found + pattern.count { bytes[position] = 0x2A }
                start = found + pattern.count
            }
        }
        return bytes
    }

    func isNeeded(_ bytes: [UInt8]) -> Bool { patterns.contains { Self.find($0, in: bytes, from: 0) != nil } }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var start = start
            while start &+ pattern.count <= bytes.count {
                let rest = bytes.count - start - pattern.count + 1
                guard let first = memchr(base + start, Int32(pattern[0]), rest) else { return nil }
                if memcmp(first, pattern, pattern.count) == 0 { return UnsafeRawPointer(first) - base }
                start = UnsafeRawPointer(first) - base + 1
            }
            return nil
        }
    }

    /// `%2F` as `%2f`.
    private static func smallDigits(_ encoded: String) -> String {
        var digits = 0
        return String(
            encoded.map { character in
                if character == "%" { digits = 2 } else { digits -= 1 }
                return character != "%" && digits >= 0 ? Character(character.lowercased()) : character
            })
    }
}
