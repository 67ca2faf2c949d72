import Testing
import TransitControl
import TransitModel
import TransitServer
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `journeys.pin`, `journeys.unpin`, `journeys.pinned` and the topic `journey`, with ``FeedBuilder/valley``. The clock
/// starts on Friday, March 27, 2026, at 07:30 in Berlin.
@Suite(.ownThreads) struct PinnedJourneyHandlerTests {
    private func daemon() async throws -> TestDaemon { try await TestDaemon.imported(["valley": .valley]) }

    /// Pins the first journey from Alder to Zinnia with bus 1.
    @discardableResult
    private func pin(_ daemon: TestDaemon) async throws -> PinnedJourneysResult {
        let found = try await daemon.askLengthy(JourneysParameters(from: "Alder", to: "Zinnia"))
        let journey = try #require(found.journeys.first { $0.legs.last?.departure.route.shortName == "1" })
        let legs = try journey.legs.map { leg in
            PinnedLeg(
                departure: leg.departure.id, to: try #require(leg.departure.arrival?.stop.id.rawValue),
                changeTime: leg.change?.walk, isTimed: leg.change?.isTimed ?? false)
        }
        return try daemon.ask(
            JourneyPinParameters(
                from: "Alder", to: "Zinnia", legs: legs, walkBefore: journey.walkBefore, walkAfter: journey.walkAfter))
    }

    @Test func pinnedJourneyIsFollowedAndRemoved() async throws {
        let daemon = try await daemon()
        let pinned = try await pin(daemon)
        let journey = try #require(pinned.journeys.first)
        // The same journey is not pinned twice.
        #expect(try await pin(daemon).journeys.map(\.number) == [1])
        #expect(journey.number == 1 && journey.name == "Alder to Zinnia" && journey.stage == .planned)
        #expect(
            journey.journey?.legs.map(\.departure.line) == ["T 08:00 a > c 08:20", "1 08:25 c > z 08:40"])
        #expect(journey.problem == nil && journey.replacement == nil)
        #expect(
            pinned.notices.map(\.message) == ["Your notifications are off. Turn them on with: transitctl notify on"])
        daemon.clock.advance(by: 35 * 60)
        let riding = try await daemon.askLengthy(PinnedJourneysParameters(), uid: 1000)
        #expect(riding.journeys.map(\.stage) == [.riding] && riding.journeys.map(\.leg) == [0])
        #expect(try daemon.ask(JourneyUnpinParameters(number: 1)).journeys.isEmpty)
        #expect(daemon.error(of: JourneyUnpinParameters(number: 1))?.kind == .journeyNotFound)
    }

    @Test func journeyThatIsOverIsNotListed() async throws {
        let daemon = try await daemon()
        try await pin(daemon)
        daemon.clock.advance(by: 75 * 60)
        #expect(try await daemon.askLengthy(PinnedJourneysParameters(), uid: 1000).journeys.map(\.stage) == [.arrived])
        daemon.clock.advance(by: 4 * 3600)
        #expect(try await daemon.askLengthy(PinnedJourneysParameters(), uid: 1000).journeys.isEmpty)
    }

    @Test func wrongJourneysAreRefused() async throws {
        let daemon = try await daemon()
        func error(_ legs: [PinnedLeg]) -> ErrorKind? {
            daemon.error(of: JourneyPinParameters(from: "Alder", to: "Zinnia", legs: legs))?.kind
        }
        let train = PinnedLeg(departure: "valley:t0@2026-03-27/1", to: "c")
        let bus = PinnedLeg(departure: "valley:n25@2026-03-27/1", to: "z", changeTime: 60)
        #expect(error([PinnedLeg(departure: "valley:none@2026-03-27/1", to: "c")]) == .departureNotFound)
        #expect(error([PinnedLeg(departure: "valley:t0@2026-03-27/1", to: "z")]) == .stopNotFound)
        #expect(error([bus, train]) == .invalidParameters)
        #expect(error([PinnedLeg(departure: "valley:t0@2026-03-20/1", to: "c")]) == .invalidParameters)
        let pinned = try daemon.ask(JourneyPinParameters(from: "Alder", to: "Zinnia", legs: [train, bus]))
        #expect(pinned.journeys.count == 1)
    }

    /// Returns the first journey of a topic's result.
    private func first(_ snapshot: TopicSnapshot) -> JSONValue? {
        guard case .array(let journeys)? = snapshot.data["journeys"] else { return nil }
        return journeys.first
    }

    @Test func topicHasThePinnedJourneys() async throws {
        let daemon = try await daemon()
        try await pin(daemon)
        let topic = UserTopic(topic: Topic(topic: .journey), uid: 1000)
        let snapshot = try daemon.handlers.evaluate(topic, for: daemon.caller(1000), slowWork: SlowWorkSignal {})
        #expect(first(snapshot)?["stage"] == "planned")
        daemon.clock.advance(by: 35 * 60)
        let later = try daemon.handlers.evaluate(topic, for: daemon.caller(1000), slowWork: SlowWorkSignal {})
        #expect(first(later)?["stage"] == "riding" && later.differs(from: snapshot))
    }

    @Test func topicNextHasJourneysWithChanges() async throws {
        let daemon = try await daemon()
        let topic = UserTopic(
            topic: Topic(topic: .next, from: "Alder", to: "Zinnia", changes: 2), uid: 1000)
        let snapshot = try daemon.handlers.evaluate(topic, for: daemon.caller(1000), slowWork: SlowWorkSignal {})
        #expect(first(snapshot)?["changes"] == 1)
    }
}
