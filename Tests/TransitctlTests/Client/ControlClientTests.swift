import Glibc
import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct ControlClientTests {
    /// A result of `feed.list`, and a progress notification.
    private let result = #"{"at":"2026-03-28T08:05:00Z","feeds":[],"notices":[]}"#

    private func progress(of id: Int) -> String {
        #"{"jsonrpc":"2.0","method":"progress","params":{"id":\#(id),"phase":"download","done":5,"total":10,"#
            + #""unit":"bytes"}}"# + "\n"
    }

    private func failure(_ kind: ErrorKind, hint: String? = nil) -> String {
        #""error":"# + String(decoding: ControlError(kind, "No.", hint: hint).encoded, as: UTF8.self)
    }

    private func answer(_ member: String, id: String = "1") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),\#(member)}"# + "\n"
    }

    private func client(_ daemon: FakeDaemon, _ interrupt: Interrupt = .none) throws(ClientError) -> ControlClient {
        let path = SocketPath(option: daemon.path, environment: { _ in nil })
        return try ControlClient(path, exists: { _ in true }, interrupt: interrupt)
    }

    private func ask(_ daemon: FakeDaemon, patience: Int = 10) throws(ClientError) -> JSONValue {
        var client = try client(daemon)
        return try client.ask(FeedListParameters(), patience: patience)
    }

    @Test func aQuestionIsAnswered() async throws {
        let daemon = try FakeDaemon([.read, .send(answer(#""result":\#(result)"#)), .wait])
        #expect(try ask(daemon)["at"] == "2026-03-28T08:05:00Z")
        #expect(await daemon.received == [#"{"jsonrpc":"2.0","id":1,"method":"feed.list","params":{}}"#])
    }

    @Test func eachQuestionHasItsOwnIdAndGetsItsOwnAnswer() throws {
        // The second answer overtakes nothing: one with a strange id comes first and is passed over.
        let daemon = try FakeDaemon([
            .read, .send(answer(#""result":1"#)), .read, .send(answer(#""result":9"#, id: "7")),
            .send(answer(#""result":2"#, id: "2")), .wait,
        ])
        var client = try client(daemon)
        #expect(try client.ask(FeedListParameters()) == 1)
        #expect(try client.ask(FeedListParameters()) == 2)
    }

    @Test func progressIsPassedOnAndTheAnswerStillComes() throws {
        let daemon = try FakeDaemon([.read, .send(progress(of: 1)), .send(answer(#""result":true"#)), .wait])
        var client = try client(daemon)
        var seen: [RequestProgress] = []
        let result = try client.ask(FeedUpdateParameters(feed: "demo", progress: true)) { seen.append($0) }
        #expect(result == true)
        #expect(seen == [RequestProgress(phase: "download", done: 5, total: 10, unit: "bytes")])
    }

    @Test func progressOfAnotherRequestIsNotShown() throws {
        let daemon = try FakeDaemon([.read, .send(progress(of: 2)), .send(answer(#""result":true"#)), .wait])
        var client = try client(daemon)
        var count = 0
        _ = try client.ask(FeedListParameters()) { _ in count += 1 }
        #expect(count == 0)
    }

    @Test(arguments: ["hello\n", "{}\n", "{\"jsonrpc\":\"2.0\",\"id\":1}\n", "\u{0}\u{1}\n", "\n", "[1]\n"])
    func garbageIsTold(line: String) throws {
        let daemon = try FakeDaemon([.read, .send(line), .wait])
        let error = #expect(throws: ClientError.self) { try ask(daemon) }
        guard case .invalidReply(daemon.path, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(error?.exitStatus == .unavailable)
    }

    @Test func halfAnAnswerIsTold() throws {
        let daemon = try FakeDaemon([.read, .send(#"{"jsonrpc":"2.0","id":1,"resu"#)])
        #expect(throws: ClientError.closed(path: daemon.path, received: 29)) { try ask(daemon) }
    }

    @Test func silenceIsTold() throws {
        let daemon = try FakeDaemon([.read, .wait])
        #expect(throws: ClientError.silent(path: daemon.path, seconds: 0)) { try ask(daemon, patience: 0) }
    }

    @Test func aRefusalComesWithItsKind() throws {
        let error = failure(.commuteNotFound, hint: "Did you mean \"gym\"?")
        let daemon = try FakeDaemon([.read, .send(answer(error)), .wait])
        let thrown = #expect(throws: ClientError.self) { try ask(daemon) }
        guard case .refused(let refusal)? = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(refusal.kind == .commuteNotFound)
        #expect(refusal.hint == "Did you mean \"gym\"?")
        #expect(thrown?.exitStatus == .failure)
    }

    @Test func aRefusedConnectionIsTold() throws {
        let error = failure(.tooManyConnections)
        let daemon = try FakeDaemon([.send(answer(error, id: "null"))])
        let thrown = #expect(throws: ClientError.self) { try ask(daemon) }
        #expect(thrown?.exitStatus == .tryAgain)
    }

    @Test func controlCCancelsAndWaitsForTheWord() async throws {
        let canceled = failure(.canceled)
        let daemon = try FakeDaemon([.read, .read, .send(answer(canceled)), .wait])
        let interrupt = try pressed()
        let thrown = #expect(throws: ClientError.self) {
            var client = try client(daemon, interrupt)
            _ = try client.ask(FeedUpdateParameters(feed: "demo"))
        }
        #expect(thrown?.exitStatus == .interrupted)
        let lines = await daemon.received
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}"#)
    }

    @Test func whatWasDoneBeforeTheCancellationIsStillAnswered() throws {
        let daemon = try FakeDaemon([.read, .read, .send(answer(#""result":true"#)), .wait])
        var client = try client(daemon, try pressed())
        #expect(try client.ask(FeedUpdateParameters(feed: "demo")) == true)
    }

    @Test func aDaemonThatEndsInsteadOfCancellingChangesNothing() throws {
        let daemon = try FakeDaemon([.read, .read])
        #expect(throws: ClientError.interrupted) {
            var client = try client(daemon, try pressed())
            _ = try client.ask(StatusParameters())
        }
    }

    /// Ctrl-C that was pressed already.
    private func pressed() throws -> Interrupt {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0 && write(ends[1], [0], 1) == 1)
        return Interrupt(descriptor: ends[0])
    }

    @Test func theErrorNamesEveryPathThatWasTried() throws {
        let path = SocketPath(option: nil, environment: { $0 == "XDG_RUNTIME_DIR" ? "/nowhere" : nil })
        let error = #expect(throws: ClientError.self) {
            _ = try ControlClient(path, exists: { _ in false }, interrupt: .none)
        }
        let message = try #require(error?.message)
        #expect(message.contains("/nowhere/transitd/transitd.sock (no such file)"))
        #expect(message.contains("/run/transitd/transitd.sock (no such file)"))
        #expect(message.contains("systemctl --user start transitd"))
        #expect(error?.exitStatus == .unavailable)
    }

    @Test(arguments: [
        (ErrorKind.notAllowed, transitctl.ExitStatus.notAllowed), (.configurationInvalid, .configuration),
        (.invalidParameters, .usage), (.timeInvalid, .usage), (.feedBusy, .tryAgain), (.stopNotFound, .failure),
        (.feedRefused, .failure),
    ])
    func kindsOfErrorsHaveExitCodes(kind: ErrorKind, status: transitctl.ExitStatus) {
        #expect(ControlError(kind, "").exitStatus == status)
    }
}
