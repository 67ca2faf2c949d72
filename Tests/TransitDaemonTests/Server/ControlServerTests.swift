import Dispatch
import Glibc
import Testing
import TransitControl

@testable import TransitDaemon

@Suite struct ControlServerTests {
    @Test func answersOnAKeptConnection() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            for id in 1...3 {
                let answer = try client.askEcho("stop \(id)", id: id)
                #expect(answer == ["jsonrpc": "2.0", "id": .int(Int64(id)), "result": .string("stop \(id)")])
            }
            #expect(fixture.count.value == 1)
        }
    }

    @Test func idsComeBackAsTheyWere() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            for id in [#""a\"b""#, "null", "-9223372036854775808", "0"] {
                client.send(#"{"jsonrpc":"2.0","method":"departures","params":{"stop":"x"},"id":\#(id)}"# + "\n")
                #expect(try client.line() == #"{"jsonrpc":"2.0","id":\#(id),"result":"x"}"#)
            }
        }
    }

    @Test func anErrorOfTheHandlerBecomesTheAnswer() async throws {
        try await ServerFixture.run { fixture in
            let answer = try fixture.connect().ask(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)
            #expect(answer.errorKind == "stop.not_found")
            #expect(answer["error"]?["message"]?.text == "There is no status.")
            #expect(answer["error"]?["data"]?["hint"]?.text == "Try another.")
        }
    }

    @Test func helloTellsWhoTheCallerIs() async throws {
        try await ServerFixture.run { fixture in
            let answer = try fixture.connect().ask(#"{"jsonrpc":"2.0","id":1,"method":"hello"}"#)
            let hello = try HelloParameters.reply(from: answer["result"] ?? .null)
            #expect(hello.protocol == 1)
            #expect(hello.daemon == "1.2.3")
            #expect(hello.socket == fixture.path)
            #expect(hello.limits == ControlLimits().onTheWire)
            #expect(hello.caller.uid == Int(getuid()))
            #expect(hello.caller.pid == Int(getpid()))
            #expect(hello.caller.may.count == ControlMethod.allCases.count)
        }
    }

    @Test func describeFitsIntoAnAnswer() async throws {
        try await ServerFixture.run { fixture in
            let answer = try fixture.connect().ask(#"{"jsonrpc":"2.0","id":1,"method":"describe"}"#)
            let result = try DescribeParameters.reply(from: answer["result"] ?? .null)
            #expect(result == DescribeResult())
        }
    }

    @Test func aSlowAnswerDoesNotHoldBackOtherClients() async throws {
        try await ServerFixture.run { fixture in
            let (patient, other) = (try fixture.connect(), try fixture.connect())
            patient.send(TestClient.echo("slow", id: 1) + "\n")
            for id in 1...3 { #expect(try other.askEcho("here", id: id).resultText == "here") }
            fixture.handler.slowAnswer.signal()
            #expect(try patient.answer().resultText == "slow")
            #expect(try patient.askEcho("again").resultText == "again")
        }
    }

    @Test func quietIsNoticedOnceEachTime() async throws {
        var limits = ControlLimits()
        limits.quiet = 1
        try await ServerFixture.run(limits) { fixture in
            for _ in 1...2 {
                let (first, second) = (try fixture.connect(), try fixture.connect())
                #expect(try first.askEcho("here").resultText == "here")
                #expect(try second.askEcho("here").resultText == "here")
                first.endSending()
                #expect(try first.line() == nil)
                #expect(try second.askEcho("still here").resultText == "still here")
                #expect(fixture.quiet.wait(timeout: .now()) == .timedOut)
                second.endSending()
                #expect(fixture.quiet.wait(timeout: .now() + 20) == .success)
                #expect(fixture.quiet.wait(timeout: .now()) == .timedOut)
            }
        }
    }

    @Test func aSlowRequestDoesNotHoldBackAFastOne() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n" + TestClient.echo("fast", id: 2) + "\n")
            #expect(try client.answer() == ["jsonrpc": "2.0", "id": 2, "result": "fast"])
            fixture.handler.gate("slow").give()
            #expect(try client.answer() == ["jsonrpc": "2.0", "id": 1, "result": "slow"])
        }
    }

    @Test func manyClientsAtOnce() async throws {
        try await ServerFixture.run { fixture in
            let clients = try (0..<30).map { _ in try fixture.connect() }
            for (number, client) in clients.enumerated() {
                client.send(TestClient.echo("\(number)", id: number) + "\n")
            }
            for (number, client) in clients.enumerated().reversed() {
                #expect(try client.answer().resultText == "\(number)")
            }
        }
    }

    @Test func aNotificationIsNotAnswered() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(#"{"jsonrpc":"2.0","method":"departures","params":{"stop":"x"}}"# + "\n")
            client.send(#"{"jsonrpc":"2.0","method":"feed.update","params":{"feed":"steps","progress":true}}"# + "\n")
            #expect(try client.askEcho("next", id: 5).resultText == "next")
        }
    }

    @Test func progressIsToldWhileARequestRuns() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("steps", id: 7, progress: true) + "\n")
            for done in 1...3 {
                let event = try client.answer()
                #expect(event["method"] == "progress")
                #expect(event["params"]?["id"] == 7)
                #expect(event["params"]?["done"] == .int(Int64(done)))
            }
            #expect(try client.answer().resultText == "steps")
        }
    }

    @Test func progressIsNotToldUnasked() async throws {
        try await ServerFixture.run { fixture in
            let answer = try fixture.connect().ask(TestClient.update("steps", id: 7))
            #expect(answer.resultText == "steps")
        }
    }
}

@Suite struct ControlServerBatchTests {
    @Test func aBatchIsAnsweredInOneLine() async throws {
        try await ServerFixture.run { fixture in
            let batch = [
                TestClient.echo("a", id: 1), #"{"jsonrpc":"2.0","method":"departures","params":{"stop":"n"}}"#, "5",
                TestClient.echo("b", id: 2),
            ]
            let answer = try fixture.connect().ask("[" + batch.joined(separator: ",") + "]")
            guard case .array(let replies) = answer else {
                Issue.record("no array: \(answer)")
                return
            }
            #expect(replies.map(\.resultText) == ["a", nil, "b"])
            #expect(replies[1].errorKind == "invalid_request")
            #expect(replies[1]["id"] == .null)
        }
    }

    @Test func aBatchWaitsForItsLengthyRequestsOnly() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send("[\(TestClient.update("slow", id: 1)),\(TestClient.echo("b", id: 2))]\n")
            #expect(try client.askEcho("between", id: 3).resultText == "between")
            fixture.handler.gate("slow").give()
            #expect(
                try client.line()
                    == #"[{"jsonrpc":"2.0","id":1,"result":"slow"},{"jsonrpc":"2.0","id":2,"result":"b"}]"#)
        }
    }

    @Test func aBatchOfNotificationsIsNotAnswered() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(#"[{"jsonrpc":"2.0","method":"departures","params":{"stop":"n"}}]"# + "\n")
            #expect(try client.askEcho("next").resultText == "next")
        }
    }

    @Test func anEmptyBatchIsAnError() async throws {
        try await ServerFixture.run { fixture in
            let answer = try fixture.connect().ask("[]")
            #expect(answer.errorKind == "invalid_request")
        }
    }

    @Test func aBatchThatGrowsTooLargeSaysSoForTheRest() async throws {
        var limits = ControlLimits()
        limits.reply = 10_000
        try await ServerFixture.run(limits) { fixture in
            let batch = (1...3).map { TestClient.echo("big:4500", id: $0) }
            let client = try fixture.connect()
            client.send("[" + batch.joined(separator: ",") + "]\n")
            let line = try client.line() ?? ""
            #expect(line.utf8.count <= 10_000)
            guard case .array(let replies) = try JSONValue(parsing: line) else { return }
            #expect(replies.map(\.errorKind) == [nil, nil, "response_too_large"])
        }
    }
}

@Suite struct ControlServerCancelTests {
    private static func cancel(_ id: Int, as own: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(own),"method":"cancel","params":{"id":\#(id)}}"#
    }

    @Test func aCancelledRequestStillAnswers() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n" + Self.cancel(1, as: 2) + "\n")
            let answers = [try client.answer(), try client.answer()]
            let cancelled = answers.first { $0["id"] == 2 }
            #expect(cancelled?["result"] == ["is_cancelled": true])
            #expect(answers.first { $0["id"] == 1 }?.errorKind == "cancelled")
        }
    }

    @Test func nothingToCancel() async throws {
        try await ServerFixture.run { fixture in
            let answer = try fixture.connect().ask(Self.cancel(1, as: 2))
            #expect(answer["result"] == ["is_cancelled": false])
        }
    }

    @Test func anotherConnectionsRequestIsNotCancelled() async throws {
        try await ServerFixture.run { fixture in
            let (first, second) = (try fixture.connect(), try fixture.connect())
            first.send(TestClient.update("slow", id: 1) + "\n")
            #expect(try first.askEcho("here", id: 2).resultText == "here")
            #expect(try second.ask(Self.cancel(1, as: 2))["result"] == ["is_cancelled": false])
            fixture.handler.gate("slow").give()
            #expect(try first.answer().resultText == "slow")
        }
    }
}
