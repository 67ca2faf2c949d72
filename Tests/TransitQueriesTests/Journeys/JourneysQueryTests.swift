import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Queries for journeys with ``FeedBuilder/small`` on Friday, March 27, 2026, at 07:30, and a second feed whose line begins
/// next to City Park.
@Suite struct JourneysQueryTests {
    /// Bus "L" from `gate`, 120 m from City Park, to `lake`: daily at 08:45 (`l1`), 09:15 (`l2`) and 10:30 (`l3`).
    private static let lake = FeedBuilder()
        .file(
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\nlake,Lake Bus,https://lake.example,Europe/Berlin\n"
        )
        .file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\ngate,Park Gate,53.5610,10.0205\nlake,Lake,53.5900,10.0600\n"
        )
        .file("routes.txt", "route_id,agency_id,route_short_name,route_type\nl,lake,L,3\n")
        .file("trips.txt", "route_id,service_id,trip_id\nl,daily,l1\nl,daily,l2\nl,daily,l3\n")
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            l1,08:45:00,08:45:00,gate,1
            l1,09:00:00,09:00:00,lake,2
            l2,09:15:00,09:15:00,gate,1
            l2,09:30:00,09:30:00,lake,2
            l3,10:30:00,10:30:00,gate,1
            l3,10:45:00,10:45:00,lake,2

            """
        )
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            daily,1,1,1,1,1,1,1,20260101,20261231

            """)

    private static func twoFeeds() throws -> QueryFixture {
        try QueryFixture([("city", .small, nil), ("lake", lake, nil)])
    }

    private func journeys(
        _ fixture: QueryFixture, _ from: String, _ to: String, at: String? = nil, isArrival: Bool = false,
        changes: Int = 3, count: Int = 5
    ) throws -> Journeys {
        try JourneysQuery(
            from: from, to: to, at: at, isArrival: isArrival, maximumChanges: changes, fixture.context
        ).result(count: count, fixture.context)
    }

    /// Returns journeys as `b1 27 08:00 > t1 27 08:30 > 08:40`, with days and times in Berlin.
    private func lines(_ result: Journeys, _ fixture: QueryFixture) throws -> [String] {
        try result.journeys.map { journey in
            let legs = try journey.legs.map { leg in
                let line = try fixture.line(leg.departure).split(separator: " ")
                let day = fixture.context.zone.civil(at: leg.departure.call.departure).date.components.day
                return "\(line[0]) \(day) \(line[1])"
            }
            let arrival = fixture.context.zone.rfc3339(journey.arrival).dropFirst(11).prefix(5)
            return (legs + ["\(arrival)"]).joined(separator: " > ")
        }
    }

    private func update(_ trip: TripID, at stop: StopID, by seconds: Int32, uncertainty: Int32? = nil) -> TripUpdate {
        TripUpdate(
            id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip),
            updates: [
                StopTimeUpdate(
                    stopID: stop, arrival: StopTimeEvent(delay: seconds, uncertainty: uncertainty),
                    departure: StopTimeEvent(delay: seconds, uncertainty: uncertainty))
            ])
    }

    private func canceled(_ trip: TripID) -> TripUpdate {
        TripUpdate(
            id: EntityID(trip.rawValue),
            trip: TripDescriptor(
                tripID: trip, startDate: ServiceDate(iso8601: "2026-03-27"), relationship: .canceled))
    }

    // MARK: Departing

    /// On Friday, no tram follows the bus of 08:20, so that the next journeys are those of the following days.
    @Test func daysWithoutAnotherJourneyAreFollowedByOthers() throws {
        let fixture = try QueryFixture()
        let result = try journeys(fixture, "Harbor", "City Park")
        #expect(
            try lines(result, fixture) == [
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
        let result = try journeys(fixture, "Harbor", "City Park", at: "saturday", count: 50)
        #expect(try lines(result, fixture) == ["b4 28 09:00 > t2 28 10:00 > 10:10"])
    }

    @Test func directTripIsAJourneyWithoutChange() throws {
        let fixture = try QueryFixture()
        let result = try journeys(fixture, "Harbor", "Central Station", count: 2)
        #expect(try lines(result, fixture) == ["b1 27 08:00 > 08:20", "b2 27 08:20 > 08:40"])
        #expect(result.journeys.map(\.changes) == [0, 0])
        let direct = try journeys(fixture, "Harbor", "City Park", changes: 0)
        #expect(direct.journeys.isEmpty)
        #expect(direct.emptyReason == .noneRuns(through: try #require(ServiceDate(iso8601: "2026-04-03"))))
    }

    @Test func walksOfPlacesAndPositionsCount() throws {
        let fixture = try QueryFixture()
        fixture.settings.places["home"] = PlaceConfiguration(
            location: .coordinate(try #require(Coordinate(latitude: 53.5405, longitude: 9.9805))))
        for end in ["home", "53.5405,9.9805"] {
            let result = try journeys(fixture, end, "City Park", count: 1)
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
        #expect(try lines(result, fixture) == ["b1 27 08:00 > t1 27 08:30 > 08:40"])
        let journey = try #require(result.journeys.first)
        #expect(journey.walkBefore == nil && journey.changes == 1)
        #expect(journey.legs[0].alternatives.isEmpty)
        // The bus is so late that the tram is missed, and the next one leaves more than a day later.
        try fixture.receive([update("b1", at: "harbor", by: 900)], of: "city")
        let late = try found()
        #expect(late.journeys.isEmpty)
        #expect(late.emptyReason == .noneFromOnBoard)
        try fixture.receive([canceled("b1")], of: "city")
        #expect(try found().journeys.isEmpty)
    }

    // MARK: Options

    /// Bus `b1` has no room for wheelchairs, and none of bus `b2` for bicycles; nothing is stated about the others. City Park
    /// cannot be used by wheelchair.
    private static let accessible = FeedBuilder.small.file(
        "trips.txt",
        """
        route_id,service_id,trip_id,trip_headsign,direction_id,wheelchair_accessible,bikes_allowed
        bus24,weekday,b1,Central Station,0,2,1
        bus24,weekday,b2,Central Station,0,1,2
        bus24,weekday,b3,Central Station,0,,
        bus24,weekend,b4,Central Station,0,,
        tram1,weekday,t1,City Park,0,,
        tram1,weekend,t2,City Park,0,,

        """
    ).file(
        "stops.txt",
        """
        stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,wheelchair_boarding
        harbor,100,Harbor,53.5400,9.9800,0,,,1
        market,101,Market Square,53.5450,9.9900,0,,,
        central,,Central Station,53.5530,10.0060,1,,,1
        central:1,102,Central Station,53.5531,10.0061,0,central,1,
        central:2,103,Central Station,53.5529,10.0063,0,central,2,
        park,104,City Park,53.5600,10.0200,0,,,2

        """)

    private func lines(_ options: JourneyOptions, to: String = "Central Station", _ fixture: QueryFixture) throws
        -> [String]
    {
        var query = try JourneysQuery(from: "Harbor", to: to, at: "friday", fixture.context)
        query.options = options
        return try lines(try query.result(count: 3, fixture.context), fixture)
    }

    @Test func vehiclesAndStopsThatAreRuledOutAreNotUsed() throws {
        let fixture = try QueryFixture([("city", Self.accessible, nil)])
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
        let fixture = try QueryFixture([("city", Self.accessible, nil)])
        let result = try journeys(fixture, "Harbor", "Central Station", at: "friday", count: 3)
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
            return try lines(try query.result(count: 5, fixture.context), fixture)
        }
        #expect(try found(via: nil) == ["m3 27 08:02 > 08:25"])
        // Bus M reaches the stop first, and bus 24 is boarded there.
        let changing = "m1 27 08:01 > b1 27 08:09 > t1 27 08:30 > 08:40"
        #expect(try found(via: "Market Square") == [changing, "m1 27 08:01 > m2 27 08:12 > 08:50"])
        #expect(try found(via: "Market Square", changes: 0) == [])
        let riding = "b1 27 08:00 > t1 27 08:30 > 08:40"
        #expect(try found(via: "Central Station") == [riding, changing])
        // Riding through bus 24 is one vehicle, although bus M would be faster without the stop.
        try fixture.receive([canceled("m1")], of: "city")
        #expect(try found(via: "Market Square") == [riding])
        #expect(throws: QueryError.self) { try found(via: "Nowhere") }
        #expect(throws: QueryError.self) { try found(via: "City Park") }
    }

    // MARK: Arriving

    @Test func lastJourneysThatArriveInTimeAreFound() throws {
        let fixture = try QueryFixture()
        let result = try journeys(fixture, "Harbor", "Central Station", at: "08:45", isArrival: true)
        #expect(try lines(result, fixture) == ["b1 27 08:00 > 08:20", "b2 27 08:20 > 08:40"])
        let one = try journeys(fixture, "Harbor", "Central Station", at: "08:45", isArrival: true, count: 1)
        #expect(try lines(one, fixture) == ["b2 27 08:20 > 08:40"])
        let tomorrow = try journeys(fixture, "Harbor", "City Park", at: "tomorrow 20:00", isArrival: true)
        #expect(try lines(tomorrow, fixture) == ["b4 28 09:00 > t2 28 10:00 > 10:10"])
    }

    @Test func journeyThatHasBegunIsNotOffered() throws {
        let fixture = try QueryFixture()
        fixture.now = fixture.now.advanced(by: 45 * 60)
        let result = try journeys(fixture, "Harbor", "City Park", at: "08:45", isArrival: true)
        #expect(result.journeys.isEmpty)
        #expect(result.emptyReason == .noneArrives(by: try #require(Instant(rfc3339: "2026-03-27T08:45:00+01:00"))))
    }

    // MARK: Several feeds

    @Test func changeBetweenFeedsIsAWalk() throws {
        let fixture = try Self.twoFeeds()
        let result = try journeys(fixture, "Harbor", "Lake", count: 1)
        #expect(try lines(result, fixture) == ["b1 27 08:00 > t1 27 08:30 > l1 27 08:45 > 09:00"])
        let change = try #require(result.journeys[0].legs[2].change)
        // 116 m in a straight line.
        #expect((115...130).contains(change.seconds))
        #expect(change.inHand == 300 - change.seconds)
        #expect(result.timetables.map(\.feed) == ["city", "lake"])
    }

    /// Bus M runs twice before bus L arrives, and arrives with it; bus N arrives a minute later.
    @Test func otherRoutesThatServeALegAreNamed() throws {
        let feed = Self.lake
            .file(
                "routes.txt",
                "route_id,agency_id,route_short_name,route_type\nl,lake,L,3\nm,lake,M,3\nn,lake,N,3\n"
            )
            .file("trips.txt", "route_id,service_id,trip_id\nl,daily,l1\nm,daily,m1\nm,daily,m2\nn,daily,n1\n")
            .file(
                "stop_times.txt",
                """
                trip_id,arrival_time,departure_time,stop_id,stop_sequence
                l1,08:45:00,08:45:00,gate,1
                l1,09:00:00,09:00:00,lake,2
                m1,08:46:00,08:46:00,gate,1
                m1,09:00:00,09:00:00,lake,2
                m2,08:43:00,08:43:00,gate,1
                m2,09:00:00,09:00:00,lake,2
                n1,08:44:00,08:44:00,gate,1
                n1,09:01:00,09:01:00,lake,2

                """)
        let fixture = try QueryFixture([("city", .small, nil), ("lake", feed, nil)])
        let journey = try #require(try journeys(fixture, "Harbor", "Lake", count: 1).journeys.first)
        #expect(journey.arrival == Instant(rfc3339: "2026-03-27T09:00:00+01:00"))
        let ride = try fixture.line(journey.legs[2].departure)
        let others = try journey.legs[2].alternatives.map { try fixture.line($0) }
        #expect(ride == "l1 08:45")
        #expect(others == ["m2 08:43"])
        #expect(journey.legs[0].alternatives.isEmpty && journey.legs[1].alternatives.isEmpty)
        try fixture.receive([canceled("l1")], of: "lake")
        let after = try #require(try journeys(fixture, "Harbor", "Lake", count: 1).journeys.first)
        #expect(after.legs[2].alternatives.isEmpty)
    }

    @Test func sameStopsOfAPairNeedNoTime() throws {
        // The bus of the other feed leaves City Park itself, seconds after the tram arrives.
        let other = Self.lake.file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\npark,City Park,53.5600,10.0200\nlake,Lake,53.5900,10.0600\n"
        ).file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            l1,08:40:10,08:40:10,park,1
            l1,09:00:00,09:00:00,lake,2

            """
        ).file("trips.txt", "route_id,service_id,trip_id\nl,daily,l1\n")
        let fixture = try QueryFixture([("city", .small, nil), ("lake", other, "city")])
        let result = try journeys(fixture, "Harbor", "lake:lake", count: 1)
        #expect(try lines(result, fixture) == ["b1 27 08:00 > t1 27 08:30 > l1 27 08:40 > 09:00"])
        #expect(result.journeys.first?.legs[2].change?.seconds == 0)
    }

    @Test func departuresOfAPairAreMerged() throws {
        let fixture = try QueryFixture([("city", .small, nil), ("town", .small, "city")])
        try fixture.receive([update("b1", at: "harbor", by: 60)], of: "town")
        let result = try journeys(fixture, "Harbor", "City Park", count: 1)
        #expect(try lines(result, fixture) == ["b1 27 08:01 > t1 27 08:30 > 08:40"])
        let first = try #require(result.journeys.first?.legs.first?.departure)
        #expect(first.timetable.feed == "city")
        #expect(first.confirmation?.timetable.feed == "town")
        // The other feed's cancellation counts as well.
        try fixture.receive([canceled("b1")], of: "town")
        let after = try journeys(fixture, "city:harbor", "city:central", count: 1)
        #expect(try lines(after, fixture) == ["b2 27 08:20 > 08:40"])
    }

    @Test func farFeedTakesNoPart() throws {
        let far = Self.lake.file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\ngate,Park Gate,33.5610,10.0205\nlake,Lake,33.5900,10.0600\n")
        let fixture = try QueryFixture([("city", .small, nil), ("lake", far, nil)])
        let result = try journeys(fixture, "Harbor", "City Park", count: 1)
        #expect(result.timetables.map(\.feed) == ["city"])
        #expect(try journeys(fixture, "Harbor", "Lake").emptyReason == .notSearched)
    }

    @Test func feedWithoutTimesTakesNoPart() throws {
        let folder = try TestFolder()
        let fixture = try QueryFixture()
        let place = ValidationReport.Location(file: "test")
        var network = NetworkBuilder(agencies: [Agency(id: "x", name: "X", timezone: "Europe/Berlin")])
        for (id, latitude) in [("gate", 53.561), ("lake", 53.59)] {
            let coordinate = Coordinate(latitude: latitude, longitude: 10.0205)
            network.add(Stop(id: StopID(id), name: id, coordinate: coordinate), at: place)
        }
        network.add(Route(id: "l", agency: AgencyIndex(0), shortName: "L", type: 3), at: place)
        network.add(.init(id: "l/1", route: "l", stops: ["gate", "lake"]), at: place)
        let reading = try network.finish()
        try TimetableFile.write(
            reading.draft,
            origin: TimetableSummary.Origin(url: "memory:", etag: nil, lastModified: nil, fetched: fixture.now),
            contentDigest: "", report: reading.report, to: folder("lake"))
        let timetable = Timetable(
            feed: "lake", version: 1, file: try TimetableFile(path: folder("lake")), zones: fixture.zones)
        let context = QueryContext(
            now: fixture.now, feeds: fixture.context.feeds + [FeedView(id: "lake", timetable: timetable)])
        let result = try JourneysQuery(from: "Harbor", to: "City Park", context).result(count: 1, context)
        #expect(try lines(result, fixture) == ["b1 27 08:00 > t1 27 08:30 > 08:40"])
        #expect(result.omissions.map(\.feed) == ["lake"])
        #expect(result.omissions.map(\.reason) == [.withoutTimes])
        let none = try JourneysQuery(from: "Harbor", to: "lake:lake", context).result(count: 1, context)
        #expect(none.emptyReason == .notSearched)
    }

    @Test func footpathsAreComputedOncePerVersions() throws {
        let fixture = try Self.twoFeeds()
        _ = try journeys(fixture, "Harbor", "Lake", count: 1)
        try fixture.replace(
            "lake",
            with: Self.lake.file(
                "stops.txt",
                "stop_id,stop_name,stop_lat,stop_lon\ngate,Park Gate,53.6610,10.0205\nlake,Lake,53.5900,10.0600\n"))
        #expect(try journeys(fixture, "Harbor", "Lake").journeys.isEmpty)
    }

    @Test func partOfAFeedIsReported() throws {
        let harbor = try #require(Coordinate(latitude: 53.54, longitude: 9.98))
        let central = try #require(Coordinate(latitude: 53.553, longitude: 10.006))
        let fixture = try QueryFixture(
            keeping: FeedSubset(places: [.coordinate(harbor), .coordinate(central)], radius: 300))
        let result = try journeys(fixture, "Harbor", "Central Station", count: 1)
        #expect(try lines(result, fixture) == ["b1 27 08:00 > 08:20"])
        #expect(result.partialFeeds == ["city"])
    }

    @Test func datesOutsideOfTheTimetableAreNotKnown() throws {
        let fixture = try QueryFixture()
        let result = try journeys(fixture, "Harbor", "City Park", at: "2027-03-01 08:00")
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
        let fixture = try Self.twoFeeds()
        // The tram arrives at 08:42:00, so that a minute is left after the walk.
        try fixture.receive([update("t1", at: "park", by: 90)], of: "city")
        let result = try journeys(fixture, "Central Station", "Lake", count: 1)
        #expect(try lines(result, fixture) == ["t1 27 08:30 > l1 27 08:45 > 09:00"])
        let change = try #require(result.journeys[0].legs[1].change)
        #expect(change.judgment == .tight)
        #expect(change.inHand == 210 - change.seconds)
        let next = try #require(change.replacement)
        #expect(try fixture.line(next.departure) == "l2 09:15")
        #expect(next.arrival == Instant(rfc3339: "2026-03-27T09:30:00+01:00"))
    }

    @Test func statedUncertaintyReplacesTheUsualOne() throws {
        let fixture = try Self.twoFeeds()
        try fixture.receive([update("t1", at: "park", by: 0, uncertainty: 200)], of: "city")
        let result = try journeys(fixture, "Central Station", "Lake", count: 1)
        // About 180 s are in hand, of which the uncertainty of the departure takes 60 s.
        #expect(result.journeys[0].legs[1].change?.judgment == .tight)
        fixture.settings.changeUncertainty = 0
        try fixture.receive([], of: "city")
        let sure = try journeys(fixture, "Central Station", "Lake", count: 1)
        #expect(sure.journeys[0].legs[1].change?.judgment == .safe)
    }

    @Test func brokenChangeLeadsToALaterVehicle() throws {
        let fixture = try Self.twoFeeds()
        try fixture.receive([update("t1", at: "park", by: 600)], of: "city")
        let result = try journeys(fixture, "Central Station", "Lake", count: 1)
        #expect(try lines(result, fixture) == ["t1 27 08:30 > l2 27 09:15 > 09:30"])
    }

    @Test func canceledTripDisappears() throws {
        let fixture = try QueryFixture()
        try fixture.receive([canceled("b1")], of: "city")
        let result = try journeys(fixture, "Harbor", "City Park", count: 1)
        #expect(try lines(result, fixture) == ["b4 28 09:00 > t2 28 10:00 > 10:10"])
    }

    @Test func equalEndsAreRefused() throws {
        let fixture = try QueryFixture()
        #expect(throws: QueryError.self) { try journeys(fixture, "Harbor", "city:harbor") }
        #expect(throws: QueryError.self) { try journeys(fixture, "home", "Harbor") }
    }
}
