internal import CCrypto

/// An incremental SHA-256 (FIPS 180-4) hash, computed by OpenSSL's libcrypto.
struct SHA256: ~Copyable {
    /// `nil` only if memory is exhausted. The digest is then empty and equals no other digest.
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

    /// Returns the 32 bytes of the digest. Do not call ``update(_:)`` afterward.
    func finish() -> [UInt8] {
        guard let context else { return [] }
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return [] }
        return digest
    }
}
