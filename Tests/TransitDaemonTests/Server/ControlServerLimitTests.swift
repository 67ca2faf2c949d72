import Testing
import TransitControl

@testable import TransitDaemon

@Suite struct ControlServerLimitTests {
    @Test(arguments: [
        ("{", "parse_error"), ("\u{1}\u{2}\u{FF}", "parse_error"), ("[1,", "parse_error"), ("\"x\"", "invalid_request"),
        (#"{"id":1}"#, "invalid_request"), (#"{"jsonrpc":"2.0","id":1,"method":"nxt"}"#, "method_not_found"),
        (#"{"jsonrpc":"2.0","id":1,"method":"next","params":{"cuont":1}}"#, "invalid_parameters"),
        (#"{"jsonrpc":"2.0","id":1,"method":"next","params":{"count":0}}"#, "invalid_parameters"),
        (#"{"jsonrpc":"2.0","id":{},"method":"next"}"#, "invalid_request"),
    ])
    func aBadLineIsAnsweredAndTheConnectionGoesOn(_ line: String, _ kind: String) async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            #expect(try client.ask(line).errorKind == kind)
            #expect(try client.askEcho("still here").resultText == "still here")
        }
    }

    @Test func bytesThatAreNotTextAreAnswered() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send([0xFF, 0x00, 0xC0, 0x0A])
            #expect(try client.answer().errorKind == "parse_error")
            #expect(try client.askEcho("still here").resultText == "still here")
        }
    }

    @Test func blankLinesAreNothing() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send("\n\r\n  \n")
            #expect(try client.ask(TestClient.echo("x", id: 1) + "\r").resultText == "x")
        }
    }

    @Test func aRequestOfTheLargestSizeIsAnswered() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let request = TestClient.echo("x", id: 1)
            let padded = request + String(repeating: " ", count: ControlLimits().request - request.utf8.count)
            #expect(try client.ask(padded).resultText == "x")
            #expect(try client.ask(padded + " ").errorKind == "request_too_large")
            #expect(try client.line() == nil)
        }
    }

    @Test func aLineWithoutEndIsRefusedAndOthersAreNotDisturbed() async throws {
        try await ServerFixture.run { fixture in
            let (bad, good) = (try fixture.connect(), try fixture.connect())
            bad.send(Array(repeating: UInt8(ascii: "x"), count: 1_000_000))
            #expect(try bad.answer().errorKind == "request_too_large")
            #expect(try bad.line() == nil)
            #expect(try good.askEcho("fine").resultText == "fine")
        }
    }

    @Test func aLineThatIsNotFinishedIsRefused() async throws {
        var limits = ControlLimits()
        limits.patience = 20
        limits.linger = 20
        try await ServerFixture.run(limits) { fixture in
            let (slow, quiet) = (try fixture.connect(), try fixture.connect())
            slow.send(#"{"jsonrpc":"2.0""#)
            #expect(try slow.answer().errorKind == "request_too_slow")
            #expect(try slow.line() == nil)
            #expect(try quiet.askEcho("patient").resultText == "patient")
        }
    }

    @Test func aClientThatReadsNothingIsClosed() async throws {
        var limits = ControlLimits()
        limits.patience = 50
        try await ServerFixture.run(limits) { fixture in
            let (deaf, other) = (try fixture.connect(), try fixture.connect())
            let request = Array((TestClient.echo("big:100000", id: 1) + "\n").utf8)
            var isOpen = true
            // The server stops to read; then the socket is full, and the next bytes wait until it is closed.
            for _ in 0..<50_000 where isOpen { isOpen = deaf.send(request) }
            #expect(!isOpen)
            #expect(try other.askEcho("fine").resultText == "fine")
        }
    }

    @Test func manySmallLinesAreAllAnsweredToAClientThatReadsLate() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let lines = (0..<600).map { TestClient.echo("big:1000", id: $0) + "\n" }
            client.send(lines.joined())
            for id in 0..<600 { #expect(try client.answer()["id"] == .int(Int64(id))) }
        }
    }

    @Test func anAnswerThatIsTooLargeSaysHowToAskForLess() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let request = #"{"jsonrpc":"2.0","id":1,"method":"departures","params":{"stop":"big:2097152","count":100}}"#
            let answer = try client.ask(request)
            #expect(answer.errorKind == "response_too_large")
            #expect(answer["error"]?["data"]?["details"]?["count"] == 44)
            #expect(try client.askEcho("big:1000000").resultText?.utf8.count == 1_000_000)
        }
    }

    @Test func onlySoManyRequestsAtATime() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            for id in 1...8 { client.send(TestClient.update("feed\(id)", id: id) + "\n") }
            #expect(try client.ask(TestClient.update("feed9", id: 9)).errorKind == "too_many_requests")
            #expect(try client.askEcho("x", id: 10).errorKind == "too_many_requests")
            fixture.handler.gate("feed3").trigger()
            #expect(try client.answer().resultText == "feed3")
            #expect(try client.askEcho("x", id: 11).resultText == "x")
        }
    }

    @Test func onlySoManyConnectionsOfAUser() async throws {
        var limits = ControlLimits()
        limits.connectionsPerUser = 2
        try await ServerFixture.run(limits) { fixture in
            let first = try fixture.connect()
            #expect(try first.askEcho("a").resultText == "a")
            do {
                let second = try fixture.connect()
                #expect(try second.askEcho("b").resultText == "b")
                let third = try fixture.connect()
                #expect(try third.answer().errorKind == "too_many_connections")
                #expect(try third.line() == nil)
                second.endSending()
                #expect(try second.line() == nil)
            }
            #expect(try fixture.connect().askEcho("c").resultText == "c")
        }
    }

    @Test func onlySoManyConnectionsAtAll() async throws {
        var limits = ControlLimits()
        limits.connections = 1
        try await ServerFixture.run(limits) { fixture in
            let first = try fixture.connect()
            #expect(try first.askEcho("a").resultText == "a")
            #expect(try fixture.connect().answer().errorKind == "too_many_connections")
        }
    }
}

@Suite struct ControlServerEndTests {
    @Test func whatWasAskedBeforeTheEndIsAnswered() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n" + TestClient.echo("no line feed", id: 2))
            client.endSending()
            #expect(try client.answer().resultText == "no line feed")
            fixture.handler.gate("slow").trigger()
            #expect(try client.answer().resultText == "slow")
            #expect(try client.line() == nil)
        }
    }

    @Test func aClientThatGoesAwayIsForgottenAndItsRequestCancelled() async throws {
        try await ServerFixture.run { fixture in
            let other = try fixture.connect()
            do {
                let client = try fixture.connect()
                client.send(TestClient.update("slow", id: 1) + "\n")
                #expect(try client.askEcho("here", id: 2).resultText == "here")
                #expect(fixture.count.value == 2)
            }
            // Each answer is a turn of the server in which it may see the end of the other connection.
            var turns = 0
            while fixture.count.value > 1, turns < 100_000 {
                _ = try other.askEcho("x")
                turns += 1
            }
            #expect(fixture.count.value == 1)
        }
    }

    @Test func aGracefulStopAnswersWhatIsUnderWay() async throws {
        try await ServerFixture.run { fixture in
            let (busy, idle) = (try fixture.connect(), try fixture.connect())
            busy.send(TestClient.update("slow", id: 1) + "\n")
            #expect(try busy.askEcho("here", id: 2).resultText == "here")
            #expect(try idle.askEcho("here").resultText == "here")
            fixture.server.stop()
            #expect(try idle.line() == nil)
            #expect(throws: SystemFailure.self) { try fixture.connect() }
            #expect(try busy.askEcho("late", id: 3).errorKind == "shutting_down")
            fixture.handler.gate("slow").trigger()
            #expect(try busy.answer().resultText == "slow")
            #expect(try busy.line() == nil)
        }
    }

    @Test func aGracefulStopCancelsWhatTakesTooLong() async throws {
        var limits = ControlLimits()
        limits.stopCancelDelay = 20
        limits.stopCloseDelay = 10_000
        try await ServerFixture.run(limits) { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n")
            #expect(try client.askEcho("here", id: 2).resultText == "here")
            fixture.server.stop()
            #expect(try client.answer().errorKind == "canceled")
            #expect(try client.line() == nil)
        }
    }

    @Test func aGracefulStopEndsAlsoWithAClientThatReadsNothing() async throws {
        var limits = ControlLimits()
        limits.stopCancelDelay = 10
        limits.stopCloseDelay = 20
        let folder = try TemporaryFolder()
        let listener = try ControlListener.own(path: folder.path + "/s")
        let server = try ControlServer(
            listeners: [listener], handler: EchoHandler(), limits: limits, logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let deaf = try await onThread {
                let deaf = try TestClient(folder.path + "/s")
                deaf.send(TestClient.echo("big:1000000", id: 1) + "\n")
                return deaf
            }
            server.stop()
            try await group.waitForAll()
            #expect(deaf.send("x\n") == false)
        }
    }
}
