import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitClient
@testable import transitctl

/// Tests of the built program: exit statuses, standard output and standard error. Skipped if the executable is missing.
@Suite(.enabled(if: Program.url != nil), .ownThreads) struct ProgramTests {
    private func daemon(_ call: some WireValue) throws -> FakeDaemon {
        let answer = #"{"jsonrpc":"2.0","id":1,"result":"# + String(decoding: call.encoded, as: UTF8.self) + "}\n"
        return try FakeDaemon([.read, .send(answer), .wait])
    }

    private func failingDaemon(_ kind: ErrorKind, hint: String? = nil) throws -> FakeDaemon {
        let error = String(decoding: ControlError(kind, "No.", hint: hint).encoded, as: UTF8.self)
        return try FakeDaemon([.read, .send(#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"# + "\n"), .wait])
    }

    private func next() throws -> NextResult {
        NextResult(
            at: try Sample.time("08:05"), commute: Sample.commute,
            departures: [try Sample.departure(Sample.bus, "08:12")], notices: [try Sample.stale()])
    }

    @Test func writesDataToOutputAndMessagesToError() async throws {
        let daemon = try daemon(try next())
        let outcome = try await Program.run(["next"], environment: ["TRANSITD_SOCKET": daemon.path])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("Bus 24 in 7 minutes (scheduled) at 08:12\n"))
        #expect(outcome.error.contains("home-to-work\n"))
        #expect(outcome.error.contains("note: The timetable was last confirmed"))
        let sent = try #require(await daemon.received.first)
        #expect(sent.contains(#""method":"next""#))
    }

    @Test func quietSuppressesMessages() async throws {
        let daemon = try daemon(try next())
        let outcome = try await Program.run(["next", "-q", "--socket", daemon.path])
        #expect(outcome.error == "")
        #expect(outcome.output.hasPrefix("Bus 24"))
    }

    @Test func jsonPrintsOnlyResult() async throws {
        let result = try next()
        let daemon = try daemon(result)
        let outcome = try await Program.run(["--json", "next", "--socket", daemon.path])
        #expect(outcome.output == String(decoding: result.encoded, as: UTF8.self) + "\n")
        #expect(outcome.error == "")
    }

    @Test func sendsOptionsAsParameters() async throws {
        let daemon = try daemon(try next())
        _ = try await Program.run(["next", "gym", "--at", "tomorrow 08:00", "-n", "5", "--socket", daemon.path])
        let sent = try #require(await daemon.received.first)
        #expect(sent.contains(#""commute":"gym""#))
        #expect(sent.contains(#""at":"tomorrow 08:00""#))
        #expect(sent.contains(#""count":5"#))
    }

    @Test(arguments: [
        ["vehicles", "--at", "08:00"], ["status", "--at", "08:00"], ["trip", "show", "x", "--at", "08:00"],
        ["status", "-n", "3"], ["commute", "list", "-n", "3"], ["setup", "--at", "08:00"],
    ])
    func rejectsUnsupportedGlobalOptions(arguments: [String]) async throws {
        let outcome = try await Program.run(arguments + ["--socket", "/nowhere"])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("does not support"), "\(outcome.error)")
    }

    @Test(arguments: [
        (["help", "nosuch"], "there is no command \"nosuch\""),
        (["help", "feed", "lst"], "Did you mean \"feed list\"?"),
        (["feed", "updte"], "Did you mean \"feed update\"?"), (["nosuch"], "there is no command \"nosuch\""),
    ])
    func reportsUnknownCommand(arguments: [String], message: String) async throws {
        let outcome = try await Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(message), "\(outcome.error)")
    }

    @Test(arguments: [["routes", "search", "--next-chars", "9"], ["--json", "routes", "search", "9", "--next-chars"]])
    func aFormerOptionIsRefusedWithTheNewOne(arguments: [String]) async throws {
        let outcome = try await Program.run(arguments + ["--socket", "/nowhere"])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("--next-chars is now --next-characters"), "\(outcome.error)")
    }

    @Test(arguments: [["next", "-n5"], ["-n5", "next"], ["next", "-n=5"]])
    func acceptsAttachedCount(arguments: [String]) async throws {
        let daemon = try daemon(try next())
        let outcome = try await Program.run(arguments + ["--socket", daemon.path])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(await daemon.received.first?.contains(#""count":5"#) == true)
    }

    /// The client reports the daemon's message that the import continues.
    @Test func interruptReportsMessageOfDaemon() async throws {
        let error = String(
            decoding: ControlError(.canceled, "The import of demo continues in the daemon.").encoded, as: UTF8.self)
        let progress =
            #"{"jsonrpc":"2.0","method":"progress","params":{"id":1,"phase":"reading","done":1,"total":2}}"# + "\n"
        let daemon = try FakeDaemon([
            .read, .send(progress), .read, .send(#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"# + "\n"), .wait,
        ])
        let interrupt = Interrupt.catching([SIGUSR1])
        raise(SIGUSR1)
        let client = try ControlClient(
            SocketPath(option: daemon.path, environment: { _ in nil }), exists: { _ in true }, interrupt: interrupt)
        let failure = #expect(throws: ClientError.self) {
            _ = try client.request(FeedUpdateParameters(feed: "demo"))
        }
        #expect(failure?.message == "The import of demo continues in the daemon.")
        #expect(failure?.exitStatus == .interrupted)
    }

    /// The first import ends after the error response and before the client reads its progress.
    @Test func repeatsRequestWhenImportHasJustEnded() async throws {
        let at = try Sample.time("08:05")
        let refusal = ControlError(.feedNoData, "The first timetable of demo is being imported.")
        let feeds = FeedListResult(at: at, feeds: [try Sample.feed("demo", .ready, daysLeft: 90)], notices: [])
        let (error, list, answer) = (refusal.encoded, feeds.encoded, try next().encoded)
        let lines = [(1, "error", error), (2, "result", list), (3, "result", answer)].map { id, member, body in
            #"{"jsonrpc":"2.0","id":\#(id),"\#(member)":"# + String(decoding: body, as: UTF8.self) + "}\n"
        }
        let daemon = try FakeDaemon(lines.flatMap { [.read, .send($0)] } + [.wait])
        let outcome = try await Program.run(["next", "--socket", daemon.path])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output.hasPrefix("Bus 24"))
        #expect(await daemon.received.count == 3)
    }

    /// Without a running import, the client repeats the request once and gives up.
    @Test func givesUpWithoutRunningImport() async throws {
        let at = try Sample.time("08:05")
        let refusal = ControlError(.feedNoData, "demo has no timetable.")
        let feeds = FeedListResult(at: at, feeds: [try Sample.feed("demo", .empty, daysLeft: nil)], notices: [])
        let (error, list) = (refusal.encoded, feeds.encoded)
        let lines = [(1, "error", error), (2, "result", list), (3, "error", error)].map { id, member, body in
            #"{"jsonrpc":"2.0","id":\#(id),"\#(member)":"# + String(decoding: body, as: UTF8.self) + "}\n"
        }
        let daemon = try FakeDaemon(lines.flatMap { [.read, .send($0)] } + [.wait])
        let outcome = try await Program.run(["next", "--socket", daemon.path])
        #expect(outcome.status == 75)
        #expect(outcome.error == "transitctl: demo has no timetable.\n")
    }

    @Test func missingDaemonExitsWith69AndStartCommand() async throws {
        // The folder of the built programs, which contains transitd.
        let programs = try #require(Program.url).deletingLastPathComponent().path
        let environment = ["XDG_RUNTIME_DIR": "/nowhere", "PATH": programs]
        let outcome = try await Program.run(["status"], environment: environment)
        #expect(outcome.status == 69)
        #expect(outcome.output == "")
        #expect(outcome.error.contains("/nowhere/transitd/transitd.sock"))
        // The command depends on the units of this machine.
        let commands = ["transitd", "systemctl --user start transitd", "sudo systemctl start transitd"]
        #expect(commands.contains { outcome.error.contains("start it with: \($0)\n") }, "\(outcome.error)")
        // No unit listens at the path of the option.
        let named = try await Program.run(["status", "--socket", "/nowhere/socket"], environment: environment)
        #expect(named.status == 69)
        #expect(named.error.contains("start it with: transitd --socket /nowhere/socket\n"), "\(named.error)")
    }

    @Test(arguments: [
        (ErrorKind.stopNotFound, Int32(1)), (.invalidParameters, 64), (.feedBusy, 75), (.notAllowed, 77),
        (.configurationInvalid, 78),
    ])
    func errorsHaveExitStatuses(kind: ErrorKind, status: Int32) async throws {
        let daemon = try failingDaemon(kind, hint: "Do this.")
        let outcome = try await Program.run(["commute", "list", "--socket", daemon.path])
        #expect(outcome.status == status)
        #expect(outcome.output == "")
        #expect(outcome.error == "transitctl: No.\n  Do this.\n")
    }

    @Test func jsonPrintsErrorAsJSON() async throws {
        let daemon = try failingDaemon(.stopNotFound)
        let outcome = try await Program.run(["departures", "x", "--json", "--socket", daemon.path])
        #expect(outcome.error == String(decoding: ControlError(.stopNotFound, "No.").encoded, as: UTF8.self) + "\n")
    }

    @Test(arguments: [["nxet"], ["next", "--jsno"], ["place", "set", "home", "99,400"], ["describe", "nxet"]])
    func invalidCommandLineExitsWith64(arguments: [String]) async throws {
        let outcome = try await Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(!outcome.error.isEmpty)
    }

    @Test func incompleteResponseExitsWith75() async throws {
        let daemon = try FakeDaemon([.read, .send(#"{"jsonrpc""#)])
        let outcome = try await Program.run(["next", "--socket", daemon.path])
        #expect(outcome.status == 75)
        #expect(outcome.error.contains("in the middle of a response"))
    }

    @Test func foreignServerExitsWith69() async throws {
        let daemon = try FakeDaemon([.read, .send("HTTP/1.1 400 Bad Request\r\n"), .wait])
        let outcome = try await Program.run(["next", "--socket", daemon.path])
        #expect(outcome.status == 69)
        #expect(outcome.error.contains(daemon.path))
    }

    @Test func rawRelaysLines() async throws {
        let daemon = try FakeDaemon([
            .read, .read, .send(#"{"jsonrpc":"2.0","id":7,"result":1}"# + "\n"), .wait,
        ])
        let lines = [#"{"jsonrpc":"2.0","method":"status"}"#, #"{"jsonrpc":"2.0","id":7,"method":"status"}"#]
        let outcome = try await Program.run(
            ["raw", "--socket", daemon.path], input: lines.joined(separator: "\n") + "\n")
        #expect(outcome.status == 0)
        #expect(outcome.output == #"{"jsonrpc":"2.0","id":7,"result":1}"# + "\n")
        #expect(await daemon.received == lines)
    }

    @Test func rawSendsSingleMethod() async throws {
        let daemon = try FakeDaemon([.read, .send(#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"# + "\n"), .wait])
        let outcome = try await Program.run(["raw", "stops.search", #"{"text": "x"}"#, "--socket", daemon.path])
        #expect(outcome.output == #"{"a":1}"# + "\n")
        #expect(
            await daemon.received
                == [#"{"jsonrpc":"2.0","id":1,"method":"stops.search","params":{"text":"x"}}"#])
    }

    @Test func invalidConfigurationExitsWith78() async throws {
        let result = ConfigCheckResult(at: try Sample.time("08:05"), file: "/c.toml", isValid: false, problems: [])
        let daemon = try daemon(result)
        let outcome = try await Program.run(["config", "check", "--socket", daemon.path])
        #expect(outcome.status == 78)
        #expect(outcome.output == "/c.toml: invalid\n")
    }
}

/// Tests of `watch` with a scripted daemon.
@Suite(.enabled(if: Program.url != nil), .ownThreads) struct WatchProgramTests {
    private func board(_ clock: String) throws -> DeparturesResult {
        DeparturesResult(
            at: try Sample.time("08:05"), stop: Sample.stop,
            departures: [try Sample.departure(Sample.bus, clock, source: .live)])
    }

    private func script(_ end: FakeDaemon.Step...) throws -> FakeDaemon {
        let at = try Sample.time("08:05")
        let first = SubscribeResult(
            at: at,
            subscriptions: [
                Subscription(
                    subscription: 1, sequence: 1, topic: .departures, age: nil,
                    data: try JSONValue(parsing: try board("08:12").encoded))
            ])
        var answer = JSONWriter()
        OutgoingLine.write(.success(first), id: .number(1), to: &answer)
        let event = EventPayload(topic: .departures, at: at, age: nil, answer: .success(try board("08:14")))
        let gone = EventPayload(
            topic: .departures, at: at, age: nil, answer: .failure(ControlError(.stopNotFound, "The stop is gone.")))
        let lines = answer.bytes + event.line(subscription: 1, sequence: 2) + gone.line(subscription: 1, sequence: 3)
        return try FakeDaemon([.read, .send(String(decoding: lines, as: UTF8.self))] + end)
    }

    @Test func watchPrintsEachResultAsLineOfJSON() async throws {
        let daemon = try script(.wait)
        let outcome = try await Program.interrupted(
            ["watch", "departures", "Mill Lane", "--json", "--socket", daemon.path], after: "08:14")
        // The exit status for an interrupt, according to transitctl(1).
        #expect(outcome.status == 130)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { (try? JSONValue(parsing: String($0)))?["departures"] != nil })
        #expect(outcome.error.contains("The stop is gone."))
        #expect(await daemon.received.first?.contains(#""topics":[{"topic":"departures","#) == true)
    }

    @Test func watchPrintsResultsInSequence() async throws {
        let daemon = try script(.wait)
        let outcome = try await Program.interrupted(
            ["watch", "departures", "Mill Lane", "--socket", daemon.path], after: "08:14")
        #expect(outcome.output.components(separatedBy: "Bus 24 in").count == 3)
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func watchFailsWithoutDaemon() async throws {
        let outcome = try await Program.run(["watch", "next", "--socket", "/nowhere/transitd.sock"])
        #expect(outcome.status == 69)
    }
}
