import Testing
import TransitModel

@testable import TransitFeeds

@Suite("Content received in place of a zip archive")
struct ArchiveRecognitionTests {
    @Test(
        "Text content is recognized",
        arguments: [
            ("", UnexpectedArchiveContent.empty),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", .gitLargeFilePointer),
            ("<!DOCTYPE html>\n<html><body>Not found</body></html>", .htmlPage),
            ("\u{FEFF}\n <html lang=\"en\">", .htmlPage),
            ("{\"error\": \"no key\"}", .json(excerpt: "“{\"error\": \"no key\"}”")),
            ("[]", .json(excerpt: "“[]”")),
            ("<?xml version=\"1.0\"?>", .xml(excerpt: "“<?xml version=\"1.0\"?>”")),
            ("No API key\nwas given\n", .text(excerpt: "“No API key was given ”")),
            ("BZh91AY", .otherArchive("bzip2")),
        ])
    func textContentIsRecognized(text: String, kind: UnexpectedArchiveContent) {
        #expect(throws: FeedError.notAZip(kind)) { try ZipArchive(MemoryByteSource(Array(text.utf8))) }
    }

    @Test("A long text is shortened to an excerpt")
    func longTextIsShortened() {
        let text = String(repeating: "quota ", count: 100)
        #expect(throws: FeedError.notAZip(.text(excerpt: "“\(text.prefix(60))…”"))) {
            try ZipArchive(MemoryByteSource(Array(text.utf8)))
        }
    }

    @Test("Binary files are recognized by their first bytes")
    func binaryFilesAreRecognized() {
        func kind(_ bytes: [UInt8]) -> FeedError? {
            #expect(throws: FeedError.self) { try ZipArchive(MemoryByteSource(bytes)) }
        }
        #expect(kind([0x1F, 0x8B, 8, 0]) == .notAZip(.otherArchive("gzip")))
        #expect(kind([0x1F, 0x8B])?.description == "The file is a gzip archive; a GTFS feed is a zip archive")
        #expect(kind([0x52, 0x61, 0x72, 0x21, 0x1A]) == .notAZip(.otherArchive("rar")))
        #expect(kind([0x50, 0x4B, 3, 4, 20, 0]) == .notAZip(.truncated(count: 6)))
        #expect(kind([1, 2, 0]) == .notAZip(.unknown))
        #expect(kind([0x20, 0x0A]) == .notAZip(.unknown))
    }
}
