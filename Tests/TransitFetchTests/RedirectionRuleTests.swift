import Testing

@testable import TransitFetch

/// The redirects that a request follows, and the secrets that are then sent.
@Suite struct RedirectionRuleTests {
    static let key = SecretLocation.query(name: "api_key", Secret("s3cret/+"))
    static let header = SecretLocation.header(name: "X-API-KEY", Secret("h1dden"))

    struct Step: Sendable, CustomTestStringConvertible {
        var from = "https://a.example/x?agency=1"
        var to: String
        /// The URL requested next; `nil` if the redirect is rejected.
        var requested: String?
        var hasHeader = false
        var refusal: RedirectionRefusal?
        var testDescription: String { "\(from) -> \(to)" }
    }

    @Test(arguments: [
        Step(to: "https://a.example/y", requested: "https://a.example/y?api_key=s3cret%2F%2B", hasHeader: true),
        Step(
            to: "https://A.example:443/y?b=1#c", requested: "https://a.example/y?b=1&api_key=s3cret%2F%2B",
            hasHeader: true),
        Step(
            to: "https://a.example/y?api_key=s3cret%2f%2b&b=1",
            requested: "https://a.example/y?b=1&api_key=s3cret%2F%2B", hasHeader: true),
        Step(to: "https://b.example/y", requested: "https://b.example/y"),
        Step(to: "https://a.example:8443/y", requested: "https://a.example:8443/y"),
        Step(to: "https://a.example./y", requested: "https://a.example./y"),
        Step(to: "https://b.example/y?api_key=s3cret%2F%2B&c=2", requested: "https://b.example/y?c=2"),
        Step(to: "https://b.example/y?k=s3cret/%2B", requested: "https://b.example/y"),
        Step(to: "https://b.example/y?k=h1dden&k=2", requested: "https://b.example/y?k=2"),
        Step(to: "https://b.example/s3cret/+/y", refusal: .carriesSecret),
        Step(to: "https://h1dden.example/", refusal: .carriesSecret),
        Step(to: "http://a.example/y", refusal: .downgrade),
        Step(to: "http://127.0.0.1/y", refusal: .downgrade),
        Step(from: "http://127.0.0.1:80/", to: "http://b.example/y", refusal: .unprotected),
        Step(from: "http://127.0.0.1:80/", to: "https://127.0.0.1/y", requested: "https://127.0.0.1/y"),
        Step(
            from: "http://[::1]/", to: "http://[::1]/y", requested: "http://[::1]/y?api_key=s3cret%2F%2B",
            hasHeader: true),
        Step(to: "https://a.example@b.example/y", refusal: .malformed),
        Step(to: "https://a.example\\@b.example/y", refusal: .malformed),
        Step(to: "ftp://a.example/y", refusal: .unprotected),
    ])
    func redirectionFollowsRules(_ step: Step) throws {
        var rule = try #require(RedirectionRule(step.from, secrets: [Self.key, Self.header]))
        #expect(rule.secretHeaders == [HTTPHeader(name: "X-API-KEY", value: "h1dden")])
        do throws(RedirectionRefusal) {
            try rule.follow(step.to, status: 302)
            #expect(step.refusal == nil)
            #expect(rule.requested == step.requested)
            #expect(rule.secretHeaders.isEmpty == !step.hasHeader)
        } catch {
            #expect(error == step.refusal)
        }
    }

    @Test func secretsAreNotSentAfterReturnToOrigin() throws {
        var rule = try #require(RedirectionRule("https://a.example/", secrets: [Self.key]))
        try rule.follow("https://b.example/", status: 302)
        try rule.follow("https://a.example/chosen-by-b", status: 302)
        #expect(rule.requested == "https://a.example/chosen-by-b")
    }

    @Test func redirectionsAreLimited() throws {
        var rule = try #require(RedirectionRule("https://a.example/", secrets: []))
        for _ in 0..<5 { try rule.follow("https://a.example/", status: 302) }
        #expect(throws: RedirectionRefusal.tooMany) { try rule.follow("https://a.example/", status: 302) }
        #expect(throws: RedirectionRefusal.self) { try rule.follow(nil, status: 302) }
    }

    @Test(arguments: [
        "http://a.example/", "ftp://127.0.0.1/", "https://", "https:///x", "https://me@a.example/", "https://a b/",
        "https://a.example:99999/", "https://a.example:/", "https://[::1", "https://ä.example/", "file:///etc/passwd",
        "",
    ])
    func unsafeURLIsRejected(_ url: String) {
        #expect(RedirectionRule(url, secrets: []) == nil)
    }

    @Test func secretIsHiddenInDescriptions() {
        for location in [Self.key, Self.header] {
            #expect(
                !"\(location) \(String(reflecting: location)) \(Mirror(reflecting: location).children.map { "\($0)" })"
                    .contains(
                        location.secret.reveal()))
        }
        var dumped = ""
        dump(Self.key, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test func encodedSecretIsRedacted() {
        let redactor = Redactor([Self.key])
        #expect(
            redactor.redact("a s3cret/+ b s3cret%2F%2B c s3cret%2f%2b d")
                == "a ******** b ************ c ************ d")
        #expect(redactor.redact("nothing") == "nothing")
    }

    /// A server may encode a key differently than the daemon does, and may put one URL into another.
    @Test(arguments: ["%733cret%2F+", "%73%33%63%72%65%74%2f%2B", "s3cret%252F%252B", "s3cret%25252f+", "s3cret%2F+"])
    func secretWithAnyBytesEncodedIsRedacted(written: String) {
        let redactor = Redactor([Self.key])
        #expect(redactor.redact("a=\(written)&b=1") == "a=\(String(repeating: "*", count: written.utf8.count))&b=1")
        #expect(redactor.matches(Array(written.utf8)))
        #expect(written.utf8.count <= redactor.maximumEncodedLength)
    }

    @Test func secretWithPercentSignsIsRedacted() {
        for secret in ["%", "50%", "%25", "a%2Fb", "%%%"] {
            let redactor = Redactor([.header(name: "x", Secret(secret))])
            for written in [secret, secret.replacing("%", with: "%25"), secret.replacing("%", with: "%2525")] {
                let hidden = redactor.redact("<\(written)>")
                #expect(!hidden.contains(written), "\(secret) in \(hidden)")
                #expect(hidden.utf8.count == written.utf8.count + 2)
            }
        }
        #expect(Redactor([.header(name: "x", Secret("abc"))]).redact("%61b %6162 %6") == "%61b %6162 %6")
    }
}
