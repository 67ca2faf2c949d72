internal import TransitModel

/// A GTFS feed in a zip archive, read from any ``ByteSource`` without temporary files.
///
/// Opening the archive reads only the directory. Members whose path points outside the archive, symbolic links,
/// `__MACOSX` and files whose name begins with a dot are ignored; ``findings`` reports the first two kinds.
public struct ZipArchive: Sendable {
    /// The members that are not ignored, in the order of the archive's directory.
    public let members: [ZipMember]
    let source: any ByteSource
    let limits: ArchiveLimits
    let findings: [ArchiveFinding]
    /// The tables, keyed by lowercase name.
    private let tablesByName: [String: ZipMember]

    /// Reads the directory. Throws ``FeedError/notAZip(_:)``, ``FeedError/archive(member:fault:)``,
    /// ``FeedError/limit(_:)`` and ``FeedError/unreadable(path:reason:)``.
    public init(_ source: any ByteSource, limits: ArchiveLimits = ArchiveLimits()) throws(FeedError) {
        let directory = try ZipDirectory(source, limits: limits)
        var filter = ArchiveMemberFilter(directory)
        let folder = try FeedFolder(filter.members, unsafePaths: filter.unsafePaths)
        let tables = try filter.tables(in: folder, limits: limits)
        self.source = source
        self.limits = limits
        members = filter.members
        findings = filter.findings
        tablesByName = tables
    }

    /// Returns the table of the feed with the given name, such as "stops.txt", or `nil` if the feed has no such table.
    /// Case is ignored. The tables are at the top level or in the one folder that contains the feed.
    public func table(_ name: String) -> ZipMember? { tablesByName[asciiLowercased(name)] }

    /// All tables of the feed (`.txt` and `.geojson`), sorted by name.
    public var tables: [ZipMember] { tablesByName.sorted { $0.key < $1.key }.map(\.value) }
}

// MARK: - Unpacking
extension ZipArchive {
    /// The size, in bytes, above which a member is unpacked on a second thread.
    private static let parallelSize: UInt64 = 1 << 20

    /// Unpacks a member and passes it to `body` piece by piece. A piece is valid only during the call.
    ///
    /// The CRC-32 is checked after the last call of `body`, so results made from the pieces are valid only if this
    /// method returns without an error.
    ///
    /// Throws ``FeedError/archive(member:fault:)`` if the member is corrupt or does not match its directory entry, and
    /// ``FeedError/unreadable(path:reason:)`` if the source cannot be read. An error from `body` stops the unpacking
    /// and is rethrown.
    public func inflate(
        _ member: ZipMember, _ body: (UnsafeBufferPointer<UInt8>) throws(FeedError) -> Void
    ) throws(FeedError) {
        _ = try unpack(member) { chunk throws(FeedError) in
            try body(UnsafeBufferPointer(start: chunk.base, count: chunk.count))
        }
    }

    /// Unpacks a member piece by piece and returns the SHA-256 of its bytes.
    func unpack(
        _ member: ZipMember, _ body: (UnpackedChunk) throws(FeedError) -> Void
    ) throws(FeedError) -> [UInt8] {
        if member.size > Self.parallelSize { return try UnpackRingBuffer.run(self, member, body) }
        var stream = try MemberStream.open(member, of: self)
        // One byte more than the declared size, to detect a member that is longer.
        let memory = ChunkMemory(capacity: Int(min(member.size + 1, 128 << 10)))
        while true {
            let count = try stream.read(into: memory.buffer)
            guard count > 0 else { return stream.digest }
            try body(memory.chunk(count: count))
        }
    }
}

/// A file in a zip archive, as described by the archive's directory.
public struct ZipMember: Hashable, Sendable {
    /// The compression method (APPNOTE.TXT 4.4.5).
    public enum Method: Hashable, Sendable {
        case stored
        case deflate
        case other(UInt16)
    }

    /// The path in the archive, with `/` between components.
    public var path: String
    /// The last component of the path.
    public var name: String
    /// The number of compressed bytes.
    public var compressedSize: UInt64
    /// The declared number of unpacked bytes, which is verified when the member is read.
    public var size: UInt64
    /// The declared CRC-32 of the unpacked bytes, which is verified when the member is read.
    public var crc32: UInt32
    public var method: Method
    var isEncrypted: Bool
    /// The offset of the local header in bytes from the start of the source.
    var headerOffset: UInt64

    /// The path without the name. The folder ends in `/`, or is empty at the top level.
    var folder: String { String(decoding: path.utf8.dropLast(name.utf8.count), as: UTF8.self) }
}

extension ZipMember.Method {
    init(_ number: UInt16) {
        switch number {
        case 0: self = .stored
        case 8: self = .deflate
        default: self = .other(number)
        }
    }
}

/// The size limits of an archive. They keep a malicious archive from exhausting memory or time.
public struct ArchiveLimits: Hashable, Sendable {
    /// The maximum total unpacked size of all tables, in bytes.
    public var totalSize: UInt64
    /// The maximum unpacked size of one table, in bytes.
    public var memberSize: UInt64
    /// The maximum ratio of the unpacked size of a table to its compressed size. The largest ratio seen in real feeds
    /// is about 60. The deflate format can reach 1,032.
    public var ratio: Int
    /// The unpacked size, in bytes, up to which the ratio of a table is not limited. A short table of identical rows
    /// compresses very well.
    public var ratioAllowance: UInt64
    /// The maximum number of members of the archive, including members that are ignored.
    public var members: Int
    /// The maximum size of the archive's central directory, in bytes.
    public var directorySize: UInt64

    public init(
        totalSize: UInt64 = 4 << 30, memberSize: UInt64 = 4 << 30, ratio: Int = 200, ratioAllowance: UInt64 = 8 << 20,
        members: Int = 10_000, directorySize: UInt64 = 16 << 20
    ) {
        self.totalSize = totalSize
        self.memberSize = memberSize
        self.ratio = ratio
        self.ratioAllowance = ratioAllowance
        self.members = members
        self.directorySize = directorySize
    }
}

/// A defect or peculiarity of an archive that does not prevent reading.
struct ArchiveFinding: Hashable, Sendable {
    var rule: String
    var severity: ValidationReport.Severity
    var path: String
    var message: String
}
