import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests which call an update refers to, by its sequence and its stop.
struct StopMatchTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        // Stops 11 and 12 are platforms of station 10. Stop 2 is visited twice by the second pattern.
        scene.parents = [11: 10, 12: 10]
        scene.timetable.add([(1, 0), (11, 600), (3, 1200)], starts: ["06:20"])
        scene.timetable.add([(1, 0), (2, 600), (4, 900), (2, 1200), (5, 1500)], starts: ["06:20"])
    }

    func delays(_ trip: Int, _ updates: StopTimeUpdate...) throws -> [Int?] {
        try scene.delays(scene.realtime([.update(trip, updates)]), trip: trip)
    }

    func late(_ sequence: UInt32?, _ stop: String?, _ delay: Int32) -> StopTimeUpdate {
        StopTimeUpdate(
            sequence: sequence, stopID: stop.map { StopID($0) }, departure: StopTimeEvent(delay: delay))
    }

    @Test("A call is matched by its sequence, then by its stop")
    func callIsMatchedBySequenceThenByStop() throws {
        #expect(try delays(0, late(1, nil, 60)) == [nil, 60, 60])
        #expect(try delays(0, late(nil, "s11", 60)) == [nil, 60, 60])
        #expect(try delays(0, late(77, "s11", 60)) == [nil, 60, 60])
        // The sequence and the stop refer to different calls, so the stop is used.
        #expect(try delays(0, late(0, "s3", 60)) == [nil, nil, 60])
        // An unknown stop does not contradict the sequence.
        #expect(try delays(0, late(1, "unknown", 60)) == [nil, 60, 60])
        #expect(try delays(0, late(77, "s5", 60)) == [nil, nil, nil])
        #expect(try scene.realtime([.update(0, [late(77, "s5", 60)])]).tripUpdates?.statistics.unmatchedStops == 1)
    }

    @Test("A stop that is visited twice requires a sequence")
    func stopVisitedTwiceRequiresSequence() throws {
        #expect(try delays(1, late(0, "s1", 30), late(nil, "s2", 60), late(nil, "s4", 90)) == [30, nil, 90, nil, nil])
        #expect(try delays(1, late(0, "s1", 30), late(3, "s2", 60)) == [30, 30, 30, 60, 60])
        #expect(try scene.realtime([.update(1, [late(nil, "s2", 60)])]).tripUpdates?.statistics.ambiguousStops == 1)
    }

    @Test("A stop that is named twice without a sequence has no prediction")
    func repeatedStopWithoutSequenceHasNoPrediction() throws {
        #expect(try delays(0, late(nil, "s1", 30), late(nil, "s11", 60), late(nil, "s11", 90)) == [30, nil, nil])
    }

    @Test("Another platform of the station is a platform change, by stop_id or assigned_stop_id")
    func otherPlatformOfStationIsPlatformChange() throws {
        for update in [
            late(1, "s12", 60), late(nil, "s12", 60),
            StopTimeUpdate(sequence: 1, departure: StopTimeEvent(delay: 60), assignedStopID: "s12"),
            StopTimeUpdate(
                sequence: 1, stopID: "s12", departure: StopTimeEvent(delay: 60), assignedStopID: "s12"),
        ] {
            let realtime = try scene.realtime([.update(0, [update])])
            let calls = scene.departures(11, realtime, count: 1)
            #expect(calls.map(\.stop) == [StopIndex(12)])
            #expect(calls.map(\.hasPlatformChange) == [true])
            #expect(calls.map(\.delay) == [60])
            // The board of the other platform lists the trip as well.
            #expect(scene.board(12, realtime) == ["06:30>06:31 scheduled live high"])
        }
        let same = try scene.realtime([.update(0, [late(1, "s11", 60)])])
        #expect(scene.departures(11, same, count: 1).map(\.hasPlatformChange) == [false])
        #expect(scene.board(12, same) == [])
    }
}
