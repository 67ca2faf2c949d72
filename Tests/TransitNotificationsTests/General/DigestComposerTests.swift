import Testing
import TransitModel

@testable import TransitNotifications

/// Checks how waiting messages become one digest.
@Suite struct DigestComposerTests {
    private let now = berlinTime("2026-03-27 18:00")

    private func item(_ title: String, rule: NotificationRule = .alert, body: String = "") -> NotificationDecision.Item
    {
        .init(rule: rule, title: title, body: body)
    }

    private func digest(
        _ items: NotificationDecision.Item..., dropped: Int = 0
    ) -> NotificationDecision? {
        DigestComposer.digest(of: items, dropped: dropped, limit: 10, key: "digest-key", now: now)
    }

    @Test func noMessageIsNoDigest() { #expect(digest() == nil) }

    @Test func singleMessageIsItsOwnTitle() throws {
        let shown = try #require(digest(item("Detour", body: "Use Harbor.")))
        #expect(shown.title == "Detour")
        #expect(shown.body == "Use Harbor.")
        #expect(shown.items.map(\.title) == ["Detour"])
        #expect(shown.rule == .digest)
        #expect(shown.key == "digest-key")
        #expect(digest(item("Detour"))?.body == "")
    }

    @Test func messagesAreGroupedByRule() throws {
        let shown = try #require(
            digest(
                item("Detour"), item("Your 08:12 is gone", rule: .timetable), item("Elevator"),
                item("Key rejected", rule: .machine)))
        #expect(shown.title == "4 transit updates")
        #expect(shown.body == "- Detour\n- Elevator\n- Your 08:12 is gone\n- Key rejected")
        #expect(shown.items.map(\.rule) == [.alert, .alert, .timetable, .machine])
    }

    @Test func repeatsAreFolded() throws {
        let shown = try #require(digest(item("Detour"), item("Elevator"), item("Elevator", body: "Line 1")))
        #expect(shown.body == "- Detour\n- Elevator (2 times)")
        #expect(shown.title == "2 transit updates")
        #expect(shown.items.last?.body == "Line 1")
    }

    @Test(arguments: [
        (10, 0, 10, nil), (11, 0, 9, "and 2 more"), (30, 0, 9, "and 21 more"), (5, 7, 5, "and 7 more"),
        (1, 1, 1, "and 1 more"),
    ])
    func longDigestSaysHowManyMore(count: Int, dropped: Int, shown: Int, more: String?) throws {
        let messages = (1...count).map { item("Message \($0)") }
        let digest = try #require(
            DigestComposer.digest(of: messages, dropped: dropped, limit: 10, key: "digest-key", now: now))
        #expect(digest.title == "\(count + dropped) transit updates")
        #expect(digest.items.count == shown + (more == nil ? 0 : 1))
        #expect(digest.items.count <= 10)
        #expect(more == nil || digest.body.hasSuffix("\n- \(more ?? "")"))
    }
}
