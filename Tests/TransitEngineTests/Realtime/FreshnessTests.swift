import Testing
internal import TransitEngine
internal import TransitTestSupport

@testable import TransitModel

/// Tests aging realtime data and messages that arrive out of order.
struct FreshnessTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40"])
    }

    @Test("A prediction is fresh, then aging, then the last known one until the vehicle has left")
    mutating func predictionAgesUntilDeparture() throws {
        let realtime = try scene.realtime([.update(0, [.late(0, 120), .late(1, 180)])])
        #expect(scene.board(2, realtime, count: 1) == ["06:30>06:33 scheduled live high"])
        let made = scene.now
        scene.now = made.advanced(by: 91)
        #expect(scene.board(2, realtime, count: 1) == ["06:30>06:33 scheduled live medium"])
        scene.now = made.advanced(by: 300)
        #expect(scene.departures(2, realtime, count: 1).map { $0.age?.seconds } == [300])
        #expect(scene.departures(2, realtime, count: 1).map { $0.age?.freshness } == [.aging])
        scene.now = made.advanced(by: 301)
        #expect(scene.board(2, realtime, count: 1) == ["06:30>06:33 scheduled live low"])
        let last = try #require(scene.departures(2, realtime, count: 1).first)
        #expect(last.age == DataAge(seconds: 301, freshness: .stale))
        #expect(last.isLastKnown && !last.isOutdatedInRealtime)
        scene.now = instant("2026-06-10T06:33:00+02:00")
        #expect(scene.board(2, realtime, count: 1) == ["06:30>06:33 scheduled live low"])
        scene.now = instant("2026-06-10T06:33:01+02:00")
        #expect(scene.board(2, realtime, count: 1) == ["06:50>- scheduled scheduled medium"])
    }

    @Test("An old measurement is aging in a new message, while a cancellation is as old as its message")
    mutating func predictionAgesByItsMeasurement() throws {
        let old = scene.now.advanced(by: -200)
        let realtime = try scene.realtime([
            .update(0, [.late(1, 60)], measured: old),
            .update(1, relationship: .canceled, measured: scene.now.advanced(by: -4000)),
        ])
        #expect(
            scene.board(2, realtime, count: 2) == [
                "06:30>06:31 scheduled live medium", "06:50>- canceled live high",
            ])
    }

    @Test("A timestamp in the future has no age and lowers the confidence")
    mutating func futureTimestampHasNoAge() throws {
        let dataset = try scene.dataset(
            [.update(0, [.late(1, 60)])],
            header: RealtimeHeader(version: "2.0", timestamp: scene.now.advanced(by: 600)))
        let call = scene.departures(2, RealtimeDatasets(tripUpdates: dataset), count: 1)[0]
        #expect(call.age == DataAge(seconds: 0, freshness: .fresh, isAhead: true))
        #expect(call.confidence == .medium)
        // The age is measured from the time of receipt, so the data does not stay fresh until the clock reaches the
        // timestamp.
        let received = scene.now
        scene.now = received.advanced(by: 300)
        #expect(scene.departures(2, RealtimeDatasets(tripUpdates: dataset), count: 1)[0].source == .live)
        scene.now = received.advanced(by: 301)
        #expect(scene.departures(2, RealtimeDatasets(tripUpdates: dataset), count: 1)[0].isLastKnown)
        let extreme = FreshnessPolicy().age(of: Instant(secondsSince1970: .min), at: Instant(secondsSince1970: .max))
        #expect(extreme.freshness == .stale)
    }

    @Test("A message is accepted or refused based on the timestamp of its header")
    func olderMessageIsRefused() {
        let now = scene.now
        func order(_ time: Int?, after kept: Int?) -> MessageAcceptance {
            MessageAcceptance.of(
                RealtimeHeader(timestamp: time.map { now.advanced(by: $0) }), after: kept.map { now.advanced(by: $0) },
                now: now, policy: FreshnessPolicy())
        }
        #expect(order(-10, after: nil) == .accept([]))
        #expect(order(-10, after: -20) == .accept([]))
        #expect(order(-10, after: -10) == .accept([]))
        #expect(order(-30, after: -10) == .refuse([.backwards(seconds: 20)]))
        #expect(order(nil, after: -10) == .accept([.withoutTimestamp]))
        #expect(order(600, after: -10) == .accept([.ahead(seconds: 600)]))
        // The current dataset is too old, or its timestamp is in the future: the publisher corrected its clock.
        #expect(order(-400, after: -350) == .accept([.backwards(seconds: 50)]))
        #expect(order(-5, after: 5000) == .accept([.backwards(seconds: 5005)]))
    }

    @Test("An empty message and a message without a timestamp yield notices")
    func emptyAndUndatedMessagesAreNoticed() throws {
        #expect(try scene.dataset([]).notes == [.empty])
        let untimed = try scene.dataset([.update(0, [.late(1, 60)])], header: RealtimeHeader())
        #expect(untimed.time == scene.now)
        #expect(
            scene.board(2, RealtimeDatasets(tripUpdates: untimed), count: 1) == ["06:30>06:31 scheduled live high"])
    }

    @Test("A trip with outdated data is not marked as missing")
    func outdatedTripIsNotMissing() throws {
        let realtime = try scene.realtime([
            .update(0, [.late(0, 60)], measured: scene.now.advanced(by: -4001)), .update(1, [.late(0, 0)]),
        ])
        let call = scene.departures(2, realtime, count: 1)[0]
        #expect(scene.line(call) == "06:30>- scheduled scheduled medium")
        #expect(call.isOutdatedInRealtime && !call.isMissingFromRealtime)
        let facts = realtime.explain(call, now: scene.now).facts
        #expect(facts.last == .confidence(.medium, .timetable))
        #expect(facts.contains(.tooOld(DataAge(seconds: 4001, freshness: .stale))))
        #expect(!facts.contains(.notReported(isExpectedToBe: true)))
    }

    @Test("A differential message changes the entities that it contains and keeps the others")
    func differentialMessageKeepsOtherEntities() throws {
        let matcher = TripMatcher(scene.table)
        let first = try scene.dataset(
            [.update(0, [.late(0, 60)]), .update(1, [.late(0, 120)]), .alert(Alert(id: "a"))], matcher: matcher)
        let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
        let second = try scene.dataset([.update(1, [.late(0, 300)])], header: header, previous: first, matcher: matcher)
        #expect(
            scene.board(2, RealtimeDatasets(tripUpdates: second), count: 2) == [
                "06:30>06:31 scheduled live medium", "06:50>06:55 scheduled live medium",
            ])
        #expect(second.alerts.alerts.map(\.id) == ["a"])
        let third = try scene.dataset(
            [.deleted("e0"), .deleted("a")], header: header, previous: second, matcher: TripMatcher(scene.table))
        #expect(third.trips.map(\.key.trip) == [TripIndex(1)])
        #expect(third.alerts.alerts.isEmpty)
        let alone = try scene.dataset([.update(1, [.late(0, 300)])], header: header)
        #expect(alone.notes == [.differentialWithoutBase])
        let full = try scene.dataset([.update(1, [.late(0, 300)])], previous: first)
        #expect(full.trips.count == 1)
    }

    @Test("If two entities describe one trip, the later measurement wins")
    func laterMeasurementOfOneTripWins() throws {
        let newer = scene.now.advanced(by: -10)
        let older = scene.now.advanced(by: -40)
        let realtime = try scene.realtime([
            .update(0, [.late(1, 60)], measured: newer), .update(0, [.late(1, 300)], measured: older),
        ])
        #expect(scene.board(2, realtime, count: 1) == ["06:30>06:31 scheduled live high"])
        #expect(realtime.tripUpdates?.statistics.repeatedTrips == 1)
    }

    @Test("A late trip is listed until it leaves, and a trip that left early has departed")
    mutating func lateTripStaysAndEarlyTripLeavesBoard() throws {
        scene.now = instant("2026-06-10T06:35:00+02:00")
        let realtime = try scene.realtime([.update(0, [.late(1, 600)])])
        #expect(scene.board(2, realtime, count: 1) == ["06:30>06:40 scheduled live high"])
        scene.now = instant("2026-06-10T06:29:00+02:00")
        let early = try scene.realtime([.update(0, [.late(1, -120)])])
        #expect(scene.board(2, early, count: 1) == ["06:50>- scheduled scheduled medium"])
        let call = scene.departures(2, nil, at: "2026-06-10T06:20:00+02:00", count: 1)[0]
        let queried = try #require(call.scheduledCall.flatMap { early.expected($0, now: scene.now) })
        // Nothing confirms that the prediction came true.
        #expect(scene.line(queried) == "06:30>06:28 departed live medium")
    }

    @Test("An explanation lists the facts behind a departure")
    func explanationListsFactsBehindDeparture() throws {
        let realtime = try scene.realtime([.update(0, [.late(0, 60)], date: "2026-06-10")])
        let call = scene.departures(2, realtime, count: 1)[0]
        let explanation = realtime.explain(call, now: scene.now)
        let age = DataAge(seconds: 0, freshness: .fresh, isAhead: false)
        #expect(
            explanation.facts == [
                .message(time: scene.now, received: scene.now, incrementality: .fullDataset), .entity("e0"),
                .matched(.tripAndDate), .tripKind(.scheduled), .call(.propagated, statingCall: 0),
                .measured(scene.now, age),
                .confidence(.medium, .propagatedFromEarlierCall),
            ])
        #expect(
            explanation.facts.map(\.section) == [
                "FeedHeader", "FeedEntity", "TripDescriptor", "TripDescriptor.ScheduleRelationship", "StopTimeUpdate",
                nil, nil,
            ])
        let unreported = scene.departures(2, realtime, count: 2)[1]
        #expect(
            realtime.explain(unreported, now: scene.now).facts
                == [.notReported(isExpectedToBe: false), .confidence(.medium, .timetable)])
    }

    @Test("The explanation of a canceled trip or a skipped call contains no prediction")
    func explanationOfCanceledTripStopsThere() throws {
        let canceled = try facts(scene.realtime([.update(0, date: "2026-06-10", relationship: .canceled)]))
        #expect(canceled.contains(.tripKind(.canceled)))
        #expect(!canceled.contains(where: isOfCall))
        let skipped = try facts(scene.realtime([.update(0, [.said(1, .skipped)], date: "2026-06-10")]))
        #expect(skipped.contains(.skipped))
        #expect(!skipped.contains(where: isOfCall))
    }

    /// Returns the facts about the first scheduled departure.
    private func facts(_ realtime: RealtimeDatasets) throws -> [Explanation.Fact] {
        let scheduled = try #require(scene.departures(2, nil, count: 1).first?.scheduledCall)
        let expected = try #require(realtime.expected(scheduled, now: scene.now))
        return realtime.explain(expected, now: scene.now).facts
    }

    private func isOfCall(_ fact: Explanation.Fact) -> Bool {
        if case .call = fact { true } else { false }
    }
}
