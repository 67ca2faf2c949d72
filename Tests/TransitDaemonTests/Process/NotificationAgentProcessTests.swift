import Foundation
import Glibc
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// The built daemon, the built agent and a hook, from the decision to the hook's standard input.
@Suite(
    .enabled(if: DaemonProcess.executable != nil && AgentProcess.executable != nil, "the programs are not built"),
    .ownThreads)
struct NotificationAgentProcessTests {
    private let daemon: DaemonProcess

    init() throws { daemon = try DaemonProcess.withCanceledTrip() }

    /// The events that a hook received, oldest first.
    private func received(_ name: String = "received") -> [JSONValue] {
        let text = (try? String(contentsOfFile: daemon.folder(name), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
    }

    private func operations(_ name: String = "received") -> [String] {
        received(name).map { "\($0["op"]?.text ?? "?") \($0["rule"]?.text ?? "?")" }
    }

    /// Locales of ordinary desktops and odd ones, with the language that the daemon remembers.
    private static let locales: [(String?, String?)] = [
        ("en_US.UTF-8", "en-US"), ("de_DE.UTF-8", "de-DE"), ("C", nil), (nil, nil), ("en_GB.UTF-8@euro", "en-GB"),
        ("C.UTF-8", nil), ("zh_Hant_HK.UTF-8", "zh-Hant-HK"), ("no such locale", nil), ("\u{1F600}", nil),
        (String(repeating: "long_", count: 40), nil),
    ]

    @Test(arguments: locales) func notificationReachesAHookUnderEveryLocale(locale: String?, language: String?) throws {
        try daemon.start(["--replay-clock", ProcessTests.clock])
        let agent = try AgentProcess(daemon, environment: locale.map { ["LANG": $0] } ?? [:])
        #expect(eventually { agent.error.contains("connected to") })
        _ = try daemon.ask("notify.enable", ["is_on": true])
        _ = try daemon.ask("feed.update", ["feed": "city"])
        #expect(eventually { operations().contains("show canceled") }, "\(agent.error)")
        let event = try #require(received().first { $0["rule"]?.text == "canceled" })
        #expect(event["departure"]?["stop"]?["name"]?.text == "Harbor")
        #expect(try daemon.ask("status")["notifications"]?["agent"]?["subscribers"] == 1)
        #expect(!agent.error.contains("refuse") && !agent.error.contains("trying again"), "\(agent.error)")
        #expect(agent.end() == 0)
        // The daemon remembers the language of the agent, also after a restart.
        daemon.signal(SIGTERM)
        #expect(daemon.wait().code == 0)
        #expect(try daemon.savedLanguage() == language)
    }

    @Test func testsOfOneSecondAreBothShown() throws {
        try daemon.start(["--replay-clock", ProcessTests.clock])
        let agent = try AgentProcess(daemon)
        #expect(eventually { agent.error.contains("connected to") })
        let client = try DaemonClient(daemon.socket)
        let ids = try (0..<2).compactMap { _ in
            try client.ask("notify.test", ["rule": "leave"])["event"]?["id"]?.text
        }
        #expect(Set(ids).count == 2)
        #expect(eventually { Set(received().compactMap { $0["id"]?.text }) == Set(ids) })
        #expect(agent.end() == 0)
    }

    /// The notification is withdrawn while neither the daemon nor the agent of that time runs any more.
    @Test func withdrawalReachesTheHookThatShowedAfterRestarts() throws {
        try daemon.installHook("hooks.d/canceled/horn", output: "horn")
        try daemon.start(["--replay-clock", ProcessTests.clock])
        let first = try AgentProcess(daemon, environment: ["LANG": "en_US.UTF-8"])
        #expect(eventually { first.error.contains("connected to") })
        _ = try daemon.ask("notify.enable", ["is_on": true])
        _ = try daemon.ask("feed.update", ["feed": "city"])
        #expect(eventually { operations("horn") == ["show canceled"] }, "\(first.error)")
        let event = try #require(received("horn").first)
        #expect(try eventually { try daemon.ask("notifications")["unfinished"] == [] })
        #expect(first.end() == 0)
        _ = try daemon.ask("notify.act", ["id": event["id"] ?? .null, "action": "next"])
        daemon.signal(SIGKILL)
        #expect(daemon.wait().code == -SIGKILL)
        try daemon.start(["--replay-clock", ProcessTests.clock])
        let second = try AgentProcess(daemon, environment: ["LANG": "de_DE.UTF-8"])
        #expect(eventually { operations("horn").count == 2 }, "\(second.error)")
        let end = try #require(received("horn").last)
        #expect(end["op"]?.text == "withdraw")
        #expect(end["key"] == event["key"])
        #expect(try eventually { try daemon.ask("notifications")["unfinished"] == [] })
        #expect(operations("received").filter { $0.hasPrefix("withdraw") }.count == 1)
        #expect(second.end() == 0)
    }

    /// Two sessions of one user with a folder of their own each.
    @Test func twoAgentsOfOneUserShowNothingTwice() throws {
        try daemon.installHook("second/transitd/hooks.d/log", output: "second-received", inFolder: "")
        try daemon.start(["--replay-clock", ProcessTests.clock])
        let other = ["XDG_STATE_HOME": daemon.folder("second-state"), "XDG_CONFIG_HOME": daemon.folder("second")]
        let agents = [try AgentProcess(daemon), try AgentProcess(daemon, environment: other)]
        for agent in agents { #expect(eventually { agent.error.contains("connected to") }) }
        _ = try daemon.ask("notify.enable", ["is_on": true])
        _ = try daemon.ask("feed.update", ["feed": "city"])
        #expect(
            eventually {
                operations().contains("show canceled") && operations("second-received").contains("show canceled")
            })
        #expect(try eventually { try daemon.ask("notifications")["unfinished"] == [] })
        for agent in agents { #expect(agent.end() == 0) }
        let counts = [received().count, received("second-received").count]
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        try daemon.start(["--replay-clock", ProcessTests.clock])
        // Neither the agents nor the daemon show it again; a new notification reaches both.
        let again = [try AgentProcess(daemon), try AgentProcess(daemon, environment: other)]
        for agent in again { #expect(eventually { agent.error.contains("connected to") }) }
        _ = try daemon.ask("notify.test", ["rule": "delay"])
        #expect(eventually { operations().last == "show delay" && operations("second-received").last == "show delay" })
        #expect([received().count, received("second-received").count] == counts.map { $0 + 1 })
        for agent in again { #expect(agent.end() == 0) }
    }

    /// A daemon refuses what a newer program sends. It reports this to the user who asks.
    @Test(.enabled(if: BuiltClient.path != nil, "transitctl is not built"))
    func refusalIsVisibleInStatusAndDoctor() throws {
        try daemon.start(["--replay-clock", ProcessTests.clock])
        _ = try daemon.ask("notify.enable", ["is_on": true])
        let newer = try DaemonClient(daemon.socket)
        #expect(throws: DaemonFailure.self) {
            try newer.ask("subscribe", ["topics": [["topic": "notifications", "from_the_future": true]]])
        }
        let status = try daemon.transitctl(["status"])
        #expect(status.error.contains("transitd refused the program that shows your notifications"), "\(status)")
        #expect(status.error.contains("from_the_future"))
        let doctor = try daemon.transitctl(["doctor"]).output
        #expect(doctor.contains("failed notifications: transitd refused the program"), "\(doctor)")
        let agent = try AgentProcess(daemon, environment: ["LANG": "en_US.UTF-8"])
        #expect(eventually { agent.error.contains("connected to") })
        #expect(try !daemon.transitctl(["status"]).error.contains("refused"))
        #expect(agent.end() == 0)
    }
}

extension DaemonProcess {
    /// Returns a daemon with the small feed, a commute in its window, and a message that cancels its next departure.
    static func withCanceledTrip() throws -> DaemonProcess {
        let daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        let now = Instant(rfc3339: ProcessTests.clock)!
        let update = TripUpdate(
            id: "1",
            trip: TripDescriptor(
                tripID: "b1", startDate: ServiceDate(iso8601: "2026-03-27"), relationship: .canceled),
            updates: [], timestamp: now)
        try Data(RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: now), [.tripUpdate(update)])).write(
            to: URL(fileURLWithPath: daemon.folder("updates.pb")))
        try daemon.configure(
            """
            [[feed]]
            id = "city"
            provider = "gtfs"
            static = "../city.zip"
            trip_updates = "../updates.pb"
            [commute.trip]
            from = "city:harbor"
            to = "city:central"
            window = "07:00-09:00"
            """)
        try daemon.installHook("hooks.d/log", output: "received")
        return daemon
    }

    /// Installs a hook that appends each event as a line to a file in the daemon's folder. Another process writes the
    /// file: a process that another test starts at the same moment may inherit a file that is open for writing, and such a
    /// file cannot be executed (ETXTBSY).
    func installHook(_ name: String, output: String, inFolder base: String = "user/transitd/") throws {
        let path = folder(base + name)
        let shell = TestProcess()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", "umask 022; mkdir -p \"${1%/*}\"; printf '#!/bin/sh\\ncat >>%s\\n' \"$2\" >\"$1\"; chmod 755 \"$1\"",
            "install", path, folder(output),
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }

    /// The language of the agent of this user in the state file.
    func savedLanguage() throws -> String? {
        let state = try StateStore(directory: folder("state"), today: ServiceDate(iso8601: "2026-03-27")!)
        return state.userRecord(of: getuid()).agentLanguage
    }
}

/// The built `transitd-notify`, connected to a daemon.
final class AgentProcess {
    /// `nil` if it was not built.
    static let executable = BuiltProgram.agent

    private let process = TestProcess()
    private let log: String

    /// Starts the agent with the hooks in the folder `user/transitd` of the daemon, and no locale.
    init(_ daemon: DaemonProcess, environment: [String: String] = [:]) throws {
        log = daemon.folder("agent-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        process.executableURL = URL(fileURLWithPath: try #require(Self.executable))
        process.arguments = ["--socket", daemon.socket]
        process.environment = [
            "HOME": daemon.folder.path, "XDG_CONFIG_HOME": daemon.folder("user"),
            "XDG_STATE_HOME": daemon.folder("user-state"), "PATH": "/usr/bin:/bin",
        ].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The lines that it has written so far.
    var error: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Stops the agent, and returns its exit status.
    func end() -> Int32 {
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        return process.terminationStatus
    }
}
