import Testing
import TransitControl
import TransitSystem
import TransitTestTraits
import TransitWire

@testable import TransitServer

@Suite(.ownThreads) struct ControlServerLimitTests {
    @Test(arguments: [
        ("{", "parse_error"), ("\u{1}\u{2}\u{FF}", "parse_error"), ("[1,", "parse_error"), ("\"x\"", "invalid_request"),
        (#"{"id":1}"#, "invalid_request"), (#"{"jsonrpc":"2.0","id":1,"method":"nxt"}"#, "method_not_found"),
        (#"{"jsonrpc":"2.0","id":1,"method":"next","params":{"cuont":1}}"#, "invalid_parameters"),
        (#"{"jsonrpc":"2.0","id":1,"method":"next","params":{"count":0}}"#, "invalid_parameters"),
        (#"{"jsonrpc":"2.0","id":{},"method":"next"}"#, "invalid_request"),
    ])
    func invalidLineGetsErrorAndConnectionContinues(_ line: String, _ kind: String) async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            #expect(try client.request(line).errorKind == kind)
            #expect(try client.requestEcho("still here").resultText == "still here")
        }
    }

    @Test func invalidUTF8GetsParseError() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send([0xFF, 0x00, 0xC0, 0x0A])
            #expect(try client.reply().errorKind == "parse_error")
            #expect(try client.requestEcho("still here").resultText == "still here")
        }
    }

    @Test func blankLinesAreIgnored() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send("\n\r\n  \n")
            #expect(try client.request(TestClient.echo("x", id: 1) + "\r").resultText == "x")
        }
    }

    @Test func requestOfMaximumSizeIsAnswered() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let request = TestClient.echo("x", id: 1)
            let padded = request + String(repeating: " ", count: ControlLimits().request - request.utf8.count)
            #expect(try client.request(padded).resultText == "x")
            #expect(try client.request(padded + " ").errorKind == "request_too_large")
            #expect(try client.line() == nil)
        }
    }

    @Test func endlessLineIsRejectedAndOtherClientsContinue() async throws {
        try await ServerFixture.run { fixture in
            let (bad, good) = (try fixture.connect(), try fixture.connect())
            bad.send(Array(repeating: UInt8(ascii: "x"), count: 1_000_000))
            #expect(try bad.reply().errorKind == "request_too_large")
            #expect(try bad.line() == nil)
            #expect(try good.requestEcho("fine").resultText == "fine")
        }
    }

    @Test func unfinishedLineIsRejected() async throws {
        var limits = ControlLimits()
        limits.stallTimeout = 20
        limits.lingerDelay = 20
        try await ServerFixture.run(limits) { fixture in
            let (slow, quiet) = (try fixture.connect(), try fixture.connect())
            slow.send(#"{"jsonrpc":"2.0""#)
            #expect(try slow.reply().errorKind == "request_too_slow")
            #expect(try slow.line() == nil)
            #expect(try quiet.requestEcho("patient").resultText == "patient")
        }
    }

    @Test func clientThatReadsNothingIsDisconnected() async throws {
        var limits = ControlLimits()
        limits.stallTimeout = 50
        try await ServerFixture.run(limits) { fixture in
            let (unresponsive, other) = (try fixture.connect(), try fixture.connect())
            let request = Array((TestClient.echo("big:100000", id: 1) + "\n").utf8)
            var isOpen = true
            // The server stops reading, the socket's buffer fills up, and the next write blocks until the connection is
            // closed.
            for _ in 0..<50_000 where isOpen { isOpen = unresponsive.send(request) }
            #expect(!isOpen)
            #expect(try other.requestEcho("fine").resultText == "fine")
        }
    }

    @Test func clientThatReadsLateGetsAllReplies() async throws {
        var limits = ControlLimits()
        limits.stallTimeout = 600_000
        try await ServerFixture.run(limits) { fixture in
            let client = try fixture.connect()
            let lines = (0..<600).map { TestClient.echo("big:1000", id: $0) + "\n" }
            client.send(lines.joined())
            for id in 0..<600 { #expect(try client.reply()["id"] == .int(Int64(id))) }
        }
    }

    @Test func oversizedReplyReportsCountThatFits() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let request = #"{"jsonrpc":"2.0","id":1,"method":"departures","params":{"stop":"big:2097152","count":100}}"#
            let reply = try client.request(request)
            #expect(reply.errorKind == "response_too_large")
            #expect(reply["error"]?["data"]?["details"]?["count"] == 44)
            #expect(try client.requestEcho("big:1000000").resultText?.utf8.count == 1_000_000)
        }
    }

    @Test func requestsInProgressAreLimited() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            for id in 1...8 { client.send(TestClient.update("feed\(id)", id: id) + "\n") }
            #expect(try client.request(TestClient.update("feed9", id: 9)).errorKind == "too_many_requests")
            #expect(try client.requestEcho("x", id: 10).errorKind == "too_many_requests")
            fixture.handler.gate("feed3").trigger()
            #expect(try client.reply().resultText == "feed3")
            #expect(try client.requestEcho("x", id: 11).resultText == "x")
        }
    }

    @Test func connectionsPerUserAreLimited() async throws {
        var limits = ControlLimits()
        limits.connectionsPerUser = 2
        try await ServerFixture.run(limits) { fixture in
            let first = try fixture.connect()
            #expect(try first.requestEcho("a").resultText == "a")
            do {
                let second = try fixture.connect()
                #expect(try second.requestEcho("b").resultText == "b")
                let third = try fixture.connect()
                #expect(try third.reply().errorKind == "too_many_connections")
                #expect(try third.line() == nil)
                second.endSending()
                #expect(try second.line() == nil)
            }
            #expect(try fixture.connect().requestEcho("c").resultText == "c")
        }
    }

    @Test func connectionsAreLimited() async throws {
        var limits = ControlLimits()
        limits.connections = 1
        try await ServerFixture.run(limits) { fixture in
            let first = try fixture.connect()
            #expect(try first.requestEcho("a").resultText == "a")
            #expect(try fixture.connect().reply().errorKind == "too_many_connections")
        }
    }
}

@Suite(.ownThreads) struct ControlServerEndTests {
    @Test func requestsBeforeEndOfInputAreAnswered() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n" + TestClient.echo("no line feed", id: 2))
            client.endSending()
            #expect(try client.reply().resultText == "no line feed")
            fixture.handler.gate("slow").trigger()
            #expect(try client.reply().resultText == "slow")
            #expect(try client.line() == nil)
        }
    }

    @Test func disconnectedClientIsRemovedAndItsRequestCanceled() async throws {
        try await ServerFixture.run { fixture in
            let other = try fixture.connect()
            do {
                let client = try fixture.connect()
                client.send(TestClient.update("slow", id: 1) + "\n")
                #expect(try client.requestEcho("here", id: 2).resultText == "here")
                #expect(fixture.count.value == 2)
            }
            // With each reply, the server makes a pass in which it may detect the end of the other connection.
            var passes = 0
            while fixture.count.value > 1, passes < 100_000 {
                _ = try other.requestEcho("x")
                passes += 1
            }
            #expect(fixture.count.value == 1)
        }
    }

    @Test func gracefulStopAnswersRequestsInProgress() async throws {
        try await ServerFixture.run { fixture in
            let (busy, idle) = (try fixture.connect(), try fixture.connect())
            busy.send(TestClient.update("slow", id: 1) + "\n")
            #expect(try busy.requestEcho("here", id: 2).resultText == "here")
            #expect(try idle.requestEcho("here").resultText == "here")
            fixture.server.stop()
            #expect(try idle.line() == nil)
            #expect(throws: SystemFailure.self) { try fixture.connect() }
            #expect(try busy.requestEcho("late", id: 3).errorKind == "shutting_down")
            fixture.handler.gate("slow").trigger()
            #expect(try busy.reply().resultText == "slow")
            #expect(try busy.line() == nil)
        }
    }

    @Test func gracefulStopCancelsSlowRequests() async throws {
        var limits = ControlLimits()
        limits.stopCancelDelay = 20
        limits.stopCloseDelay = 10_000
        try await ServerFixture.run(limits) { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n")
            #expect(try client.requestEcho("here", id: 2).resultText == "here")
            fixture.server.stop()
            #expect(try client.reply().errorKind == "canceled")
            #expect(try client.line() == nil)
        }
    }

    @Test func gracefulStopEndsDespiteClientThatReadsNothing() async throws {
        var limits = ControlLimits()
        limits.stopCancelDelay = 10
        limits.stopCloseDelay = 20
        let folder = try TemporaryFolder()
        let listener = try ControlListener.own(path: folder.path + "/s")
        let server = try ControlServer(
            listeners: [listener], handler: EchoHandler(), limits: limits, logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let unresponsive = try TestClient(folder.path + "/s")
            unresponsive.send(TestClient.echo("big:1000000", id: 1) + "\n")
            server.stop()
            try await group.waitForAll()
            #expect(unresponsive.send("x\n") == false)
        }
    }
}
