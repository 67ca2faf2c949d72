import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitClient

@Suite(.ownThreads) struct ControlClientTests {
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

    private func request(_ daemon: FakeDaemon, timeout: Int = 120) throws(ClientError) -> JSONValue {
        let client = try client(daemon)
        return try client.request(FeedListParameters(), timeout: timeout)
    }

    @Test func requestReturnsResult() async throws {
        let daemon = try FakeDaemon([.read, .send(answer(#""result":\#(result)"#)), .wait])
        #expect(try request(daemon)["at"] == "2026-03-28T08:05:00Z")
        #expect(await daemon.received == [#"{"jsonrpc":"2.0","id":1,"method":"feed.list","params":{}}"#])
    }

    @Test func responsesMatchRequestIDs() throws {
        // A response with an unknown id precedes the second response and is ignored.
        let daemon = try FakeDaemon([
            .read, .send(answer(#""result":1"#)), .read, .send(answer(#""result":9"#, id: "7")),
            .send(answer(#""result":2"#, id: "2")), .wait,
        ])
        let client = try client(daemon)
        #expect(try client.request(FeedListParameters()) == 1)
        #expect(try client.request(FeedListParameters()) == 2)
    }

    @Test func progressPrecedesResult() throws {
        let daemon = try FakeDaemon([.read, .send(progress(of: 1)), .send(answer(#""result":true"#)), .wait])
        let client = try client(daemon)
        var seen: [RequestProgress] = []
        let result = try client.request(FeedUpdateParameters(feed: "demo", progress: true)) { seen.append($0) }
        #expect(result == true)
        #expect(seen == [RequestProgress(phase: "download", done: 5, total: 10, unit: "bytes")])
    }

    @Test func ignoresProgressOfOtherRequests() throws {
        let daemon = try FakeDaemon([.read, .send(progress(of: 2)), .send(answer(#""result":true"#)), .wait])
        let client = try client(daemon)
        var count = 0
        _ = try client.request(FeedListParameters()) { _ in count += 1 }
        #expect(count == 0)
    }

    @Test(arguments: ["hello\n", "{}\n", "{\"jsonrpc\":\"2.0\",\"id\":1}\n", "\u{0}\u{1}\n", "\n", "[1]\n"])
    func invalidResponseFails(line: String) throws {
        let daemon = try FakeDaemon([.read, .send(line), .wait])
        let error = #expect(throws: ClientError.self) { try request(daemon) }
        guard case .invalidReply(daemon.path, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(error?.exitStatus == .unavailable)
    }

    @Test func incompleteResponseFails() throws {
        let daemon = try FakeDaemon([.read, .send(#"{"jsonrpc":"2.0","id":1,"resu"#)])
        #expect(throws: ClientError.closed(path: daemon.path, received: 29)) { try request(daemon) }
    }

    @Test func requestTimesOut() throws {
        let daemon = try FakeDaemon([.read, .wait])
        #expect(throws: ClientError.silent(path: daemon.path, seconds: 0)) { try request(daemon, timeout: 0) }
    }

    @Test func errorResponseHasKindAndHint() throws {
        let error = failure(.commuteNotFound, hint: "Did you mean \"gym\"?")
        let daemon = try FakeDaemon([.read, .send(answer(error)), .wait])
        let thrown = #expect(throws: ClientError.self) { try request(daemon) }
        guard case .refused(let refusal)? = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(refusal.kind == .commuteNotFound)
        #expect(refusal.hint == "Did you mean \"gym\"?")
        #expect(thrown?.exitStatus == .failure)
    }

    @Test func rejectedConnectionFails() throws {
        let error = failure(.tooManyConnections)
        let daemon = try FakeDaemon([.send(answer(error, id: "null"))])
        let thrown = #expect(throws: ClientError.self) { try request(daemon) }
        #expect(thrown?.exitStatus == .tryAgain)
    }

    @Test func interruptCancelsRequestAndWaitsForResponse() async throws {
        let canceled = failure(.canceled)
        let daemon = try FakeDaemon([.read, .read, .send(answer(canceled)), .wait])
        let interrupt = try pendingInterrupt()
        let thrown = #expect(throws: ClientError.self) {
            let client = try client(daemon, interrupt)
            _ = try client.request(FeedUpdateParameters(feed: "demo"))
        }
        #expect(thrown?.exitStatus == .interrupted)
        let lines = await daemon.received
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}"#)
    }

    @Test func interruptReturnsResultOfCompletedRequest() throws {
        let daemon = try FakeDaemon([.read, .read, .send(answer(#""result":true"#)), .wait])
        let client = try client(daemon, try pendingInterrupt())
        #expect(try client.request(FeedUpdateParameters(feed: "demo")) == true)
    }

    @Test func interruptSucceedsWhenDaemonExits() throws {
        let daemon = try FakeDaemon([.read, .read])
        #expect(throws: ClientError.interrupted) {
            let client = try client(daemon, try pendingInterrupt())
            _ = try client.request(StatusParameters())
        }
    }

    /// Returns an interrupt that has already occurred.
    private func pendingInterrupt() throws -> Interrupt {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0 && write(ends[1], [0], 1) == 1)
        return Interrupt(descriptor: ends[0])
    }

    @Test func errorListsAllAttemptedPaths() throws {
        let path = SocketPath(option: nil, environment: { $0 == "XDG_RUNTIME_DIR" ? "/nowhere" : nil })
        let error = #expect(throws: ClientError.self) {
            // Only systemd and a user's unit are installed.
            let files = ["/run/systemd/system", "/usr/lib/systemd/user/transitd.service"]
            _ = try ControlClient(path, exists: { files.contains($0) }, interrupt: .none)
        }
        let message = try #require(error?.message)
        #expect(message.contains("/nowhere/transitd/transitd.sock (no such file)"))
        #expect(message.contains("/run/transitd/transitd.sock (no such file)"))
        #expect(message.contains("systemctl --user start transitd"))
        #expect(error?.exitStatus == .unavailable)
    }

    @Test(arguments: [
        (ErrorKind.notAllowed, TransitClient.ExitStatus.notAllowed), (.configurationInvalid, .configuration),
        (.invalidParameters, .usage), (.timeInvalid, .usage), (.feedBusy, .tryAgain), (.stopNotFound, .failure),
        (.feedRefused, .failure),
    ])
    func errorKindsHaveExitStatuses(kind: ErrorKind, status: TransitClient.ExitStatus) {
        #expect(ControlError(kind, "").exitStatus == status)
    }
}
