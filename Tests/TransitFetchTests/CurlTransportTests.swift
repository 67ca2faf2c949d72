import Foundation
import Glibc
import Synchronization
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitFetch

/// Requests to a loopback server with scripted responses.
@Suite(.ownThreads) struct CurlTransportTests {
    let folder: TestFolder
    let transport = CurlTransport()

    init() throws { folder = try TestFolder() }

    private func download(_ url: String, _ validators: Validators = Validators()) -> FetchRequest {
        var request = FetchRequest(url: url)
        request.validators = validators
        request.destination = .file(path: folder("a.zip"))
        request.bodyLimit = 1000
        request.deadline = 60
        return request
    }

    private func outcome(_ request: FetchRequest) async -> FetchResult.Outcome {
        await transport.fetch(request).outcome
    }

    private func written() throws -> String { try String(contentsOfFile: folder("a.zip"), encoding: .utf8) }

    @Test func requestWithoutTheThreadFailsAndALaterOneIsSent() async {
        let request = download("http://127.0.0.1:1/gtfs.zip")
        let failed = await ThreadFaults.$current.withValue(ThreadFaults { $0 == "fetch" }) { await outcome(request) }
        guard case .failed(.unavailable(let reason)) = failed else { return #expect(Bool(false), "\(failed)") }
        #expect(reason.contains("TasksMax="))
        #expect(await outcome(request) == .failed(.connect))
    }

    @Test func bodyIsWrittenAndValidatorsAreKept() async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\nETag: \"a1\"\r\nlast-modified:  Sat, 28 Mar 2026 08:12:00 GMT \r\n"
                + "Content-Length: 5\r\n\r\nhello"
        }
        let result = await transport.fetch(download(server.url("/gtfs.zip?key=1")))
        #expect(result.outcome == .fetched(.file(path: folder("a.zip"), size: 5)))
        #expect(result.validators == Validators(etag: "\"a1\"", lastModified: "Sat, 28 Mar 2026 08:12:00 GMT"))
        #expect(result.host == "127.0.0.1")
        #expect(result.received > 5)
        #expect(try written() == "hello")
        #expect(server.requests.map(\.path) == ["/gtfs.zip?key=1"])
        #expect(server.requests[0].headers["if-none-match"] == nil)
        #expect(server.requests[0].headers["accept-encoding"] == "gzip, deflate")
    }

    @Test func bodyIsReturnedInMemory() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" }
        #expect(await outcome(FetchRequest(url: server.url("/"))) == .fetched(.memory(Array("hello".utf8))))
    }

    @Test func fetchAndWaitBlocksUntilResult() throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" }
        let result = transport.fetchAndWait(download(server.url("/")), until: CancellationFlag())
        #expect(result.outcome == .fetched(.file(path: folder("a.zip"), size: 5)))
    }

    @Test func validatorsMakeRequestConditional() async throws {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"a1\"" && request.headers["if-modified-since"] == "yesterday"
                ? "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx"
        }
        let validators = Validators(etag: "\"a1\"", lastModified: "yesterday")
        #expect(await outcome(download(server.url("/"), validators)) == .notModified)
    }

    @Test func redirectionIsFollowedAndItsBodyDropped() async throws {
        let server = try LoopbackServer { request in
            request.path == "/old"
                ? "HTTP/1.1 302 Found\r\nLocation: /new\r\nETag: \"old\"\r\nContent-Length: 4\r\nConnection: close\r\n\r\nmove"
                : "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nnew"
        }
        let result = await transport.fetch(download(server.url("/old")))
        #expect(result.outcome == .fetched(.file(path: folder("a.zip"), size: 3)))
        #expect(result.validators.isEmpty)
        #expect(result.redirections == [.init(status: 302, location: server.url("/new"))])
        #expect(try written() == "new")
    }

    @Test(arguments: ["http://a.example/", "ftp://127.0.0.1/", "file:///etc/passwd"])
    func redirectionToUnsafeURLIsRejected(_ target: String) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 301 Moved\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
        #expect(await outcome(download(server.url("/"))) == .failed(.redirection(.unprotected)))
    }

    @Test func redirectionLoopIsRejected() async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 307 Again\r\nLocation: /\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
        #expect(await outcome(download(server.url("/"))) == .failed(.redirection(.tooMany)))
        #expect(server.requests.count == 6)
    }

    @Test(arguments: [404, 500, 304])
    func otherStatusIsReported(_ status: Int) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 \(status) No\r\nRetry-After: soon\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(await outcome(download(server.url("/"))) == .http(status: status, retryAfter: "soon"))
    }

    @Test(arguments: ["Content-Length: 2000\r\n", ""])
    func oversizedBodyIsRejected(_ length: String) async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\n\(length)\r\n" + String(repeating: "x", count: 2000)
        }
        #expect(await outcome(download(server.url("/"))) == .failed(.tooLarge(limit: 1000)))
    }

    @Test func silentServerTimesOut() async throws {
        let server = try LoopbackServer { _ in nil }
        var slow = download(server.url("/"))
        slow.deadline = 0.2
        #expect(await outcome(slow) == .failed(.timedOut(seconds: 1)))
    }

    @Test func connectionFailureIsReported() async throws {
        let port = try LoopbackServer { _ in nil }.port
        #expect(await outcome(download("http://127.0.0.1:\(port)/")) == .failed(.connect))
        #expect(await outcome(download("http://a.example/")) == .failed(.address))
    }

    @Test func canceledRequestEnds() async throws {
        let server = try LoopbackServer { _ in nil }
        let canceled = CancellationFlag()
        canceled.set()
        #expect(transport.fetchAndWait(download(server.url("/")), until: canceled).outcome == .failed(.canceled))
        let request = download(server.url("/"))
        let task = startTask { [transport] in await transport.fetch(request) }
        task.cancel()
        #expect(await task.value.outcome == .failed(.canceled))
    }

    @Test func destinationThatCannotBeOpenedIsReported() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc" }
        var request = download(server.url("/"))
        request.destination = .file(path: folder("none/a.zip"))
        #expect(await outcome(request) == .failed(.file(ENOENT)))
    }

    /// A transfer opens only regular files, so this test passes the writer a descriptor of `/dev/full`.
    @Test func fullDiskIsReported() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        let bodyWriter = ResponseBodyWriter(.file(path: folder("a.zip")), limit: 1000, file: full)
        #expect(throws: TransportFailure.file(ENOSPC)) {
            try Array("abc".utf8).withUnsafeBytes { (bytes) throws in try bodyWriter.append(bytes, isKept: true) }
        }
    }

    @Test func lineBreakInValidatorAddsNoHeader() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx" }
        _ = await outcome(download(server.url("/"), Validators(etag: "a\r\nX-Evil: 1")))
        #expect(server.requests[0].headers["x-evil"] == nil)
    }

    @Test func progressReportsBytes() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" }
        let last = Mutex<[UInt64]>([])
        var request = download(server.url("/"))
        request.progress = { done, total in last.withLock { $0 = [done, total] } }
        _ = await outcome(request)
        #expect(last.withLock { $0 } == [5, 5])
    }

    @Test func concurrentRequestsAllComplete() async throws {
        let server = try LoopbackServer { request in
            "HTTP/1.1 200 OK\r\nContent-Length: \(request.path.utf8.count)\r\n\r\n" + request.path
        }
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask { [transport] in
                    let result = await transport.fetch(FetchRequest(url: server.url("/\(number)")))
                    return result.outcome == .fetched(.memory(Array("/\(number)".utf8)))
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
