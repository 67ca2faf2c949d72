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
