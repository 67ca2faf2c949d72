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

/// Reads the compressed bytes of one member piece by piece.
private struct MemberInput: ~Copyable {
    private let source: any ByteSource
    private let path: String
    private var position: UInt64
    private var remaining: UInt64
    /// The buffer of ``next()``. The first call allocates it, because a stored member does not need it.
    private var buffer: UnsafeMutableRawBufferPointer?

    private static let pieceSize = 64 << 10
    private static let headerSize = 30

    /// Creates a reader that starts at `position`, which is the result of ``dataOffset(_:_:)``.
    init(_ source: any ByteSource, _ member: ZipMember, at position: UInt64) {
        self.source = source
        self.position = position
        path = member.path
        remaining = member.compressedSize
    }

    deinit { buffer?.deallocate() }

    var isAtEnd: Bool { remaining == 0 }

    /// Returns the next piece, which is valid until the following call. The piece is empty at the end.
    mutating func next() throws(FeedError) -> UnsafeRawBufferPointer {
        let buffer = buffer ?? .allocate(byteCount: Self.pieceSize, alignment: 16)
        self.buffer = buffer
        return UnsafeRawBufferPointer(rebasing: buffer[..<(try read(into: buffer))])
    }

    /// Fills the buffer up to the end of the member and returns the number of bytes read.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        let length = Int(min(UInt64(buffer.count), remaining))
        guard length > 0 else { return 0 }
        let count = try source.read(at: position, into: .init(rebasing: buffer[..<length]))
        guard count == length else { throw .archive(member: path, fault: .damaged(record: "end of the file")) }
        position += UInt64(count)
        remaining -= UInt64(count)
        return count
    }

    /// Checks the local header of a member (APPNOTE.TXT 4.3.7) and returns the offset of its compressed bytes.
    ///
    /// The sizes come from the archive's directory, because a local header with a data descriptor has none.
    static func dataOffset(_ source: any ByteSource, _ member: ZipMember) throws(FeedError) -> UInt64 {
        let damaged = FeedError.archive(member: member.path, fault: .damaged(record: "local file header"))
        guard member.headerOffset <= source.count, source.count - member.headerOffset >= UInt64(headerSize) else {
            throw damaged
        }
        let header = LittleEndian(try source.bytes(at: member.headerOffset, count: headerSize)[...])
        guard header.u32(0) == 0x0403_4B50, ZipMember.Method(header.u16(8)) == member.method else { throw damaged }
        if header.u16(6) & 1 != 0 { throw .archive(member: member.path, fault: .encrypted) }
        let position =
            member.headerOffset + UInt64(headerSize) + UInt64(header.u16(26)) + UInt64(header.u16(28))
        guard position <= source.count, source.count - position >= member.compressedSize else { throw damaged }
        return position
    }
}

/// Unpacks one raw deflate stream (RFC 1951) with zlib.
private struct Inflater: ~Copyable {
    /// The zlib stream. The stream is on the heap because zlib stores a pointer to it and rejects a stream that has
    /// moved.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the end of the deflate stream was reached.
    private(set) var isAtEnd = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Negative window bits select raw deflate without a zlib header. If memory is exhausted, the first write fails
        // as if the stream were corrupt.
        inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether all input was consumed.
    var needsInput: Bool { stream.pointee.avail_in == 0 }

    /// Sets the input. Its memory must stay valid until ``needsInput`` is true.
    func feed(_ input: UnsafeRawBufferPointer) {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(input.count)
    }

    /// Unpacks into the buffer and returns the number of bytes, or `nil` if the data is corrupt or truncated.
    mutating func write(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(buffer.count)
        let status = inflate(stream, Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END else { return nil }
        isAtEnd = status == Z_STREAM_END
        return buffer.count - Int(stream.pointee.avail_out)
    }
}
