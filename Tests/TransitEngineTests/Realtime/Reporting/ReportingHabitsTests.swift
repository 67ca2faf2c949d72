import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

struct ReportingHabitsTests {
    @Test func usualLeadIsThatOfNineInTen() {
        var leads = FirstReportLeads()
        for _ in 0..<90 { leads.add(lead: 1800) }
        for _ in 0..<10 { leads.add(lead: 30) }
        #expect(leads.usualLead(minimum: 10) == 1800)
        leads.add(lead: 30)
        #expect(leads.usualLead(minimum: 10) == 0)
        #expect(leads.usualLead(minimum: 200) == nil)
        #expect(leads.reportedLater(than: 60) == 11)
        #expect(leads.reportedLater(than: -60) == 0)
    }

    @Test func oldLeadsAreForgotten() {
        var leads = FirstReportLeads()
        for _ in 0..<1000 { leads.add(lead: 3600) }
        for _ in 0..<6000 { leads.add(lead: -90) }
        #expect(leads.usualLead(minimum: 10) == -120)
        #expect(leads.total <= 1024)
    }

    @Test func damagedBytesAreNotHabits() {
        let bytes = ReportingHabits().encoded
        #expect(ReportingHabits(bytes) == ReportingHabits())
        #expect(ReportingHabits([]) == nil)
        #expect(ReportingHabits(Array(bytes.dropLast())) == nil)
        #expect(ReportingHabits(Array("transitd reporting habits 1\n-1 0 0".utf8)) == nil)
        #expect(ReportingHabits(bytes + Array("\n0 1,2 r".utf8)) == nil)
    }

    /// A timetable of trips every ten minutes on two routes, at a quarter past six.
    private func scene() throws -> RealtimeScenario {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.now = instant("2026-06-10T06:15:00+02:00")
        let starts = (0..<12).map { "\(5 + $0 / 6):\($0 % 6)0" }
        for route in 0..<2 {
            scene.timetable.add(
                [(route * 3, 0), (route * 3 + 1, 1200), (route * 3 + 2, 2400)], starts: starts, route: route)
        }
        return scene
    }

    /// The trips that started before 06:15 are numbered 0 to 7 on the first route and 12 to 19 on the second.
    private func realtime(
        _ scene: RealtimeScenario, reported: [Int], delay: Int32 = 60
    ) throws -> RealtimeDatasets {
        let dataset = try scene.dataset(reported.map { .update($0, [.late(2, delay)], date: "2026-06-10") })
        var tracker = ReportingTracker()
        let evidence = try tracker.observe(dataset, after: nil, in: scene.table, policy: FreshnessPolicy())
        return RealtimeDatasets(tripUpdates: dataset, reporting: evidence)
    }

    @Test func tripUnderWayIsMissingIfTheOthersAreReported() throws {
        let scene = try scene()
        let realtime = try realtime(scene, reported: [4, 5, 7, 16, 17, 18, 19])
        // The trip of 06:00, which is number 6, is at the second stop at 06:20.
        let calls = scene.departures(1, realtime, count: 3)
        #expect(calls.map(\.isMissingFromRealtime) == [true, false, false])
        let facts = realtime.explain(calls[0], now: scene.now).facts
        #expect(facts.contains(.notReported(isExpectedToBe: true)))
        let finding = facts.compactMap { fact in if case .reporting(let finding) = fact { finding } else { nil } }.first
        #expect(finding?.verdict == .missing)
        #expect(finding.map { [$0.reported, $0.total] } == [5, 5])
        // Two other trips of the route have more than ten minutes to go.
        #expect(finding?.isOfRoute == false)
    }

    @Test func tripsWhoseTimesAreRefusedDoNotCount() throws {
        let scene = try scene()
        let realtime = try realtime(scene, reported: [4, 5, 7, 16, 17, 18, 19], delay: -90_000)
        #expect(scene.departures(1, realtime, count: 3).allSatisfy { !$0.isMissingFromRealtime })
    }

    @Test func tripIsNotMissingIfFewAreReported() throws {
        let scene = try scene()
        let realtime = try realtime(scene, reported: [4, 16])
        let call = try #require(scene.departures(1, realtime, count: 1).first)
        #expect(!call.isMissingFromRealtime && call.confidence == .medium)
    }

    @Test func repeatedTripsWithoutExactTimesAreNeverMissing() throws {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.now = instant("2026-06-10T06:15:00+02:00")
        for (number, isExact) in [false, true].enumerated() {
            let rows = [
                Frequency(trip: 0, start: seconds("5:00"), end: seconds("9:00"), headway: 600, isExact: isExact)
            ]
            scene.timetable.add(
                [(number * 2, 0), (number * 2 + 1, 2400), (9, 3600)], starts: ["5:00"], route: number, frequencies: rows
            )
        }
        var entities: [RealtimeEntity] = []
        for start in ["5:30", "5:40", "5:50", "6:10"] {
            for trip in 0..<2 {
                let entity = RealtimeEntity.update(trip, [.late(1, 0)], date: "2026-06-10", start: start)
                guard case .tripUpdate(var update) = entity else { continue }
                update.id = EntityID("e\(entities.count)")
                entities.append(.tripUpdate(update))
            }
        }
        let dataset = try scene.dataset(entities)
        var tracker = ReportingTracker()
        let evidence = try tracker.observe(dataset, after: nil, in: scene.table, policy: FreshnessPolicy())
        let realtime = RealtimeDatasets(tripUpdates: dataset, reporting: evidence)
        #expect(scene.departures(1, realtime, count: 6).allSatisfy { !$0.isMissingFromRealtime })
        let exact = scene.departures(3, realtime, count: 6)
        // Only the trip of 06:00, at the second stop at 06:40, should have been reported.
        #expect(exact.filter(\.isMissingFromRealtime).map { scene.clock($0.scheduledDeparture) } == ["06:40"])
    }
}
