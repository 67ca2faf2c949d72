import Glibc
import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Variants of the zip format in real archives")
struct ZipArchiveTests {
    private static let text = "stop_id,stop_name\n1,Harbor\n"

    @Test("Stored and deflated members give the same contents", arguments: [true, false])
    func storedAndDeflatedMembersAreEqual(isStored: Bool) throws {
        let archive = try ZipArchive(MemoryByteSource(FeedBuilder.small.zip(isStored: isStored)))
        #expect(try archive.text("stops.txt") == FeedBuilder.small["stops.txt"])
        #expect(archive.table("stops.txt")?.method == (isStored ? .stored : .deflate))
        #expect(archive.table("fare_rules.txt") == nil)
    }

    @Test("Sizes in a data descriptor are supported")
    func dataDescriptorIsSupported() throws {
        var entry = RawZip.Entry("stops.txt", Self.text)
        entry.hasDescriptor = true
        #expect(try ZipArchive(RawZip([entry]).source).text("stops.txt") == Self.text)
    }

    @Test("Zip64 fields and end records are supported", arguments: [[], Array("#!/bin/sh\n".utf8)])
    func zip64IsSupported(prefix: [UInt8]) throws {
        var zip = RawZip([.init("stops.txt", Self.text), .init("agency.txt", "agency_id\n", isStored: true)])
        for index in zip.entries.indices { zip.entries[index].isZip64 = true }
        zip.hasZip64End = true
        zip.prefix = prefix
        let archive = try ZipArchive(zip.source)
        #expect(try archive.text("stops.txt") == Self.text)
        #expect(try archive.text("agency.txt") == "agency_id\n")
    }

    @Test("Bytes before the archive and a comment that contains an end signature are skipped")
    func prefixAndCommentAreSkipped() throws {
        var zip = RawZip([.init("stops.txt", Self.text)])
        zip.prefix = Array("MZ a self-extracting program".utf8)
        zip.comment = [0x50, 0x4B, 5, 6] + Array("is the signature of the end record, in a comment".utf8)
        #expect(try ZipArchive(zip.source).text("stops.txt") == Self.text)
    }

    @Test("Backslashes written by Windows programs separate folders")
    func backslashesSeparateFolders() throws {
        let archive = try ZipArchive(RawZip([.init("feed\\stops.txt", Self.text)]).source)
        #expect(try archive.text("stops.txt") == Self.text)
        #expect(archive.members.map(\.path) == ["feed/stops.txt"])
    }

    @Test("Empty tables are supported", arguments: [true, false])
    func emptyTableIsSupported(isStored: Bool) throws {
        let archive = try ZipArchive(RawZip([.init("stops.txt", "", isStored: isStored)]).source)
        #expect(try archive.text("stops.txt") == "")
    }

    @Test("Table names ignore case, and unusual case is reported")
    func tableNamesIgnoreCase() throws {
        let archive = try ZipArchive(RawZip([.init("Stops.TXT", Self.text), .init("LICENSE.txt", "free")]).source)
        #expect(try archive.text("stops.txt") == Self.text)
        #expect(archive.findings.map(\.rule) == ["file_name_case"])
        #expect(archive.findings.first?.path == "Stops.TXT")
    }

    @Test("A file gives the same contents as an archive in memory")
    func fileEqualsMemory() throws {
        try TemporaryFile.with(FeedBuilder.small.zip()) { path in
            let archive = try ZipArchive(FileByteSource(path: path))
            #expect(try archive.text("trips.txt") == FeedBuilder.small["trips.txt"])
        }
    }

    @Test("The error of a missing file, a folder and a device has a reason")
    func unreadableFilesGiveReason() {
        #expect(throws: FeedError.unreadable(path: "/nonexistent/feed.zip", reason: "No such file or directory")) {
            try FileByteSource(path: "/nonexistent/feed.zip")
        }
        #expect(throws: FeedError.unreadable(path: "/", reason: "The path is not a regular file")) {
            try FileByteSource(path: "/")
        }
        #expect(throws: FeedError.unreadable(path: "/dev/null", reason: "The path is not a regular file")) {
            try FileByteSource(path: "/dev/null")
        }
    }
}

/// A file that is deleted after the test.
private enum TemporaryFile {
    static func with(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        var template = Array("/tmp/transit-feeds-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        try #require(written == bytes.count)
        try body(path)
    }
}
