import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

struct MissingCorrectionTests {
    private static let now = instant("2026-06-12T06:10:00+02:00")

    /// A call of stop 1 at 06:20, which is two minutes late.
    private static func call() throws -> ExpectedCall {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.now = now
        scene.timetable.add([(1, 0), (2, 600)], starts: ["06:20"])
        return try #require(
            scene.departures(1, try scene.realtime([.update(0, [.late(0, 120)], date: "2026-06-12")])).first)
    }

    /// Predictions twelve minutes ahead, as many too early as too late, on two days and at the start of a third one.
    private static func history(perDay count: Int, error: Int) throws -> DelayHistory {
        var history = DelayHistory()
        let slot = try #require(DelayHistory.slot(of: try call(), now: now))
        for day in 20_600..<20_602 {
            for number in 0..<count {
                let error = number % 2 == 0 ? error : -error
                history.predictions.add(.init(slot: slot, stated: 60, usual: (0, 0)), delay: 60 + error, on: day)
            }
        }
        history.predictions.add(.init(slot: slot, stated: 60, usual: (0, 0)), delay: 60, on: 20_602)
        return history
    }

    @Test func fewJudgedPredictionsAreCounted() throws {
        let call = try Self.call()
        #expect(DelayHistory().missingCorrection(of: call, now: Self.now) == .tooFew(judged: 0))
        // Those of the first day and the first one of the second are not judged, because no range is known yet.
        let history = try Self.history(perDay: 150, error: 40)
        #expect(history.missingCorrection(of: call, now: Self.now) == .tooFew(judged: 150))
    }

    @Test func correctionThatIsNotBetterHasErrors() throws {
        let history = try Self.history(perDay: 250, error: 40)
        guard case .notBetter(let source, let corrected) = history.missingCorrection(of: try Self.call(), now: Self.now)
        else {
            Issue.record("not the reason")
            return
        }
        #expect((35...45).contains(source) && corrected >= source - 2)
    }

    @Test func departureIsNotKnownWhereOthersAreCorrected() throws {
        var history = try Self.history(perDay: 250, error: 40)
        for slot in history.predictions.slots.indices { history.predictions.slots[slot].isCorrecting = true }
        #expect(history.missingCorrection(of: try Self.call(), now: Self.now) == .unknownDeparture)
    }

    @Test func callWithoutPredictionHasNoReason() throws {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600)], starts: ["06:20"])
        let call = try #require(scene.departures(1, nil).first)
        #expect(DelayHistory().missingCorrection(of: call, now: Self.now) == nil)
    }
}
