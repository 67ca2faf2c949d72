import Foundation
import Synchronization
import Testing

@testable import TransitDaemon

@Suite struct StaticDownloadTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func download(_ url: String, etag: String? = nil, lastModified: String? = nil) -> StaticDownload {
        StaticDownload(
            url: url, etag: etag, lastModified: lastModified, destination: folder("a.zip"), sizeLimit: 1000,
            deadline: 5)
    }

    private static func run(_ download: StaticDownload) throws(DownloadError) -> StaticDownload.Outcome {
        try download.run(progress: { _, _ in }, isCancelled: { false })
    }

    private func written() throws -> String { try String(contentsOfFile: folder("a.zip"), encoding: .utf8) }

    @Test func theBodyIsWrittenAndTheServersWordsKept() throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\nETag: \"a1\"\r\nlast-modified:  Sat, 28 Mar 2026 08:12:00 GMT \r\n"
                + "Content-Length: 5\r\n\r\nhello"
        }
        let outcome = try Self.run(download(server.url("/gtfs.zip?key=1")))
        #expect(outcome == .fetched(etag: "\"a1\"", lastModified: "Sat, 28 Mar 2026 08:12:00 GMT"))
        #expect(try written() == "hello")
        #expect(server.requests.map(\.path) == ["/gtfs.zip?key=1"])
        #expect(server.requests[0].headers["if-none-match"] == nil)
    }

    @Test func aSecondRequestIsConditional() throws {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"a1\"" && request.headers["if-modified-since"] == "yesterday"
                ? "HTTP/1.1 304 Not Modified\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        }
        let outcome = try Self.run(download(server.url("/"), etag: "\"a1\"", lastModified: "yesterday"))
        #expect(outcome == .unchanged)
    }

    @Test func aRedirectionIsFollowedAndItsPageDropped() throws {
        let server = try LoopbackServer { request in
            request.path == "/old"
                ? "HTTP/1.1 302 Found\r\nLocation: /new\r\nETag: \"old\"\r\nContent-Length: 4\r\n\r\nmove"
                : "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew"
        }
        #expect(try Self.run(download(server.url("/old"))) == .fetched(etag: nil, lastModified: nil))
        #expect(try written() == "new")
    }

    @Test(arguments: ["http://a.example/", "ftp://127.0.0.1/", "file:///etc/passwd"])
    func aRedirectionToAnUnsafeAddressIsNot(_ target: String) throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 301 Moved\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n"
        }
        let error = #expect(throws: DownloadError.self) { try Self.run(download(server.url("/"))) }
        guard case .refusedRedirection = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func redirectionsInACircleEnd() throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 307 Again\r\nLocation: /\r\nContent-Length: 0\r\n\r\n" }
        #expect(throws: DownloadError.refusedRedirection("it redirects more than 5 times")) {
            try Self.run(download(server.url("/")))
        }
        #expect(server.requests.count == 6)
    }

    @Test(arguments: [404, 500, 304])
    func anotherStatusIsAnError(_ status: Int) throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n" }
        #expect(throws: DownloadError.status(status)) { try Self.run(download(server.url("/"))) }
    }

    @Test(arguments: ["Content-Length: 2000\r\n", ""])
    func tooLargeABodyIsNotFetched(_ length: String) throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\n\(length)\r\n" + String(repeating: "x", count: 2000)
        }
        #expect(throws: DownloadError.tooLarge(limit: 1000)) { try Self.run(download(server.url("/"))) }
    }

    @Test func aServerThatDoesNotAnswerIsLeft() throws {
        let server = try LoopbackServer { _ in nil }
        var slow = download(server.url("/"))
        slow.deadline = 0.2
        #expect(throws: DownloadError.timedOut(seconds: 0)) { try Self.run(slow) }
    }

    @Test func aCancelledDownloadEnds() throws {
        let server = try LoopbackServer { _ in nil }
        #expect(throws: DownloadError.cancelled) {
            try download(server.url("/")).run(progress: { _, _ in }, isCancelled: { true })
        }
    }

    @Test func aDiskThatTakesNothingIsNamed() throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc" }
        var full = download(server.url("/"))
        full.destination = "/dev/full"
        #expect(throws: DownloadError.file(ENOSPC)) { try Self.run(full) }
    }

    @Test func whatAServerSaidCannotAddAHeader() throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx" }
        _ = try Self.run(download(server.url("/"), etag: "a\r\nX-Evil: 1"))
        #expect(server.requests[0].headers["x-evil"] == nil)
    }

    @Test func progressTellsBytes() throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" }
        var last: (UInt64, UInt64)?
        _ = try download(server.url("/")).run(progress: { last = ($0, $1) }, isCancelled: { false })
        #expect(last?.0 == 5)
        #expect(last?.1 == 5)
    }
}
