import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// The journey from Alder to Zinnia in ``FeedBuilder/valley`` with train T at 08:00 and bus 1 at 08:25 from Cedar, on Friday,
/// March 27, 2026.
@Suite struct PinnedJourneyTests {
    private let fixture: QueryFixture

    init() throws { fixture = try QueryFixture([("valley", .valley, nil)]) }

    private func time(_ clock: String) -> Instant { Instant(rfc3339: "2026-03-27T\(clock):00+01:00")! }

    private func result(at clock: String, boarded: Set<DepartureKey> = []) throws -> PinnedJourney {
        fixture.now = time(clock)
        return try PinnedJourneyQuery(.valley(), fixture.context).result(boarded: boarded, fixture.context)
    }

    /// Applies a message. Each update is a trip with its delay in seconds at a stop and after it.
    private func receive(at clock: String, _ updates: [(trip: TripID, stop: StopID, delay: Int32)]) throws {
        fixture.now = time(clock)
        try fixture.receive(
            updates.map { update in
                TripUpdate(
                    id: EntityID(update.trip.rawValue), trip: TripDescriptor(tripID: update.trip),
                    updates: [
                        StopTimeUpdate(
                            stopID: update.stop, arrival: StopTimeEvent(delay: update.delay, uncertainty: 0),
                            departure: StopTimeEvent(delay: update.delay, uncertainty: 0))
                    ], timestamp: fixture.now)
            }, of: "valley")
    }

    private func cancel(_ trip: TripID, at clock: String) throws {
        fixture.now = time(clock)
        let update = TripUpdate(
            id: "1", trip: TripDescriptor(tripID: trip, relationship: .canceled), timestamp: fixture.now)
        try fixture.receive([update], of: "valley")
    }

    /// Returns the rides of a way as `t0 08:00 > n25 08:25 > 08:40`.
    private func line(_ journey: Journey) throws -> String {
        let legs = try journey.legs.map { try fixture.line($0.departure) }
        return (legs + [String(fixture.context.zone.rfc3339(journey.arrival).dropFirst(11).prefix(5))])
            .joined(separator: " > ")
    }

    @Test func stageFollowsTheClock() throws {
        #expect(try line(result(at: "07:30").journey) == "t0 08:00 > n25 08:25 > 08:40")
        let stages = try ["07:59", "08:05", "08:22", "08:30", "08:41"].map { try result(at: $0).stage }
        #expect(stages == [.beforeDeparture, .riding(0), .changing(1), .riding(1), .arrived])
        #expect(try result(at: "08:05").problem == nil)
    }

    /// The train is eleven minutes late from Cedar on, and bus 2 can be reached from Birch.
    @Test func missedChangeIsReplacedByGettingOffEarlier() throws {
        try receive(at: "08:05", [("t0", "c", 660), ("n25", "c", 0)])
        let result = try result(at: "08:05")
        #expect(result.problem == .missed(1))
        let replacement = try #require(result.replacement)
        #expect(replacement.kind == .earlierStop && replacement.keptLegs == 0 && replacement.firstNewLeg == 1)
        #expect(try line(replacement.journey) == "t0 08:00 > m15 08:15 > 08:45")
        #expect(replacement.journey.legs[0].arrival.arrival == time("08:10"))
    }

    /// After Birch, the ride to Dogwood with bus 3 arrives before the next bus 1.
    @Test func missedChangeIsReplacedByStayingLonger() throws {
        try receive(at: "08:12", [("t0", "c", 360), ("n25", "c", -60), ("k40", "d", 180)])
        let result = try result(at: "08:12")
        #expect(result.problem == .missed(1))
        let replacement = try #require(result.replacement)
        #expect(replacement.kind == .laterStop)
        #expect(try line(replacement.journey) == "t0 08:00 > k40 08:43 > 08:53")
    }

    @Test func missedChangeIsReplacedByTheNextVehicle() throws {
        try receive(at: "08:12", [("t0", "c", 660), ("n25", "c", 0)])
        let result = try result(at: "08:12")
        let replacement = try #require(result.replacement)
        #expect(replacement.kind == .laterConnection && replacement.firstNewLeg == 1)
        #expect(try line(replacement.journey) == "t0 08:00 > n55 08:55 > 09:10")
    }

    /// At the stop of the change, the vehicle is known to have left.
    @Test func canceledConnectionIsReplacedFromTheStop() throws {
        try cancel("n25", at: "08:22")
        let result = try result(at: "08:22")
        #expect(result.stage == .changing(1) && result.problem == .notRunning(1))
        let replacement = try #require(result.replacement)
        #expect(replacement.kind == .laterConnection && replacement.keptLegs == 1 && replacement.firstNewLeg == 0)
        #expect(try line(replacement.journey) == "n55 08:55 > 09:10")
    }

    /// Before the train leaves, a way that begins with it is the best one.
    @Test func connectionCanBreakBeforeTheDeparture() throws {
        try cancel("n25", at: "07:30")
        let result = try result(at: "07:30")
        #expect(result.stage == .beforeDeparture && result.problem == .notRunning(1))
        let replacement = try #require(result.replacement)
        #expect(replacement.kind == .earlierStop && replacement.keptLegs == 0)
        #expect(try line(replacement.journey) == "t0 08:00 > m15 08:15 > 08:45")
    }

    /// A change that is tight says what follows, as for a journey that is searched.
    @Test func tightChangeNamesWhatFollows() throws {
        try receive(at: "08:05", [("t0", "c", 240)])
        let result = try result(at: "08:05")
        let change = try #require(result.journey.legs[1].change)
        #expect(result.problem == nil && change.judgment == .tight)
        #expect(change.replacement?.arrival == time("09:10"))
    }

    @Test func canceledFirstRideIsReplacedByAnotherStart() throws {
        try cancel("t0", at: "07:45")
        let result = try result(at: "07:45")
        #expect(result.problem == .notRunning(0))
        let replacement = try #require(result.replacement)
        #expect(replacement.kind == .otherStart)
        #expect(try line(replacement.journey) == "t90 09:30 > n95 09:55 > 10:10")
    }

    @Test func mendedChangeHolds() throws {
        try receive(at: "08:05", [("t0", "c", 660), ("n25", "c", 0)])
        #expect(try result(at: "08:05").problem == .missed(1))
        try receive(at: "08:07", [("t0", "c", 660), ("n25", "c", 720)])
        let mended = try result(at: "08:07")
        #expect(mended.problem == nil && mended.replacement == nil)
        #expect(mended.journey.legs[1].change?.inHand == 300)
    }

    /// After the bus left, its source states nothing about it any more, and the train arrived later than planned.
    @Test func riderWhoBoardedDidNotMissTheVehicle() throws {
        try receive(at: "08:35", [("t0", "c", 660)])
        #expect(try result(at: "08:35", boarded: [SavedJourney.valleyKey("n", "c", 8, 25)]).problem == nil)
        #expect(try result(at: "08:35", boarded: [SavedJourney.valleyKey("n", "c", 8, 25)]).stage == .riding(1))
    }

    @Test func rideThatIsGoneIsAnError() throws {
        var journey = SavedJourney.valley()
        journey.legs[1].departure.scheduled = time("09:25")
        let query = try PinnedJourneyQuery(journey, fixture.context)
        #expect(throws: QueryError.self) { try query.result(fixture.context) }
        journey.legs[1].departure.route = "gone"
        #expect(throws: QueryError.self) { try PinnedJourneyQuery(journey, fixture.context) }
    }

    // MARK: Later journeys

    private func later(
        than journey: SavedJourney = .valley(), at now: Instant, in other: QueryFixture? = nil, isCanceled: Bool = false
    ) throws -> LaterJourneys {
        let fixture = other ?? fixture
        fixture.now = now
        let context = QueryContext(now: now, feeds: fixture.context.feeds, isCanceled: { isCanceled })
        let query = try PinnedJourneyQuery(journey, context)
        return try PinnedJourneySearch(query.situation(context), query.request, context).later()
    }

    /// Returns the journey with a later train and the bus after it, in minutes after midnight.
    private func journey(_ train: Int, _ bus: Int, on date: ServiceDate = SavedJourney.valleyDate) -> SavedJourney {
        var journey = SavedJourney.valley(on: date)
        journey.legs[0].departure = SavedJourney.valleyKey("T", "a", 0, train, on: date)
        journey.legs[0].arrival = SavedJourney.valleyTime(0, train + 20, on: date)
        journey.legs[1].departure = SavedJourney.valleyKey("n", "c", 0, bus, on: date)
        journey.legs[1].arrival = SavedJourney.valleyTime(0, bus + 15, on: date)
        return journey
    }

    @Test func laterTrainIsFound() throws {
        #expect(try !later(at: time("06:30")).isLast)
        // The night of the change to summer time is an hour shorter.
        for date in ["2026-03-27", "2026-03-28", "2026-10-24"].compactMap(ServiceDate.init(iso8601:)) {
            let last = journey(570, 595, on: date)
            let later = try later(than: last, at: last.legs[0].departure.scheduled.advanced(by: -3600))
            let next = SavedJourney.valleyTime(8, 0, on: date.advanced(by: 1))
            #expect(later.isLast && later.following == next && later.unsearched.isEmpty)
        }
    }

    @Test func canceledLaterTrainMakesAJourneyTheLastOne() throws {
        try cancel("t90", at: "06:40")
        let later = try later(at: time("06:41"))
        #expect(later.isLast && later.at == time("06:41"))
        #expect(later.following == Instant(rfc3339: "2026-03-28T08:00:00+01:00"))
    }

    /// The day of riders ends at 04:00, but a journey at 04:20 still follows one at 03:40.
    @Test func journeysAfterMidnightBelongToTheDayBefore() throws {
        func rows(_ trip: String, _ clock: (String, String), _ stops: (String, String)) -> String {
            "\(trip),\(clock.0),\(clock.0),\(stops.0),1\n\(trip),\(clock.1),\(clock.1),\(stops.1),2\n"
        }
        var night = FeedBuilder.valley
            .adding("T,daily,t24\nn,daily,n24\n", to: "trips.txt")
            .adding(rows("t24", ("24:30:00", "24:50:00"), ("a", "c")), to: "stop_times.txt")
            .adding(rows("n24", ("24:55:00", "25:10:00"), ("c", "z")), to: "stop_times.txt")
        let fixture = try QueryFixture([("valley", night, nil)])
        let midnight = SavedJourney.valleyTime(23, 30)
        #expect(try !later(than: journey(570, 595), at: time("09:00"), in: fixture).isLast)
        let last = try later(than: journey(1470, 1495), at: midnight, in: fixture)
        #expect(last.isLast && last.following == SavedJourney.valleyTime(32, 0))
        night = night.adding("T,daily,t27\nn,daily,n27\nT,daily,t28\nn,daily,n28\n", to: "trips.txt")
            .adding(rows("t27", ("27:40:00", "28:00:00"), ("a", "c")), to: "stop_times.txt")
            .adding(rows("n27", ("28:05:00", "28:20:00"), ("c", "z")), to: "stop_times.txt")
            .adding(rows("t28", ("28:20:00", "28:40:00"), ("a", "c")), to: "stop_times.txt")
            .adding(rows("n28", ("28:45:00", "29:00:00"), ("c", "z")), to: "stop_times.txt")
        let other = try QueryFixture([("valley", night, nil)])
        #expect(try !later(than: journey(1470, 1495), at: midnight, in: other).isLast)
        #expect(try !later(than: journey(1660, 1685), at: midnight, in: other).isLast)
    }

    /// A search that ended early, and a date without a known timetable, do not make a journey the last one.
    @Test func whatIsNotKnownIsNotTheLastJourney() throws {
        let last = journey(570, 595)
        #expect(try later(than: last, at: time("09:00")).isLast)
        #expect(try !later(than: last, at: time("09:00"), isCanceled: true).isLast)
    }
}
