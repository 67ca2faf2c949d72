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

    private func key(_ route: RouteID, _ stop: StopID, _ clock: String) -> DepartureKey {
        DepartureKey(
            feed: "valley", route: route, direction: nil, stop: stop, scheduled: time(clock),
            serviceDate: ServiceDate(iso8601: "2026-03-27")!)
    }

    private var saved: SavedJourney {
        SavedJourney(
            number: 1, from: "valley:a", to: "valley:z",
            legs: [
                SavedJourney.Leg(departure: key("T", "a", "08:00"), destination: "c", arrival: time("08:20")),
                SavedJourney.Leg(
                    departure: key("n", "c", "08:25"), destination: "z", arrival: time("08:40"), changeTime: 60),
            ])
    }

    private func result(at clock: String, boarded: Set<DepartureKey> = []) throws -> PinnedJourney {
        fixture.now = time(clock)
        return try PinnedJourneyQuery(saved, fixture.context).result(boarded: boarded, fixture.context)
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
        // The train runs again on the next day.
        let replacement = result.replacement
        #expect(replacement == nil || replacement?.kind == .otherStart)
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
        #expect(try result(at: "08:35", boarded: [key("n", "c", "08:25")]).problem == nil)
        #expect(try result(at: "08:35", boarded: [key("n", "c", "08:25")]).stage == .riding(1))
    }

    @Test func rideThatIsGoneIsAnError() throws {
        var journey = saved
        journey.legs[1].departure.scheduled = time("09:25")
        let query = try PinnedJourneyQuery(journey, fixture.context)
        #expect(throws: QueryError.self) { try query.result(fixture.context) }
        journey.legs[1].departure.route = "gone"
        #expect(throws: QueryError.self) { try PinnedJourneyQuery(journey, fixture.context) }
    }
}
