import Foundation
import Testing
import TransitTestTraits

/// Tests of the built hook with a real notification server, on a virtual screen.
@Suite(.enabled(if: NotificationDesktop.hasDunst, "needs dunst, dunstctl, Xvfb and notify-send"), .ownThreads)
struct DunstTests {
    private func count(_ desktop: NotificationDesktop, _ list: String = "displayed") throws -> Int? {
        Int(try desktop.dunstctl("count", list).output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// The notifications that are no longer shown, newest first.
    private func history(_ desktop: NotificationDesktop) throws -> [[String: Any]] {
        let text = try desktop.dunstctl("history").output
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let entries = (json?["data"] as? [[[String: [String: Any]]]])?.first ?? []
        return entries.map { $0.compactMapValues { $0["data"] } }
    }

    @Test func showsUpdatesInPlaceAndWithdraws() throws {
        let desktop = try NotificationDesktop()
        try desktop.startDunst()
        let first = try desktop.run()
        #expect(first.status == 0, "\(first.error)")
        #expect(try eventually { try count(desktop) == 1 })
        #expect(
            try desktop.run(["op": "update", "id": "n2", "title": "Leave <now>", "body": #"5 < 6 & \n"#]).status == 0)
        #expect(try eventually { try count(desktop) == 1 })
        let waiter = try #require(desktop.waiter)
        #expect(try desktop.run(["op": "withdraw"]).status == 0)
        #expect(try eventually { try count(desktop) == 0 })
        #expect(eventually { !NotificationDesktop.isRunning(waiter) })
        let shown = try history(desktop)
        #expect(shown.count == 1)
        #expect(shown.first?["summary"] as? String == "Leave <now>")
        #expect((shown.first?["message"] as? String)?.contains(#"5 &lt; 6 &amp; \n"#) == true)
        #expect(shown.first?["appname"] as? String == "transitd")
        #expect(shown.first?["category"] as? String == "x-transitd.leave")
        #expect(shown.first?["timeout"] as? Int == 1_200_000_000)
    }

    @Test func returnsAction() throws {
        let desktop = try NotificationDesktop()
        try desktop.startDunst()
        #expect(try desktop.run().status == 0)
        #expect(try desktop.dunstctl("action").status == 0)
        #expect(eventually { desktop.acted == "notify act n1 taken\n" })
        #expect(eventually { desktop.waiter == nil })
        // The server closes the notification after it has reported the action.
        #expect(try eventually { try count(desktop) == 0 })
    }

    @Test func notificationExpires() throws {
        let desktop = try NotificationDesktop()
        try desktop.startDunst()
        #expect(try desktop.run(["expires_in": 1]).status == 0)
        #expect(try eventually { try count(desktop) == 0 && desktop.waiter == nil })
    }

    @Test func restartSparesNotificationsOfOtherPrograms() throws {
        let desktop = try NotificationDesktop()
        try desktop.startDunst()
        #expect(try desktop.run().status == 0)
        let own = try #require(desktop.folder.read("transitd/bubbles")?.split(separator: " ").first)
        // Without its process, the notification does not come back.
        kill(try #require(desktop.waiter), SIGKILL)
        try desktop.startDunst()
        var other = ""
        for _ in 0..<4 where other != own { other = try desktop.showOther("Mail") }
        try #require(other == own)
        let before = try count(desktop) ?? 0
        #expect(try desktop.run(["op": "update"]).status == 0)
        #expect(try eventually { try count(desktop) == before + 1 })
        #expect(try desktop.run(["op": "withdraw"]).status == 0)
        #expect(try eventually { try count(desktop) == before })
    }

    @Test func notificationComesBackAfterRestart() throws {
        let desktop = try NotificationDesktop()
        try desktop.startDunst()
        #expect(try desktop.run().status == 0)
        #expect(try desktop.run(["key": "without buttons", "actions": [] as [Any], "title": "Rain"]).status == 0)
        try desktop.startDunst()
        #expect(try eventually { try count(desktop) == 2 })
        #expect(try desktop.run(["op": "update", "id": "n2", "title": "Leave now"]).status == 0)
        #expect(try eventually { try count(desktop) == 2 })
        #expect(try desktop.run(["key": "without buttons", "op": "withdraw"]).status == 0)
        #expect(try eventually { try count(desktop) == 1 })
        #expect(try desktop.dunstctl("action").status == 0)
        #expect(eventually { desktop.acted == "notify act n2 taken\n" })
        try desktop.startDunst()
        #expect(desktop.processes.allSatisfy { !NotificationDesktop.isRunning($0) })
        #expect(try eventually { try count(desktop) == 0 })
    }

    @Test func stoppedServerIsGivenUp() throws {
        let desktop = try NotificationDesktop()
        try desktop.startDunst()
        let server = try #require(desktop.server)
        kill(server.pid, SIGSTOP)
        let outcome = try desktop.run()
        kill(server.pid, SIGCONT)
        #expect(outcome.status == 75)
        #expect(outcome.error.contains("did not respond within 3 s"))
        #expect(try desktop.run().status == 0)
        #expect(try eventually { try count(desktop) == 1 })
    }
}
