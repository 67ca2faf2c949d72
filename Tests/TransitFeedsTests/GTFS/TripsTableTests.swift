import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct TripsTableTests {
    @Test func allFieldsOfTripAreKept() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "trips.txt",
                """
                route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,shape_id,\
                wheelchair_accessible,bikes_allowed
                bus24,weekday,b1,Central Station,17,1,block,path,1,2
                bus24,weekday,b2,,,,,,,

                """
            ).file(
                "shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\npath,53.5,9.9,1\npath,53.6,9.9,2\n"
            ))
        let columns = feed.draft.trips
        let numbers = try #require((0..<columns.count).first { columns.ids[$0] == "b1" })
        let trip = columns[TripIndex(numbers)]
        #expect(trip.headsign.map { feed.draft.texts[$0.position] } == "Central Station")
        #expect(trip.shortName.map { feed.draft.texts[$0.position] } == "17")
        #expect(trip.block.map { feed.draft.texts[$0.position] } == "block")
        #expect(trip.shape == ShapeIndex(0))
        #expect(trip.wheelchair == .possible && trip.bikes == .notPossible)
        #expect(feed.trips["b1"]?.direction == .one)
        #expect(feed.trips["b2"]?.direction == nil)
        let plain = try #require((0..<columns.count).first { columns.ids[$0] == "b2" })
        #expect(
            columns[TripIndex(plain)]
                == Trip(id: "b2", service: ServiceIndex(0), wheelchair: .unknown, bikes: .unknown))
        #expect(feed.count("foreign_key_violation", "stop_times.txt") == 10)
    }

    @Test func invalidReferencesSkipTripAndItsRows() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.adding(
                "nowhere,weekday,x1,,\nbus24,never,x2,,\n,weekday,x3,,\nbus24,weekday,,,\nbus24,weekday,b1,Again,1\n",
                to: "trips.txt"
            ).adding("x1,08:00:00,08:00:00,harbor,1\nx1,08:10:00,08:10:00,market,2\n", to: "stop_times.txt"))
        #expect(feed.draft.trips.count == 6)
        #expect(feed.trips["b1"]?.direction == .zero)
        #expect(feed.place("foreign_key_violation", "trips.txt") == "8:1 route_id")
        #expect(feed.count("foreign_key_violation", "trips.txt") == 2)
        #expect(feed.count("missing_required_field", "trips.txt") == 2)
        #expect(feed.place("duplicate_key", "trips.txt") == "12:3 trip_id")
        #expect(feed.count("row_of_skipped_trip", "stop_times.txt") == 2)
        #expect(feed.count("foreign_key_violation", "stop_times.txt") == 0)
    }

    @Test func invalidValuesAreIgnored() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "trips.txt",
                """
                route_id,service_id,trip_id,direction_id,shape_id,wheelchair_accessible,bikes_allowed
                bus24,weekday,b1,2,nowhere,3,x

                """))
        #expect(feed.trips["b1"]?.direction == nil)
        #expect(feed.draft.trips.shapes == [nil])
        #expect(feed.count("unexpected_enum_value", "trips.txt") == 3)
        #expect(feed.place("foreign_key_violation", "trips.txt") == "2:5 shape_id")
    }

    @Test func tripsWithoutStopTimesAreSkipped() throws {
        let feed = try GTFSFixture(FeedBuilder.small.adding("bus24,weekday,idle,,\n", to: "trips.txt"))
        #expect(feed.draft.trips.count == 6)
        #expect(feed.findings("unused_trip", "trips.txt").first?.severity == .warning)
    }

    @Test func feedWithoutTripsIsRejected() throws {
        let refusal = try #require(
            GTFSFixture.refusal(.small.file("trips.txt", "route_id,service_id,trip_id\nx,weekday,t\n")))
        #expect(refusal.reason.contains("no usable trips"))
        #expect(refusal.reason.contains("routes.txt has no route_id “x”"))
    }

    @Test(arguments: ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"])
    func missingTableRejectsFeed(name: String) throws {
        let refusal = try #require(GTFSFixture.refusal(.small.without(name)))
        #expect(refusal.reason == "The feed has no \(name)")
        #expect(refusal.report.findings.last?.rule == "missing_required_file")
    }

    @Test func unknownFilesAreReported() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file("notes.txt", "a\n").file("fare_rules.txt", "fare_id\n"))
        #expect(feed.report.findings.map(\.rule) == ["unknown_file"])
        #expect(feed.report.findings.first?.examples.first?.place.file == "notes.txt")
    }

    /// Adding a finding searches the existing findings, so their number must stay small.
    @Test func manyUnknownFilesAreCountedInOneFinding() throws {
        var builder = FeedBuilder.small
        for number in 0..<40 { builder = builder.file("notes\(number).txt", "a\n") }
        let feed = try GTFSFixture(builder)
        #expect(feed.report.findings.map(\.rule) == ["unknown_file"])
        #expect(feed.report.findings.first?.count == 40)
        #expect(Set(feed.report.findings.first?.examples.map(\.place.file) ?? []).count == 5)
    }
}
