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
