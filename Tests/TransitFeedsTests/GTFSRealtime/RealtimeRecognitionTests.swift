import Testing
import TransitFeeds

struct RealtimeRecognitionTests {
    @Test(arguments: [
        ("", NotRealtime.empty),
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
    func namesTheCause(body: String, cause: NotRealtime) {
        #expect(throws: FeedError.notRealtime(cause)) { try RealtimeReader(Array(body.utf8)) }
        #expect(!"\(FeedError.notRealtime(cause))".contains("secret"))
    }

    @Test func recognisesGzip() {
        #expect(throws: FeedError.notRealtime(.archive("gzip"))) { try RealtimeReader([0x1F, 0x8B, 8, 0]) }
    }

    @Test func recognisesTheEncoding() throws {
        #expect(try RealtimeReader(FullMessage.bytes).encoding == .protobuf)
        #expect(try RealtimeReader(Array("\u{FEFF} {\"header\":{}}".utf8)).encoding == .json)
        #expect(try RealtimeReader([0x0A, 0]).encoding == .protobuf)
    }

    @Test func readsMemoryOfOthers() throws {
        let count = try FullMessage.bytes.withUnsafeBytes { bytes in
            var count = 0
            _ = try RealtimeReader(bytes).read { _ in count += 1 }
            return count
        }
        #expect(count == 4)
    }
}
