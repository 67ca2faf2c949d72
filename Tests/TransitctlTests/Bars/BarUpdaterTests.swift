import Foundation
import Glibc
import Testing
import TransitClient
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import transitctl

/// A daemon in a process of its own, which a test can stop, continue and kill. It answers subscriptions with one
/// board, and sends heartbeats twenty times a second.
private final class HeartbeatDaemon {
    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { (path: String) in
        access(path, X_OK) == 0
    }

    let path = "/tmp/transitctl-bar-\(UUID().uuidString).sock"
    private let answer: String
    private var process = TestProcess()

    private static let program = """
        import json, os, socket, sys, threading, time
        path, answer, at = sys.argv[1:]
        def serve(client):
            def beat():
                while True:
                    time.sleep(0.05)
                    line = {"jsonrpc": "2.0", "method": "heartbeat", "params": {"at": at, "subscriptions": []}}
                    try: client.sendall(json.dumps(line).encode() + b"\\n")
                    except OSError: return
            for line in client.makefile():
                client.sendall(answer.replace('"id":1', '"id":%d' % json.loads(line)["id"]).encode() + b"\\n")
                threading.Thread(target=beat, daemon=True).start()
        listener = socket.socket(socket.AF_UNIX)
        if os.path.exists(path): os.unlink(path)
        listener.bind(path)
        listener.listen()
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    init(_ result: NextResult) throws {
        let subscription = Subscription(
            subscription: 1, sequence: 1, topic: .next, age: nil, data: try JSONValue(parsing: result.encoded))
        var writer = JSONWriter()
        OutgoingLine.write(
            .success(SubscribeResult(at: result.at, subscriptions: [subscription])), id: .number(1), to: &writer)
        answer = String(decoding: writer.bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    deinit {
        kill()
        unlink(path)
    }

    func start() throws {
        process = TestProcess()
        process.executableURL = URL(fileURLWithPath: try #require(Self.python))
        process.arguments = ["-c", Self.program, path, answer, "2026-03-28T08:05:00-07:00"]
        try process.run()
    }

    func signal(_ number: CInt) { Glibc.kill(process.processIdentifier, number) }

    func kill() {
        guard process.isRunning else { return }
        signal(SIGKILL)
        process.waitUntilExit()
    }
}

/// The bar's end of the pipe.
private struct BarReader {
    let pipe = Pipe()
    private var text = Data()

    /// Reads until a line satisfies a condition, and returns it; `nil` at the end.
    mutating func line(_ condition: (String) -> Bool) -> String? {
        while true {
            while let end = text.firstIndex(of: 0x0A) {
                let line = String(decoding: text[text.startIndex..<end], as: UTF8.self)
                text = Data(text[text.index(after: end)...])
                if condition(line) { return line }
            }
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            text += more
        }
    }
}

@Suite(.ownThreads) struct BarUpdaterTests {
    private func board() throws -> NextResult {
        NextResult(
            at: try Sample.time("08:05"), commute: Sample.commute, departures: [try BarFixture.bus("08:40")])
    }

    /// Runs a bar until its reader is gone, and returns its exit status; `nil` for an error.
    private func run(
        _ path: String, _ reader: BarReader, topics: [Topic] = [Topic(topic: .next)],
        silenceLimit: Int64 = BarState.silenceLimit, input: CInt = -1
    ) -> Task<TransitClient.ExitStatus?, Never> {
        let output = reader.pipe.fileHandleForWriting.fileDescriptor
        return startTask {
            do throws(ClientError) {
                let settings = BarUpdater<NextParameters>.Settings(
                    socketPath: SocketPath(option: path, environment: { _ in nil }), topics: topics,
                    format: try BarFormat("{route} {leave_by:clock}"), output: output, input: input,
                    silenceLimit: silenceLimit)
                return try BarUpdater(settings, interrupt: .none).run()
            } catch {
                Issue.record("\(error)")
                return nil
            }
        }
    }

    @Test(.enabled(if: HeartbeatDaemon.python != nil)) func showsADaemonThatHangsEndsAndRestarts() async throws {
        let daemon = try HeartbeatDaemon(try board())
        var reader = BarReader()
        let bar = run(daemon.path, reader, silenceLimit: 2_000)
        // The bar may start before the daemon.
        #expect(reader.line { $0 == "offline" } != nil)
        try daemon.start()
        #expect(reader.line { $0 == "24 08:33" } != nil)
        daemon.signal(SIGSTOP)
        #expect(reader.line { $0 == "24 08:33 (no response)" } != nil)
        daemon.signal(SIGCONT)
        #expect(reader.line { $0 == "24 08:33" } != nil)
        daemon.kill()
        #expect(reader.line { $0 == "24 08:33 (offline)" } != nil)
        try daemon.start()
        #expect(reader.line { $0 == "24 08:33" } != nil)
        // No message and no change follows: only the hangup of the pipe ends it.
        try reader.pipe.fileHandleForReading.close()
        #expect(await bar.value == .success)
    }

    @Test func triesTheMeaningsOfTheCommandLine() async throws {
        let error = String(decoding: ControlError(.commuteNotFound, "No such commute.").encoded, as: UTF8.self)
        let subscription = Subscription(
            subscription: 1, sequence: 1, topic: .next, age: nil, data: try JSONValue(parsing: try board().encoded))
        var answer = JSONWriter()
        OutgoingLine.write(
            .success(SubscribeResult(at: try board().at, subscriptions: [subscription])), id: .number(2), to: &answer)
        let daemon = try FakeDaemon([
            .read, .send(#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"# + "\n"), .read,
            .send(String(decoding: answer.bytes, as: UTF8.self)), .wait,
        ])
        var reader = BarReader()
        let topics = [Topic(topic: .next, commute: "home work"), Topic(topic: .next, from: "home", to: "work")]
        let bar = run(daemon.path, reader, topics: topics)
        #expect(reader.line { $0 == "24 08:33" } != nil)
        try reader.pipe.fileHandleForReading.close()
        #expect(await bar.value == .success)
        let sent = await daemon.received
        #expect(sent.map { $0.contains(#""commute":"home work""#) } == [true, false])
        #expect(sent.last?.contains(#""from":"home","to":"work""#) == true)
    }

    @Test func aRefusedQueryIsShown() async throws {
        let error = String(decoding: ControlError(.commuteNotFound, "No such commute.").encoded, as: UTF8.self)
        let daemon = try FakeDaemon([.read, .send(#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"# + "\n"), .wait])
        var reader = BarReader()
        let bar = run(daemon.path, reader)
        #expect(reader.line { $0 == "No such commute." } != nil)
        try reader.pipe.fileHandleForReading.close()
        #expect(await bar.value == .success)
    }

    @Test func clicksAreDiscarded() async throws {
        var reader = BarReader()
        let clicks = Pipe()
        let bar = run("/nowhere/transitd.sock", reader, input: clicks.fileHandleForReading.fileDescriptor)
        #expect(reader.line { $0 == "offline" } != nil)
        // More than a pipe holds.
        try clicks.fileHandleForWriting.write(contentsOf: Data(repeating: 0x0A, count: 200_000))
        try clicks.fileHandleForWriting.close()
        try reader.pipe.fileHandleForReading.close()
        #expect(await bar.value == .success)
    }
}

/// Tests of the whole program.
@Suite(.enabled(if: Program.url != nil), .ownThreads) struct BarProgramTests {
    private func start(_ arguments: [String], _ output: Pipe) throws -> TestProcess {
        let process = TestProcess()
        process.executableURL = Program.url
        process.arguments = arguments
        process.environment = [:]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        return process
    }

    @Test func endsWhenItsReaderIsGone() throws {
        let output = Pipe()
        let process = try start(["watch", "next", "--format", "waybar", "--socket", "/nowhere/x.sock"], output)
        // It waits, with nothing to write.
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).contains("offline"))
        try output.fileHandleForReading.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test func aSignalEndsIt() throws {
        let output = Pipe()
        let process = try start(["watch", "favorite", "--format", "{route}", "--socket", "/nowhere/x.sock"], output)
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
    }

    @Test(arguments: [
        (["--format", "{rout}"], "did you mean {route}?"), (["--format", "weybar"], "did you mean waybar?"),
        (["--format", "tmux", "--json"], "--format cannot be used with --json"),
    ])
    func anUnusableFormatExitsWith64(options: [String], message: String) async throws {
        let outcome = try await Program.run(["watch", "next", "--socket", "/nowhere/x.sock"] + options)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.error.contains(message), "\(outcome.error)")
    }
}
