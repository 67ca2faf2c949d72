internal import CZlib

/// Unpacks one member sequentially.
///
/// The stream checks that the number of bytes and their CRC-32 match the archive's directory, and stops as soon as the
/// member exceeds its declared size. The stream also computes the SHA-256 in the same pass.
struct MemberStream: ~Copyable {
    /// The SHA-256 of the unpacked bytes. The digest is set when ``read(into:)`` returns 0.
    private(set) var digest: [UInt8] = []
    private let member: ZipMember
    private var input: MemberInput
    /// Used only for members compressed with deflate.
    private var inflater = Inflater()
    private let hash = SHA256()
    private var done: UInt64 = 0
    private var checksum: UInt = 0

    private init(_ member: ZipMember, _ input: consuming MemberInput) {
        self.member = member
        self.input = input
    }

    /// Throws ``FeedError/archive(member:fault:)`` if the member is encrypted or has an unsupported compression method.
    static func open(_ member: ZipMember, of archive: ZipArchive) throws(FeedError) -> MemberStream {
        if member.isEncrypted { throw .archive(member: member.path, fault: .encrypted) }
        if case .other(let number) = member.method { throw .archive(member: member.path, fault: .method(number)) }
        if member.method == .stored, member.size != member.compressedSize {
            throw .archive(member: member.path, fault: .size(claimed: member.size, actual: member.compressedSize))
        }
        let position = try MemberInput.dataOffset(archive.source, member)
        return MemberStream(member, MemberInput(archive.source, member, at: position))
    }

    /// Fills the buffer and returns the number of bytes written. Returns 0 at the end if all checks passed.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        let count = member.method == .stored ? try input.read(into: buffer) : try inflate(into: buffer)
        guard count > 0 else {
            try finish()
            return 0
        }
        done += UInt64(count)
        guard done <= member.size else { throw fault(.size(claimed: member.size, actual: nil)) }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        checksum = crc32_z(checksum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
        hash.update(bytes)
        return count
    }

    private mutating func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        var count = 0
        while count < buffer.count, !inflater.isAtEnd {
            if inflater.needsInput { inflater.feed(try input.next()) }
            guard let written = inflater.write(into: .init(rebasing: buffer[count...])) else { throw fault(.deflate) }
            count += written
        }
        return count
    }

    private mutating func finish() throws(FeedError) {
        guard done == member.size else { throw fault(.size(claimed: member.size, actual: done)) }
        // No legitimate program writes compressed bytes after the end of the deflate stream, where readers ignore them.
        guard input.isAtEnd, inflater.needsInput else { throw fault(.deflate) }
        guard checksum == UInt(member.crc32) else {
            throw fault(.checksum(claimed: member.crc32, actual: UInt32(checksum)))
        }
        digest = hash.finish()
    }

    private func fault(_ fault: ArchiveFault) -> FeedError { .archive(member: member.path, fault: fault) }
}
