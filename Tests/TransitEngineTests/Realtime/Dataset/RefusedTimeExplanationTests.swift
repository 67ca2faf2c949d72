import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

struct RefusedTimeExplanationTests {
    @Test func explanationNamesTheRefusedTime() throws {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.now = instant("2026-06-10T09:55:00+02:00")
        scene.timetable.add([(0, 0), (1, 3600), (2, 7200)], starts: ["10:00"])
        let realtime = try scene.realtime([.update(0, [.late(0, 0), .late(2, -5400)], date: "2026-06-10")])
        let call = try #require(scene.departures(1, realtime, count: 1).first)
        let facts = realtime.explain(call, now: scene.now).facts
        #expect(facts.contains(.call(.propagated, statingCall: 0)))
        let refused = RefusedTime(position: 2, event: .departure, reason: .earlyDeparture, delay: -5400)
        #expect(facts.contains(.refused(refused, sequence: 2)))
        #expect(call.confidence == .medium)
    }

    @Test func differentialMessageKeepsTheRefusedTimesOfOtherTrips() throws {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.now = instant("2026-06-10T09:55:00+02:00")
        scene.timetable.add([(0, 0), (1, 3600), (2, 7200)], starts: ["10:00", "11:00"])
        let matcher = TripMatcher(scene.table)
        let first = try scene.dataset([.update(0, [.late(1, -5400)], date: "2026-06-10")], matcher: matcher)
        let second = try scene.dataset(
            [.update(1, [.late(1, 60)], date: "2026-06-10")],
            header: RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now),
            previous: first, matcher: matcher)
        let realtime = RealtimeDatasets(tripUpdates: second)
        let call = try #require(scene.departures(1, realtime, count: 1).first)
        let facts = realtime.explain(call, now: scene.now).facts
        #expect(facts.contains { if case .refused(let time, 1) = $0 { time.delay == -5400 } else { false } })
    }
}
