import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// How updates of some calls tell of the others (GTFS-Realtime, *StopTimeUpdate*).
struct PropagationTests {
    var scene: LiveScene

    init() throws {
        scene = LiveScene(try systemZone("Europe/Berlin"))
        // Twenty calls, five minutes apart, numbered from 0; the specification's example counts from 1.
        scene.timetable.add((0..<20).map { ($0, $0 * 300) }, starts: ["06:00"])
    }

    func delays(_ updates: [StopTimeUpdate], delay: Int32? = nil) throws -> [Int?] {
        try scene.delays(scene.live([.update(0, updates, delay: delay)]), trip: 0)
    }

    @Test("Example 2 of the specification")
    func example() throws {
        let delays = try delays([.late(3, 300), .late(8, 60), .said(10, .noData)])
        #expect(delays == [nil, nil, nil] + [300, 300, 300, 300, 300] + [60, 60] + Array(repeating: nil, count: 10))
    }

    @Test("The order of the updates does not matter")
    func disorder() throws {
        #expect(
            try delays([.said(10, .noData), .late(8, 60), .late(3, 300)])
                == delays([.late(3, 300), .late(8, 60), .said(10, .noData)]))
    }

    @Test("A skipped call does not end a delay, and has none itself")
    func skipped() throws {
        let delays = try delays([.late(3, 120), .said(5, .skipped)])
        #expect(delays[3...7] == [120, 120, nil, 120, 120])
    }

    @Test("The trip's own delay holds until a call states another")
    func tripDelay() throws {
        let delays = try delays([.late(8, 60)], delay: 240)
        #expect(delays[...9] == [240, 240, 240, 240, 240, 240, 240, 240, 60, 60])
        #expect(try self.delays([], delay: -30).allSatisfy { $0 == -30 })
    }

    @Test("Where a time and a delay are given, the time counts; 0 is no time")
    func timeFirst() throws {
        // The call with sequence 4 is at 06:20.
        let both = StopTimeEvent(time: instant("2026-06-10T06:21:30+02:00"), delay: 999)
        // What is carried on is the delay, as it is told.
        #expect(try delays([StopTimeUpdate(sequence: 4, departure: both)])[4...5] == [90, 999])
        let zero = StopTimeEvent(time: Instant(secondsSince1970: 0), delay: 45)
        #expect(try delays([StopTimeUpdate(sequence: 4, departure: zero)])[4] == 45)
    }

    @Test("With one of arrival and departure, the other is as late")
    func fallback() throws {
        let early = StopTimeUpdate(sequence: 4, arrival: StopTimeEvent(delay: 70))
        let late = StopTimeUpdate(sequence: 6, departure: StopTimeEvent(delay: 80, uncertainty: 20))
        let live = try scene.live([.update(0, [early, late])])
        let dataset = try #require(live.tripUpdates)
        let calls = Array(dataset.calls(of: dataset.runs[0]))
        #expect(calls[4].departure == 4 * 300 + 70)
        #expect(calls[6].arrival == 6 * 300 + 80)
        #expect(calls[6].uncertainty == 20)
        #expect(calls[7].uncertainty == 20)
        #expect(calls[7].basis == .propagated && calls[7].origin == 6)
    }

    @Test("Nothing departs before it arrives, or before the call before")
    func order() throws {
        let reversed = StopTimeUpdate(
            sequence: 2, arrival: StopTimeEvent(delay: 100), departure: StopTimeEvent(delay: 20))
        let live = try scene.live([.update(0, [reversed, .late(5, 900), .late(6, 0)])])
        let dataset = try #require(live.tripUpdates)
        let calls = Array(dataset.calls(of: dataset.runs[0]))
        #expect(calls[2].departure == 700)
        #expect(calls[5].departure == 2400)
        #expect(calls[6].arrival == 2400)
        #expect(calls[9].departure == 2700)
    }

    @Test("A time a week away is not believed, nor is one at the end of numbers")
    func impossible() throws {
        let far = StopTimeEvent(time: Instant(secondsSince1970: .max))
        let live = try scene.live([
            .update(0, [StopTimeUpdate(sequence: 1, departure: far), .late(2, .max), .late(3, .min), .late(4, 5)])
        ])
        #expect(live.tripUpdates?.tally.impossibleTimes == 5)
        #expect(try scene.delays(live, trip: 0).prefix(6) == [nil, nil, nil, nil, 5, 5])
    }

    @Test("An update without any event says nothing and ends nothing")
    func empty() throws {
        #expect(try delays([.late(3, 60), .said(4, .scheduled)])[3...5] == [60, 60, 60])
    }
}
