import Dispatch
import Glibc
import Synchronization
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
            #expect(hello.limits == ControlLimits().wireLimits)
            #expect(hello.caller.uid == Int(getuid()))
            #expect(hello.caller.pid == Int(getpid()))
            #expect(hello.caller.allowedMethods.count == ControlMethod.allCases.count)
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

    @Test("Another thread takes the place of one whose answer takes long without saying so")
    func answersThatAreStuck() async throws {
        try await ServerFixture.run { fixture in
            let limits = ControlLimits()
            let other = try fixture.connect()
            // All that there are but one.
            let stuck = try (1..<limits.readers + limits.extraReaders).map { _ in try fixture.connect() }
            for (number, client) in stuck.enumerated() {
                client.send(TestClient.echo("stuck", id: number) + "\n")
                for id in 1...3 { #expect(try other.askEcho("here", id: id).resultText == "here") }
            }
            // What may take long waits for a thread of those that are not the server's; what is answered at once does not.
            let search = #"{"jsonrpc":"2.0","id":7,"method":"stops.search","params":{"text":"mill"}}"#
            #expect(try other.ask(search)["result"] == .null)
            #expect(try other.askEcho("still here").resultText == "still here")
            for _ in stuck { fixture.handler.slowAnswer.signal() }
            for client in stuck { #expect(try client.answer().resultText == "stuck") }
            for client in stuck { #expect(try client.askEcho("again").resultText == "again") }
            #expect(try other.ask(search).errorKind == "stop.not_found", "answered in place again")
            // None is a worker of libdispatch, which the sandbox of the units does not let set its priority.
            let names = fixture.handler.threads.withLock { $0 }
            #expect(names.contains("control extra") && names.allSatisfy { $0.hasPrefix("control ") }, "\(names)")
        }
    }

    @Test("A batch that takes long keeps nobody else waiting")
    func aLongBatch() async throws {
        try await ServerFixture.run { fixture in
            let (patient, other) = (try fixture.connect(), try fixture.connect())
            let batch = (1...3).map { TestClient.echo("stuck", id: $0) }
            patient.send("[" + batch.joined(separator: ",") + "]\n")
            for _ in 1...3 {
                #expect(try other.askEcho("here").resultText == "here")
                fixture.handler.slowAnswer.signal()
            }
            #expect(try patient.answer().elements.count == 3)
        }
    }

    @Test("What comes behind a change on its connection waits for it; others do not")
    func changesKeepTheirOrder() async throws {
        try await ServerFixture.run { fixture in
            let (writer, other) = (try fixture.connect(), try fixture.connect())
            writer.send(TestClient.place("first", id: 1) + "\n" + TestClient.echo("behind", id: 2) + "\n")
            #expect(try other.askEcho("here").resultText == "here")
            fixture.handler.gate("first").trigger()
            #expect(try writer.answer()["id"] == 1)
            #expect(try writer.answer()["id"] == 2)
        }
    }

    @Test("In a batch too")
    func changesKeepTheirOrderInABatch() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let batch = [
                TestClient.echo("before", id: 1), TestClient.place("a", id: 2), TestClient.echo("between", id: 3),
                TestClient.place("b", id: 4), TestClient.echo("after", id: 5),
            ]
            client.send("[" + batch.joined(separator: ",") + "]\n" + TestClient.echo("next line", id: 6) + "\n")
            for name in ["b", "a"] { fixture.handler.gate(name).trigger() }
            #expect(
                try client.answer().elements.map { $0["result"]?.text } == ["before", "a", "between", "b", "after"])
            #expect(try client.answer().resultText == "next line")
            #expect(fixture.handler.written.withLock { $0 } == ["a", "b"])
        }
    }

    @Test(
        "A change is carried out although its client is gone, and what came behind it is answered to who only stopped sending"
    )
    func changesAreNotTakenBack() async throws {
        try await ServerFixture.run { fixture in
            var gone: TestClient? = try fixture.connect()
            gone?.send(TestClient.place("left", id: 1) + "\n")
            gone = nil
            let client = try fixture.connect()
            client.send(TestClient.place("kept", id: 1) + "\n" + TestClient.echo("behind", id: 2) + "\n")
            client.endSending()
            #expect(try fixture.connect().askEcho("here").resultText == "here")
            for name in ["left", "kept"] { fixture.handler.gate(name).trigger() }
            #expect(try client.answer().resultText == "kept")
            #expect(try client.answer().resultText == "behind")
            #expect(try client.line() == nil)
            while fixture.handler.written.withLock({ $0.count }) < 2 { sched_yield() }
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
            fixture.handler.gate("slow").trigger()
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
            fixture.handler.gate("slow").trigger()
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
            let canceled = answers.first { $0["id"] == 2 }
            #expect(canceled?["result"] == ["is_canceled": true])
            #expect(answers.first { $0["id"] == 1 }?.errorKind == "canceled")
        }
    }

    @Test func nothingToCancel() async throws {
        try await ServerFixture.run { fixture in
            let answer = try fixture.connect().ask(Self.cancel(1, as: 2))
            #expect(answer["result"] == ["is_canceled": false])
        }
    }

    @Test func anotherConnectionsRequestIsNotCancelled() async throws {
        try await ServerFixture.run { fixture in
            let (first, second) = (try fixture.connect(), try fixture.connect())
            first.send(TestClient.update("slow", id: 1) + "\n")
            #expect(try first.askEcho("here", id: 2).resultText == "here")
            #expect(try second.ask(Self.cancel(1, as: 2))["result"] == ["is_canceled": false])
            fixture.handler.gate("slow").trigger()
            #expect(try first.answer().resultText == "slow")
        }
    }
}
