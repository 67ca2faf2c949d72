import Foundation
import Glibc
import Testing
import TransitControl
import TransitTestTraits
import TransitWire

@testable import NotificationAgent

/// Runs the built program with a fake daemon.
@Suite(.ownThreads, .enabled(if: Program.url != nil)) struct AgentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(copiesFiles: true)
        try folder.folder("run/transitd", mode: 0o700)
    }

    private var socket: String { folder.path + "/run/transitd/transitd.sock" }

    /// Installs a hook that appends the operation and the identifier of each event to a file.
    private func installLog(_ name: String = "hooks.d/log", exit status: Int = 0) throws {
        try folder.script(
            "config/transitd/\(name)",
            "cat >>\"\(folder.path)/input\"\necho \"$TRANSITD_OP $TRANSITD_ID\" >>\"\(folder.path)/log\"\nexit \(status)"
        )
    }

    private var log: [String] { (folder.text("log") ?? "").split(separator: "\n").map(String.init) }

    @Test func hooksRunForEventsAndTheDaemonIsTold() throws {
        try installLog()
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments == ["handed_out e1", "done e1"] })
        daemon.set([Sample.event("e1"), Sample.event("e2", op: "update")])
        #expect(eventually { daemon.acknowledgments.last == "done e2" })
        #expect(log == ["show e1", "update e2"])
        let first = try #require(folder.text("input")?.split(separator: "\n").first)
        #expect(try JSONValue(parsing: String(first)) == Sample.event("e1"))
        #expect(program.end() == 0)
        #expect(program.error == "transitd-notify: connected to \(socket)\n")
        daemon.stop()
    }

    @Test func restartOfTheAgentDoesNotRunHooksAgain() throws {
        try installLog()
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let first = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments.contains("done e1") })
        #expect(first.end() == 0)
        daemon.stop()
        // The daemon was killed too, and has lost the acknowledgment.
        let other = try FakeNotifier(socket)
        other.set([Sample.event("e1"), Sample.event("e2")])
        let second = try Program(in: folder)
        #expect(eventually { other.acknowledgments.contains("done e2") })
        #expect(other.acknowledgments.contains("done e1"))
        #expect(log == ["show e1", "show e2"])
        #expect(second.end() == 0)
        other.stop()
    }

    @Test func killedAgentRunsAnUnfinishedEventAgain() throws {
        try folder.script(
            "config/transitd/hooks.d/slow",
            "echo $TRANSITD_ID >>\"\(folder.path)/log\"\n[ -e \"\(folder.path)/go\" ] || exec sleep 60")
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let first = try Program(in: folder)
        #expect(eventually { log == ["e1"] })
        #expect(first.end(SIGKILL) == SIGKILL)
        try folder.file("go")
        let second = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments.contains("done e1") })
        #expect(log == ["e1", "e1"])
        #expect(second.end() == 0)
        daemon.stop()
    }

    @Test func restartOfTheDaemonIsSurvived() throws {
        try installLog()
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments.contains("done e1") })
        daemon.stop()
        #expect(
            eventually { program.error.contains("the daemon at \(socket) closed the connection; trying again\n") })
        let other = try FakeNotifier(socket)
        other.set([Sample.event("e2")])
        #expect(eventually { other.acknowledgments.contains("done e2") })
        #expect(log == ["show e1", "show e2"])
        // The socket of a service manager accepts the connection while the daemon restarts.
        other.disconnect()
        #expect(eventually { other.subscriptions == 2 })
        #expect(program.end() == 0)
        other.stop()
    }

    @Test func agentWaitsForASocketThatDoesNotExistYet() throws {
        try installLog()
        try FileManager.default.removeItem(atPath: folder.path + "/run/transitd")
        let program = try Program(["--socket", socket], in: folder)
        #expect(eventually { program.error.contains("no such file") })
        try folder.folder("run/transitd", mode: 0o700)
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        #expect(eventually { daemon.acknowledgments.contains("done e1") })
        #expect(program.end() == 0)
        daemon.stop()
    }

    @Test func acknowledgmentThatWasLostIsSentAgain() throws {
        try folder.script(
            "config/transitd/hooks.d/slow",
            "echo $TRANSITD_ID >>\"\(folder.path)/log\"; while ! [ -e \"\(folder.path)/go\" ]; do sleep 0.01; done")
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder)
        #expect(eventually { log == ["e1"] })
        daemon.stop()
        try folder.file("go")
        #expect(eventually { folder.text("state/transitd-notify/handled")?.hasSuffix("\nd e1\n") == true })
        let other = try FakeNotifier(socket)
        other.set([Sample.event("e1")])
        #expect(eventually { other.acknowledgments == ["done e1"] })
        #expect(log == ["e1"])
        #expect(program.end() == 0)
        other.stop()
    }

    @Test func failureIsReportedToTheJournalAndTheDaemon() throws {
        try folder.script("config/transitd/hooks.d/bad", "echo no route >&2; exit 4")
        try installLog()
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder, environment: ["JOURNAL_STREAM": "8:1"])
        #expect(
            eventually {
                daemon.acknowledgments == ["handed_out e1", "failed e1: hook bad: exit status 4 (no route)"]
            })
        #expect(log == ["show e1"])
        #expect(program.end() == 0)
        #expect(
            program.error.split(separator: "\n") == [
                "<6>connected to \(socket)", "<6>hook bad: no route",
                "<4>hook \(folder.path)/config/transitd/hooks.d/bad for leave event e1 failed: exit status 4 (no route)",
            ])
        daemon.stop()
    }

    @Test func hookThatIsNotTrustedIsReported() throws {
        try folder.script("config/transitd/hooks.d/open", "touch \"\(folder.path)/ran\"", mode: 0o777)
        try installLog("hooks.d/leave/log")
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder)
        let path = folder.path + "/config/transitd/hooks.d/open"
        #expect(
            eventually {
                daemon.acknowledgments.last
                    == "failed e1: hook open: not run: other users can write to \(path); run: chmod o-w \(path)"
            })
        #expect(log == ["show e1"])
        #expect(folder.text("ran") == nil)
        #expect(program.error.contains("not running \(path): other users can write"))
        #expect(program.end() == 0)
        daemon.stop()
    }

    @Test func stoppingEndsTheHooks() throws {
        try folder.script(
            "config/transitd/hooks.d/slow",
            "trap 'echo >\"\(folder.path)/asked\"' TERM; echo $$ >\"\(folder.path)/log\"; while :; do sleep 0.05; done")
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder)
        #expect(eventually { !log.isEmpty })
        let pid = try #require(pid_t(log[0]))
        // The second signal does not wait for the hook.
        kill(program.identifier, SIGTERM)
        #expect(eventually { folder.text("asked") != nil })
        #expect(program.end() == 0)
        #expect(eventually { kill(pid, 0) != 0 })
        // The daemon lists the event again.
        #expect(daemon.acknowledgments.isEmpty)
        daemon.stop()
    }

    @Test func hookThatSucceedsWhileTheAgentStopsDoesNotRunAgain() throws {
        try folder.script(
            "config/transitd/hooks.d/slow",
            "trap 'exit 0' TERM; echo \"$TRANSITD_ID\" >>\"\(folder.path)/log\"; while :; do sleep 0.05; done")
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let first = try Program(in: folder)
        #expect(eventually { !log.isEmpty })
        #expect(first.end() == 0)
        #expect(eventually { daemon.acknowledgments == ["handed_out e1", "done e1"] })
        daemon.stop()
        let other = try FakeNotifier(socket)
        other.set([Sample.event("e1")])
        let second = try Program(in: folder)
        #expect(eventually { other.acknowledgments == ["done e1"] })
        #expect(second.end() == 0)
        #expect(log == ["e1"])
        other.stop()
    }

    @Test func floodOfEventsIsHandled() throws {
        try installLog()
        let daemon = try FakeNotifier(socket)
        let events = (0..<400).map { Sample.event("e\($0)", key: "k\($0)") }
        daemon.set(events)
        let program = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments.count { $0.hasPrefix("done") } == 400 })
        #expect(Set(log).count == 400 && log.count == 400)
        // Nothing of the 400 runs is left: the standard streams, the signals, the record, the connection.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/fd")
        #expect(descriptors.count < 10)
        #expect(program.end() == 0)
        daemon.stop()
    }

    @Test func invalidLinesOfTheDaemonAreSurvived() throws {
        try installLog()
        let daemon = try FakeNotifier(socket)
        let program = try Program(in: folder)
        #expect(eventually { daemon.subscriptions == 1 })
        daemon.send(Array("{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{\"data\":7}}".utf8))
        #expect(eventually { program.error.contains("not a list of notifications") })
        #expect(eventually { daemon.subscriptions == 2 })
        daemon.send(Array("no JSON".utf8))
        #expect(eventually { program.error.contains("Cannot parse the daemon's response") })
        #expect(eventually { daemon.subscriptions == 3 })
        daemon.set([Sample.event("e0", rule: "../../etc"), Sample.event("e1")])
        #expect(eventually { daemon.acknowledgments.contains("done e1") })
        #expect(daemon.acknowledgments.contains("failed e0: the event is invalid: its \"rule\" is not a name"))
        #expect(program.end() == 0)
        daemon.stop()
    }

    /// An older daemon does not know the topic, or a member that the agent sends.
    @Test func refusalIsReportedOnceAndTriedAgainAfterARestartOfTheDaemon() throws {
        let daemon = try FakeNotifier(socket)
        daemon.refuse(ControlError(.invalidParameters, "There is no topic \"notifications\"."))
        let program = try Program(in: folder, environment: ["JOURNAL_STREAM": "1:1"])
        #expect(eventually { program.error.contains("There is no topic") })
        #expect(program.error.hasPrefix("<3>the daemon at \(socket) refuses this program"))
        // The agent does not try again: it reads the same connection.
        daemon.send(Array("{\"jsonrpc\":\"2.0\",\"method\":\"unknown\",\"params\":{}}".utf8))
        daemon.send(Array("no JSON".utf8))
        #expect(eventually { program.error.contains("Cannot parse the daemon's response") })
        #expect(program.error.split(separator: "\n").count == 2)
        #expect(program.isRunning)
        daemon.stop()
        try installLog()
        let newer = try FakeNotifier(socket)
        newer.set([Sample.event("e1")])
        #expect(eventually { newer.subscriptions == 1 })
        #expect(eventually { newer.acknowledgments.last == "done e1" })
        #expect(program.end() == 0)
        newer.stop()
    }

    /// A condition that passes is no refusal.
    @Test func busyDaemonIsTriedAgainSoon() throws {
        let daemon = try FakeNotifier(socket)
        daemon.refuse(ControlError(.tooManyConnections, "Too many clients are connected."))
        let program = try Program(in: folder)
        #expect(eventually { daemon.requests.count { $0["method"] == "subscribe" } >= 2 })
        daemon.refuse(nil)
        #expect(eventually { daemon.subscriptions == 1 })
        #expect(program.end() == 0)
        daemon.stop()
    }

    @Test(
        arguments: [
            ("en_US.UTF-8", "en-US"), ("de_DE.UTF-8", "de-DE"), ("C", nil), ("", nil), ("en_GB.UTF-8@euro", "en-GB"),
            ("sr_RS@latin", "sr-RS"), ("\u{1F600}_DE", nil), (String(repeating: "x", count: 200), nil), ("..", nil),
        ] as [(String, String?)])
    func languageOfTheLocaleIsSent(_ locale: String, _ language: String?) throws {
        let daemon = try FakeNotifier(socket)
        let program = try Program(in: folder, environment: ["LANG": locale])
        #expect(eventually { daemon.subscriptions == 1 })
        let topic: JSONValue? =
            if case .array(let topics)? = daemon.requests.first(where: { $0["method"] == "subscribe" })?["params"]?[
                "topics"]
            {
                topics.first
            } else { nil }
        #expect(topic?["topic"]?.text == "notifications")
        #expect(topic?["language"]?.text == language)
        #expect(program.end() == 0)
        daemon.stop()
    }

    // MARK: Withdrawals

    @Test func withdrawalRunsTheHooksThatShowedTheNotification() throws {
        try installLog()
        try folder.script(
            "config/transitd/hooks.d/leave/lamp", "echo \"lamp $TRANSITD_OP $TRANSITD_RULE\" >>\"\(folder.path)/lamp\"")
        try folder.script(
            "config/transitd/hooks.d/canceled/horn",
            "echo \"horn $TRANSITD_OP $TRANSITD_RULE\" >>\"\(folder.path)/horn\"")
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1", rule: "leave")])
        let first = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments.last == "done e1" })
        daemon.set([Sample.event("e2", rule: "canceled", op: "update")])
        #expect(eventually { daemon.acknowledgments.last == "done e2" })
        #expect(first.end() == 0)
        // A restart of the agent forgets neither hook. The notification has the rule of its last event.
        let second = try Program(in: folder)
        daemon.set([Sample.event("e3", rule: "canceled", op: "withdraw", expiresIn: 0)])
        #expect(eventually { daemon.acknowledgments.last == "done e3" })
        #expect(log == ["show e1", "update e2", "withdraw e3"])
        #expect(folder.text("lamp") == "lamp show leave\nlamp withdraw canceled\n")
        #expect(folder.text("horn") == "horn update canceled\nhorn withdraw canceled\n")
        // The next notification with this key is a new one.
        daemon.set([Sample.event("e4", rule: "leave"), Sample.event("e5", rule: "leave", op: "withdraw")])
        #expect(eventually { daemon.acknowledgments.contains("done e5") })
        #expect(folder.text("horn") == "horn update canceled\nhorn withdraw canceled\n")
        #expect(second.end() == 0)
        daemon.stop()
    }

    @Test func everyRefusedHookIsNamed() throws {
        let names = (1...12).map { "hook-number-\($0)" }
        for name in names { try folder.script("config/transitd/hooks.d/\(name)", "exit 0", mode: 0o777) }
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments.last?.hasPrefix("failed e1") == true })
        let message = try #require(daemon.acknowledgments.last?.dropFirst("failed e1: ".count))
        #expect(message.count <= 500)
        for name in names { #expect(message.contains("\(name),") || message.contains("\(name) "), "\(name)") }
        #expect(message.contains("transitd-notify --check"))
        for name in names { #expect(program.error.contains("hooks.d/\(name): ")) }
        #expect(program.end() == 0)
        daemon.stop()
    }

    @Test func secondAgentEnds() throws {
        let daemon = try FakeNotifier(socket)
        let program = try Program(in: folder)
        #expect(eventually { daemon.subscriptions == 1 })
        let second = try Program(in: folder)
        #expect(second.wait() == 75)
        #expect(second.error == "transitd-notify: another transitd-notify of this user is running\n")
        #expect(program.end() == 0)
        daemon.stop()
    }

    @Test func onceEndsWhenEverythingIsHandled() throws {
        try installLog()
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1"), Sample.event("e2")])
        #expect(try Program(["--once"], in: folder).wait() == 0)
        #expect(log == ["show e1", "show e2"])
        #expect(try Program(["--once"], in: folder).wait() == 0)
        try installLog(exit: 1)
        daemon.set([Sample.event("e3")])
        #expect(try Program(["--once"], in: folder).wait() == 1)
        daemon.stop()
        let failed = try Program(["--once", "--socket", socket], in: folder)
        #expect(failed.wait() == 69)
        #expect(failed.error.contains("cannot reach the daemon"))
    }

    @Test func checkListsHooks() throws {
        try installLog()
        let path = folder.path + "/config/transitd/hooks.d/log"
        let fine = try Program(["--check"], in: folder)
        #expect(fine.wait() == 0)
        #expect(fine.output().contains("For every event:\n  runs     \(path)\n"))
        chmod(path, 0o775)
        let refused = try Program(["--check"], in: folder)
        #expect(refused.wait() == 1)
        #expect(
            refused.output().contains("  refused  \(path): its group can write to \(path); run: chmod g-w \(path)\n"))
    }

    @Test func unusableStateFolderIsReported() throws {
        try installLog()
        try folder.file("state", "")
        let daemon = try FakeNotifier(socket)
        daemon.set([Sample.event("e1")])
        let program = try Program(in: folder)
        #expect(eventually { daemon.acknowledgments.contains("done e1") })
        #expect(program.error.contains("/state/transitd-notify: Not a directory; after a restart"))
        #expect(program.end() == 0)
        daemon.stop()
    }

    @Test(arguments: [["--wrong"], ["--socket"], ["--socket="], ["--once", "--check"], ["x\u{1B}y"]])
    func invalidCommandLineIsReported(arguments: [String]) throws {
        let program = try Program(arguments, in: folder)
        #expect(program.wait() == 64)
        #expect(program.error.hasSuffix("For help, run: transitd-notify --help\n"))
        #expect(!program.error.contains("\u{1B}"))
    }

    @Test func helpAndVersionArePrinted() throws {
        let help = try Program(["--help"], in: folder)
        #expect(help.wait() == 0 && help.output() == CommandLineOptions.help)
        let version = try Program(["--version"], in: folder)
        #expect(version.wait() == 0 && version.output() == "transitd-notify \(ReleaseVersion.text)\n")
    }
}
