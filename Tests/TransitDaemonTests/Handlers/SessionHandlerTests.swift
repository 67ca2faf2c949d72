import Testing
import TransitControl
import TransitModel
import TransitServer
import TransitTestSupport

@testable import TransitDaemon
@testable import TransitWire

@Suite struct SessionHandlerTests {
    private let daemon: TestDaemon

    init() throws { daemon = try TestDaemon() }

    @Test func everyMethodHasHandler() {
        let own: Set<ControlMethod> = [.cancel, .subscribe, .unsubscribe]
        let handled = Set(daemon.handlers.registry.methods.values.map(\.method))
        #expect(handled.isDisjoint(with: own))
        #expect(handled.union(own) == Set(ControlMethod.allCases))
    }

    @Test func helloReportsCaller() throws {
        let hello = try daemon.ask(HelloParameters(), uid: 0)
        #expect(hello.protocol == 1)
        #expect(hello.daemon == ReleaseVersion.text)
        #expect(hello.socket == "test")
        #expect(hello.limits == ControlLimits().onWire)
        #expect(hello.caller.uid == 0)
        #expect(hello.caller.pid == 1)
        #expect(hello.caller.allowedMethods.count == ControlMethod.allCases.count)
    }

    @Test func describeFitsIntoReply() throws {
        let description = try daemon.ask(DescribeParameters())
        #expect(description == DescribeResult())
        #expect(description.encoded.count < ControlLimits().reply)
    }

    @Test func sessionCallsAreResolved() throws {
        let caller = daemon.caller(1000)
        func resolve(_ method: String, _ parameters: JSONValue) throws -> ServerCall<ControlRequest, UserTopic> {
            try daemon.handlers.resolve(MethodCall(method: method, parameters: parameters), from: caller)
        }
        guard case .cancel(.number(3)) = try resolve("cancel", ["id": 3]),
            case .unsubscribe(2) = try resolve("unsubscribe", ["subscription": 2]),
            case .subscribe([UserTopic(topic: Topic(topic: .next), uid: 1000)]) = try resolve(
                "subscribe", ["topics": [["topic": "next"]]]),
            case .handled(let request) = try resolve("next", ["count": 3])
        else {
            Issue.record("wrong call")
            return
        }
        #expect(request.method == .next)
        #expect(request.requestedCount == 3)
        #expect(throws: ControlError.self) { try resolve("nxt", [:]) }
    }
}

@Suite struct TopicSnapshotTests {
    private let at = Timestamp(Instant(secondsSince1970: 1000))

    private func snapshot(
        _ kind: TopicKind, _ notices: [Notice] = [], at seconds: Int64 = 1000, feeds: Set<FeedID>? = nil
    ) -> TopicSnapshot {
        TopicSnapshot(
            UserTopic(topic: Topic(topic: kind), uid: 1000),
            AlertsResult(
                at: Timestamp(Instant(secondsSince1970: seconds)), alerts: [], nextCursor: nil, notices: notices),
            at: at, TopicConditions(feeds: feeds))
    }

    @Test(arguments: [
        (TopicChange.feed("a"), ["departures", "next"]), (.feed("b"), ["next"]), (.status, ["status"]),
        (.personal(uid: 1000), ["departures", "next", "status"]), (.personal(uid: 1), []),
        (.everything, ["departures", "next", "status"]),
    ])
    func changeAffectsMatchingTopics(_ change: TopicChange, _ topics: [String]) {
        let snapshots: [(TopicKind, Set<FeedID>?)] = [(.departures, ["a"]), (.next, nil), (.status, ["c"])]
        let affected = snapshots.filter { snapshot($0, feeds: $1).isAffected(by: change) }
        #expect(affected.map(\.0.rawValue) == topics)
    }

    @Test func timeAloneIsNoDifference() {
        #expect(!snapshot(.alerts).differs(from: snapshot(.alerts, at: 2000)))
        let notice = Notice(kind: .stale, message: "m")
        #expect(snapshot(.alerts, [notice]).differs(from: snapshot(.alerts)))
        let topic = UserTopic(topic: Topic(topic: .alerts), uid: 1000)
        let failed = TopicSnapshot(topic, ControlError(.feedNoData, "x"), at: at)
        #expect(failed.differs(from: snapshot(.alerts)))
        #expect(snapshot(.alerts).differs(from: failed))
        #expect(!failed.differs(from: TopicSnapshot(topic, ControlError(.feedNoData, "x"), at: at)))
        #expect(failed.differs(from: TopicSnapshot(topic, ControlError(.feedNoData, "y"), at: at)))
    }
}
