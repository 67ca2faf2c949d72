import Foundation
import Testing
import TransitTestTraits

/// Tests of the built hook with a fake notification server.
@Suite(.enabled(if: NotificationDesktop.isAvailable, "needs dbus-daemon and python3"), .ownThreads)
struct DesktopNotificationHookTests {
    @Test func showsUpdatesAndWithdraws() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer("body,body-markup")
        let first = try desktop.run(["title": "-Leave", "body": #"a \n <b> & c"#])
        #expect(first.status == 0, "\(first.error)")
        #expect(try desktop.run(["op": "update", "id": "n2", "revision": 2]).status == 0)
        #expect(try desktop.run(["key": "another"]).status == 0)
        // A withdrawal has the texts of what it withdraws, and is valid for some time.
        #expect(try desktop.run(["op": "withdraw", "urgency": "low", "sound": false, "expires_in": 600]).status == 0)
        // The notification is gone, so nothing is left to do.
        #expect(try desktop.run(["op": "withdraw"]).status == 0)
        let calls = desktop.calls
        #expect(calls.map { $0["call"] as? String } == ["Notify", "Notify", "Notify", "CloseNotification"])
        #expect(calls.map { $0["id"] as? Int } == [1, 1, 2, 1])
        #expect(calls.map { $0["replaced"] as? Int } == [0, 1, 0, nil])
        let call = try #require(calls.first)
        #expect(call["title"] as? String == "-Leave")
        #expect(call["body"] as? String == #"a \n &lt;b&gt; &amp; c"#)
        #expect(call["program"] as? String == "transitd")
        #expect(call["timeout"] as? Int == 1_200_000)
        #expect(call["actions"] as? [String] == [])
        let hints = call["hints"] as? [String: Any]
        #expect(hints?["category"] as? String == "x-transitd.leave")
        #expect(hints?["urgency"] as? Int == 1)
        #expect(hints?["sound-name"] as? String == "dialog-warning")
        #expect(hints?["desktop-entry"] as? String == "transitd")
        #expect(call["icon"] as? String == "transitd")
        // That of the key "another".
        #expect(eventually { desktop.processes.filter(NotificationDesktop.isRunning).count == 1 })
    }

    @Test func atMost64NotificationsWait() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer()
        for number in 0..<68 {
            let outcome = try desktop.run(["key": "k\(number)", "id": "n\(number)", "expires_in": 1000 + number])
            #expect(outcome.status == 0, "\(outcome.error)")
        }
        #expect(eventually { desktop.processes.filter(NotificationDesktop.isRunning).count == 64 })
        #expect(calls(desktop, "CloseNotification").map { $0["id"] as? Int } == [1, 2, 3, 4])
    }

    @Test func returnsActionOfCurrentEvent() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer()
        #expect(try desktop.run().status == 0)
        let first = try #require(desktop.waiter)
        #expect(try desktop.run(["op": "update", "id": "n2"]).status == 0)
        let second = try #require(desktop.waiter)
        // One process waits for one notification.
        #expect(eventually { !NotificationDesktop.isRunning(first) })
        #expect(
            desktop.calls.last?["actions"] as? [String] == [
                "taken", "I took it", "next", "Next one", "mute-today", "Mute today",
            ])
        try desktop.server?.send("1 mute-today\n")
        #expect(eventually { !desktop.acted.isEmpty && !NotificationDesktop.isRunning(second) })
        #expect(desktop.acted == "notify act n2 mute-today\n")
    }

    @Test func reportsActionThatIsNotRecorded() throws {
        let desktop = try NotificationDesktop()
        try desktop.folder.write(
            "#!/bin/sh\necho 'transitctl: cannot reach the daemon <x>' >&2; exit 69\n", to: "bin/transitctl",
            permissions: 0o755)
        try desktop.startFakeServer()
        #expect(try desktop.run().status == 0)
        try desktop.server?.send("1 taken\n")
        #expect(eventually { desktop.calls.filter { $0["call"] as? String == "Notify" }.count == 2 })
        #expect(
            desktop.calls.last?["body"] as? String
                == "The action was not recorded: transitctl: cannot reach the daemon &lt;x&gt;")
    }

    @Test func closesNotificationWhenItExpires() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer("body,actions,persistence")
        // The time begins when the program reads the event, and a busy machine takes time until it is shown.
        #expect(try desktop.run(["expires_in": 4]).status == 0)
        #expect(try desktop.run(["expires_in": 4, "key": "without actions", "actions": [] as [Any]]).status == 0)
        #expect(eventually { desktop.calls.filter { $0["call"] as? String == "CloseNotification" }.count == 2 })
        #expect(eventually { desktop.waiter == nil })
        // It arrives too late to be shown.
        #expect(try desktop.run(["expires_in": 0, "key": "late"]).status == 0)
        #expect(desktop.calls.filter { $0["call"] as? String == "Notify" }.count == 2)
    }

    /// Returns the calls of a method that the present server has received.
    private func calls(_ desktop: NotificationDesktop, _ method: String) -> [[String: Any]] {
        desktop.calls.filter { $0["call"] as? String == method }
    }

    @Test(arguments: [true, false]) func newServerShowsValidNotificationsWithoutSound(_ hasActions: Bool) throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer()
        let changes: [String: Any] = hasActions ? [:] : ["actions": [] as [Any]]
        #expect(try desktop.run(changes).status == 0)
        for key in ["withdrawn", "closed", "acted", "expired"] {
            #expect(try desktop.run(["key": key, "expires_in": key == "expired" ? 2 : 1200]).status == 0)
        }
        #expect(try desktop.run(["key": "withdrawn", "op": "withdraw"]).status == 0)
        func running() -> Int { desktop.processes.filter(NotificationDesktop.isRunning).count }
        try desktop.server?.send("3 -\n")
        #expect(eventually { running() <= 3 })
        try desktop.server?.send("4 mute-today\n")
        #expect(eventually { running() == 1 })
        let before = desktop.folder.read("transitd/bubbles")
        try desktop.startFakeServer("body,actions")
        #expect(eventually { !calls(desktop, "Notify").isEmpty })
        let call = try #require(desktop.calls.first)
        #expect(call["title"] as? String == "Leave in 5 min for the 08:12")
        #expect(call["replaced"] as? Int == 0)
        #expect((call["timeout"] as? Int).map { 1_000_000 < $0 && $0 <= 1_200_000 } == true)
        let hints = call["hints"] as? [String: Any]
        #expect(hints?["suppress-sound"] as? Int == 1)
        #expect(hints?["sound-name"] == nil)
        // It is updated in place on the new server, and its buttons work.
        #expect(eventually { desktop.folder.read("transitd/bubbles") != before })
        #expect(try desktop.run(changes.merging(["op": "update", "id": "n2"]) { $1 }).status == 0)
        #expect(calls(desktop, "Notify").last?["replaced"] as? Int == 1)
        if hasActions {
            try desktop.server?.send("1 taken\n")
            #expect(eventually { desktop.acted.hasSuffix("notify act n2 taken\n") })
        }
        #expect(calls(desktop, "Notify").count == 2)
    }

    /// The identifier can be that of another program's notification.
    @Test func withdrawalSparesNotificationsOfNewServer() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer("body")
        #expect(try desktop.run().status == 0)
        kill(try #require(desktop.waiter), SIGKILL)
        try desktop.startFakeServer("body")
        #expect(try desktop.run(["op": "withdraw"]).status == 0)
        #expect(desktop.calls.isEmpty)
    }

    @Test func serverThatRefusesAtFirstIsAskedAgain() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer()
        #expect(try desktop.run().status == 0)
        try desktop.startFakeServer("body", mode: "refusing")
        #expect(eventually { calls(desktop, "Notify").count >= 2 })
    }

    @Test func processEndsWithMessageBus() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer()
        #expect(try desktop.run().status == 0)
        let process = try #require(desktop.waiter)
        desktop.stopBus()
        #expect(eventually { !NotificationDesktop.isRunning(process) })
    }

    @Test func simultaneousEventsOfOneKeyHaveOneNotification() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer()
        let programs = try (0..<6).map { number in
            let program = try RunningProgram([TestPath.hook], environment: desktop.environment)
            try program.send(SampleEvent(["id": "n\(number)", "key": number < 4 ? "one" : "two"]).json)
            program.closeInput()
            return program
        }
        for program in programs { #expect(program.outcome().status == 0) }
        #expect(calls(desktop, "Notify").count == 6)
        let shown = calls(desktop, "Notify")
        #expect(shown.filter { $0["replaced"] as? Int == 0 }.count == 2)
        #expect(desktop.folder.read("transitd/bubbles")?.split(separator: "\n").count == 2)
    }

    @Test func failuresNameTheirCause() throws {
        let desktop = try NotificationDesktop()
        func check(_ status: Int32, _ text: String, _ changes: [String: Any] = [:], line: Int = #line) throws {
            let outcome = try desktop.run(changes)
            #expect(outcome.status == status, "line \(line): \(outcome.error)")
            #expect(outcome.error.hasPrefix("transitd-notify-send: ") && outcome.error.contains(text), "line \(line)")
            #expect(outcome.error.filter(\.isNewline).count == 1)
        }
        try check(75, "no notification server is running")
        try desktop.startFakeServer("body,actions", mode: "refusing")
        try check(75, "too many notifications")
        try check(75, "too many notifications", ["actions": [] as [Any]])
        try check(65, "the event is invalid", ["id": "a b"])
        desktop.variables = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
        try check(75, "message bus cannot be reached")
        desktop.variables = ["XDG_RUNTIME_DIR": ""]
        try check(69, "XDG_RUNTIME_DIR is not set")
        desktop.variables = ["XDG_RUNTIME_DIR": "/nonexistent/run"]
        try check(69, "/nonexistent/run")
        desktop.variables = [:]
        // A machine without a desktop.
        let runtime = try desktop.folder.write("", to: "run/other")
        desktop.variables = [
            "XDG_RUNTIME_DIR": (runtime as NSString).deletingLastPathComponent, "DBUS_SESSION_BUS_ADDRESS": "",
            "DISPLAY": "", "WAYLAND_DISPLAY": "",
        ]
        try check(0, "there is no desktop")
        desktop.variables = desktop.variables.merging(["DISPLAY": ":0"]) { $1 }
        try check(75, "message bus cannot be reached")
        desktop.variables = [:]
        let ignored = try desktop.run(["op": "pulse"])
        #expect(ignored.status == 0)
        #expect(ignored.error.contains("the operation \"pulse\" is not known"))
    }

    /// The server answers questions but not Notify.
    @Test(arguments: [true, false]) func slowServerIsGivenUp(_ hasActions: Bool) throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer("body,actions", mode: "slow")
        let began = ContinuousClock.now
        let outcome = try desktop.run(hasActions ? [:] : ["actions": [] as [Any]])
        // The program has 8 s, but a busy machine takes time to start it.
        #expect(ContinuousClock.now - began < .seconds(60))
        #expect(outcome.status == 75)
        #expect(outcome.error.contains("did not respond within 3 s"))
    }

    @Test func inputThatNeverEndsIsGivenUp() throws {
        let program = try RunningProgram([TestPath.hook])
        try program.wait(for: "incomplete")
    }

    @Test func settingsOfUserApply() throws {
        let desktop = try NotificationDesktop()
        try desktop.startFakeServer("body,actions")
        try desktop.folder.write(
            "high_urgency = critical\nactions = no\ncolor = red\n", to: ".config/transitd/notify-send.conf")
        let outcome = try desktop.run()
        #expect(outcome.status == 0)
        #expect(outcome.error.contains("notify-send.conf, line 3: unknown setting \"color=red\""))
        #expect((desktop.calls.first?["hints"] as? [String: Any])?["urgency"] as? Int == 2)
        #expect(desktop.calls.first?["actions"] as? [String] == [])
    }
}
