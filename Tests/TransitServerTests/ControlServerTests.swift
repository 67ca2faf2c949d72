import Dispatch
import Glibc
import Synchronization
import Testing
import TransitControl
import TransitSystem
import TransitTestTraits
import TransitWire

@testable import TransitServer

@Suite(.ownThreads) struct ControlServerTests {
    @Test func connectionIsReusedForRequests() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            for id in 1...3 {
                let reply = try client.requestEcho("stop \(id)", id: id)
                #expect(reply == ["jsonrpc": "2.0", "id": .int(Int64(id)), "result": .string("stop \(id)")])
            }
            #expect(fixture.count.value == 1)
        }
    }

    @Test func idsAreReturnedUnchanged() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            for id in [#""a\"b""#, "null", "-9223372036854775808", "0"] {
                client.send(#"{"jsonrpc":"2.0","method":"departures","params":{"stop":"x"},"id":\#(id)}"# + "\n")
                #expect(try client.line() == #"{"jsonrpc":"2.0","id":\#(id),"result":"x"}"#)
            }
        }
    }

    /// The handler returns the restriction that it sees.
    @Test func restrictionOfConnectionIsNeverLifted() async throws {
        try await ServerFixture.run { fixture in
            let (client, other) = (try fixture.connect(), try fixture.connect())
            func hello(_ client: TestClient, _ parameters: String) throws -> JSONValue? {
                try client.request(#"{"jsonrpc":"2.0","id":1,"method":"hello","params":\#(parameters)}"#)["result"]
            }
            #expect(try hello(client, "{}") == 0)
            #expect(try hello(client, #"{"restriction":"read_only"}"#) == 1)
            #expect(try hello(client, #"{"restriction":"anonymous"}"#) == 2)
            #expect(try hello(client, #"{"restriction":"read_only"}"#) == 2)
            #expect(try hello(client, "{}") == 2)
            #expect(try hello(other, "{}") == 0)
        }
    }

    @Test func handlerErrorBecomesReply() async throws {
        try await ServerFixture.run { fixture in
            let reply = try fixture.connect().request(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)
            #expect(reply.errorKind == "stop.not_found")
            #expect(reply["error"]?["message"]?.text == "There is no status.")
            #expect(reply["error"]?["data"]?["hint"]?.text == "Try another.")
        }
    }

    @Test func slowRequestDoesNotDelayOtherClients() async throws {
        try await ServerFixture.run { fixture in
            let (slow, other) = (try fixture.connect(), try fixture.connect())
            slow.send(TestClient.echo("slow", id: 1) + "\n")
            for id in 1...3 { #expect(try other.requestEcho("here", id: id).resultText == "here") }
            fixture.handler.slowReply.signal()
            #expect(try slow.reply().resultText == "slow")
            #expect(try slow.requestEcho("again").resultText == "again")
        }
    }

    @Test("Another thread takes over from one that is busy for long without signaling slow work")
    func stuckThreadIsReplaced() async throws {
        try await ServerFixture.run { fixture in
            let limits = ControlLimits()
            let other = try fixture.connect()
            // Occupies all threads except one.
            let stuck = try (1..<limits.threads + limits.extraThreads).map { _ in try fixture.connect() }
            for (number, client) in stuck.enumerated() {
                client.send(TestClient.echo("stuck", id: number) + "\n")
                for id in 1...3 { #expect(try other.requestEcho("here", id: id).resultText == "here") }
            }
            // A request that may take long then runs as a task, while instant requests are still answered on the
            // thread.
            let search = #"{"jsonrpc":"2.0","id":7,"method":"stops.search","params":{"text":"mill"}}"#
            #expect(try other.request(search)["result"] == .null)
            #expect(try other.requestEcho("still here").resultText == "still here")
            for _ in stuck { fixture.handler.slowReply.signal() }
            for client in stuck { #expect(try client.reply().resultText == "stuck") }
            for client in stuck { #expect(try client.requestEcho("again").resultText == "again") }
            #expect(try other.request(search).errorKind == "stop.not_found", "answered on the thread again")
            // None of the threads is a libdispatch worker, because the sandbox of the systemd units does not let such a
            // worker set its priority.
            let names = fixture.handler.threads.withLock { $0 }
            #expect(names.contains("control extra") && names.allSatisfy { $0.hasPrefix("control ") }, "\(names)")
        }
    }

    @Test func serverWithoutItsThreadsEndsWithAnError() async {
        for name in ["control 1", "control 2", "control watch"] {
            await #expect(throws: SystemFailure.self) {
                try await ThreadFaults.$current.withValue(ThreadFaults { $0 == name }) {
                    let folder = try TemporaryFolder()
                    let listener = try ControlListener.own(path: folder.path + "/control/transitd.sock")
                    try await ControlServer(listeners: [listener], handler: EchoHandler(), logger: .silent).run()
                }
            }
        }
    }

    @Test func clientsAreServedOnceAnExtraThreadCanBeStarted() async throws {
        let attempts = Mutex(0)
        let faults = ThreadFaults { name in
            guard name == "control extra" else { return false }
            return attempts.withLock { attempts in
                attempts += 1
                return attempts <= 3
            }
        }
        try await ThreadFaults.$current.withValue(faults) {
            try await ServerFixture.run { fixture in
                let other = try fixture.connect()
                let stuck = try (0..<ControlLimits().threads).map { _ in try fixture.connect() }
                for (number, client) in stuck.enumerated() { client.send(TestClient.echo("stuck", id: number) + "\n") }
                // Until both threads are stuck, one of them answers.
                let isServed = try eventually {
                    try other.requestEcho("here").resultText == "here" && attempts.withLock { $0 } > 3
                }
                #expect(isServed)
                for _ in stuck { fixture.handler.slowReply.signal() }
                for client in stuck { #expect(try client.reply().resultText == "stuck") }
            }
        }
    }

    @Test("A slow batch does not delay other clients")
    func slowBatchDoesNotDelayOtherClients() async throws {
        try await ServerFixture.run { fixture in
            let (slow, other) = (try fixture.connect(), try fixture.connect())
            let batch = (1...3).map { TestClient.echo("stuck", id: $0) }
            slow.send("[" + batch.joined(separator: ",") + "]\n")
            for _ in 1...3 {
                #expect(try other.requestEcho("here").resultText == "here")
                fixture.handler.slowReply.signal()
            }
            #expect(try slow.reply().elements.count == 3)
        }
    }

    @Test("Requests after a change on the same connection wait for it; other connections do not")
    func requestsAfterChangeWaitOnSameConnection() async throws {
        try await ServerFixture.run { fixture in
            let (writer, other) = (try fixture.connect(), try fixture.connect())
            writer.send(TestClient.place("first", id: 1) + "\n" + TestClient.echo("behind", id: 2) + "\n")
            #expect(try other.requestEcho("here").resultText == "here")
            fixture.handler.gate("first").trigger()
            #expect(try writer.reply()["id"] == 1)
            #expect(try writer.reply()["id"] == 2)
        }
    }

    @Test("Requests after a change in a batch wait for it")
    func requestsAfterChangeWaitInBatch() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let batch = [
                TestClient.echo("before", id: 1), TestClient.place("a", id: 2), TestClient.echo("between", id: 3),
                TestClient.place("b", id: 4), TestClient.echo("after", id: 5),
            ]
            client.send("[" + batch.joined(separator: ",") + "]\n" + TestClient.echo("next line", id: 6) + "\n")
            for name in ["b", "a"] { fixture.handler.gate(name).trigger() }
            #expect(
                try client.reply().elements.map { $0["result"]?.text } == ["before", "a", "between", "b", "after"])
            #expect(try client.reply().resultText == "next line")
            #expect(fixture.handler.written.withLock { $0 } == ["a", "b"])
        }
    }

    @Test(
        "A change is completed although its client has disconnected, and a client that only stopped sending gets the replies to later requests"
    )
    func changeOfDisconnectedClientIsCompleted() async throws {
        try await ServerFixture.run { fixture in
            var gone: TestClient? = try fixture.connect()
            gone?.send(TestClient.place("left", id: 1) + "\n")
            gone = nil
            let client = try fixture.connect()
            client.send(TestClient.place("kept", id: 1) + "\n" + TestClient.echo("behind", id: 2) + "\n")
            client.endSending()
            #expect(try fixture.connect().requestEcho("here").resultText == "here")
            for name in ["left", "kept"] { fixture.handler.gate(name).trigger() }
            #expect(try client.reply().resultText == "kept")
            #expect(try client.reply().resultText == "behind")
            #expect(try client.line() == nil)
            #expect(eventually { fixture.handler.written.withLock { $0.count } == 2 })
        }
    }

    @Test func idlePeriodIsReportedOnce() async throws {
        var limits = ControlLimits()
        limits.idleDelay = 1
        try await ServerFixture.run(limits) { fixture in
            for _ in 1...2 {
                let (first, second) = (try fixture.connect(), try fixture.connect())
                #expect(try first.requestEcho("here").resultText == "here")
                #expect(try second.requestEcho("here").resultText == "here")
                first.endSending()
                #expect(try first.line() == nil)
                #expect(try second.requestEcho("still here").resultText == "still here")
                #expect(fixture.idle.wait(timeout: .now()) == .timedOut)
                second.endSending()
                #expect(fixture.idle.wait(timeout: .now() + 120) == .success)
                #expect(fixture.idle.wait(timeout: .now()) == .timedOut)
            }
        }
    }

    @Test func longRunningRequestDoesNotDelayShortOne() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n" + TestClient.echo("fast", id: 2) + "\n")
            #expect(try client.reply() == ["jsonrpc": "2.0", "id": 2, "result": "fast"])
            fixture.handler.gate("slow").trigger()
            #expect(try client.reply() == ["jsonrpc": "2.0", "id": 1, "result": "slow"])
        }
    }

    @Test func concurrentClientsAreAllAnswered() async throws {
        try await ServerFixture.run { fixture in
            let clients = try (0..<30).map { _ in try fixture.connect() }
            for (number, client) in clients.enumerated() {
                client.send(TestClient.echo("\(number)", id: number) + "\n")
            }
            for (number, client) in clients.enumerated().reversed() {
                #expect(try client.reply().resultText == "\(number)")
            }
        }
    }

    @Test func notificationGetsNoReply() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(#"{"jsonrpc":"2.0","method":"departures","params":{"stop":"x"}}"# + "\n")
            client.send(#"{"jsonrpc":"2.0","method":"feed.update","params":{"feed":"steps","progress":true}}"# + "\n")
            #expect(try client.requestEcho("next", id: 5).resultText == "next")
        }
    }

    @Test func progressIsReportedDuringRequest() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("steps", id: 7, progress: true) + "\n")
            for done in 1...3 {
                let event = try client.reply()
                #expect(event["method"] == "progress")
                #expect(event["params"]?["id"] == 7)
                #expect(event["params"]?["done"] == .int(Int64(done)))
            }
            #expect(try client.reply().resultText == "steps")
        }
    }

    @Test func progressIsNotReportedUnlessRequested() async throws {
        try await ServerFixture.run { fixture in
            let reply = try fixture.connect().request(TestClient.update("steps", id: 7))
            #expect(reply.resultText == "steps")
        }
    }
}

@Suite(.ownThreads) struct ControlServerBatchTests {
    @Test func batchIsAnsweredInOneLine() async throws {
        try await ServerFixture.run { fixture in
            let batch = [
                TestClient.echo("a", id: 1), #"{"jsonrpc":"2.0","method":"departures","params":{"stop":"n"}}"#, "5",
                TestClient.echo("b", id: 2),
            ]
            let reply = try fixture.connect().request("[" + batch.joined(separator: ",") + "]")
            guard case .array(let replies) = reply else {
                Issue.record("no array: \(reply)")
                return
            }
            #expect(replies.map(\.resultText) == ["a", nil, "b"])
            #expect(replies[1].errorKind == "invalid_request")
            #expect(replies[1]["id"] == .null)
        }
    }

    @Test func batchWaitsForItsLongRunningRequests() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send("[\(TestClient.update("slow", id: 1)),\(TestClient.echo("b", id: 2))]\n")
            #expect(try client.requestEcho("between", id: 3).resultText == "between")
            fixture.handler.gate("slow").trigger()
            #expect(
                try client.line()
                    == #"[{"jsonrpc":"2.0","id":1,"result":"slow"},{"jsonrpc":"2.0","id":2,"result":"b"}]"#)
        }
    }

    @Test func batchOfNotificationsGetsNoReply() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(#"[{"jsonrpc":"2.0","method":"departures","params":{"stop":"n"}}]"# + "\n")
            #expect(try client.requestEcho("next").resultText == "next")
        }
    }

    @Test func emptyBatchIsAnError() async throws {
        try await ServerFixture.run { fixture in
            let reply = try fixture.connect().request("[]")
            #expect(reply.errorKind == "invalid_request")
        }
    }

    @Test func oversizedBatchGetsErrorsForRemainingReplies() async throws {
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

@Suite(.ownThreads) struct ControlServerCancelTests {
    private static func cancel(_ id: Int, as own: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(own),"method":"cancel","params":{"id":\#(id)}}"#
    }

    @Test func canceledRequestGetsReply() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            client.send(TestClient.update("slow", id: 1) + "\n" + Self.cancel(1, as: 2) + "\n")
            let replies = [try client.reply(), try client.reply()]
            let canceled = replies.first { $0["id"] == 2 }
            #expect(canceled?["result"] == ["is_canceled": true])
            #expect(replies.first { $0["id"] == 1 }?.errorKind == "canceled")
        }
    }

    @Test func cancelWithoutRequestReportsFalse() async throws {
        try await ServerFixture.run { fixture in
            let reply = try fixture.connect().request(Self.cancel(1, as: 2))
            #expect(reply["result"] == ["is_canceled": false])
        }
    }

    @Test func requestOfOtherConnectionIsNotCanceled() async throws {
        try await ServerFixture.run { fixture in
            let (first, second) = (try fixture.connect(), try fixture.connect())
            first.send(TestClient.update("slow", id: 1) + "\n")
            #expect(try first.requestEcho("here", id: 2).resultText == "here")
            #expect(try second.request(Self.cancel(1, as: 2))["result"] == ["is_canceled": false])
            fixture.handler.gate("slow").trigger()
            #expect(try first.reply().resultText == "slow")
        }
    }
}
