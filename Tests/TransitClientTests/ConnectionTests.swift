import Foundation
import Testing
import TransitTestSupport
import TransitTestTraits

@testable import TransitClient

@Suite(.ownThreads) struct DaemonConnectionTests {
    private func receive(_ daemon: FakeDaemon, within seconds: Int = 120) throws(ClientError) -> String {
        var connection = try DaemonConnection(path: daemon.path, timeout: 120)
        try connection.send(Array("request\n".utf8))
        switch try connection.receive(before: Deadline(seconds: seconds), interrupt: .none) {
        case .line(let line): return String(decoding: line, as: UTF8.self)
        case .interrupted: return "interrupted"
        }
    }

    @Test func sendsAndReceivesLine() async throws {
        let daemon = try FakeDaemon([.read, .send("ans"), .send("wer\nmore"), .wait])
        #expect(try receive(daemon) == "answer")
        #expect(await daemon.received == ["request"])
    }

    @Test func receivesSeveralLinesFromOnePacket() throws {
        let daemon = try FakeDaemon([.send("one\ntwo\n"), .wait])
        var connection = try DaemonConnection(path: daemon.path, timeout: 120)
        for expected in ["one", "two"] {
            guard case .line(let line) = try connection.receive(before: Deadline(seconds: 120), interrupt: .none) else {
                Issue.record("no line")
                return
            }
            #expect(String(decoding: line, as: UTF8.self) == expected)
        }
    }

    @Test func incompleteResponseFails() throws {
        let daemon = try FakeDaemon([.read, .send("{\"jsonrpc\"")])
        #expect(throws: ClientError.closed(path: daemon.path, received: 10)) { try receive(daemon) }
    }

    @Test func connectionClosedWithoutResponseFails() throws {
        let daemon = try FakeDaemon([.read])
        #expect(throws: ClientError.closed(path: daemon.path, received: 0)) { try receive(daemon) }
    }

    @Test func receiveTimesOutAtDeadline() throws {
        let daemon = try FakeDaemon([.read, .wait])
        #expect(throws: ClientError.silent(path: daemon.path, seconds: 0)) { try receive(daemon, within: 0) }
    }

    @Test func overlongLineFails() throws {
        let daemon = try FakeDaemon([
            .read, .send(String(repeating: "x", count: DaemonConnection.maximumLineLength + 1)), .wait,
        ])
        #expect(throws: ClientError.invalidReply(path: daemon.path, reason: "a line of more than 16 MiB")) {
            try receive(daemon)
        }
    }

    @Test func missingSocketFails() {
        let attempt = ClientError.Attempt(path: "/nowhere/transitd.sock", reason: "no such file")
        #expect(throws: ClientError.unreachable([attempt])) {
            _ = try DaemonConnection(path: "/nowhere/transitd.sock", timeout: 1)
        }
    }

    @Test func overlongPathFails() {
        let path = "/" + String(repeating: "x", count: 108)
        #expect(throws: ClientError.pathTooLong(path: path)) { _ = try DaemonConnection(path: path, timeout: 1) }
    }
}
