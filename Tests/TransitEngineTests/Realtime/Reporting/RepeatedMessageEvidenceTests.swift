import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// A message whose timestamp repeats is observed again, but proves no more than the first time.
struct RepeatedMessageEvidenceTests {
    private var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        // Of the first route, the source reports two trips of three; of the second one, two of five.
        scene.timetable.add([(1, 0), (2, 3600)], starts: ["06:00", "06:01", "06:02"])
        scene.timetable.add(
            [(3, 0), (4, 3600)], starts: ["06:00", "06:01", "06:02", "06:03", "06:04"], route: 1)
    }

    @Test(arguments: [1, 2, 5]) func repeatedTimestampAddsNoEvidence(times: Int) throws {
        var tracker = ReportingTracker()
        let dataset = try scene.dataset([0, 1, 3, 4].map { .update($0, [.late(0, 0)], date: "2026-06-10") })
        var evidence: ReportingEvidence?
        var previous: RealtimeDataset?
        for _ in 0..<times {
            evidence = try tracker.observe(dataset, after: previous, in: scene.table, policy: scene.policy)
            previous = dataset
        }
        let day = scene.zone.serviceDayStart(ServiceDate(iso8601: "2026-06-10")!)
        let pattern = scene.timetable.patterns[0]
        let call = ScheduledCall(
            pattern: pattern, timingGroup: 0, tripPosition: 2, serviceDate: ServiceDate(iso8601: "2026-06-10")!,
            position: 1, start: day.advanced(by: Int(pattern.timingGroups[0].starts[2])))
        #expect(call.departure == day.advanced(by: 25_320))
        let realtime = RealtimeDatasets(tripUpdates: dataset, reporting: evidence)
        let finding = try #require(realtime.reportingFinding(call, now: scene.now))
        // The route has only two other trips, so that the feed decides: it reports four of seven.
        #expect(finding.verdict == .tooFewReported)
        #expect((finding.reported, finding.total, finding.isOfRoute) == (4, 7, false))
        #expect(try #require(realtime.expected(call, now: scene.now)).isMissingFromRealtime == false)
    }
}
