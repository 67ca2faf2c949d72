import Foundation
import Logging
import Testing
import TransitSystem
import TransitTestSupport

@testable import TransitFetch
@testable import TransitModel

/// Requests with a method other than GET, and their bodies.
@Suite struct RequestBodyTests {
    let transport = CurlTransport()

    private static let body = RequestBody(contentType: "application/json", bytes: Array(#"{"stop":"1"}"#.utf8))

    private func post(_ url: String, _ body: RequestBody? = RequestBodyTests.body) -> FetchRequest {
        var request = FetchRequest(url: url)
        request.method = .post
        request.body = body
        return request
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
    private static func redirect(_ status: Int, to target: String) -> String {
        "HTTP/1.1 \(status) Moved\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    }

    // MARK: Sending

    @Test(arguments: [RequestMethod.post, .put])
    func bodyArrives(_ method: RequestMethod) async throws {
        let server = try LoopbackServer { _ in Self.ok }
        var request = post(server.url("/siri"))
        request.method = method
        #expect(await transport.fetch(request).outcome == .fetched(.memory(Array("ok".utf8))))
        let received = try #require(server.requests.first)
        #expect(received.method == method.rawValue)
        #expect(received.body == Self.body.bytes)
        #expect(received.headers["content-type"] == "application/json")
        #expect(received.headers["content-length"] == "\(Self.body.bytes.count)")
        #expect(received.headers["expect"] == nil)
    }

    @Test func missingBodyIsEmpty() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        _ = await transport.fetch(post(server.url("/"), nil))
        let received = try #require(server.requests.first)
        #expect(received.method == "POST")
        #expect(received.headers["content-length"] == "0")
        #expect(received.headers["content-type"] == nil)
    }

    @Test func getSendsNoBody() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        var request = post(server.url("/"))
        request.method = .get
        _ = await transport.fetch(request)
        let received = try #require(server.requests.first)
        #expect(received.method == "GET")
        #expect(received.headers["content-length"] == nil)
        #expect(received.headers["content-type"] == nil)
    }

    @Test func largeBodyWithAnyBytesArrives() async throws {
        let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let server = try LoopbackServer { _ in Self.ok }
        let request = post(server.url("/"), RequestBody(contentType: "application/octet-stream", bytes: bytes))
        #expect(await transport.fetch(request).outcome == .fetched(.memory(Array("ok".utf8))))
        #expect(server.requests.first?.body == bytes)
    }

    @Test func lineBreakInContentTypeAddsNoHeader() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        _ = await transport.fetch(post(server.url("/"), RequestBody(contentType: "a\r\nX-Evil: 1", bytes: [1])))
        #expect(server.requests.first?.headers["x-evil"] == nil)
    }

    @Test func canceledUploadEnds() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer(readsBodies: false) { _ in
            arrived.yield()
            return nil
        }
        // More than the buffers of both sockets hold.
        let bytes = [UInt8](repeating: 0, count: 32 << 20)
        let request = post(server.url("/"), RequestBody(contentType: "application/octet-stream", bytes: bytes))
        let flag = CancellationFlag()
        async let result = transport.fetch(request, until: flag)
        for await _ in arrivals { break }
        flag.set()
        #expect(await result.outcome == .failed(.canceled))
    }

    @Test func fileRefusesOtherMethods() async throws {
        let folder = try TestFolder()
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder("a")))
        let files = LocalFileTransport(fallback: transport)
        #expect(await files.fetch(post(FileURL.text(folder("a")))).outcome == .failed(.address))
    }

    // MARK: Redirects

    @Test(arguments: [
        (301, RequestMethod.post, RequestMethod.get), (302, .post, .get), (303, .post, .get), (307, .post, .post),
        (308, .post, .post), (301, .put, .put), (302, .put, .put), (303, .put, .get), (308, .put, .put),
    ])
    func redirectedRequestHasMethod(_ status: Int, _ method: RequestMethod, _ expected: RequestMethod) async throws {
        let server = try LoopbackServer { request in
            request.path == "/old" ? Self.redirect(status, to: "/new") : Self.ok
        }
        var request = post(server.url("/old"))
        request.method = method
        #expect(await transport.fetch(request).outcome == .fetched(.memory(Array("ok".utf8))))
        let second = try #require(server.requests.last)
        #expect(second.path == "/new")
        #expect(second.method == expected.rawValue)
        #expect(second.body == (expected == .get ? [] : Self.body.bytes))
        #expect(second.headers["content-type"] == (expected == .get ? nil : "application/json"))
    }

    @Test func bodyDoesNotReturnAfterGet() throws {
        var rule = try #require(
            RedirectionRule("https://a.example/", secrets: [], method: .post, body: Self.body))
        try rule.follow("https://a.example/b", status: 303)
        try rule.follow("https://a.example/c", status: 307)
        #expect(rule.method == .get)
        #expect(rule.body == nil)
    }

    @Test func bodyWithSecretStaysWithItsOrigin() throws {
        let secrets: [SecretLocation] = [.header(name: "X-Key", Secret("k3y/"))]
        let body = RequestBody(contentType: "text/plain", bytes: Array("key=k3y%2F".utf8))
        func rule(_ body: RequestBody) throws -> RedirectionRule {
            try #require(RedirectionRule("https://a.example/", secrets: secrets, method: .post, body: body))
        }
        var same = try rule(body)
        try same.follow("https://a.example/b", status: 307)
        #expect(same.body == body)
        var away = try rule(body)
        #expect(throws: RedirectionRefusal.carriesSecret) { try away.follow("https://b.example/", status: 308) }
        // Without its body, the request may go to another host.
        var withoutBody = try rule(body)
        try withoutBody.follow("https://b.example/", status: 303)
        #expect(withoutBody.method == .get)
        var harmless = try rule(Self.body)
        try harmless.follow("https://b.example/", status: 307)
        #expect(harmless.body == Self.body)
    }

    // MARK: Recordings

    @Test func requestsWithDifferentBodiesAreReplayedSeparately() async throws {
        let folder = try TestFolder()
        let clock = ManualClock("2026-03-28T08:00:00Z")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try LoopbackServer { request in
            "HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\nConnection: close\r\n\r\n"
                + String(decoding: request.body, as: UTF8.self)
        }
        let recorder = RecordingTransport(
            transport, folder: try RecordingFolder(folder("rec")), clock: clock, logger: logger)
        func request(_ text: String, secrets: [SecretLocation] = []) -> FetchRequest {
            var request = post(server.url("/"), RequestBody(contentType: "text/plain", bytes: Array(text.utf8)))
            request.secrets = secrets
            return request
        }
        let key: [SecretLocation] = [.header(name: "X-Key", Secret("k3y"))]
        for text in ["one", "two"] { _ = await recorder.fetch(request(text, secrets: key)) }
        _ = await recorder.fetch(request("with k3y", secrets: key))
        let replay = ReplayTransport(try Recording(folder("rec")), clock: clock)
        #expect(await replay.fetch(request("one")).outcome == .fetched(.memory(Array("one".utf8))))
        #expect(await replay.fetch(request("two")).outcome == .fetched(.memory(Array("two".utf8))))
        #expect(await replay.fetch(request("three")).outcome == .failed(.notRecorded))
        #expect(await replay.fetch(FetchRequest(url: server.url("/"))).outcome == .failed(.notRecorded))
        // Neither the body nor a digest of the key is in the index.
        let index = try String(contentsOfFile: folder("rec/exchanges.jsonl"), encoding: .utf8)
        #expect(index.contains(#""method":"POST""#))
        #expect(index.contains(Digest.hexadecimal(Digest.sha256(Array("with ***".utf8)))))
        #expect(!index.contains(Digest.hexadecimal(Digest.sha256(Array("with k3y".utf8)))))
    }

    @Test(arguments: ["", #""method":"GET","#])
    func recordingWithoutBodyIsReplayedAsGet(_ method: String) async throws {
        let folder = try TestFolder()
        let line = """
            {"number":1,"time":"2026-03-28T08:00:00Z","latency":1,"request":{\(method)"url":"https://a.example/",\
            "headers":[]},"redirections":[],"response":{"status":404,"headers":[],"received":9}}

            """
        try Data(line.utf8).write(to: URL(fileURLWithPath: folder("exchanges.jsonl")))
        let replay = ReplayTransport(try Recording(folder.path), clock: ManualClock("2026-03-28T08:00:00Z"))
        #expect(
            await replay.fetch(FetchRequest(url: "https://a.example/")).outcome == .http(status: 404, retryAfter: nil))
        #expect(await replay.fetch(post("https://a.example/")).outcome == .failed(.notRecorded))
    }

    @Test func unknownMethodInRecordingIsDamaged() throws {
        let folder = try TestFolder()
        func line(_ method: String) -> String {
            #"{"number":1,"time":"2026-03-28T08:00:00Z","request":{"method":"\#(method)","url":"https://a.example/"},"#
                + #""failure":{"kind":"dns"}}"# + "\n"
        }
        try Data((line("BREW") + line("GET")).utf8).write(to: URL(fileURLWithPath: folder("exchanges.jsonl")))
        #expect(try Recording(folder.path).damaged == 1)
    }
}
