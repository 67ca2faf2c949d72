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

/// A defect or peculiarity of an archive that does not prevent reading.
struct ArchiveFinding: Hashable, Sendable {
    var rule: String
    var severity: ValidationReport.Severity
    var path: String
    var message: String
}
