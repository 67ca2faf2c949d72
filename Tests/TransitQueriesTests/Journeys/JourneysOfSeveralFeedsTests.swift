import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Queries for journeys with ``FeedBuilder/small`` on Friday, March 27, 2026, at 07:30, and a second feed whose line begins
/// next to City Park.
@Suite struct JourneysOfSeveralFeedsTests {
    @Test func changeBetweenFeedsIsAWalk() throws {
        let fixture = try QueryFixture.withLake()
        let result = try fixture.journeys("Harbor", "Lake", count: 1)
        #expect(try fixture.lines(result) == ["b1 27 08:00 > t1 27 08:30 > l1 27 08:45 > 09:00"])
        let change = try #require(result.journeys[0].legs[2].change)
        // 116 m in a straight line.
        #expect((115...130).contains(change.seconds))
        #expect(change.inHand == 300 - change.seconds)
        #expect(result.timetables.map(\.feed) == ["city", "lake"])
    }

    /// Bus M runs twice before bus L arrives, and arrives with it; bus N arrives a minute later.
    @Test func otherRoutesThatServeALegAreNamed() throws {
        let feed = FeedBuilder.lake
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
        let journey = try #require(try fixture.journeys("Harbor", "Lake", count: 1).journeys.first)
        #expect(journey.arrival == Instant(rfc3339: "2026-03-27T09:00:00+01:00"))
        let ride = try fixture.line(journey.legs[2].departure)
        let others = try journey.legs[2].alternatives.map { try fixture.line($0) }
        #expect(ride == "l1 08:45")
        #expect(others == ["m2 08:43"])
        #expect(journey.legs[0].alternatives.isEmpty && journey.legs[1].alternatives.isEmpty)
        try fixture.receive([TripUpdate.cancellation("l1")], of: "lake")
        let after = try #require(try fixture.journeys("Harbor", "Lake", count: 1).journeys.first)
        #expect(after.legs[2].alternatives.isEmpty)
    }

    @Test func sameStopsOfAPairNeedNoTime() throws {
        // The bus of the other feed leaves City Park itself, seconds after the tram arrives.
        let other = FeedBuilder.lake.file(
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
        let result = try fixture.journeys("Harbor", "lake:lake", count: 1)
        #expect(try fixture.lines(result) == ["b1 27 08:00 > t1 27 08:30 > l1 27 08:40 > 09:00"])
        #expect(result.journeys.first?.legs[2].change?.seconds == 0)
    }

    @Test func departuresOfAPairAreMerged() throws {
        let fixture = try QueryFixture([("city", .small, nil), ("town", .small, "city")])
        try fixture.receive([TripUpdate.delay("b1", at: "harbor", by: 60)], of: "town")
        let result = try fixture.journeys("Harbor", "City Park", count: 1)
        #expect(try fixture.lines(result) == ["b1 27 08:01 > t1 27 08:30 > 08:40"])
        let first = try #require(result.journeys.first?.legs.first?.departure)
        #expect(first.timetable.feed == "city")
        #expect(first.confirmation?.timetable.feed == "town")
        // The other feed's cancellation counts as well.
        try fixture.receive([TripUpdate.cancellation("b1")], of: "town")
        let after = try fixture.journeys("city:harbor", "city:central", count: 1)
        #expect(try fixture.lines(after) == ["b2 27 08:20 > 08:40"])
    }

    @Test func farFeedTakesNoPart() throws {
        let far = FeedBuilder.lake.file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\ngate,Park Gate,33.5610,10.0205\nlake,Lake,33.5900,10.0600\n")
        let fixture = try QueryFixture([("city", .small, nil), ("lake", far, nil)])
        let result = try fixture.journeys("Harbor", "City Park", count: 1)
        #expect(result.timetables.map(\.feed) == ["city"])
        #expect(try fixture.journeys("Harbor", "Lake").emptyReason == .notSearched)
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
        #expect(try fixture.lines(result) == ["b1 27 08:00 > t1 27 08:30 > 08:40"])
        #expect(result.omissions.map(\.feed) == ["lake"])
        #expect(result.omissions.map(\.reason) == [.withoutTimes])
        let none = try JourneysQuery(from: "Harbor", to: "lake:lake", context).result(count: 1, context)
        #expect(none.emptyReason == .notSearched)
    }

    @Test func footpathsAreComputedOncePerVersions() throws {
        let fixture = try QueryFixture.withLake()
        _ = try fixture.journeys("Harbor", "Lake", count: 1)
        try fixture.replace(
            "lake",
            with: FeedBuilder.lake.file(
                "stops.txt",
                "stop_id,stop_name,stop_lat,stop_lon\ngate,Park Gate,53.6610,10.0205\nlake,Lake,53.5900,10.0600\n"))
        #expect(try fixture.journeys("Harbor", "Lake").journeys.isEmpty)
    }

    @Test func partOfAFeedIsReported() throws {
        let harbor = try #require(Coordinate(latitude: 53.54, longitude: 9.98))
        let central = try #require(Coordinate(latitude: 53.553, longitude: 10.006))
        let fixture = try QueryFixture(
            keeping: FeedSubset(places: [.coordinate(harbor), .coordinate(central)], radius: 300))
        let result = try fixture.journeys("Harbor", "Central Station", count: 1)
        #expect(try fixture.lines(result) == ["b1 27 08:00 > 08:20"])
        #expect(result.partialFeeds == ["city"])
    }
}
