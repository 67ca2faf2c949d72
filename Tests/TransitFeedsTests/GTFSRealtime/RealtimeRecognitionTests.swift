import Testing
import TransitFeeds
import TransitModel

struct RealtimeRecognitionTests {
    @Test(arguments: [
        ("", UnexpectedContent.empty),
        (" \r\n", .empty),
        ("\u{FEFF}", .empty),
        ("<!DOCTYPE html><title>secret</title>", .htmlPage),
        ("\n <html lang=\"en\">", .htmlPage),
        ("<?xml version=\"1.0\"?><Siri/>", .xml),
        ("The API key is not provided.", .text),
        ("\u{FEFF}Too many requests: secret", .text),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0", .gitLargeFilePointer),
        ("{\"error\": true, \"reason\": \"secret\"}", .otherJSON),
        ("{}", .otherJSON),
        ("{\"header\": null}", .otherJSON),
        ("[]", .otherJSON),
        ("\"secret\"", .otherJSON),
        ("PK\u{3}\u{4}", .archive("zip")),
        ("\u{8}\u{1}", .unknown),
    ])
    func errorNamesContent(body: String, cause: UnexpectedContent) {
        #expect(throws: FeedError.notRealtime(cause)) { try RealtimeReader(Array(body.utf8)) }
        #expect(!"\(FeedError.notRealtime(cause))".contains("secret"))
    }

    @Test func gzipIsRecognized() {
        #expect(throws: FeedError.notRealtime(.archive("gzip"))) { try RealtimeReader([0x1F, 0x8B, 8, 0]) }
    }

    @Test func encodingIsRecognized() throws {
        #expect(try RealtimeReader(FullMessage.bytes).encoding == .protobuf)
        #expect(try RealtimeReader(Array("\u{FEFF} {\"header\":{}}".utf8)).encoding == .json)
        #expect(try RealtimeReader([0x0A, 0]).encoding == .protobuf)
    }

    /// The bytes of the header's tag and of the length 123 are a line feed and an opening brace.
    @Test func headerOf123BytesIsNotJSON() throws {
        for length in 118...127 {
            // The header has a version, a timestamp, and a feed_version (4) that fills the remaining length.
            let start: [UInt8] = [0x0A, 3, 0x32, 0x2E, 0x30, 0x18, 0x80, 0x8A, 0xB4, 0xC3, 0x06, 0x22]
            let rest = length - start.count - 1
            let header = start + [UInt8(rest)] + Array(repeating: 0x61, count: rest)
            let message = [0x0A, UInt8(header.count)] + header
            let reader = try RealtimeReader(message)
            #expect(reader.encoding == .protobuf)
            #expect(reader.header.version == "2.0")
            #expect(reader.header.feedVersion?.count == rest)
            #expect(throws: FeedError.self) { try RealtimeReader(Array(message.prefix(60))) }
        }
    }

    @Test func lineFeedBeforeJSONIsSkipped() throws {
        for count in 0..<200 {
            let spaces = String(repeating: " ", count: count)
            let text = "\n{\"header\":{\"gtfs_realtime_version\":\"2.0\"},\"x\":\"\(spaces)\"}"
            #expect(try RealtimeReader(Array(text.utf8)).encoding == .json)
        }
    }

    @Test func unownedMemoryIsRead() throws {
        let count = try FullMessage.bytes.withUnsafeBytes { bytes in
            var count = 0
            _ = try RealtimeReader(bytes).read { _ in count += 1 }
            return count
        }
        #expect(count == 4)
    }
}
