internal import CCrypto

/// Digests and Base64 from libcrypto.
enum Digest {
    /// SHA-1 (FIPS 180-4). Used only for the WebSocket handshake, where it does not protect a secret.
    static func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1()) }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256()) }

    /// Returns bytes as lowercase hexadecimal digits.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Encodes bytes as Base64 without line breaks (RFC 4648 section 4).
    static func base64(_ bytes: [UInt8]) -> String {
        // EVP_EncodeBlock also writes a terminating zero byte.
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text[..<Int(count)], as: UTF8.self)
    }

    /// Returns no bytes if libcrypto has disabled the algorithm, as a FIPS configuration may do for SHA-1.
    private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &digest, &count, algorithm, nil) == 1 else { return [] }
        return Array(digest[..<Int(count)])
    }
}
