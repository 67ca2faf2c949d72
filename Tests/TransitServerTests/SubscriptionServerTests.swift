import Dispatch
import Glibc
import Synchronization
import Testing
import TransitControl
import TransitModel
import TransitSystem
import TransitTestTraits
import TransitWire

@testable import TransitServer

@Suite(.ownThreads) struct SubscriptionServerTests {
    private static let subscribe =
        #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":[{"topic":"departures","stop":"a"}]}}"#

    private static func board(_ word: String) -> JSONValue { ["at": "now", "word": .string(word), "age": 1] }

    @Test func firstResultPrecedesEvents() async throws {
        try await ServerFixture.run { fixture in
            fixture.handler.set("a", to: Self.board("x"))
            let client = try fixture.connect()
            let first = try client.request(Self.subscribe)
            let subscription = first["result"]?["subscriptions"]?[0]
            #expect(subscription?["subscription"] == 1)
            #expect(subscription?["sequence"] == 1)
            #expect(subscription?["data"]?["word"] == "x")
            fixture.handler.set("a", to: Self.board("y"))
            fixture.server.topicsChanged(.stop("a"))
            let event = try client.reply()
            #expect(event["method"] == "event")
            #expect(event["params"]?["sequence"] == 2)
            #expect(event["params"]?["data"]?["word"] == "y")
            // Requests on the connection are still answered.
            #expect(try client.requestEcho("b", id: 2)["result"] == "b")
        }
    }

    @Test func invalidTopicIsRejected() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            let status = #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":[{"topic":"status"}]}}"#
            #expect(try client.request(status).errorKind == "stop.not_found")
            #expect(fixture.server.demand().isEmpty)
            let strange = status.replacing("status", with: "vehicles").replacing("}]", with: ",\"commute\":\"x\"}]")
            #expect(try client.request(strange).errorKind == "invalid_parameters")
        }
    }

    @Test func subscriptionsPerConnectionAreLimited() async throws {
        var limits = ControlLimits()
        limits.subscriptions = 2
        try await ServerFixture.run(limits) { fixture in
            let client = try fixture.connect()
            for _ in 1...2 { #expect(try client.request(Self.subscribe)["result"] != nil) }
            #expect(try client.request(Self.subscribe).errorKind == "too_many_subscriptions")
            let end = #"{"jsonrpc":"2.0","id":1,"method":"unsubscribe","params":{"subscription":1}}"#
            #expect(try client.request(end)["result"]?["is_ended"] == true)
            #expect(try client.request(end)["result"]?["is_ended"] == false)
            #expect(try client.request(Self.subscribe)["result"]?["subscriptions"]?[0]?["subscription"] == 3)
            #expect(fixture.server.demand().map(\.subscribers) == [2])
        }
    }

    /// A topic may depend on other feeds after a reload of the configuration.
    @Test func demandIsReportedAgainAfterTopicIsEvaluatedAgain() async throws {
        try await ServerFixture.run { fixture in
            let client = try fixture.connect()
            _ = try client.request(Self.subscribe)
            #expect(fixture.demandChange.wait(timeout: .now() + .seconds(120)) == .success)
            fixture.server.topicsChanged(.everything)
            #expect(fixture.demandChange.wait(timeout: .now() + .seconds(120)) == .success)
        }
    }

    @Test func subscriberGetsHeartbeats() async throws {
        var limits = ControlLimits()
        limits.heartbeat = 20
        try await ServerFixture.run(limits) { fixture in
            let client = try fixture.connect()
            _ = try client.request(Self.subscribe)
            for _ in 1...2 {
                let beat = try client.reply()
                #expect(beat["method"] == "heartbeat")
                #expect(beat["params"]?["subscriptions"]?[0]?["sequence"] == 1)
            }
        }
    }

    /// Sends one change to 200 subscribers. Prints the elapsed time.
    @Test func changeReachesTwoHundredSubscribers() async throws {
        var limits = ControlLimits()
        limits.connectionsPerUser = 256
        limits.eventSpacing = 0
        try await ServerFixture.run(limits) { fixture in
            let large = JSONValue.string(String(repeating: "departure ", count: 500))
            fixture.handler.set("a", to: ["at": "now", "word": "x", "board": large])
            let clients = try (0..<200).map { _ in try fixture.connect() }
            for client in clients { _ = try client.request(Self.subscribe) }
            #expect(fixture.server.demand().map(\.subscribers) == [200])
            fixture.handler.set("a", to: ["at": "now", "word": "y", "board": large])
            let start = MonotonicInstant.read()
            fixture.server.topicsChanged(.everything)
            for client in clients { #expect(try client.line()?.contains(#""word":"y""#) == true) }
            let elapsed = Double(MonotonicInstant.read().nanoseconds - start.nanoseconds) / 1e6
            print("200 subscribers, one change: all have read it after \(elapsed) ms")
        }
    }

    /// A slow reader gets only the latest result and does not delay others.
    @Test func slowReaderGetsLatestResult() async throws {
        var limits = ControlLimits()
        limits.eventSpacing = 0
        // The slow client does not read for as long as the rounds last.
        limits.stallTimeout = 600_000
        try await ServerFixture.run(limits) { fixture in
            let (slow, quick) = (try fixture.connect(), try fixture.connect())
            let text = JSONValue.string(String(repeating: "x", count: 100_000))
            fixture.handler.set("a", to: ["n": 0, "text": text])
            for client in [slow, quick] { _ = try client.request(Self.subscribe) }
            for round in 1...20 {
                fixture.handler.set("a", to: ["n": .int(Int64(round)), "text": text])
                fixture.server.topicsChanged(.everything)
                #expect(try quick.reply()["params"]?["data"]?["n"] == .int(Int64(round)))
            }
            var (last, events): (JSONValue?, Int) = (nil, 0)
            while last != 20 {
                last = try slow.reply()["params"]?["data"]?["n"]
                events += 1
            }
            #expect(events < 20)
        }
    }

    @Test func clientThatNeverReadsIsNotifiedBeforeDisconnect() async throws {
        var limits = ControlLimits()
        limits.eventSpacing = 0
        limits.stallTimeout = 3000
        try await ServerFixture.run(limits) { fixture in
            let (slow, quick) = (try fixture.connect(), try fixture.connect())
            let text = JSONValue.string(String(repeating: "x", count: 300_000))
            fixture.handler.set("a", to: ["n": 0, "text": ""])
            _ = try slow.request(Self.subscribe)
            // The results of the quick client fit into the buffer of its socket, so it is not slow even if the test is not
            // run for a while.
            _ = try quick.request(Self.subscribe.replacing("\"a\"", with: "\"small\""))
            // The server cancels this request when it decides to disconnect the client.
            slow.send(TestClient.update("canceled", id: 2) + "\n")
            #expect(try slow.requestEcho("b", id: 3)["result"] == "b")
            for round in 1...3 {
                fixture.handler.set("a", to: ["n": .int(Int64(round)), "text": text])
                fixture.handler.set("small", to: ["n": .int(Int64(round))])
                fixture.server.topicsChanged(.everything)
                _ = try quick.reply()
            }
            #expect(eventually { fixture.handler.canceledUpdates.withLock { $0 } == ["canceled"] })
            var methods: [String] = []
            while let line = try slow.line() { methods.append(try JSONValue(parsing: line)["method"]?.text ?? "") }
            #expect(methods.last == "lagged")
            #expect(methods.dropLast().allSatisfy { $0 == "event" })
            #expect(try quick.requestEcho("b", id: 2)["result"] == "b")
        }
    }
}
