import Foundation
import Testing
import TransitTestTraits

/// Tests of the built hook with the notification server of Xfce, on a virtual screen.
@Suite(.enabled(if: NotificationDesktop.hasXfce, "needs xfce4-notifyd, dbus-monitor and Xvfb"), .ownThreads)
struct XfceTests {
    /// Records the calls and signals of the server.
    private func monitor(_ desktop: NotificationDesktop) throws -> RunningProgram {
        let program = try RunningProgram([
            "dbus-monitor", "--address", desktop.address, "interface='org.freedesktop.Notifications'",
        ])
        try program.wait(for: "NameLost")
        return program
    }

    private func count(_ monitor: RunningProgram, _ member: String) -> Int {
        monitor.output.components(separatedBy: "member=\(member)\n").count - 1
    }

    @Test func notificationComesBackAfterRestartAndIsWithdrawn() throws {
        let desktop = try NotificationDesktop()
        try desktop.startXfce()
        let monitor = try monitor(desktop)
        #expect(try desktop.run().status == 0)
        #expect(try desktop.run(["op": "update", "id": "n2", "title": "Leave now"]).status == 0)
        #expect(eventually { count(monitor, "Notify") == 2 })
        let before = desktop.folder.read("transitd/bubbles")
        try desktop.startXfce()
        #expect(eventually { count(monitor, "Notify") == 3 })
        // The monitor prints the hints after the name of the call.
        #expect(eventually { monitor.output.components(separatedBy: "string \"suppress-sound\"").count == 2 })
        #expect(monitor.output.components(separatedBy: "string \"sound-name\"").count == 3)
        #expect(eventually { desktop.folder.read("transitd/bubbles") != before })
        let process = try #require(desktop.waiter)
        #expect(try desktop.run(["op": "withdraw", "urgency": "low", "sound": false]).status == 0)
        #expect(eventually { count(monitor, "NotificationClosed") == 1 })
        #expect(eventually { !NotificationDesktop.isRunning(process) })
    }
}
