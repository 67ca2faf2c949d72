/// Reads the compressed bytes of one member piece by piece.
struct MemberInput: ~Copyable {
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
