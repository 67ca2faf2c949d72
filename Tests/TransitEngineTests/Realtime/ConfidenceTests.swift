import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests how confidence is affected by the uncertainty that the publisher states and by predicted times that have
/// passed.
struct ConfidenceTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20"])
    }

    private static let uncertainties: [(Int32?, ExpectedCall.Confidence, Explanation.Reason)] = [
        (nil, .high, .freshAndStated), (0, .high, .freshAndStated), (120, .high, .freshAndStated),
        (121, .medium, .uncertain), (240, .medium, .uncertain), (600, .medium, .uncertain), (601, .low, .uncertain),
    ]

    @Test(arguments: uncertainties)
    func uncertaintyLowersConfidence(
        seconds: Int32?, confidence: ExpectedCall.Confidence, reason: Explanation.Reason
    ) throws {
        let instance = StopTimeUpdate(sequence: 1, departure: StopTimeEvent(delay: 60, uncertainty: seconds))
        let stated = StopTimeUpdate(
            stopID: "s2",
            departure: StopTimeEvent(time: instant("2026-06-10T06:32:00+02:00"), uncertainty: seconds))
        for entity in [
            RealtimeEntity.update(0, [instance]),
            .update(9, [stated, .at(stop: "s3", "2026-06-10T06:50:00+02:00")], relationship: .added),
        ] {
            let realtime = try scene.realtime([entity])
            let call = try #require(scene.departures(2, realtime).first { $0.source == .live })
            #expect(call.confidence == confidence)
            #expect(realtime.explain(call, now: scene.now).facts.last == .confidence(confidence, reason))
        }
    }

    /// KMB reports a bus a minute after its predicted time: the response is new, but the predicted time has passed.
    @Test func passedPredictionHasNoHighConfidence() throws {
        var scene = scene
        scene.now = instant("2026-06-10T06:31:00+02:00")
        let realtime = try scene.realtime([
            .update(
                9,
                [.at(stop: "s2", "2026-06-10T06:30:00+02:00"), .at(stop: "s3", "2026-06-10T06:50:00+02:00")],
                relationship: .added)
        ])
        let call = try #require(
            scene.departures(2, realtime, at: "2026-06-10T06:29:00+02:00").first { $0.source == .live })
        #expect(scene.line(call) == "->06:30 departed live medium")
        #expect(realtime.explain(call, now: scene.now).facts.last == .confidence(.medium, .passed))
    }
}
