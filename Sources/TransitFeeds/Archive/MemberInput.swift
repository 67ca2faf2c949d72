/// The packed bytes of one member, in pieces.
struct MemberInput: ~Copyable {
    private let source: any ByteSource
    private let path: String
    private var position: UInt64
    private var remaining: UInt64
    /// Empty until the first ``next()``: a stored member needs none.
    private var buffer: UnsafeMutableRawBufferPointer?

    private static let pieceSize = 64 << 10
    private static let headerSize = 30

    /// `position` is where the packed bytes start: ``dataOffset(_:_:)``.
    init(_ source: any ByteSource, _ member: ZipMember, at position: UInt64) {
        self.source = source
        self.position = position
        path = member.path
        remaining = member.compressedSize
    }

    deinit { buffer?.deallocate() }

    var isAtEnd: Bool { remaining == 0 }

    /// The next piece, valid until the following call; empty at the end.
    mutating func next() throws(FeedError) -> UnsafeRawBufferPointer {
        let buffer = buffer ?? .allocate(byteCount: Self.pieceSize, alignment: 16)
        self.buffer = buffer
        return UnsafeRawBufferPointer(rebasing: buffer[..<(try read(into: buffer))])
    }

    /// Fills the buffer as far as the member goes and returns how many bytes were read.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        let length = Int(min(UInt64(buffer.count), remaining))
        guard length > 0 else { return 0 }
        let count = try source.read(at: position, into: .init(rebasing: buffer[..<length]))
        guard count == length else { throw .archive(member: path, fault: .damaged(record: "end of the file")) }
        position += UInt64(count)
        remaining -= UInt64(count)
        return count
    }

    /// Where the packed bytes of a member start, behind its local header (APPNOTE.TXT 4.3.7), which is checked. Sizes are
    /// taken from the archive's directory, because with a data descriptor the local header has none.
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
