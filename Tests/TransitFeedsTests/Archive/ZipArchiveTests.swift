import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Zip archives as they are made in the world")
struct ZipArchiveTests {
    private static let text = "stop_id,stop_name\n1,Harbor\n"

    @Test("Stored and deflated members read the same", arguments: [true, false])
    func methods(isStored: Bool) throws {
        let archive = try ZipArchive(MemoryByteSource(FeedBuilder.small.zip(isStored: isStored)))
        #expect(try archive.text("stops.txt") == FeedBuilder.small["stops.txt"])
        #expect(archive.table("stops.txt")?.method == (isStored ? .stored : .deflate))
        #expect(archive.table("fare_rules.txt") == nil)
    }

    @Test("Sizes in a data descriptor")
    func dataDescriptor() throws {
        var entry = RawZip.Entry("stops.txt", Self.text)
        entry.hasDescriptor = true
        #expect(try ZipArchive(RawZip([entry]).source).text("stops.txt") == Self.text)
    }

    @Test("Zip64, in the directory and at the end", arguments: [[], Array("#!/bin/sh\n".utf8)])
    func zip64(prefix: [UInt8]) throws {
        var zip = RawZip([.init("stops.txt", Self.text), .init("agency.txt", "agency_id\n", isStored: true)])
        for index in zip.entries.indices { zip.entries[index].isZip64 = true }
        zip.hasZip64End = true
        zip.prefix = prefix
        let archive = try ZipArchive(zip.source)
        #expect(try archive.text("stops.txt") == Self.text)
        #expect(try archive.text("agency.txt") == "agency_id\n")
    }

    @Test("Bytes in front of the archive, and a comment that looks like an end of one")
    func prefixAndComment() throws {
        var zip = RawZip([.init("stops.txt", Self.text)])
        zip.prefix = Array("MZ a program that unpacks itself".utf8)
        zip.comment = [0x50, 0x4B, 5, 6] + Array("is how the last record starts, which a comment may say too".utf8)
        #expect(try ZipArchive(zip.source).text("stops.txt") == Self.text)
    }

    @Test("Backslashes between folders, as Windows programs write them")
    func backslashes() throws {
        let archive = try ZipArchive(RawZip([.init("feed\\stops.txt", Self.text)]).source)
        #expect(try archive.text("stops.txt") == Self.text)
        #expect(archive.members.map(\.path) == ["feed/stops.txt"])
    }

    @Test("Empty tables, stored and deflated", arguments: [true, false])
    func emptyMember(isStored: Bool) throws {
        let archive = try ZipArchive(RawZip([.init("stops.txt", "", isStored: isStored)]).source)
        #expect(try archive.text("stops.txt") == "")
    }

    @Test("A table is found in any case, and the report says so")
    func nameCase() throws {
        let archive = try ZipArchive(RawZip([.init("Stops.TXT", Self.text), .init("LICENSE.txt", "free")]).source)
        #expect(try archive.text("stops.txt") == Self.text)
        #expect(archive.findings.map(\.rule) == ["file_name_case"])
        #expect(archive.findings.first?.path == "Stops.TXT")
    }

    @Test("A file on disk reads as one in memory")
    func fileBytes() throws {
        try TemporaryFile.with(FeedBuilder.small.zip()) { path in
            let archive = try ZipArchive(FileByteSource(path: path))
            #expect(try archive.text("trips.txt") == FeedBuilder.small["trips.txt"])
        }
    }

    @Test("A missing file, a folder and a device are named with the system's reason")
    func unreadableFiles() {
        #expect(throws: FeedError.unreadable(path: "/nonexistent/feed.zip", reason: "No such file or directory")) {
            try FileByteSource(path: "/nonexistent/feed.zip")
        }
        #expect(throws: FeedError.unreadable(path: "/", reason: "It is not a regular file")) {
            try FileByteSource(path: "/")
        }
        #expect(throws: FeedError.unreadable(path: "/dev/null", reason: "It is not a regular file")) {
            try FileByteSource(path: "/dev/null")
        }
    }
}
