import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitQueries

/// One feed for each rule that decides whether a journey is possible, besides the rules of transfers.txt
/// (`TransferRuleTests`). The time is Friday, March 27, 2026, at 07:30 in Berlin, unless a test says otherwise.
@Suite struct JourneyRuleTests {
    private func fixture(_ lines: String..., transfers: String = "") throws -> QueryFixture {
        try QueryFixture(.lines(lines, transfers: transfers))
    }

    /// Returns the first journeys as `a1 08:00 > b1 08:13`.
    private func journeys(
        _ fixture: QueryFixture, _ from: String, _ to: String, at: String? = nil, isArrival: Bool = false,
        count: Int = 1
    ) throws -> [String] {
        let query = try JourneysQuery(
            from: "city:\(from)", to: "city:\(to)", at: at, isArrival: isArrival, fixture.context)
        return try lines(query.result(count: count, fixture.context).journeys, fixture)
    }

    private func lines(_ journeys: [Journey], _ fixture: QueryFixture) throws -> [String] {
        try journeys.map { try $0.legs.map { try fixture.line($0.departure) }.joined(separator: " > ") }
    }

    private func delayed(_ trip: TripID, at stop: StopID, by seconds: Int32) -> TripUpdate {
        let event = StopTimeEvent(delay: seconds)
        return TripUpdate(
            id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip),
            updates: [StopTimeUpdate(stopID: stop, arrival: event, departure: event)])
    }

    // MARK: Changes

    /// The change needs exactly five minutes.
    @Test(arguments: [("08:15", "b1 08:15"), ("08:14", "b2 09:00")]) func changeMissedByAMinuteLeadsToTheNextVehicle(
        departure: String, next: String
    ) throws {
        let fixture = try fixture(
            "A a1: a 08:00, x1 08:10", "B b1: x2 \(departure), b 08:40", "B b2: x2 09:00, b 09:25",
            transfers: "x1,x2,,,,,2,300")
        #expect(try journeys(fixture, "a", "b") == ["a1 08:00 > \(next)"])
    }

    /// Bus A is ten minutes late, so that its change breaks; when bus B is late as well, the change holds again.
    @Test func realtimeDataBreaksAndMendsAChange() throws {
        let fixture = try fixture(
            "A a1: a 08:00, x1 08:10", "B b1: x2 08:15, b 08:40", "B b2: x2 09:00, b 09:25")
        #expect(try journeys(fixture, "a", "b") == ["a1 08:00 > b1 08:15"])
        let late = delayed("a1", at: "x1", by: 600)
        try fixture.receive([late], of: "city")
        #expect(try journeys(fixture, "a", "b") == ["a1 08:00 > b2 09:00"])
        try fixture.receive([late, delayed("b1", at: "x2", by: 600)], of: "city")
        #expect(try journeys(fixture, "a", "b") == ["a1 08:00 > b1 08:25"])
    }

    /// Two lines cross at a station and wait for each other, in both directions, as BART's do at its timed transfers. The
    /// trains arrive and leave in the same minute.
    @Test func timedTransfersHoldInBothDirections() throws {
        let fixture = try fixture(
            "R r1: a 08:00, x1 08:10, b 08:20", "Y y1: c 08:00, x2 08:10, d 08:20",
            transfers: "x1,x2,,,,,1,\nx2,x1,,,,,1,")
        #expect(try journeys(fixture, "a", "d") == ["r1 08:00 > y1 08:10"])
        #expect(try journeys(fixture, "c", "b") == ["y1 08:00 > r1 08:10"])
        // Without the rule, the walk of 100 m takes longer, and riders wait for the next day.
        let other = try self.fixture("R r1: a 08:00, x1 08:10, b 08:20", "Y y1: c 08:00, x2 08:10, d 08:20")
        let found = try JourneysQuery(from: "city:a", to: "city:d", other.context).result(count: 1, other.context)
        #expect(found.journeys.first?.legs.last?.departure.call.serviceDate == ServiceDate(iso8601: "2026-03-28"))
    }

    @Test func timedTransferThatIsOfferedInOneDirectionHoldsOnlyThere() throws {
        let fixture = try fixture(
            "R r1: a 08:00, x1 08:10, b 08:20", "Y y1: c 08:00, x2 08:10, d 08:20", "R r2: x1 08:40, b 08:50",
            "Y y2: x2 08:40, d 08:50", transfers: "x1,x2,R,Y,,,1,")
        #expect(try journeys(fixture, "a", "d") == ["r1 08:00 > y1 08:10"])
        #expect(try journeys(fixture, "c", "b") == ["y1 08:00 > r2 08:40"])
    }

    // MARK: Staying on board

    /// Trip a1 continues as b1 and as c1: the train is divided (GTFS reference, transfers.txt, linked trips).
    @Test func ridersStayInBothPartsOfATrainThatIsDivided() throws {
        let fixture = try fixture(
            "A a1: a 08:00, x 08:10", "B b1: x 08:10, b 08:20", "C c1: x 08:10, c 08:20",
            transfers: "x,x,,,,,3,\n,,,,a1,b1,4,\n,,,,a1,c1,4,")
        #expect(try journeys(fixture, "a", "b") == ["a1 08:00 > b1 08:10"])
        #expect(try journeys(fixture, "a", "c") == ["a1 08:00 > c1 08:10"])
    }

    /// Trips a1 and b1 continue as c1: two trains are joined.
    @Test func ridersOfBothTrainsThatAreJoinedStay() throws {
        let fixture = try fixture(
            "A a1: a 08:00, x 08:10", "B b1: b 08:00, x 08:10", "C c1: x 08:10, c 08:20",
            transfers: "x,x,,,,,3,\n,,,,a1,c1,4,\n,,,,b1,c1,4,")
        #expect(try journeys(fixture, "a", "c") == ["a1 08:00 > c1 08:10"])
        #expect(try journeys(fixture, "b", "c") == ["b1 08:00 > c1 08:10"])
    }

    @Test func vehicleOfABlockContinuesAfterItsLastStop() throws {
        let fixture = try fixture(
            "A a1 [v]: a 08:00, x 08:10", "B b1 [v]: x 08:10, b 08:20", transfers: "x,x,,,,,3,")
        let result = try JourneysQuery(from: "city:a", to: "city:b", fixture.context)
            .result(count: 1, fixture.context)
        let journey = try #require(result.journeys.first)
        #expect(journey.changes == 0 && journey.legs[1].isContinuation && journey.legs[1].change == nil)
    }

    // MARK: Boarding and alighting

    @Test func ridersDoNotBoardWhereBoardingIsNotPossible() throws {
        let fixture = try fixture(
            "A a1: a 08:00, x 08:10 no-pickup, b 08:20", "A a2: a 09:00, x 09:10, b 09:20")
        #expect(try journeys(fixture, "x", "b") == ["a2 09:10"])
        #expect(try journeys(fixture, "a", "x") == ["a1 08:00"])
    }

    @Test func ridersDoNotAlightWhereAlightingIsNotPossible() throws {
        let fixture = try fixture(
            "A a1: a 08:00, x 08:10 no-drop-off, b 08:20", "A a2: a 09:00, x 09:10, b 09:20",
            "B b1: x 08:15, c 08:25", "B b2: x 09:15, c 09:25")
        #expect(try journeys(fixture, "a", "x") == ["a2 09:00"])
        #expect(try journeys(fixture, "a", "c") == ["a2 09:00 > b2 09:15"])
        #expect(try journeys(fixture, "x", "b") == ["a1 08:10"])
    }

    // MARK: Loops

    /// The vehicle calls at `x` twice. Riders board at the second visit and alight at the first.
    @Test func patternThatVisitsAStopTwiceIsUsedAtTheBetterVisit() throws {
        let fixture = try fixture("A a1: a 08:00, x 08:10, y 08:20, x 08:30, b 08:40", "B b1: x 08:12, c 08:22")
        #expect(try journeys(fixture, "x", "b") == ["a1 08:30"])
        #expect(try journeys(fixture, "a", "c") == ["a1 08:00 > b1 08:12"])
        let result = try JourneysQuery(from: "city:a", to: "city:x", fixture.context)
            .result(count: 1, fixture.context)
        #expect(result.journeys.first?.arrival == Instant(rfc3339: "2026-03-27T08:10:00+01:00"))
    }

    @Test func ridersDoNotChangeIntoTheVehicleThatTheyLeft() throws {
        let fixture = try fixture("A a1: a 08:00, x 08:10, y 08:20, x 08:30, b 08:40")
        let result = try JourneysQuery(from: "city:a", to: "city:b", fixture.context)
            .result(count: 1, fixture.context)
        #expect(result.journeys.first?.legs.count == 1)
    }

    // MARK: Times

    @Test(arguments: [
        ("08:20", "a1 08:00 > b1 08:13"), ("08:29", "a1 08:00 > b1 08:13"), ("08:45", "a2 08:20 > b2 08:33"),
    ])
    func lastJourneyThatArrivesByATimeIsFound(time: String, found: String) throws {
        let fixture = try fixture(
            "A a1: a 08:00, x1 08:10", "A a2: a 08:20, x1 08:30", "B b1: x2 08:13, b 08:20", "B b2: x2 08:33, b 08:40")
        #expect(try journeys(fixture, "a", "b", at: time, isArrival: true) == [found])
        #expect(try journeys(fixture, "a", "b", at: "08:19", isArrival: true).isEmpty)
    }

    /// Trips after midnight belong to the service day before, whose times count from noon minus twelve hours. On March 29 the
    /// clocks skip the hour from 02:00, so that the trip of 26:30 leaves at 03:30. On October 25 they repeat it, and the trip
    /// leaves when the clocks show 02:30 for the first time.
    @Test(arguments: [
        ("2026-03-28T20:00:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-29T03:50:00+02:00"),
        ("2026-10-24T20:00:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T02:50:00+02:00"),
        ("2026-06-10T20:00:00+02:00", "2026-06-11T02:30:00+02:00", "2026-06-11T02:50:00+02:00"),
    ])
    func lastTrainOfANightIsFoundAtBothClockChanges(now: String, leave: String, arrival: String) throws {
        let fixture = try fixture(
            "A a1: a 23:00, x1 23:10", "B b1: x2 23:20, b 23:30", "A a2: a 26:30, x1 26:38", "B b2: x2 26:42, b 26:50")
        fixture.now = try #require(Instant(rfc3339: now))
        let result = try JourneysQuery(from: "city:a", to: "city:b", fixture.context)
            .lastOfDay(count: 2, fixture.context)
        let last = try #require(result.journeys.last)
        #expect(result.journeys.count == 2)
        #expect(last.leaveBy == Instant(rfc3339: leave))
        #expect(last.arrival == Instant(rfc3339: arrival))
        #expect(last.legs[1].change?.inHand == 240 - (last.legs[1].change?.seconds ?? 0))
    }
}
