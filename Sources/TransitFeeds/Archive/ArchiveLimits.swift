/// How much an archive may unpack to, so that a hostile one cannot fill the machine.
public struct ArchiveLimits: Hashable, Sendable {
    /// All tables together, in bytes.
    public var totalSize: UInt64
    /// One table, in bytes.
    public var memberSize: UInt64
    /// How many times its compressed size a table may unpack to. The largest seen in real feeds is about 60; deflate
    /// reaches 1,032.
    public var ratio: Int
    /// Tables up to this many bytes may have any ratio: a short table of equal rows compresses very well.
    public var ratioAllowance: UInt64
    /// Members of the archive, counted before any is ignored.
    public var members: Int
    /// The directory of the archive, in bytes.
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
