import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitQueries

/// The settings of walks: one speed for all walks that a rider sees, and the greatest walk between two stops.
@Suite struct JourneyWalkingTests {
    /// Bus A arrives at `x1` at 08:10. Bus B leaves `x2`, 100 m away, at 08:10, 08:11, 08:13, 08:20 and 08:40. Both stops
    /// belong to no station.
    private static let separateStops = FeedBuilder.change().file(
        "stops.txt",
        """
        stop_id,stop_name,stop_lat,stop_lon
        a,Start,53.5000,9.9000
        x1,Exchange,53.5500,9.9000
        x2,Market,53.5509,9.9000
        b,End,53.6000,9.9000

        """)

    private func journey(_ fixture: QueryFixture, _ from: String, _ to: String) throws -> Journey? {
        try JourneysQuery(from: from, to: to, fixture.context).result(count: 1, fixture.context).journeys.first
    }

    /// The position is 65 m from Harbor.
    @Test(arguments: [(4.5, 68), (2.25, 135), (9, 34)])
    func oneSpeedHoldsForAllWalks(speed: Double, seconds: Int) throws {
        let fixture = try QueryFixture()
        fixture.settings.walkingSpeed = WalkingSpeed(kilometersPerHour: speed)
        // Faster riders would walk to the next stop of the bus.
        fixture.settings.walkingRadius = 300
        let home = PlaceConfiguration(
            location: .coordinate(try #require(Coordinate(latitude: 53.5405, longitude: 9.9805))))
        fixture.settings.places["home"] = home
        let context = fixture.context
        #expect(try journey(fixture, "home", "City Park")?.walkBefore == seconds)
        let next = try DirectTripsQuery(
            commute: nil, between: ("home", "Central Station"), at: nil, context
        ).result(count: 1, context)
        #expect(next.directTrips.first?.directTrip.walkBefore == seconds)
        let departure = try #require(next.directTrips.first?.merged)
        #expect(try departure.walk(context)?.walk.seconds == seconds)
        let near = try NearbyStops(context.feeds.compactMap(\.timetable), context)
        #expect(near.walkingSpeed == context.settings.walkingSpeed)
    }

    /// The walk of 101 m takes 106 s at 4.5 km/h, and 31 s at 12 km/h.
    @Test(arguments: [(4.5, 13, 106), (2, 20, 237), (12, 11, 40)])
    func speedDecidesWhichVehicleIsReached(speed: Double, minute: Int, seconds: Int) throws {
        let fixture = try QueryFixture(Self.separateStops)
        fixture.settings.walkingSpeed = WalkingSpeed(kilometersPerHour: speed)
        let leg = try #require(try journey(fixture, "Start", "End")?.legs.last)
        #expect(leg.departure.call.departure == Instant(rfc3339: "2026-03-27T08:\(minute):00+01:00"))
        #expect(leg.change?.seconds == seconds)
    }

    @Test(arguments: [(0, false), (100, false), (101, true), (2000, true)])
    func greatestWalkLimitsChanges(meters: Int, isFound: Bool) throws {
        let fixture = try QueryFixture(Self.separateStops)
        fixture.settings.maxChangeWalk = meters
        #expect(try (journey(fixture, "Start", "End") != nil) == isFound)
    }

    /// Platforms of a station are connected without a walk to other stops.
    @Test func greatestWalkDoesNotConcernAStation() throws {
        let fixture = try QueryFixture(.change())
        fixture.settings.maxChangeWalk = 0
        #expect(try journey(fixture, "Start", "End") != nil)
    }

    /// A new setting counts for the next search, in both directions.
    @Test func networkIsReplacedAfterAChange() throws {
        let fixture = try QueryFixture(Self.separateStops)
        for meters in [500, 50, 500] {
            fixture.settings.maxChangeWalk = meters
            #expect(try (journey(fixture, "Start", "End") != nil) == (meters == 500))
        }
    }

    /// The end of a network that was asked for before the setting changed is not used.
    @Test func networkForAnotherDistanceIsNotUsed() throws {
        let fixture = try QueryFixture(Self.separateStops)
        let known = try #require(fixture.context.feeds[0].timetable)
        guard case .ready(let network) = known.journeyNetwork() else {
            Issue.record("the network is not ready")
            return
        }
        let timetable = Timetable(feed: "city", version: 1, file: known.file, zones: fixture.zones) { _, _ in nil }
        _ = timetable.journeyNetwork()
        _ = timetable.journeyNetwork(walkingDistance: 50)
        timetable.finishJourneyNetwork(network)
        guard case .building = timetable.journeyNetwork(walkingDistance: 50) else {
            Issue.record("the network for 500 m is used for 50 m")
            return
        }
    }
}
