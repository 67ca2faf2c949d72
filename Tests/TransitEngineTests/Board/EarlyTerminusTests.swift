import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Tests trips that skip their last calls.
struct EarlyTerminusTests {
    private var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800)], starts: ["06:20", "07:20"])
    }

    private func directTrips(_ entities: [RealtimeEntity], to stop: Int) throws -> [String] {
        DirectTripFinder.next(
            origins: [StopIndex(1): 0], destinations: [StopIndex(stop): 0], patterns: scene.timetable.patterns,
            context: scene.timetable.context(scene.zone), realtime: try scene.realtime(entities), now: scene.now,
            at: scene.now, count: 1
        ).map { "\(scene.clock($0.departure.departure)) -> \($0.arrival.map { scene.clock($0.arrival) } ?? "?")" }
    }

    @Test func departuresNameStopWhereTripEnds() throws {
        let realtime = try scene.realtime([.update(0, [.late(0, 60), .said(2, .skipped), .said(3, .skipped)])])
        let first = try #require(scene.departures(1, realtime, count: 1).first)
        #expect((first.earlyTerminus, first.endsHere) == (StopIndex(2), false))
        let whole = try scene.realtime([.update(0, [.late(0, 60), .said(2, .skipped)])])
        #expect(scene.departures(1, whole, count: 1).map(\.earlyTerminus) == [nil])
    }

    @Test func departureAfterWhichAllCallsAreSkippedIsNotListed() throws {
        let realtime = try scene.realtime([.update(0, [.late(0, 60), .said(2, .skipped), .said(3, .skipped)])])
        #expect(scene.board(2, realtime, count: 1) == ["07:30>- scheduled scheduled medium"])
        // The stop is skipped, which riders who wait there should know.
        #expect(scene.board(3, realtime, count: 1) == ["06:40>- skipped live high"])
    }

    @Test func addedTripEndsAtLastServedCall() throws {
        let updates: [StopTimeUpdate] = [
            .at(stop: "s1", "2026-06-10T06:25:00+02:00"), .at(stop: "s2", "2026-06-10T06:35:00+02:00"),
            StopTimeUpdate(
                stopID: "s3", departure: StopTimeEvent(time: instant("2026-06-10T06:45:00+02:00")),
                relationship: .skipped),
        ]
        let realtime = try scene.realtime([.update(99, updates, relationship: .added)])
        let added = scene.departures(1, realtime, count: 2).first { $0.status == .added }
        #expect(added?.earlyTerminus == StopIndex(2))
        #expect(!scene.departures(2, realtime, count: 4).contains { $0.status == .added })
    }

    @Test func directTripDoesNotArriveAtSkippedStop() throws {
        let entities: [RealtimeEntity] = [.update(0, [.late(0, 60), .said(2, .skipped), .said(3, .skipped)])]
        #expect(try directTrips(entities, to: 2) == ["06:21 -> 06:31"])
        #expect(try directTrips(entities, to: 3) == ["07:20 -> 07:40"])
        #expect(try directTrips(entities, to: 4) == ["07:20 -> 07:50"])
    }
}
