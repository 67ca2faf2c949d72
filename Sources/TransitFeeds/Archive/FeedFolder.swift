/// Chooses the folder of an archive that holds the feed.
///
/// The GTFS reference wants the tables at the top level. Where they are not, the folder is taken that holds a table
/// and lies least deep; when two lie equally deep, nothing tells which is meant and the archive is refused.
struct FeedFolder {
    /// Ends in `/`; empty for the top level.
    let path: String

    /// A folder with one of these holds a feed; the tables that only some feeds have prove nothing.
    static let characteristicFiles: Set<String> = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt",
    ]

    /// `members` are those with safe names, `unsafePaths` the names of the others.
    init(_ members: [ZipMember], unsafePaths: [String]) throws(FeedError) {
        let folders = Set(members.filter { Self.characteristicFiles.contains(asciiLowercased($0.name)) }.map(\.folder))
        let depth = folders.map(Self.depth).min()
        let shallowest = folders.filter { Self.depth($0) == depth }.sorted()
        guard let first = shallowest.first else {
            throw .archive(member: nil, fault: .noTables(Self.instead(members, unsafePaths)))
        }
        guard shallowest.count == 1 else { throw .archive(member: nil, fault: .ambiguousFolders(shallowest)) }
        path = first
    }

    private static func depth(_ folder: String) -> Int { folder.utf8.count { $0 == 0x2F } }

    private static func instead(_ members: [ZipMember], _ unsafePaths: [String]) -> NoTables {
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

/// The text with A to Z in lower case; other characters stay.
func asciiLowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
}
