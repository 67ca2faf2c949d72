import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// A stop time update of which one time is refused has no effect on times.
struct RefusedTimeTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.now = instant("2026-06-10T09:55:00+02:00")
        scene.timetable.add([(0, 0), (1, 3600), (2, 7200)], starts: ["10:00"])
    }

    private func calls(_ updates: [StopTimeUpdate], delay: Int32? = nil) throws -> [RealtimeCall] {
        let dataset = try scene.dataset([.update(0, updates, date: "2026-06-10", delay: delay)])
        return Array(dataset.calls(of: try #require(dataset.trips.first)))
    }

    @Test func refusedDepartureTakesItsArrivalWithIt() throws {
        let calls = try calls([.late(0, 0), .late(2, -5400)])
        #expect(calls.map(\.arrival) == [0, 3600, 7200])
        #expect(calls.map(\.departure) == [0, 3600, 7200])
        #expect(calls.map(\.basis) == [.stated, .propagated, .propagated])
        #expect(calls.allSatisfy { !$0.isContradicted })
    }

    @Test func refusedArrivalTakesItsDepartureWithIt() throws {
        let update = StopTimeUpdate(
            sequence: 1, arrival: StopTimeEvent(delay: -86_400), departure: StopTimeEvent(delay: 120))
        let calls = try calls([.late(0, 60), update])
        #expect(calls.map(\.departure) == [60, 3660, 7260])
        #expect(calls.map(\.basis) == [.stated, .propagated, .propagated])
    }

    @Test func impossibleTimeTakesTheOtherTimeWithIt() throws {
        let update = StopTimeUpdate(
            sequence: 1, arrival: StopTimeEvent(delay: 300), departure: StopTimeEvent(delay: .max))
        #expect(try calls([update]).map(\.basis) == [.timetable, .timetable, .timetable])
    }

    @Test func earlyArrivalMovesNoOtherCallBeforeItsPlannedTime() throws {
        let update = StopTimeUpdate(sequence: 2, arrival: StopTimeEvent(delay: -4000))
        let calls = try calls([.late(0, 0), update])
        #expect(calls.map(\.departure) == [0, 3600, 7200])
        #expect(calls[2].arrival == 3200)
    }

    @Test mutating func earlyArrivalWithAnotherStatedDelayPropagatesNoDelay() throws {
        scene.timetable = SmallTimetable()
        scene.timetable.add([(0, 0), (1, 7200), (2, 9000)], starts: ["10:00"])
        let time = instant("2026-06-10T12:00:00+02:00").advanced(by: -4000)
        let update = StopTimeUpdate(sequence: 1, arrival: StopTimeEvent(time: time, delay: -600))
        let calls = try calls([update])
        #expect(calls.map(\.departure) == [0, 7200, 9000])
    }

    @Test func skipOfAnUpdateAppliesWhateverItsTimes() throws {
        var update = StopTimeUpdate.late(1, -5400)
        update.relationship = .skipped
        #expect(try calls([update]).map(\.isSkipped) == [false, true, false])
    }

    @Test mutating func platformOfAnUpdateAppliesAlthoughItsTimesAreRefused() throws {
        scene.parents = [1: 50, 7: 50]
        var update = StopTimeUpdate.late(1, -5400)
        update.stopID = "s1"
        update.assignedStopID = "s7"
        let realtime = try scene.realtime([.update(0, [update], date: "2026-06-10")])
        let call = try #require(scene.departures(7, realtime, count: 1).first)
        #expect(call.hasPlatformChange && call.expectedDeparture == nil)
    }

    @Test func delayOfTheTripThatIsRefusedHasNoEffect() throws {
        #expect(try calls([.late(2, 60)], delay: -5400).map(\.basis) == [.timetable, .timetable, .stated])
    }
}

/// Which departures are called missing without any history of the source.
struct FarPredictionTests {
    @Test("A single prediction far ahead makes no other trip missing", arguments: [0, -7200])
    func predictionFarAheadMakesNoOtherTripMissing(delay: Int32) throws {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40", "07:00", "07:20", "20:00"])
        let realtime = try scene.realtime([.update(4, [.late(0, delay)], date: "2026-06-10")])
        #expect(scene.departures(2, realtime, count: 4).map(\.isMissingFromRealtime) == [false, false, false, false])
        #expect(scene.departures(2, realtime, count: 4).map(\.confidence) == [.medium, .medium, .medium, .medium])
    }
}
