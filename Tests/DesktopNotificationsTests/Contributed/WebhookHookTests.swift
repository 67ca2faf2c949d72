import Foundation
import Testing
import TransitTestSupport
import TransitTestTraits

/// Tests of contrib/hooks/webhook with a service on loopback.
@Suite(.enabled(if: TestPath.has(["python3"], for: "contrib/hooks"), "needs python3"), .ownThreads)
struct WebhookHookTests {
    private let secret = "a secret of both sides"

    private func home(_ peer: HookPeer) throws -> HookHome {
        let home = try HookHome()
        try home.configure(
            "webhook.conf", "url = http://localhost:\(peer.port)/hooks/secret-path?x=1\nsecret = \(secret)\n")
        return home
    }

    @Test func postsSignedEvent() throws {
        let peer = try HookPeer("204")
        let outcome = try home(peer).run("webhook", ["title": "Überlingen"])
        #expect(outcome.status == 0, "\(outcome.error)")
        let request = try #require(peer.requests.first)
        #expect(request.method == "POST")
        #expect(request.path == "/hooks/secret-path?x=1")
        #expect(request.body == SampleEvent(["title": "Überlingen"]).json)
        #expect(request.headers["idempotency-key"] == "n1")
        #expect(request.headers["content-type"] == "application/json")
        // A second implementation of the signature.
        let expected = try ProgramOutcome.run(
            ["openssl", "dgst", "-sha256", "-hmac", secret, "-r"], input: request.body)
        #expect(request.headers["x-transitd-signature"] == "sha256=" + expected.output.prefix(64))
    }

    @Test(arguments: [
        ("500", 75), ("429", 75), ("400", 1), ("redirect", 1), ("garbage", 75), ("closing", 75), ("huge", 0),
        ("silent", 75), ("slow", 75),
    ])
    func faultsHaveStatusAndRevealNoSecret(_ mode: String, _ status: Int32) throws {
        let peer = try HookPeer(mode)
        let began = ContinuousClock.now
        let outcome = try home(peer).run("webhook")
        // The program has 8 s, but a busy machine takes time to start it.
        #expect(ContinuousClock.now - began < .seconds(60))
        #expect(outcome.status == status, "\(outcome.error)")
        #expect(!(outcome.output + outcome.error).contains("secret"))
        #expect(outcome.error.filter(\.isNewline).count == (status == 0 ? 0 : 1), "\(outcome.error)")
        #expect(!peer.requests.contains { $0.path.contains("elsewhere") })
    }

    @Test(arguments: [
        "url = http://example.org/\nsecret = 0123456789abcdef\n", "url = https://example.org/\nsecret = short\n",
        "secret = 0123456789abcdef\n", "url = https://example.org/\u{FC}\nsecret = 0123456789abcdef\n",
        "url = file:///etc/passwd\nsecret = 0123456789abcdef\n",
    ])
    func rejectsConfiguration(_ text: String) throws {
        let home = try HookHome()
        try home.configure("webhook.conf", text)
        #expect(try home.run("webhook").status == 78)
    }

    @Test func configurationIsPrivate() throws {
        let home = try HookHome()
        try home.configure(
            "webhook.conf", "url = https://example.org/\nsecret = 0123456789abcdef\n", permissions: 0o644)
        #expect(try home.run("webhook").error.contains("chmod 600"))
    }
}
