internal import TransitModel

/// Selects the members of an archive that can belong to a feed, and reports why other members are ignored.
struct ArchiveMemberFilter {
    private(set) var members: [ZipMember] = []
    private(set) var unsafePaths: [String] = []
    private(set) var findings: [ArchiveFinding] = []

    init(_ directory: ZipDirectory) {
        for member in directory.members where !Self.isStray(member) {
            if !Self.isSafe(member.path) {
                unsafePaths.append(member.path)
                addFinding(
                    "unsafe_member_path", .warning, member, "The path points outside the archive; the file is ignored")
            } else if directory.links.contains(member.path) {
                addFinding("symbolic_link_member", .warning, member, "The file is a symbolic link and is ignored")
            } else {
                members.append(member)
            }
        }
    }

    /// Returns whether the member is a system file that an archiving program added, such as `__MACOSX/._stops.txt` or
    /// `.DS_Store`.
    private static func isStray(_ member: ZipMember) -> Bool {
        member.name.hasPrefix(".") || member.path.hasPrefix("__MACOSX/") || member.path.contains("/__MACOSX/")
    }

    /// Returns whether the path is relative and has no `.` or `..` component, drive letter or control character.
    private static func isSafe(_ path: String) -> Bool {
        guard !path.hasPrefix("/"), !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x3A }) else {
            return false
        }
        return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0 != "." && $0 != ".."
        }
    }

    /// Returns the tables in the folder, keyed by lowercase name. Throws if a table exceeds the limits.
    mutating func tables(in folder: FeedFolder, limits: ArchiveLimits) throws(FeedError) -> [String: ZipMember] {
        var tables: [String: ZipMember] = [:]
        var total: UInt64 = 0
        for member in members where member.folder == folder.path {
            let name = asciiLowercased(member.name)
            guard name.hasSuffix(".txt") || name.hasSuffix(".geojson") else { continue }
            if let other = tables[name] {
                try noteDuplicate(member, of: other)
                continue
            }
            try limits.check(member)
            let (sum, overflow) = total.addingReportingOverflow(member.size)
            total = overflow ? .max : sum
            if total > limits.totalSize { throw .limit(.totalSize(total, limit: limits.totalSize)) }
            if name != member.name, FeedFolder.characteristicFiles.contains(name) {
                addFinding("file_name_case", .info, member, "The GTFS reference names this file \(name)")
            }
            tables[name] = member
        }
        return tables
    }

    private mutating func noteDuplicate(_ member: ZipMember, of other: ZipMember) throws(FeedError) {
        guard member.crc32 == other.crc32, member.size == other.size else {
            throw .archive(member: member.path, fault: .duplicate)
        }
        addFinding("duplicate_member", .warning, member, "The archive contains this file twice with the same contents")
    }

    private mutating func addFinding(
        _ rule: String, _ severity: ValidationReport.Severity, _ member: ZipMember, _ message: String
    ) {
        findings.append(ArchiveFinding(rule: rule, severity: severity, path: member.path, message: message))
    }
}

extension ArchiveLimits {
    /// Throws if the declared size of the member exceeds a limit.
    fileprivate func check(_ member: ZipMember) throws(FeedError) {
        guard member.size <= memberSize else {
            throw .limit(.memberSize(member: member.path, size: member.size, limit: memberSize))
        }
        guard member.size > ratioAllowance, member.size / UInt64(max(1, ratio)) > member.compressedSize else { return }
        throw .limit(
            .ratio(member: member.path, size: member.size, compressedSize: member.compressedSize, limit: ratio))
    }
}

/// The folder of an archive that contains the feed.
///
/// The GTFS reference requires the tables at the top level. Some archives have them in a folder. In that case, the
/// feed's folder is the shallowest folder that contains a table. If several folders are equally shallow, the archive is
/// rejected as ambiguous.
struct FeedFolder {
    /// The path, which ends in `/` or is empty for the top level.
    let path: String

    /// The tables that identify the folder of a feed. Optional tables are not considered.
    static let characteristicFiles: Set<String> = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt",
    ]

    /// Chooses the folder. `members` have safe paths; `unsafePaths` are the paths of all other members.
    init(_ members: [ZipMember], unsafePaths: [String]) throws(FeedError) {
        let folders = Set(members.filter { Self.characteristicFiles.contains(asciiLowercased($0.name)) }.map(\.folder))
        let depth = folders.map(Self.depth).min()
        let shallowest = folders.filter { Self.depth($0) == depth }.sorted()
        guard let first = shallowest.first else {
            throw .archive(member: nil, fault: .noTables(Self.reasonForNoTables(members, unsafePaths)))
        }
        guard shallowest.count == 1 else { throw .archive(member: nil, fault: .ambiguousFolders(shallowest)) }
        path = first
    }

    private static func depth(_ folder: String) -> Int { folder.utf8.count { $0 == 0x2F } }

    private static func reasonForNoTables(_ members: [ZipMember], _ unsafePaths: [String]) -> NoTables {
        if let path = unsafePaths.first(where: { $0.hasSuffix(".txt") }) { return .unsafePath(path) }
        if let nested = members.first(where: { asciiLowercased($0.name).hasSuffix(".zip") }) {
            return .nestedArchive(nested.path)
        }
        let tables = members.first {
            let name = asciiLowercased($0.name)
            return name.hasSuffix(".csv") && characteristicFiles.contains(name.dropLast(4) + ".txt")
        }
        if let tables { return .otherExtension(tables.path) }
        return members.isEmpty ? .noMembers : .otherFiles(count: members.count)
    }
}

/// Returns the text with A to Z converted to lowercase. Other characters do not change.
func asciiLowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
}
