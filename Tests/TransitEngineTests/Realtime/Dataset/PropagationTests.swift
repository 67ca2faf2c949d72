import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests how updates for some calls affect the other calls (GTFS-Realtime, *StopTimeUpdate*).
struct PropagationTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        // Twenty calls, five minutes apart, numbered from 0; the specification's example counts from 1.
        scene.timetable.add((0..<20).map { ($0, $0 * 300) }, starts: ["06:00"])
    }

    func delays(_ updates: [StopTimeUpdate], delay: Int32? = nil) throws -> [Int?] {
        try scene.delays(scene.realtime([.update(0, updates, delay: delay)]), trip: 0)
    }

    @Test("Delays propagate as in example 2 of the specification")
    func delaysPropagateAsInSpecification() throws {
        let delays = try delays([.late(3, 300), .late(8, 60), .said(10, .noData)])
        #expect(delays == [nil, nil, nil] + [300, 300, 300, 300, 300] + [60, 60] + Array(repeating: nil, count: 10))
    }

    @Test("The order of the updates does not matter")
    func orderOfUpdatesDoesNotMatter() throws {
        #expect(
            try delays([.said(10, .noData), .late(8, 60), .late(3, 300)])
                == delays([.late(3, 300), .late(8, 60), .said(10, .noData)]))
    }

    @Test("A skipped call has no delay and does not end propagation")
    func skippedCallDoesNotEndPropagation() throws {
        let delays = try delays([.late(3, 120), .said(5, .skipped)])
        #expect(delays[3...7] == [120, 120, nil, 120, 120])
    }

    @Test("The delay of the trip applies until a call states another delay")
    func tripDelayAppliesUntilStatedCall() throws {
        let delays = try delays([.late(8, 60)], delay: 240)
        #expect(delays[...9] == [240, 240, 240, 240, 240, 240, 240, 240, 60, 60])
        #expect(try self.delays([], delay: -30).allSatisfy { $0 == -30 })
    }

    @Test("A stated time wins over a stated delay, unless it is 0")
    func statedTimeWinsOverDelay() throws {
        // The call with sequence 4 is at 06:20.
        let both = StopTimeEvent(time: instant("2026-06-10T06:21:30+02:00"), delay: 999)
        // The stated delay is propagated.
        #expect(try delays([StopTimeUpdate(sequence: 4, departure: both)])[4...5] == [90, 999])
        let zero = StopTimeEvent(time: Instant(secondsSince1970: 0), delay: 45)
        #expect(try delays([StopTimeUpdate(sequence: 4, departure: zero)])[4] == 45)
    }

    @Test("The delay of the only stated event applies to the arrival and the departure")
    func singleEventAppliesToArrivalAndDeparture() throws {
        let early = StopTimeUpdate(sequence: 4, arrival: StopTimeEvent(delay: 70))
        let late = StopTimeUpdate(sequence: 6, departure: StopTimeEvent(delay: 80, uncertainty: 20))
        let realtime = try scene.realtime([.update(0, [early, late])])
        let dataset = try #require(realtime.tripUpdates)
        let calls = Array(dataset.calls(of: dataset.trips[0]))
        #expect(calls[4].departure == 4 * 300 + 70)
        #expect(calls[6].arrival == 6 * 300 + 80)
        #expect(calls[6].uncertainty == 20)
        #expect(calls[7].uncertainty == 20)
        #expect(calls[7].basis == .propagated && calls[7].statingCall == 6)
    }

    private func calls(_ updates: [StopTimeUpdate]) throws -> [RealtimeCall] {
        let dataset = try scene.dataset([.update(0, updates)])
        return Array(dataset.calls(of: dataset.trips[0]))
    }

    @Test("Stated times do not change, and contradictory times are marked")
    func contradictingStatedTimesAreMarked() throws {
        let reversed = StopTimeUpdate(
            sequence: 2, arrival: StopTimeEvent(delay: 100), departure: StopTimeEvent(delay: 20))
        let calls = try calls([reversed, .late(5, 900), .late(6, 0)])
        #expect((calls[2].arrival, calls[2].departure) == (700, 620))
        #expect(calls[5].departure == 2400)
        #expect(calls[6].arrival == 1800)
        #expect(calls[9].departure == 2700)
        #expect(calls.indices.filter { calls[$0].isContradicted } == [2, 5, 6])
    }

    @Test("Propagated times yield to the next stated call")
    func propagatedTimesYieldToNextStatedCall() throws {
        // The trip is 400 s late at the call scheduled after 10 minutes and on time at the call after 20 minutes. At
        // the call after 15 minutes, the trip is no later than the on-time departure.
        let calls = try calls([.late(2, 400), .late(4, 0)])
        #expect(calls.map(\.departure)[2...5] == [1000, 1200, 1200, 1500])
        #expect(calls[4].arrival == 1200 && calls[4].basis == .stated)
        #expect(calls[3].basis == .propagated)
        #expect(calls.allSatisfy { !$0.isContradicted })
    }

    @Test("The event that is not stated yields to the stated times")
    func derivedEventYieldsToStatedTimes() throws {
        var scene = scene
        scene.timetable = SmallTimetable()
        // The trip dwells for four minutes at its second stop.
        scene.timetable.add([(0, 0), (1, 300), (2, 600)], starts: ["06:00"], dwells: [1: 240])
        func calls(_ updates: [StopTimeUpdate]) throws -> [RealtimeCall] {
            let dataset = try scene.dataset([.update(0, updates)])
            return Array(dataset.calls(of: dataset.trips[0]))
        }
        // The vehicle arrives late and leaves before it arrives at the next stop.
        let arrival = StopTimeUpdate(sequence: 1, arrival: StopTimeEvent(delay: 200))
        let late = try calls([arrival, .late(2, 0)])
        #expect((late[1].arrival, late[1].departure) == (500, 600))
        // The vehicle leaves early and does not arrive before it has left the first stop.
        let departure = StopTimeUpdate(sequence: 1, departure: StopTimeEvent(delay: -100))
        let early = try calls([.late(0, 250), departure])
        #expect((early[1].arrival, early[1].departure) == (250, 440))
        #expect((late + early).allSatisfy { !$0.isContradicted })
    }

    @Test("Contradictory times have low confidence and are explained")
    func contradictingTimesHaveLowConfidence() throws {
        // The times in between depend on both stated calls.
        let realtime = try scene.realtime([.update(0, [.late(4, 900), .late(6, 0)])])
        for (stop, time) in [(4, "06:20>06:35"), (5, "06:25>06:30"), (6, "06:30>06:30")] {
            #expect(scene.board(stop, realtime, count: 1) == ["\(time) scheduled live low"])
            let call = try #require(scene.departures(stop, realtime, count: 1).first)
            let facts = realtime.explain(call, now: scene.now).facts
            #expect(facts.contains(.contradicted))
            #expect(facts.last == .confidence(.low, .contradicted))
        }
        #expect(scene.board(7, realtime, count: 1) == ["06:35>06:35 scheduled live medium"])
    }

    @Test("The calls of an added trip keep their stated times")
    func addedTripKeepsStatedTimes() throws {
        let realtime = try scene.realtime([
            .update(
                9,
                [
                    .at(stop: "s1", "2026-06-10T06:20:00+02:00"), .at(stop: "s2", "2026-06-10T06:15:00+02:00"),
                    .at(stop: "s3", "2026-06-10T06:30:00+02:00"),
                ], relationship: .added)
        ])
        #expect(scene.board(1, realtime).contains("->06:20 added live low"))
        #expect(scene.board(2, realtime).contains("->06:15 added live low"))
    }

    @Test("Times a week away and at the limits of their type are rejected")
    func implausibleTimesAreRejected() throws {
        let far = StopTimeEvent(time: Instant(secondsSince1970: .max))
        let realtime = try scene.realtime([
            .update(0, [StopTimeUpdate(sequence: 1, departure: far), .late(2, .max), .late(3, .min), .late(4, 5)])
        ])
        #expect(realtime.tripUpdates?.statistics.impossibleTimes == 5)
        #expect(try scene.delays(realtime, trip: 0).prefix(6) == [nil, nil, nil, nil, 5, 5])
    }

    @Test("An update without events has no effect")
    func updateWithoutEventsHasNoEffect() throws {
        #expect(try delays([.late(3, 60), .said(4, .scheduled)])[3...5] == [60, 60, 60])
    }
}
