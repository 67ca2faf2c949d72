import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Journeys beside direct trips, and the last ones of a day, with ``FeedBuilder/small`` on Friday, March 27, 2026, at 07:30.
@Suite struct NextJourneysTests {
    /// Bus "X" from Market Square at 08:12 to Central Station at 08:15, daily, as a feed of its own.
    private static let express = FeedBuilder()
        .file(
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\nfast,Express,https://fast.example,Europe/Berlin\n"
        )
        .file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\na,Market Express,53.5450,9.9900\nb,Central Express,53.5531,10.0061\n"
        )
        .file("routes.txt", "route_id,agency_id,route_short_name,route_type\nx,fast,X,3\n")
        .file("trips.txt", "route_id,service_id,trip_id\nx,daily,x1\n")
        .file(
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nx1,08:12:00,08:12:00,a,1\nx1,08:15:00,08:15:00,b,2\n"
        )
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            daily,1,1,1,1,1,1,1,20260101,20261231

            """)

    private static func withExpress() throws -> QueryFixture {
        try QueryFixture([("city", .small, nil), ("fast", express, nil)])
    }

    private static func canceled(_ trip: TripID) -> TripUpdate {
        TripUpdate(
            id: EntityID(trip.rawValue),
            trip: TripDescriptor(tripID: trip, startDate: ServiceDate(iso8601: "2026-03-27"), relationship: .canceled))
    }

    private func next(
        _ fixture: QueryFixture, _ from: String, _ to: String, count: Int = 3, within: Int? = nil
    ) throws -> (trips: DirectTripsResult, journeys: NextJourneys) {
        let query = try DirectTripsQuery(commute: nil, between: (from, to), at: nil, fixture.context)
        let found = try query.result(count: count, within: within, fixture.context)
        return (
            found,
            try NextJourneys(
                besides: found, of: query, count: count, within: within, maximumChanges: 3, fixture.context)
        )
    }

    private func last(
        _ fixture: QueryFixture, _ from: String, _ to: String, at: String? = nil, count: Int = 3
    ) throws -> Journeys {
        try JourneysQuery(from: from, to: to, at: at, fixture.context).lastOfDay(count: count, fixture.context)
    }

    private func lines(_ journeys: [Journey], _ fixture: QueryFixture) throws -> [String] {
        try journeys.map { try $0.legs.map { try fixture.line($0.departure) }.joined(separator: " > ") }
    }

    // MARK: Walks of stops

    @Test func journeyBetweenStopsMayBeginAndEndWithAWalk() throws {
        let fixture = try Self.withExpress()
        let query = try JourneysQuery(from: "Market Square", to: "Central Station", at: "08:10", fixture.context)
        let result = try query.result(count: 1, fixture.context)
        #expect(try lines(result.journeys, fixture) == ["x1 08:12"])
        let journey = try #require(result.journeys.first)
        // Both stops of the express are at the same place as the stops that were asked for.
        #expect(journey.walkBefore == nil && journey.walkAfter == nil)
        #expect(result.walk == nil)
        let near = Self.express.file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\na,Market Express,53.5460,9.9900\nb,Central Express,53.5541,10.0061\n")
        let other = try QueryFixture([("city", .small, nil), ("fast", near, nil)])
        let walked = try JourneysQuery(from: "Market Square", to: "Central Station", at: "08:09", other.context)
            .result(count: 1, other.context)
        let found = try #require(walked.journeys.first)
        #expect(try lines([found], other) == ["x1 08:12"])
        let (before, after) = (try #require(found.walkBefore), try #require(found.walkAfter))
        #expect((100...130).contains(before) && (100...130).contains(after))
        let departure = try #require(Instant(rfc3339: "2026-03-27T08:12:00+01:00"))
        #expect(found.leaveBy == departure.advanced(by: -before))
        #expect(found.arrival == departure.advanced(by: 180 + after))
    }

    @Test func placesNearEachOtherHaveAWalk() throws {
        let fixture = try QueryFixture()
        let result = try JourneysQuery(
            from: "53.5400,9.9800", to: "53.5420,9.9800", fixture.context
        ).result(count: 1, fixture.context)
        // 222 m in a straight line.
        #expect((200...260).contains(try #require(result.walk)))
    }

    // MARK: Beside direct trips

    @Test func journeyThatBeatsADirectTripIsListedWithIt() throws {
        let fixture = try Self.withExpress()
        let (trips, found) = try next(fixture, "Harbor", "Central Station")
        #expect(try trips.directTrips.map { try fixture.line($0.merged) } == ["b1 08:00", "b2 08:20", "b3 23:50"])
        #expect(try lines(found.journeys, fixture) == ["b1 08:00 > x1 08:12"])
        #expect(found.beatenTrips == [NextJourneys.BeatenTrip(directTrip: 0, journey: 0)])
        #expect(found.remaining == nil)
    }

    @Test func journeyThatADirectTripBeatsIsLeftOut() throws {
        let fixture = try QueryFixture()
        let (trips, found) = try next(fixture, "Harbor", "Central Station")
        #expect(trips.directTrips.count == 3)
        #expect(found.journeys.isEmpty && found.beatenTrips.isEmpty)
        #expect(!found.search.journeys.isEmpty)
    }

    @Test func commuteWithoutDirectTripHasJourneys() throws {
        let fixture = try QueryFixture()
        let (trips, found) = try next(fixture, "Harbor", "City Park", count: 2)
        #expect(trips.directTrips.isEmpty)
        #expect(try lines(found.journeys, fixture) == ["b1 08:00 > t1 08:30", "b4 09:00 > t2 10:00"])
        // The second one is on Saturday.
        #expect(found.remaining == 1)
        let window = try next(fixture, "Harbor", "City Park", within: 1200)
        #expect(window.journeys.journeys.isEmpty)
        #expect(window.journeys.remaining == nil)
    }

    @Test func fewerThanTwoJourneysLeftAreCounted() throws {
        let fixture = try QueryFixture()
        fixture.now = try #require(Instant(rfc3339: "2026-03-27T23:00:00+01:00"))
        #expect(try next(fixture, "Harbor", "Central Station").journeys.remaining == 1)
        #expect(try next(fixture, "Harbor", "City Park").journeys.remaining == 0)
        // One direct trip alone does not show that it is the last one.
        #expect(try next(fixture, "Harbor", "Central Station", count: 1).journeys.remaining == nil)
    }

    /// The list ends with canceled trips, after which others may run.
    @Test func canceledTripsDoNotShowThatFewAreLeft() throws {
        let fixture = try QueryFixture()
        try fixture.receive([Self.canceled("b1"), Self.canceled("b2")], of: "city")
        let (trips, found) = try next(fixture, "Harbor", "Central Station", count: 2)
        #expect(try trips.directTrips.map { try fixture.line($0.merged) } == ["b1 08:00", "b2 08:20"])
        #expect(found.remaining == nil)
        #expect(try next(fixture, "Harbor", "Central Station", count: 4).journeys.remaining == 1)
    }

    // MARK: The last ones of a day

    @Test func lastJourneysAreFollowedByTheNextDay() throws {
        let fixture = try QueryFixture()
        let result = try last(fixture, "Harbor", "Central Station", count: 2)
        #expect(try lines(result.journeys, fixture) == ["b2 08:20", "b3 23:50"])
        #expect(try lines([try #require(result.following)], fixture) == ["b4 09:00"])
        #expect(result.emptyReason == nil)
    }

    /// Bus b3 of 23:50 would reach a tram on Saturday at 10:00, but so does the bus of 09:00.
    @Test func journeyThatWaitsForTheMorningIsLeftOut() throws {
        let fixture = try QueryFixture()
        let result = try last(fixture, "Harbor", "City Park")
        #expect(try lines(result.journeys, fixture) == ["b1 08:00 > t1 08:30"])
        #expect(try lines([try #require(result.following)], fixture) == ["b4 09:00 > t2 10:00"])
    }

    @Test func dayEndsAtFour() throws {
        let fixture = try QueryFixture()
        fixture.now = try #require(Instant(rfc3339: "2026-03-28T00:30:00+01:00"))
        let result = try last(fixture, "Harbor", "Central Station")
        #expect(result.journeys.isEmpty)
        let end = try #require(Instant(rfc3339: "2026-03-28T04:00:00+01:00"))
        #expect(result.emptyReason == .noneLeft(before: end))
        #expect(try lines([try #require(result.following)], fixture) == ["b4 09:00"])
    }

    /// The clocks change on Sunday, March 29, 2026, at 02:00, so that the day before has 23 hours.
    @Test func dayOfAClockChangeEndsAtFour() throws {
        let fixture = try QueryFixture()
        let saturday = try #require(Instant(rfc3339: "2026-03-28T12:00:00+01:00"))
        #expect(
            RiderDay(of: saturday, in: fixture.context.zone).end == Instant(rfc3339: "2026-03-29T04:00:00+02:00"))
        let result = try last(fixture, "Harbor", "Central Station", at: "saturday")
        #expect(try lines(result.journeys, fixture).last == "b4 09:00")
        #expect(try lines([try #require(result.following)], fixture) == ["b4 09:00"])
    }

    @Test func cancellationMakesAnEarlierJourneyTheLastOne() throws {
        let fixture = try QueryFixture()
        try fixture.receive([Self.canceled("b3")], of: "city")
        #expect(try lines(last(fixture, "Harbor", "Central Station").journeys, fixture) == ["b1 08:00", "b2 08:20"])
    }
}
