import Foundation
import Testing
import TransitTestSupport
import TransitTestTraits

/// Tests of contrib/hooks/ntfy with a service on loopback.
@Suite(.enabled(if: TestPath.has(["python3"], for: "contrib/hooks"), "needs python3"), .ownThreads)
struct NtfyHookTests {
    private let topic = "secret-topic-81"
    private let token = "tk_secret81"

    private func home(_ peer: HookPeer, _ more: String = "") throws -> HookHome {
        let home = try HookHome()
        try home.configure(
            "ntfy.conf",
            "# phone\nurl = http://127.0.0.1:\(peer.port)\ntopic = \(topic)  # random\ntoken = \(token)\n\(more)")
        return home
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func publishesUpdatesAndClears() throws {
        let peer = try HookPeer("200")
        let home = try home(peer)
        let first = try home.run("ntfy", ["url": "https://example.org/alert", "title": "A\u{202E}\u{7}B"])
        #expect(first.status == 0, "\(first.error)")
        #expect(try home.run("ntfy", ["op": "update", "id": "n2", "urgency": "low", "rule": "badge2"]).status == 0)
        #expect(try home.run("ntfy", ["op": "withdraw"]).status == 0)
        #expect(try home.run("ntfy", ["key": "another", "test": true]).status == 0)
        let requests = peer.requests
        #expect(requests.map(\.method) == ["POST", "POST", "PUT", "POST"])
        #expect(requests.allSatisfy { $0.headers["authorization"] == "Bearer \(token)" })
        let messages = try [0, 1, 3].map { try json(requests[$0].body) }
        #expect(messages[0]["topic"] as? String == topic)
        #expect(messages[0]["title"] as? String == "AB")
        #expect(messages[0]["priority"] as? Int == 4)
        #expect(messages[0]["tags"] as? [String] == ["walking"])
        #expect(messages[0]["click"] as? String == "https://example.org/alert")
        #expect(messages[1]["priority"] as? Int == 2)
        #expect(messages[1]["tags"] == nil)
        #expect(messages[1]["click"] == nil)
        #expect(messages[2]["title"] as? String == "Test: Leave in 5 min for the 08:12")
        let sequence = try #require(messages[0]["sequence_id"] as? String)
        // The server's rule for identifiers. The key itself is not sent.
        #expect(sequence.wholeMatch(of: /[-_A-Za-z0-9]{1,64}/) != nil)
        #expect(messages[1]["sequence_id"] as? String == sequence)
        #expect(messages[2]["sequence_id"] as? String != sequence)
        #expect(requests[2].path == "/\(topic)/\(sequence)/clear")
        #expect(requests.map(\.path).filter { $0.contains(topic) }.count == 1)
    }

    /// ntfy shows messages of priority 2 without a sound or vibration.
    @Test(arguments: [
        ("low", true, 2), ("normal", true, 3), ("high", true, 4), ("normal", false, 2), ("high", false, 2),
    ])
    func silentEventsHaveLowPriority(_ urgency: String, _ hasSound: Bool, _ priority: Int) throws {
        let peer = try HookPeer("200")
        let outcome = try home(peer).run("ntfy", ["op": "update", "urgency": urgency, "sound": hasSound])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(try json(peer.requests[0].body)["priority"] as? Int == priority)
    }

    @Test(arguments: [
        ("500", 75), ("503", 75), ("429", 75), ("403", 1), ("redirect", 1), ("garbage", 75), ("closing", 75),
        ("huge", 0), ("silent", 75), ("slow", 75),
    ])
    func faultsHaveStatusAndRevealNoSecret(_ mode: String, _ status: Int32) throws {
        let peer = try HookPeer(mode)
        let home = try home(peer)
        let began = ContinuousClock.now
        for operation in mode == "silent" || mode == "slow" ? ["show"] : ["show", "withdraw"] {
            let outcome = try home.run("ntfy", ["op": operation])
            #expect(outcome.status == status, "\(outcome.error)")
            #expect(!(outcome.output + outcome.error).contains("secret"))
            #expect(outcome.error.filter(\.isNewline).count == (status == 0 ? 0 : 1), "\(outcome.error)")
        }
        // The program has 8 s, but a busy machine takes time to start it.
        #expect(ContinuousClock.now - began < .seconds(60))
        #expect(!peer.requests.contains { $0.path.contains("elsewhere") })
    }

    @Test func olderServerCannotClear() throws {
        let peer = try HookPeer("404")
        let home = try home(peer)
        #expect(try home.run("ntfy", ["op": "withdraw"]).status == 0)
        #expect(try home.run("ntfy").status == 1)
    }

    @Test func absentServerIsTriedAgain() throws {
        let home = try HookHome()
        // Port 1 (tcpmux) has no service.
        try home.configure("ntfy.conf", "url = http://[::1]:1\ntopic = x\n")
        #expect(try home.run("ntfy").status == 75)
    }

    @Test func boundsTextsAndNamesSources() throws {
        let peer = try HookPeer("200")
        let home = try home(peer)
        #expect(try home.run("ntfy", ["body": "Rain", "attribution": ["Open-Meteo"]]).status == 0)
        #expect(try home.run("ntfy", ["title": "", "body": String(repeating: "é", count: 9000)]).status == 0)
        #expect(try json(peer.requests[0].body)["message"] as? String == "Rain\nSource: Open-Meteo")
        #expect((try json(peer.requests[1].body)["message"] as? String)?.utf8.count == 3500)
    }

    @Test func priorityIsConfigurable() throws {
        let peer = try HookPeer("200")
        let home = try home(peer, "high_priority = 5\n")
        #expect(try home.run("ntfy").status == 0)
        #expect(try json(peer.requests[0].body)["priority"] as? Int == 5)
    }

    @Test(arguments: [
        "topic = a b\n", "topic = \n", "", "topic = x\nurl = http://example.org\n",
        "topic = x\nurl = ftp://localhost\n",
        "topic = x\nurl = https://a:b@example.org\n", "topic = x\nhigh_priority = 9\n", "topic = x\ncolor = red\n",
        "topic = x\nurl = https://[\n", "topic = x\nurl = http://localhost.example.org/\n",
    ])
    func rejectsConfiguration(_ text: String) throws {
        let home = try HookHome()
        try home.configure("ntfy.conf", text)
        let outcome = try home.run("ntfy")
        #expect(outcome.status == 78)
        #expect(outcome.error.contains("ntfy.conf"))
    }

    @Test func configurationIsPrivate() throws {
        let home = try HookHome()
        #expect(try home.run("ntfy").error.contains("No such file"))
        try home.configure("ntfy.conf", "topic = x\n", permissions: 0o640)
        let outcome = try home.run("ntfy")
        #expect(outcome.status == 78)
        #expect(outcome.error.contains("chmod 600"))
    }
}
