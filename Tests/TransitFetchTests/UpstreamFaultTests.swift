import Foundation
import Glibc
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitFetch

/// Requests to a real HTTPS server that simulates many kinds of faults.
@Suite(.enabled(if: UpstreamServer.isAvailable), .ownThreads) struct UpstreamFaultTests {
    static let body = [UInt8](String(repeating: "the timetable of a small town\n", count: 8).utf8)
    /// The text of the server's error pages, which no result may contain.
    static let page = "upstream-error-page"

    let transport = CurlTransport()
    let server: UpstreamServer

    /// Shared, because starting a server takes most of a test's time. Tests that check the server's log start their own
    /// server.
    private static let shared = Result { try UpstreamServer() }

    init() throws { server = try Self.shared.get() }

    private func request(
        _ path: String, _ listener: UpstreamServer.Listener = .good, of other: UpstreamServer? = nil
    ) -> FetchRequest {
        var request = FetchRequest(url: (other ?? server).url(path, listener))
        request.caFile = server.caFile
        request.deadline = 60
        request.bodyLimit = 1 << 20
        return request
    }

    private func outcome(_ request: FetchRequest) async -> FetchResult.Outcome {
        await transport.fetch(request).outcome
    }

    // MARK: Bodies

    @Test(arguments: ["/ok", "/always-200", "/compressed?coding=gzip", "/compressed?coding=deflate"])
    func bodyArrives(_ path: String) async throws {
        #expect(await outcome(request(path)) == .fetched(.memory(Self.body)))
    }

    @Test func transferredBytesAreCounted() async throws {
        let compressed = await transport.fetch(request("/compressed?coding=gzip"))
        let uncompressed = await transport.fetch(request("/always-200"))
        #expect(compressed.received < uncompressed.received)
        #expect(uncompressed.received > UInt64(Self.body.count))
    }

    @Test func unchangedBodyIsNotSentAgain() async throws {
        var second = request("/ok")
        second.validators = await transport.fetch(second).validators
        #expect(second.validators == Validators(etag: "\"v1\"", lastModified: "Sat, 28 Mar 2026 08:12:00 GMT"))
        #expect(await outcome(second) == .notModified)
        // 304 is an error in response to an unconditional request.
        #expect(await outcome(request("/always-304")) == .http(status: 304, retryAfter: nil))
        second.url = server.url("/always-304")
        #expect(await outcome(second) == .notModified)
    }

    @Test func htmlPageIsABody() async throws {
        let result = await transport.fetch(request("/html"))
        #expect(result.header("content-type") == "text/html")
        #expect(result.outcome == .fetched(.memory(Array("<!DOCTYPE html><title>Welcome to our hotel</title>".utf8))))
    }

    @Test(arguments: ["/bomb?mib=16", "/huge?mib=4"])
    func oversizedBodyIsRejected(_ path: String) async throws {
        #expect(await outcome(request(path)) == .failed(.tooLarge(limit: 1 << 20)))
    }

    @Test(arguments: ["kib=200", "kib=90&count=5"])
    func overlongHeaderIsNamed(_ query: String) async throws {
        // libcurl 7.88 limits a line, and later versions also all lines together.
        let result = await outcome(request("/long-header?" + query))
        if case .fetched = result, query.contains("count") { return }
        #expect(result == .failed(.headerTooLong))
    }

    @Test func corruptCompressionIsReported() async throws {
        #expect(await outcome(request("/compressed?coding=gzip&broken=1")) == .failed(.encoding))
    }

    @Test(arguments: ["/truncated", "/reset"])
    func truncatedBodyIsRejected(_ path: String) async throws {
        #expect(await outcome(request(path)) == .failed(.interrupted))
    }

    /// libcurl would repeat the request over each connection that it kept open, and then over a new one.
    @Test func droppedConnectionIsOneRequest() async throws {
        let server = try UpstreamServer()
        // Two requests at the same time leave two open connections.
        async let first = transport.fetch(request("/slow-file?seconds=0.3&file=x", of: server))
        async let second = transport.fetch(request("/slow-file?seconds=0.3&file=x", of: server))
        _ = await (first, second)
        let result = await transport.fetch(request("/drop", of: server))
        #expect(result.outcome == .failed(.interrupted))
        #expect(result.requests == 1)
        #expect(try server.log().count { $0.target == "/drop" } == 1)
        // The transport stays usable.
        let next = await transport.fetch(request("/ok", of: server))
        #expect(next.outcome == .fetched(.memory(Self.body)) && next.requests == 1)
    }

    @Test func requestsThatLeaveTheMachineAreCounted() async throws {
        #expect(await transport.fetch(request("/redirect?to=/ok")).requests == 2)
        #expect(await transport.fetch(request("/status?code=500")).requests == 1)
        // Nothing listens on the port, and the name does not exist.
        #expect(await transport.fetch(FetchRequest(url: "http://127.0.0.1:1/")).requests == 1)
        let unknown = await transport.fetch(FetchRequest(url: "https://no-such-host.invalid/"))
        #expect(unknown.outcome == .failed(.dns) && unknown.requests == 0)
        #expect(await transport.fetch(FetchRequest(url: "ftp://127.0.0.1/")).requests == 0)
    }

    // MARK: Statuses

    @Test(arguments: [401, 403, 404, 422, 429, 500, 503])
    func statusIsReported(_ code: Int) async throws {
        let result = await transport.fetch(request("/status?code=\(code)&retry_after=30"))
        #expect(result.outcome == .http(status: code, retryAfter: "30"))
        #expect(!"\(result)".contains(Self.page))
    }

    @Test func retryAfterDateIsReported() async throws {
        guard case .http(429, let text?) = await outcome(request("/status?code=429&retry_after=date")) else {
            Issue.record("no Retry-After")
            return
        }
        #expect(text.hasSuffix(" GMT"))
    }

    // MARK: Time

    @Test(arguments: ["/slow-head?seconds=600", "/drip?seconds=600"])
    func deadlineCoversWholeRequest(_ path: String) async throws {
        var shortRequest = request(path)
        shortRequest.deadline = 1
        let result = await transport.fetch(shortRequest)
        #expect(result.outcome == .failed(.timedOut(seconds: 1)))
        #expect(result.latency < 120_000)
    }

    /// The stall timeout applies long before the deadline, which is many minutes for a timetable.
    @Test(arguments: ["/slow-head?seconds=600", "/drip?seconds=600"])
    func slowTransferIsAborted(_ path: String) async throws {
        var slowRequest = request(path)
        slowRequest.deadline = 600
        slowRequest.stallTimeout = 1
        let result = await transport.fetch(slowRequest)
        #expect(result.outcome == .failed(.tooSlow(seconds: 1)))
        #expect(result.latency < 120_000)
    }

    @Test func canceledTransferEnds() async throws {
        var dripping = request("/drip")
        let (bytes, came) = AsyncStream<Void>.makeStream()
        dripping.progress = { _, _ in came.yield() }
        let task = startTask { [transport, dripping] in await transport.fetch(dripping) }
        for await _ in bytes { break }
        task.cancel()
        #expect(await task.value.outcome == .failed(.canceled))
    }

    // MARK: Connections

    @Test func connectionIsReused() async throws {
        let server = try UpstreamServer()
        for _ in 0..<5 {
            #expect(await outcome(request("/ok", of: server)) == .fetched(.memory(Self.body)))
        }
        // The request for the count itself uses one connection.
        #expect(try server.connections() == 2)
    }

    @Test func lostConnectionIsReopened() async throws {
        #expect(await outcome(request("/reset")) == .failed(.interrupted))
        #expect(await outcome(request("/ok")) == .fetched(.memory(Self.body)))
    }

    // MARK: Trust

    @Test(arguments: [
        (UpstreamServer.Listener.selfSigned, "self-signed"), (.wrongHost, "match"), (.expired, "expired"),
    ])
    func invalidCertificateIsRejected(_ listener: UpstreamServer.Listener, _ word: String) async throws {
        guard case .failed(.tls(let reason)) = await outcome(request("/ok?untrusted", listener)) else {
            Issue.record("\(listener) was accepted")
            return
        }
        #expect(reason.contains(word))
        #expect(try !server.log().contains { $0.target.hasSuffix("untrusted") })
    }

    @Test func unknownAuthorityIsNotTrusted() async throws {
        var plain = request("/ok")
        plain.caFile = nil
        guard case .failed(.tls) = await outcome(plain) else {
            Issue.record("the certificate was accepted")
            return
        }
        // A connection that another request has opened is not reused either.
        #expect(await outcome(request("/ok")) == .fetched(.memory(Self.body)))
        guard case .failed(.tls) = await outcome(plain) else {
            Issue.record("the certificate was accepted the second time")
            return
        }
        plain.caFile = "/nowhere.pem"
        guard case .failed(.tls) = await outcome(plain) else {
            Issue.record("a missing certificate file was ignored")
            return
        }
    }

    // MARK: Redirects and secrets

    private static let secrets: [SecretLocation] = [
        .query(name: "api_key", Secret("k3y+in/query")), .header(name: "X-API-KEY", Secret("k3y-in-header")),
    ]

    private func secretRequest(_ path: String, of other: UpstreamServer? = nil) -> FetchRequest {
        var request = request(path, of: other)
        request.secrets = Self.secrets
        return request
    }

    private static func redirect(to target: String) -> String {
        "/redirect?to=" + PercentEncoding.of(target)
    }

    @Test func secretsStayWithTheirHost() async throws {
        let server = try UpstreamServer()
        let same = await transport.fetch(secretRequest(Self.redirect(to: "/ok"), of: server))
        #expect(same.outcome == .fetched(.memory(Self.body)))
        let elsewhere = [
            server.url("/ok", .other), server.url("/ok", host: "localhost"),
            server.url("/ok?api_key=k3y%2Bin%2Fquery", .other),
        ]
        for target in elsewhere {
            #expect(
                await outcome(secretRequest(Self.redirect(to: target), of: server)) == .fetched(.memory(Self.body)),
                "\(target)")
        }
        let log = try server.log().filter { $0.target.hasPrefix("/ok") }
        #expect(log.map(\.target) == ["/ok?api_key=k3y%2Bin%2Fquery", "/ok", "/ok", "/ok"])
        #expect(log.map { $0.headers["x-api-key"] } == ["k3y-in-header", nil, nil, nil])
    }

    @Test func redirectionRulesApply() async throws {
        #expect(await outcome(request("/loop")) == .failed(.redirection(.tooMany)))
        #expect(await outcome(request("/redirect")) == .failed(.redirection(.nowhere)))
        let plain = Self.redirect(to: server.url("/ok", .plain))
        #expect(await outcome(request(plain)) == .failed(.redirection(.downgrade)))
        #expect(try !server.log().contains { $0.listener == "plain" && $0.target == "/ok" })
    }

    @Test(arguments: ["/echo?code=200", "/echo?code=403", "/drip", "/truncated", "/loop", "/status?code=401"])
    func resultsContainNoSecret(_ path: String) async throws {
        var request = secretRequest(path)
        if path == "/drip" { request.deadline = 1 }
        var result = await transport.fetch(request)
        if path.hasPrefix("/echo") { #expect(result.header("x-your-key") == "*************") }
        // Data from the server is not redacted.
        if case .fetched = result.outcome { result.outcome = .notModified }
        var all = "\(request) \(result)"
        dump(request, to: &all)
        dump(result, to: &all)
        for secret in ["k3y+in/query", "k3y%2Bin%2Fquery", "k3y-in-header"] { #expect(!all.contains(secret)) }
    }
}
