internal import CCrypto

/// The SHA-256 of a feed's contents. The digest depends only on the tables, not on their compression, order or folder.
///
/// The hash input has three parts for every table, in the order of the table names: the lowercase name, a zero byte,
/// and the 32 bytes of the table's own SHA-256.
public struct ContentHash {
    private var digests: [String: [UInt8]] = [:]

    func contains(_ member: ZipMember) -> Bool { digests[asciiLowercased(member.name)] != nil }

    mutating func add(_ member: ZipMember, sha256: [UInt8]) { digests[asciiLowercased(member.name)] = sha256 }

    /// Returns the SHA-256 of the bytes in lowercase hexadecimal.
    public static func of(_ bytes: [UInt8]) -> String {
        let hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hexadecimal(hash.finish())
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The digest in lowercase hexadecimal.
    var text: String {
        let hash = SHA256()
        for (name, digest) in digests.sorted(by: { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }) {
            (Array(name.utf8) + [0] + digest).withUnsafeBytes { hash.update($0) }
        }
        return Self.hexadecimal(hash.finish())
    }
}

extension ZipArchive {
    /// Unpacks every table and returns the ``ContentHash`` of the feed in hexadecimal. Throws the errors of
    /// ``inflate(_:_:)``.
    public func contentDigest() throws(FeedError) -> String {
        let context = ReadingContext()
        return try contentDigest(context)
    }

    /// Returns the ``ContentHash`` of a feed that was read with `context`. Unpacks only the tables that were not
    /// read.
    package func contentDigest(_ context: ReadingContext) throws(FeedError) -> String {
        for member in tables where !context.digest.contains(member) {
            let digest = try unpack(member) { chunk throws(FeedError) in
                try context.advance(member.name, by: chunk.count)
            }
            context.digest.add(member, sha256: digest)
        }
        return context.digest.text
    }
}

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
