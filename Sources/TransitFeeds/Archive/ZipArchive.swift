internal import TransitModel

/// A GTFS feed as a zip archive, read from any ``ByteSource`` without temporary files.
///
/// Opening it reads the directory only. Names that lead out of the archive, symbolic links, `__MACOSX` and files whose
/// name begins with a dot are ignored; ``findings`` tells of those that matter.
public struct ZipArchive: Sendable {
    /// The members that are not ignored, in the order of the archive's directory.
    public let members: [ZipMember]
    let source: any ByteSource
    let limits: ArchiveLimits
    let findings: [ArchiveFinding]
    /// By name in lower case.
    private let tablesByName: [String: ZipMember]

    /// Reads the directory. Throws ``FeedError/notAZip(_:)``, ``FeedError/archive(member:fault:)``,
    /// ``FeedError/limit(_:)`` and ``FeedError/unreadable(path:reason:)``.
    public init(_ source: any ByteSource, limits: ArchiveLimits = ArchiveLimits()) throws(FeedError) {
        let directory = try ZipDirectory(source, limits: limits)
        var sieve = ArchiveMemberFilter(directory)
        let folder = try FeedFolder(sieve.members, unsafePaths: sieve.unsafePaths)
        let tables = try sieve.tables(in: folder, limits: limits)
        self.source = source
        self.limits = limits
        members = sieve.members
        findings = sieve.findings
        tablesByName = tables
    }

    /// A table of the feed by its name, such as "stops.txt": of the top level, or of the one folder that holds the feed.
    /// Upper and lower case are the same. `nil` when the feed has no such table.
    public func table(_ name: String) -> ZipMember? { tablesByName[asciiLowercased(name)] }

    /// All tables of the feed (`.txt` and `.geojson`), by name.
    public var tables: [ZipMember] { tablesByName.sorted { $0.key < $1.key }.map(\.value) }
}

/// Something about the archive that its reader should know, and that does not prevent reading.
struct ArchiveFinding: Hashable, Sendable {
    var rule: String
    var severity: ValidationReport.Severity
    var path: String
    var message: String
}
