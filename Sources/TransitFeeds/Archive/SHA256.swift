internal import CCrypto

/// SHA-256 (FIPS 180-4) over bytes as they come, by OpenSSL's libcrypto.
struct SHA256: ~Copyable {
    /// `nil` only when memory is out; the digest is then empty, which equals no other.
    private let context: OpaquePointer?

    init() {
        context = EVP_MD_CTX_new()
        if let context { EVP_DigestInit_ex(context, EVP_sha256(), nil) }
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        guard let context, let base = bytes.baseAddress else { return }
        EVP_DigestUpdate(context, base, bytes.count)
    }

    /// The 32 bytes; nothing may be added afterwards.
    func finish() -> [UInt8] {
        guard let context else { return [] }
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return [] }
        return digest
    }
}
