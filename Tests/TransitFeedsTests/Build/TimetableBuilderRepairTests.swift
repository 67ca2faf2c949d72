import Testing
import TransitModel

@testable import TransitFeeds

@Suite struct TimetableBuilderRepairTests {
    @Test func scatteredRowsOfTripAreMerged() {
        var fixture = BuilderFixture()
        for id in ["a", "b"] { fixture.trip(id) }
        fixture.calls("a", (1, 1, 10, 10), (2, 2, 20, 21))
        fixture.calls("b", (1, 1, 30, 30), (2, 2, 40, 41))
        fixture.calls("a", (4, 4, 40, 40), (3, 3, 30, 30))
        fixture.calls("b", (3, 3, 50, 50))
        fixture.calls("a", (5, 5, 50, 50))
        let built = fixture.finish()
        let expanded = ExpandedTimetable(built.timetable)
        #expect(expanded.trips["a"]?.calls.map(\.stop) == [1, 2, 3, 4, 5])
        #expect(expanded.trips["a"]?.calls.map(\.departure) == [600, 1260, 1800, 2400, 3000])
        #expect(expanded.trips["b"]?.calls.map(\.arrival) == [1800, 2400, 3000])
        #expect(built.stopTimeCount == 8)
        #expect(built.problems.isEmpty)
        #expect(expanded.patternCount == 2)
    }

    @Test func mergedTripKeepsInexactAndInterpolatedTimes() {
        var fixture = BuilderFixture()
        for id in ["a", "b"] { fixture.trip(id) }
        fixture.row("a", 1, 1, 0, 0)
        fixture.row("a", 2, 2, nil, nil)
        fixture.row("a", 3, 3, 100, 100)
        fixture.calls("b", (1, 1, 30, 30), (2, 2, 40, 41))
        fixture.row("a", 4, 4, 50, 50)  // earlier than the previous stop, so it is ignored
        fixture.row("a", 5, 5, 200, 200)
        let built = fixture.finish()
        let calls = ExpandedTimetable(built.timetable).trips["a"]?.calls ?? []
        #expect(calls.map(\.departure) == [0, 50, 100, 150, 200])
        #expect(calls.map(\.isExact) == [true, false, true, false, true])
        #expect(built.problems.map(\.kind) == [.decreasingTime])
    }

    @Test func firstOfDuplicateSequencesIsUsed() {
        var fixture = BuilderFixture()
        fixture.trip("t")
        fixture.row("t", 1, 1, 0, 0, line: 2)
        fixture.row("t", 2, 2, 60, 60, line: 3)
        fixture.row("t", 9, 2, 70, 70, line: 4)
        fixture.row("t", 3, 3, 120, 120, line: 5)
        let built = fixture.finish()
        #expect(ExpandedTimetable(built.timetable).trips["t"]?.calls.map(\.stop) == [1, 2, 3])
        #expect(
            built.problems == [
                BuildProblem(kind: .duplicateSequence, trip: SourceTripNumber(0), line: 4)
            ])
        #expect(built.stopTimeCount == 3)
    }

    @Test func repeatedTripIsReportedRowByRow() {
        var fixture = BuilderFixture()
        for id in ["t", "other"] { fixture.trip(id) }
        fixture.calls("t", (1, 1, 10, 10), (2, 2, 20, 20))
        fixture.calls("other", (1, 1, 10, 10), (2, 2, 20, 20))
        fixture.calls("t", (1, 1, 10, 10), (2, 2, 20, 20))
        let built = fixture.finish()
        #expect(ExpandedTimetable(built.timetable).trips["t"]?.calls.count == 2)
        #expect(built.problems.map(\.kind) == [.duplicateSequence, .duplicateSequence])
    }

    @Test func tripsWithoutTwoUsableStopTimesAreSkipped() {
        var fixture = BuilderFixture()
        for id in ["none", "one", "noFirst", "noTime", "good"] { fixture.trip(id) }
        fixture.calls("one", (1, 1, 10, 10))
        fixture.calls("noFirst", (1, 1, nil, nil), (2, 2, 20, 20))
        fixture.calls("noTime", (1, 1, nil, nil), (2, 2, nil, nil))
        fixture.calls("good", (1, 1, 10, 10), (2, 2, 20, 20))
        let built = fixture.finish()
        #expect(ExpandedTimetable(built.timetable).trips.keys.sorted() == ["good"])
        #expect(
            built.problems.map(\.kind) == [
                .tooFewStopTimes, .tooFewStopTimes, .tooFewStopTimes, .missingEdgeTime, .missingEdgeTime,
                .missingEdgeTime, .noStopTimes,
            ])
        #expect(built.problems.map(\.trip.rawValue) == [1, 2, 3, 2, 3, 3, 0])
    }

    @Test func untimedCallsAtTripEndsAreDropped() {
        var fixture = BuilderFixture()
        fixture.trip("t")
        fixture.calls("t", (1, 1, nil, nil), (2, 2, 20, 20), (3, 3, nil, nil), (4, 4, 40, 40), (5, 5, nil, nil))
        let built = fixture.finish()
        let calls = ExpandedTimetable(built.timetable).trips["t"]?.calls ?? []
        #expect(calls.map(\.sequence) == [2, 3, 4])
        #expect(calls.map(\.departure) == [1200, 1800, 2400])
        #expect(built.problems.map(\.kind) == [.missingEdgeTime, .missingEdgeTime])
    }

    @Test func decreasingTimesAreIgnored() {
        var fixture = BuilderFixture()
        for id in ["back", "reverse", "wrapped"] { fixture.trip(id) }
        fixture.calls("back", (1, 1, 0, 0), (2, 2, 10, 20), (3, 3, 15, 15), (4, 4, 40, 40))
        fixture.calls("reverse", (1, 1, 0, 0), (2, 2, 20, 10), (3, 3, 30, 30))
        fixture.calls("wrapped", (1, 1, 1430, 1430), (2, 2, 185, 185))
        let built = fixture.finish()
        let expanded = ExpandedTimetable(built.timetable)
        #expect(expanded.trips["back"]?.calls.map(\.departure) == [0, 1200, 1800, 2400])
        #expect(expanded.trips["back"]?.calls.map(\.isExact) == [true, true, false, true])
        #expect(expanded.trips["reverse"]?.calls.map(\.departure) == [0, 900, 1800])
        #expect(expanded.trips["wrapped"] == nil)
        #expect(
            built.problems.map(\.kind) == [
                .decreasingTime, .decreasingTime, .departureBeforeArrival, .missingEdgeTime, .tooFewStopTimes,
            ])
    }

    /// A row: arrival and departure in minutes; `nil` if the source has none.
    typealias Row = (arrival: Int?, departure: Int?)

    struct Midnight: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var rows: [Row]
        /// The line of the first row with a time after midnight; `nil` if the trip ends on the day on which it begins.
        var line: UInt32?
        /// The arrivals and departures in minutes; empty if the trip is not usable.
        var expected: [[Int]]

        init(_ name: String, line: UInt32? = nil, _ rows: [Row], _ expected: [[Int]]) {
            (testDescription, self.line, self.rows, self.expected) = (name, line, rows, expected)
        }
    }

    static let midnights = [
        Midnight("between two calls", line: 3, [(1437, 1437), (49, 49)], [[1437, 1489], [1437, 1489]]),
        Midnight(
            "to the end of the trip", line: 4, [(1430, 1430), (1439, 1439), (5, 6), (20, 20)],
            [[1430, 1439, 1445, 1460], [1430, 1439, 1446, 1460]]),
        Midnight(
            "within a row", line: 3, [(1430, 1430), (1439, 2), (10, 10)], [[1430, 1439, 1450], [1430, 1442, 1450]]),
        Midnight(
            "over calls without times", line: 4, [(1430, 1430), (nil, nil), (10, 10)],
            [[1430, 1440, 1450], [1430, 1440, 1450]]),
        Midnight(
            "with one time a row", line: 3, [(nil, 1439), (1, nil), (nil, 3)],
            [[1439, 1441, 1443], [1439, 1441, 1443]]),
        Midnight("in the first row", line: 2, [(1439, 1), (9, 9)], [[1439, 1449], [1441, 1449]]),
        Midnight("three hours later", line: 3, [(1439, 1439), (179, 179)], [[1439, 1619], [1439, 1619]]),
        // Everything else is a typing error.
        Midnight("more than three hours later", [(1439, 1439), (180, 180)], []),
        Midnight("an hour back", [(600, 600), (540, 540), (660, 660)], [[600, 630, 660], [600, 630, 660]]),
        Midnight(
            "twice", [(1430, 1430), (5, 5), (1435, 1435), (10, 10)], [[1430, 1433, 1435], [1430, 1433, 1435]]),
        Midnight(
            "with another decrease", [(1430, 1430), (10, 10), (5, 5), (1450, 1450)],
            [[1430, 1437, 1443, 1450], [1430, 1437, 1443, 1450]]),
        Midnight(
            "for one call only", [(1430, 1430), (1, 1), (1445, 1445)], [[1430, 1438, 1445], [1430, 1438, 1445]]),
    ]

    @Test(arguments: midnights) func timesThatBeginAgainAtMidnightAreOnTheNextDay(_ midnight: Midnight) {
        var fixture = BuilderFixture()
        fixture.trip("t")
        for (position, row) in midnight.rows.enumerated() {
            fixture.row(
                "t", UInt32(position), UInt32(position), row.arrival.map { $0 * 60 }, row.departure.map { $0 * 60 },
                line: UInt32(position + 2))
        }
        let built = fixture.finish()
        let calls = ExpandedTimetable(built.timetable).trips["t"]?.calls ?? []
        let minutes = [calls.map(\.arrival), calls.map(\.departure)].map { $0.map { Int(($0 + 30) / 60) } }
        #expect(calls.isEmpty && midnight.expected.isEmpty || minutes == midnight.expected, "\(minutes)")
        // One finding for each trip, at the row with the first time after midnight.
        let found = built.problems.filter { $0.kind == .timesBeginAgainAtMidnight }
        #expect(found.map(\.line) == midnight.line.map { [$0] } ?? [])
    }

    @Test func singleTimeIsUsedForArrivalAndDeparture() {
        var fixture = BuilderFixture()
        fixture.trip("t")
        fixture.row("t", 1, 1, nil, 60, line: 2)
        fixture.row("t", 2, 2, 120, nil, line: 3)
        let built = fixture.finish()
        let calls = ExpandedTimetable(built.timetable).trips["t"]?.calls ?? []
        #expect(calls.map(\.arrival) == [60, 120])
        #expect(calls.map(\.departure) == [60, 120])
        #expect(calls.map(\.isExact) == [true, true])
        #expect(built.problems.map(\.kind) == [.onlyOneTime, .onlyOneTime])
    }

    @Test func excessStopTimesAreSkippedDuringReading() {
        var fixture = BuilderFixture()
        for id in ["t", "other"] { fixture.trip(id) }
        for number in 0..<100_000 {
            fixture.row("t", 1, UInt32(number), number * 10, number * 10, line: UInt32(number + 2))
            #expect(fixture.builder.stopTimes.count <= 10_000)
        }
        fixture.calls("other", (1, 1, 10, 10), (2, 2, 20, 20))
        let built = fixture.finish()
        #expect(built.stopTimeCount == 10_002)
        #expect(built.problems.map(\.kind) == Array(repeating: .tooManyStopTimes, count: 5))
        #expect(built.problems.map(\.line) == [10_002, 10_003, 10_004, 10_005, 10_006])
        #expect(built.count(.tooManyStopTimes) == 90_000)
    }

    @Test func stopTimeLimitAppliesToScatteredRows() {
        var fixture = BuilderFixture()
        for id in ["a", "b"] { fixture.trip(id) }
        for number in 0..<10_050 {
            for id in ["a", "b"] { fixture.row(id, 1, UInt32(number), number * 10, number * 10) }
        }
        let built = fixture.finish()
        #expect(built.stopTimeCount == 20_000)
        #expect(built.count(.tooManyStopTimes) == 100)
    }

    @Test func identicalRowsAreCountedButNotStored() {
        var fixture = BuilderFixture()
        for id in ["t", "other"] { fixture.trip(id) }
        fixture.calls("t", (1, 1, 10, 10), (2, 2, 20, 20))
        for _ in 0..<9_000 { fixture.row("t", 3, 3, 1800, 1800) }
        fixture.calls("other", (1, 1, 10, 10), (2, 2, 20, 20))
        #expect(fixture.builder.overflow.isEmpty)
        let built = fixture.finish()
        #expect(ExpandedTimetable(built.timetable).trips["t"]?.calls.map(\.stop) == [1, 2, 3])
        #expect(built.count(.duplicateSequence) == 8_999)
        #expect(built.problems.count == 5)
    }
}

@Suite struct TimeInterpolationTests {
    /// Stops on the equator, where all degrees of longitude have the same length.
    private static let coordinates = [0.1, 0.2, 0.4, 0.5, nil].map { longitude in
        longitude.flatMap { Coordinate(latitude: 0, longitude: $0) }
    }

    private func departures(_ rows: [(stop: UInt32, time: Int?, distance: Float?)]) -> [Int32] {
        var fixture = BuilderFixture(coordinates: Self.coordinates)
        fixture.trip("t")
        for (position, row) in rows.enumerated() {
            fixture.row("t", row.stop, UInt32(position), row.time, row.time, distance: row.distance)
        }
        return ExpandedTimetable(fixture.finish().timetable).trips["t"]?.calls.map(\.departure) ?? []
    }

    @Test func timesAreInterpolatedByPosition() {
        #expect(departures([(0, 0, nil), (1, nil, nil), (2, nil, nil), (3, 400, nil)]) == [0, 100, 300, 400])
    }

    @Test func timesAreInterpolatedByShapeDistance() {
        #expect(departures([(0, 0, 0), (1, nil, 5), (2, nil, 7.5), (3, 400, 10)]) == [0, 200, 300, 400])
    }

    @Test func missingFirstDistanceIsZero() {
        #expect(departures([(0, 0, nil), (1, nil, 5), (2, nil, 7.5), (3, 400, 10)]) == [0, 200, 300, 400])
    }

    @Test func incompleteOrDecreasingDistancesAreIgnored() {
        #expect(departures([(0, 0, 0), (1, nil, nil), (2, nil, 7.5), (3, 400, 10)]) == [0, 100, 300, 400])
        #expect(departures([(0, 0, 0), (1, nil, 8), (2, nil, 7.5), (3, 400, 10)]) == [0, 100, 300, 400])
        #expect(departures([(0, 0, 3), (1, nil, 3), (2, nil, 3), (3, 400, 3)]) == [0, 100, 300, 400])
    }

    @Test func timesAreInterpolatedEvenlyWithoutPositions() {
        #expect(departures([(0, 0, nil), (4, nil, nil), (3, nil, nil), (3, 300, nil)]) == [0, 100, 200, 300])
        #expect(departures([(0, 0, nil), (0, nil, nil), (0, 300, nil)]) == [0, 150, 300])
    }

    @Test func gapsAreInterpolatedSeparately() {
        #expect(
            departures([(0, 0, nil), (1, nil, nil), (2, 900, nil), (3, nil, nil), (2, 1000, nil)])
                == [0, 300, 900, 950, 1000])
    }

    @Test func interpolationRunsFromDepartureToArrival() {
        var fixture = BuilderFixture(coordinates: Self.coordinates)
        fixture.trip("t")
        fixture.row("t", 0, 1, 0, 100)
        fixture.row("t", 1, 2, nil, nil)
        fixture.row("t", 2, 3, 400, 500)
        let calls = ExpandedTimetable(fixture.finish().timetable).trips["t"]?.calls ?? []
        #expect(calls.map(\.arrival) == [0, 200, 400])
        #expect(calls.map(\.departure) == [100, 200, 500])
        #expect(calls.map(\.isExact) == [true, false, true])
    }
}

@Suite struct ScatteredStopTimesTests {
    /// Rows in random order that fill several chunks. The rows read from the file must equal the rows read from memory.
    @Test func rowsInFileAreReadBack() throws {
        var overflows = [ScatteredStopTimes(), ScatteredStopTimes(folder: "/tmp")]
        let trips: UInt32 = 300
        for row in 0..<700_000 as Range<UInt32> {
            // 7919 is a prime number, so that the order of the trips varies.
            let trip = SourceTripNumber(row &* 7919 % trips)
            let time = StopTime(
                stop: StopIndex(row % 90_000), sequence: row, arrival: ServiceTime(seconds: Int32(row % 100_000)),
                departure: ServiceTime(seconds: Int32(row % 100_000 + 60)), distance: Float(row),
                headsign: TextIndex(row % 70_000), line: row + 2)
            for number in overflows.indices { overflows[number].append([time], of: trip) }
        }
        #expect(!overflows[0].usesFile)
        #expect(overflows[1].usesFile)
        var count = 0
        for trip in 0..<trips {
            var runs: [[StopTime]] = [[], []]
            for number in overflows.indices { overflows[number].collect(trip, into: &runs[number]) }
            #expect(runs[0].map(\.line) == runs[1].map(\.line))
            #expect(runs[0].map(\.distance) == runs[1].map(\.distance))
            #expect(runs[0].map(\.departure) == runs[1].map(\.departure))
            count += runs[1].count
        }
        #expect(count == 700_000)
        #expect(!overflows[1].isBroken)
    }

    @Test func rowsStayInMemoryWithoutUsableFolder() {
        var overflow = ScatteredStopTimes(folder: "/nowhere")
        let time = StopTime(
            stop: StopIndex(UInt32.max), sequence: .max, arrival: ServiceTime(seconds: -1), departure: nil, line: .max)
        for _ in 0..<500_000 { overflow.append([time], of: SourceTripNumber(0)) }
        var run: [StopTime] = []
        overflow.collect(0, into: &run)
        #expect(run.count == 500_000)
        #expect(!overflow.usesFile)
    }
}
