import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Queries for journeys with ``FeedBuilder/small`` on Friday, March 27, 2026, at 07:30.
@Suite struct JourneysQueryTests {
    // MARK: Departing

    /// On Friday, no tram follows the bus of 08:20, so that the next journeys are those of the following days.
    @Test func daysWithoutAnotherJourneyAreFollowedByOthers() throws {
        let fixture = try QueryFixture()
        let result = try fixture.journeys("Harbor", "City Park")
        #expect(
            try fixture.lines(result) == [
                "b1 27 08:00 > t1 27 08:30 > 08:40", "b4 28 09:00 > t2 28 10:00 > 10:10",
                "b4 29 09:00 > t2 29 10:00 > 10:10", "b1 30 08:00 > t1 30 08:30 > 08:40",
                "b1 31 08:00 > t1 31 08:30 > 08:40",
            ])
        #expect(result.emptyReason == nil && result.omissions.isEmpty && !result.isIncomplete)
        let change = try #require(result.journeys[0].legs[1].change)
        #expect(change.judgment == .safe)
        // Both platforms are 26 m apart.
        #expect((20...40).contains(change.seconds))
        #expect(change.inHand == 600 - change.seconds)
        #expect(change.replacement == nil)
    }

    @Test func dayAloneLimitsTheJourneys() throws {
        let fixture = try QueryFixture()
        let result = try fixture.journeys("Harbor", "City Park", at: "saturday", count: 50)
        #expect(try fixture.lines(result) == ["b4 28 09:00 > t2 28 10:00 > 10:10"])
    }

    @Test func directTripIsAJourneyWithoutChange() throws {
        let fixture = try QueryFixture()
        let result = try fixture.journeys("Harbor", "Central Station", count: 2)
        #expect(try fixture.lines(result) == ["b1 27 08:00 > 08:20", "b2 27 08:20 > 08:40"])
        #expect(result.journeys.map(\.changes) == [0, 0])
        let direct = try fixture.journeys("Harbor", "City Park", changes: 0)
        #expect(direct.journeys.isEmpty)
        #expect(direct.emptyReason == .noneRuns(through: try #require(ServiceDate(iso8601: "2026-04-03"))))
    }

    @Test func walksOfPlacesAndPositionsCount() throws {
        let fixture = try QueryFixture()
        fixture.settings.places["home"] = PlaceConfiguration(
            location: .coordinate(try #require(Coordinate(latitude: 53.5405, longitude: 9.9805))))
        for end in ["home", "53.5405,9.9805"] {
            let result = try fixture.journeys(end, "City Park", count: 1)
            let journey = try #require(result.journeys.first)
            #expect(journey.walkBefore == 68)
            #expect(journey.walkAfter == nil)
            #expect(journey.leaveBy == Instant(rfc3339: "2026-03-27T07:58:52+01:00"))
        }
    }

    // MARK: On board

    /// At 08:05, bus `b1` of 08:00 is between Harbor and Central Station, where tram `t1` leaves at 08:30.
    @Test func ridersOnBoardAlightAndChange() throws {
        let fixture = try QueryFixture()
        fixture.now = fixture.now.advanced(by: 35 * 60)
        func found() throws -> Journeys {
            try JourneysQuery(onBoard: "city:b1@2026-03-27/1", to: "City Park", fixture.context)
                .result(count: 5, fixture.context)
        }
        let result = try found()
        #expect(try fixture.lines(result) == ["b1 27 08:00 > t1 27 08:30 > 08:40"])
        let journey = try #require(result.journeys.first)
        #expect(journey.walkBefore == nil && journey.changes == 1)
        #expect(journey.legs[0].alternatives.isEmpty)
        // The bus is so late that the tram is missed, and the next one leaves more than a day later.
        try fixture.receive([TripUpdate.delay("b1", at: "harbor", by: 900)], of: "city")
        let late = try found()
        #expect(late.journeys.isEmpty)
        #expect(late.emptyReason == .noneFromOnBoard)
        try fixture.receive([TripUpdate.cancellation("b1")], of: "city")
        #expect(try found().journeys.isEmpty)
    }

    // MARK: Options

    private func lines(_ options: JourneyOptions, to: String = "Central Station", _ fixture: QueryFixture) throws
        -> [String]
    {
        var query = try JourneysQuery(from: "Harbor", to: to, at: "friday", fixture.context)
        query.options = options
        return try fixture.lines(try query.result(count: 3, fixture.context))
    }

    @Test func vehiclesAndStopsThatAreRuledOutAreNotUsed() throws {
        let fixture = try QueryFixture([("city", .accessible, nil)])
        let (b1, b2, b3) = ("b1 27 08:00 > 08:20", "b2 27 08:20 > 08:40", "b3 27 23:50 > 00:10")
        #expect(try lines(JourneyOptions(), fixture) == [b1, b2, b3])
        #expect(try lines(JourneyOptions(wheelchair: true), fixture) == [b2, b3])
        #expect(try lines(JourneyOptions(bicycles: true), fixture) == [b1, b3])
        #expect(try lines(JourneyOptions(wheelchair: true, bicycles: true), fixture) == [b3])
        #expect(try lines(JourneyOptions(modes: [.bus]), fixture) == [b1, b2, b3])
        #expect(try lines(JourneyOptions(modes: [.tram]), fixture) == [])
        let toPark = "b1 27 08:00 > t1 27 08:30 > 08:40"
        #expect(try lines(JourneyOptions(), to: "City Park", fixture).first == toPark)
        #expect(try lines(JourneyOptions(bicycles: true), to: "City Park", fixture).first == toPark)
        #expect(try lines(JourneyOptions(wheelchair: true), to: "City Park", fixture) == [])
    }

    @Test func missingStatementsAreUncertain() throws {
        let fixture = try QueryFixture([("city", .accessible, nil)])
        let result = try fixture.journeys("Harbor", "Central Station", at: "friday", count: 3)
        func uncertain(_ options: JourneyOptions) throws -> [Bool] {
            try result.journeys.map { try $0.legs[0].isUncertain(for: options, fixture.context) }
        }
        #expect(try uncertain(JourneyOptions(wheelchair: true)) == [false, false, true])
        #expect(try uncertain(JourneyOptions(bicycles: true)) == [false, false, true])
        #expect(try uncertain(JourneyOptions(modes: [.bus])) == [false, false, false])
    }

    // MARK: Via

    /// Bus `b1` calls at Market Square at 08:08. Bus M goes there at 08:01 (`m1`), from there to City Park (`m2`), and past it
    /// (`m3`).
    private static let withMarketBus = FeedBuilder.small.file(
        "routes.txt",
        """
        route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color
        bus24,city,24,Harbor - Central Station,3,E31837,FFFFFF
        tram1,city,T1,Central Station - City Park,0,006F3C,FFFFFF
        busm,city,M,Harbor - Market - City Park,3,,

        """
    ).file(
        "trips.txt",
        """
        route_id,service_id,trip_id,trip_headsign,direction_id
        bus24,weekday,b1,Central Station,0
        tram1,weekday,t1,City Park,0
        busm,weekday,m1,Market Square,0
        busm,weekday,m2,City Park,0
        busm,weekday,m3,City Park,0

        """
    ).file(
        "stop_times.txt",
        """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        b1,08:00:00,08:00:00,harbor,1
        b1,08:08:00,08:09:00,market,2
        b1,08:20:00,08:20:00,central:1,3
        t1,08:30:00,08:30:00,central:2,1
        t1,08:40:00,08:40:00,park,2
        m1,08:01:00,08:01:00,harbor,1
        m1,08:06:00,08:06:00,market,2
        m2,08:12:00,08:12:00,market,1
        m2,08:50:00,08:50:00,park,2
        m3,08:02:00,08:02:00,harbor,1
        m3,08:25:00,08:25:00,park,2

        """)

    @Test func journeysPassAStop() throws {
        let fixture = try QueryFixture([("city", Self.withMarketBus, nil)])
        func found(via: String?, changes: Int = 3) throws -> [String] {
            var query = try JourneysQuery(
                from: "Harbor", to: "City Park", at: "friday", maximumChanges: changes, fixture.context)
            if let via { try query.pass(via, fixture.context) }
            return try fixture.lines(try query.result(count: 5, fixture.context))
        }
        #expect(try found(via: nil) == ["m3 27 08:02 > 08:25"])
        // Bus M reaches the stop first, and bus 24 is boarded there.
        let changing = "m1 27 08:01 > b1 27 08:09 > t1 27 08:30 > 08:40"
        #expect(try found(via: "Market Square") == [changing, "m1 27 08:01 > m2 27 08:12 > 08:50"])
        #expect(try found(via: "Market Square", changes: 0) == [])
        let riding = "b1 27 08:00 > t1 27 08:30 > 08:40"
        #expect(try found(via: "Central Station") == [riding, changing])
        // Riding through bus 24 is one vehicle, although bus M would be faster without the stop.
        try fixture.receive([TripUpdate.cancellation("m1")], of: "city")
        #expect(try found(via: "Market Square") == [riding])
        #expect(throws: QueryError.self) { try found(via: "Nowhere") }
        #expect(throws: QueryError.self) { try found(via: "City Park") }
    }

    // MARK: Arriving

    @Test func lastJourneysThatArriveInTimeAreFound() throws {
        let fixture = try QueryFixture()
        let result = try fixture.journeys("Harbor", "Central Station", at: "08:45", isArrival: true)
        #expect(try fixture.lines(result) == ["b1 27 08:00 > 08:20", "b2 27 08:20 > 08:40"])
        let one = try fixture.journeys("Harbor", "Central Station", at: "08:45", isArrival: true, count: 1)
        #expect(try fixture.lines(one) == ["b2 27 08:20 > 08:40"])
        let tomorrow = try fixture.journeys("Harbor", "City Park", at: "tomorrow 20:00", isArrival: true)
        #expect(try fixture.lines(tomorrow) == ["b4 28 09:00 > t2 28 10:00 > 10:10"])
    }

    @Test func journeyThatHasBegunIsNotOffered() throws {
        let fixture = try QueryFixture()
        fixture.now = fixture.now.advanced(by: 45 * 60)
        let result = try fixture.journeys("Harbor", "City Park", at: "08:45", isArrival: true)
        #expect(result.journeys.isEmpty)
        #expect(result.emptyReason == .noneArrives(by: try #require(Instant(rfc3339: "2026-03-27T08:45:00+01:00"))))
    }

    @Test func datesOutsideOfTheTimetableAreNotKnown() throws {
        let fixture = try QueryFixture()
        let result = try fixture.journeys("Harbor", "City Park", at: "2027-03-01 08:00")
        guard case .notCovered(let date, "city", _) = result.emptyReason else {
            Issue.record("\(String(describing: result.emptyReason))")
            return
        }
        #expect(date == ServiceDate(iso8601: "2027-03-01"))
    }

    @Test func canceledQueryIsIncomplete() throws {
        let fixture = try QueryFixture()
        let context = QueryContext(now: fixture.now, feeds: fixture.context.feeds, isCanceled: { true })
        let result = try JourneysQuery(from: "Harbor", to: "City Park", context).result(count: 5, context)
        #expect(result.isIncomplete)
    }

    // MARK: Realtime data

    @Test func delayMakesAChangeTightAndNamesWhatFollows() throws {
        let fixture = try QueryFixture.withLake()
        // The tram arrives at 08:42:00, so that a minute is left after the walk.
        try fixture.receive([TripUpdate.delay("t1", at: "park", by: 90)], of: "city")
        let result = try fixture.journeys("Central Station", "Lake", count: 1)
        #expect(try fixture.lines(result) == ["t1 27 08:30 > l1 27 08:45 > 09:00"])
        let change = try #require(result.journeys[0].legs[1].change)
        #expect(change.judgment == .tight)
        #expect(change.inHand == 210 - change.seconds)
        let next = try #require(change.replacement)
        #expect(try fixture.line(next.departure) == "l2 09:15")
        #expect(next.arrival == Instant(rfc3339: "2026-03-27T09:30:00+01:00"))
    }

    @Test func statedUncertaintyReplacesTheUsualOne() throws {
        let fixture = try QueryFixture.withLake()
        try fixture.receive([TripUpdate.delay("t1", at: "park", by: 0, uncertainty: 200)], of: "city")
        let result = try fixture.journeys("Central Station", "Lake", count: 1)
        // About 180 s are in hand, of which the uncertainty of the departure takes 60 s.
        #expect(result.journeys[0].legs[1].change?.judgment == .tight)
        fixture.settings.changeUncertainty = 0
        try fixture.receive([], of: "city")
        let sure = try fixture.journeys("Central Station", "Lake", count: 1)
        #expect(sure.journeys[0].legs[1].change?.judgment == .safe)
    }

    @Test func brokenChangeLeadsToALaterVehicle() throws {
        let fixture = try QueryFixture.withLake()
        try fixture.receive([TripUpdate.delay("t1", at: "park", by: 600)], of: "city")
        let result = try fixture.journeys("Central Station", "Lake", count: 1)
        #expect(try fixture.lines(result) == ["t1 27 08:30 > l2 27 09:15 > 09:30"])
    }

    @Test func canceledTripDisappears() throws {
        let fixture = try QueryFixture()
        try fixture.receive([TripUpdate.cancellation("b1")], of: "city")
        let result = try fixture.journeys("Harbor", "City Park", count: 1)
        #expect(try fixture.lines(result) == ["b4 28 09:00 > t2 28 10:00 > 10:10"])
    }

    @Test func equalEndsAreRefused() throws {
        let fixture = try QueryFixture()
        #expect(throws: QueryError.self) { try fixture.journeys("Harbor", "city:harbor") }
        #expect(throws: QueryError.self) { try fixture.journeys("home", "Harbor") }
    }
}
