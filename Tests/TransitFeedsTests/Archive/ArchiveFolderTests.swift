import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Choice of the feed's folder in an archive")
struct ArchiveFolderTests {
    private static func archive(_ paths: String...) throws(FeedError) -> ZipArchive {
        try ZipArchive(RawZip(paths.map { .init($0, "path\n\($0)\n") }).source)
    }

    private static func fault(_ paths: String...) -> FeedError? {
        #expect(throws: FeedError.self) { try ZipArchive(RawZip(paths.map { .init($0, "path\n") }).source) }
    }

    @Test("The tables can be at the top level, in a folder, or in a nested folder")
    func singleFolderIsFound() throws {
        #expect(try Self.archive("stops.txt", "trips.txt").table("stops.txt")?.path == "stops.txt")
        #expect(try Self.archive("feed/stops.txt", "feed/trips.txt").table("trips.txt")?.path == "feed/trips.txt")
        #expect(try Self.archive("a/b/stops.txt", "a/read me.pdf").table("stops.txt")?.path == "a/b/stops.txt")
    }

    @Test("The shallowest folder with a table is used, and deeper folders are ignored")
    func shallowestFolderIsUsed() throws {
        let archive = try Self.archive("old/stops.txt", "stops.txt", "old/trips.txt")
        #expect(archive.table("stops.txt")?.path == "stops.txt")
        #expect(archive.table("trips.txt") == nil)
        #expect(archive.tables.map(\.path) == ["stops.txt"])
        // Optional tables do not identify the feed's folder.
        #expect(try Self.archive("shapes.txt", "feed/stops.txt").table("stops.txt")?.path == "feed/stops.txt")
    }

    @Test("Two folders at the same level are rejected, and the error names them")
    func twoFoldersAtOneLevelAreRejected() {
        let error = Self.fault("2025/stops.txt", "2026/stops.txt", "2026/trips.txt")
        #expect(error == .archive(member: nil, fault: .ambiguousFolders(["2025/", "2026/"])))
        #expect(
            error?.description
                == "The zip archive cannot be used: 2 folders contain GTFS tables (2025/, 2026/); expected one")
    }

    @Test("The error names what the archive contains instead of tables")
    func errorNamesContentsWithoutTables() {
        #expect(Self.fault() == .archive(member: nil, fault: .noTables(.noMembers)))
        #expect(Self.fault("folder/") == .archive(member: nil, fault: .noTables(.noMembers)))
        #expect(
            Self.fault("all/rail.zip", "all/bus.zip")
                == .archive(member: nil, fault: .noTables(.nestedArchive("all/rail.zip"))))
        #expect(Self.fault("stops.csv") == .archive(member: nil, fault: .noTables(.otherExtension("stops.csv"))))
        #expect(Self.fault("a.pdf", "b.doc") == .archive(member: nil, fault: .noTables(.otherFiles(count: 2))))
        #expect(Self.fault("../stops.txt") == .archive(member: nil, fault: .noTables(.unsafePath("../stops.txt"))))
    }

    @Test("System files in archives are ignored and not reported")
    func systemFilesAreIgnored() throws {
        let archive = try Self.archive(
            "feed/stops.txt", "__MACOSX/feed/._stops.txt", "feed/.DS_Store", "__MACOSX/stops.txt")
        #expect(archive.members.map(\.path) == ["feed/stops.txt"])
        #expect(archive.findings.isEmpty)
    }

    @Test(
        "Paths that point outside the archive are ignored and reported",
        arguments: [
            "../stops.txt", "/stops.txt", "feed/../../stops.txt", "C:\\stops.txt", "..\\stops.txt", "./stops.txt",
            "feed//stops.txt", "new\nline/stops.txt",
        ])
    func unsafePathsAreIgnoredAndReported(path: String) throws {
        let archive = try Self.archive(path, "stops.txt")
        #expect(try archive.text("stops.txt") == "path\nstops.txt\n")
        #expect(archive.members.count == 1)
        #expect(archive.findings.map(\.rule) == ["unsafe_member_path"])
        let context = ReadingContext()
        context.add(findingsOf: archive)
        #expect(context.report.findings.first?.severity == .warning)
    }

    @Test("Thousands of unsafe paths are counted in one finding")
    func manyUnsafePathsAreCountedInOneFinding() throws {
        let archive = try ZipArchive(
            RawZip((0..<9_000).map { .init("../\($0).txt", "") } + [.init("stops.txt", "stop_id\n")]).source)
        let context = ReadingContext()
        context.add(findingsOf: archive)
        #expect(context.report.findings.map(\.rule) == ["unsafe_member_path"])
        #expect(context.report.findings.first?.count == 9_000)
        #expect(context.report.findings.first?.examples.map(\.place.file).last == "../4.txt")
    }

    @Test("A symbolic link is ignored and reported")
    func symbolicLinkIsIgnored() throws {
        var link = RawZip.Entry("trips.txt", "/etc/passwd")
        link.mode = 0o120777
        let archive = try ZipArchive(RawZip([link, .init("stops.txt", "stop_id\n")]).source)
        #expect(archive.table("trips.txt") == nil)
        #expect(archive.findings.map(\.rule) == ["symbolic_link_member"])
    }

    @Test("A duplicate table is reported if it is identical, and rejected otherwise")
    func identicalDuplicateIsReportedAndDifferentOneRejected() throws {
        let same = try Self.archive("stops.txt", "stops.txt")
        #expect(same.findings.map(\.rule) == ["duplicate_member"])
        let different = RawZip([.init("stops.txt", "stop_id\n1\n"), .init("stops.txt", "stop_id\n2\n")])
        #expect(throws: FeedError.archive(member: "stops.txt", fault: .duplicate)) { try ZipArchive(different.source) }
    }
}
