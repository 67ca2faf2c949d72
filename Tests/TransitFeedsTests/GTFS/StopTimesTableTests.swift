import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct StopTimesTableTests {
    private static let header =
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,"
        + "shape_dist_traveled,timepoint\n"

    private func read(_ rows: String, header: String = Self.header) throws -> GTFSFixture {
        try GTFSFixture(.small.file("stop_times.txt", header + rows))
    }

    @Test func allFieldsOfStopTimeAreKept() throws {
        let feed = try read(
            """
            b1,8:00:00,8:00:30,harbor,5,Market,0,1,0,1
            b1,,08:10:00,market,7,,2,3,1.5,
            b1,24:00:00,48:00:01,central:1,20,,1,,2,0

            """)
        #expect(
            feed.trips["b1"]?.calls == [
                .init(stop: 0, sequence: 5, arrival: 28_800, departure: 28_830, dropOff: .none, headsign: "Market"),
                .init(stop: 1, sequence: 7, arrival: 29_400, departure: 29_400, pickup: .phone, dropOff: .driver),
                .init(stop: 3, sequence: 20, arrival: 86_400, departure: 172_801, isExact: false, pickup: .none),
            ])
        #expect(feed.count("stop_time_with_only_arrival_or_departure_time", "stop_times.txt") == 1)
    }

    @Test func missingTimesAreInterpolated() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,,,,,
            b1,,,market,2,,,,3,1
            b1,08:20:00,08:20:00,central:1,3,,,,4,
            t1,08:00:00,08:00:00,harbor,1,,,,,
            t1,,,market,2,,,,,
            t1,08:20:00,08:20:00,central:1,3,,,,,

            """)
        #expect(feed.trips["b1"]?.calls.map(\.arrival) == [28_800, 29_700, 30_000])
        #expect(feed.trips["b1"]?.calls.map(\.isExact) == [true, false, true])
        #expect(feed.place("stop_time_timepoint_without_times", "stop_times.txt") == "3:10 timepoint")
        let byPosition = try #require(feed.trips["t1"]?.calls[1].arrival)
        // The distance is 862 m to the market and another 1,388 m to the station.
        #expect((28_800 + 455...28_800 + 465).contains(byPosition))
    }

    @Test func invalidRowsAreSkipped() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,,,,,
            ghost,08:05:00,08:05:00,market,2,,,,,
            ,08:05:00,08:05:00,market,2,,,,,
            b1,08:05:00,08:05:00,nowhere,2,,,,,
            b1,08:05:00,08:05:00,,2,,,,,
            b1,08:05:00,08:05:00,market,,,,,,
            b1,08:05:00,08:05:00,market,-1,,,,,
            b1,08:05:00,08:05:00,market,two,,,,,
            b1,08:10:00,08:10:00,market,3,,,,,
            b1,08:15:00,08:15:00,park,3,,,,,

            """)
        #expect(feed.trips["b1"]?.calls.map(\.stop) == [0, 1])
        #expect(feed.draft.stopTimeCount == 2)
        let file = "stop_times.txt"
        #expect(feed.place("foreign_key_violation", file) == "3:1 trip_id")
        #expect(feed.count("foreign_key_violation", file) == 2)
        #expect(feed.count("missing_required_field", file) == 3)
        #expect(feed.place("number_out_of_range", file) == "8:5 stop_sequence")
        #expect(feed.place("invalid_integer", file) == "9:5 stop_sequence")
        #expect(feed.place("duplicate_key", file) == "11:0 ")
    }

    @Test func invalidValuesAreIgnored() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,,5,x,,
            b1,8:5,08:61:00,market,2,,,,far,7
            b1,800:00:00,,market,3,,,,-1,
            b1,,,market,4,,,,1e39,
            b1,08:30:00,08:30:00,park,5,,,,,

            """)
        let calls = try #require(feed.trips["b1"]?.calls)
        #expect(calls[0].pickup == .regular && calls[0].dropOff == .regular)
        #expect(calls.map(\.isExact) == [true, false, false, false, true])
        let file = "stop_times.txt"
        #expect(feed.count("unexpected_enum_value", file) == 3)
        #expect(feed.place("invalid_time", file) == "3:2 arrival_time")
        #expect(feed.count("invalid_time", file) == 3)
        #expect(feed.place("invalid_float", file) == "3:9 shape_dist_traveled")
        #expect(feed.place("number_out_of_range", file) == "4:9 shape_dist_traveled")
        #expect(feed.count("number_out_of_range", file) == 2)
    }

    @Test func unusableTripsAreSkipped() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,,,,,
            b1,08:10:00,08:10:00,market,2,,,,,
            b2,08:00:00,08:00:00,harbor,1,,,,,
            b3,,,harbor,1,,,,,
            b3,08:10:00,08:10:00,market,2,,,,,
            b4,08:10:00,08:10:00,harbor,1,,,,,
            b4,08:00:00,08:00:00,market,2,,,,,
            t1,08:00:00,08:00:00,harbor,1,,,,,
            t1,08:10:00,08:05:00,market,2,,,,,
            t1,08:20:00,08:20:00,park,3,,,,,

            """)
        #expect(feed.trips.keys.sorted() == ["b1", "t1"])
        let file = "stop_times.txt"
        #expect(feed.place("unusable_trip", file) == "4:0 ")
        #expect(feed.count("missing_trip_edge", file) == 2)
        #expect(feed.place("stop_time_with_arrival_before_previous_departure_time", file) == "8:0 ")
        #expect(feed.place("start_and_end_range_out_of_order", file) == "10:0 ")
        #expect(feed.findings("missing_trip_edge", file).first?.examples.first?.message.contains("“b3”") == true)
    }

    @Test func flexibleServiceIsReported() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,,,,
            b1,,,,2,zone,,,
            b1,,,,3,,group,,
            b1,,,market,4,,,08:00:00,09:00:00
            b1,08:30:00,08:30:00,park,5,,,,
            b2,,,,1,zone,,08:00:00,09:00:00
            b2,,,,2,zone,,08:00:00,09:00:00

            """,
            header: "trip_id,arrival_time,departure_time,stop_id,stop_sequence,location_id,location_group_id,"
                + "start_pickup_drop_off_window,end_pickup_drop_off_window\n")
        #expect(feed.trips["b1"]?.calls.map(\.sequence) == [1, 5])
        #expect(feed.trips["b2"] == nil)
        #expect(feed.count("flexible_service_not_supported", "stop_times.txt") == 5)
    }

    @Test func callAtStationIsReported() throws {
        let feed = try read("b1,08:00:00,08:00:00,harbor,1,,,,,\nb1,08:10:00,08:10:00,central,2,,,,,\n")
        #expect(feed.trips["b1"]?.calls.map(\.stop) == [0, 2])
        #expect(feed.place("location_with_unexpected_stop_time", "stop_times.txt") == "3:4 stop_id")
    }

    @Test func rowAndColumnOrderDoNotMatter() throws {
        let feed = try read(
            """
            3,central:1,08:20:00,b1,08:20:00
            1,harbor,08:20:00,b2,08:20:00
            1,harbor,08:00:00,b1,08:00:00
            2,market,08:09:00,b1,08:08:00
            2,park,08:40:00,b2,08:40:00

            """, header: "stop_sequence,stop_id,departure_time,trip_id,arrival_time\n")
        #expect(feed.trips["b1"] == (try GTFSFixture(.small)).trips["b1"])
        #expect(feed.trips["b2"]?.calls.map(\.stop) == [0, 5])
    }

    @Test func feedWithoutUsableStopTimesIsRejected() throws {
        let refusal = try #require(
            GTFSFixture.refusal(.small.file("stop_times.txt", Self.header + "b1,08:00:00,08:00:00,nowhere,1,,,,,\n")))
        #expect(refusal.reason.contains("No trip in the feed has two usable stop times"))
        #expect(refusal.reason.contains("stop_times.txt line 2: stops.txt has no stop_id “nowhere”"))
    }

    @Test func missingColumnsAreReported() throws {
        let refusal = try #require(
            GTFSFixture.refusal(
                .small.file("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id\nb1,8:00:00,,harbor\n")))
        #expect(refusal.report.findings.contains { $0.rule == "missing_required_column" })
        #expect(refusal.reason.contains("stop_sequence"))
    }
}

/// The rules of the canonical validator for the speed of trips.
@Suite struct TravelSpeedCheckTests {
    private static let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"

    /// In the small feed, "b1" is a bus trip and "t1" is a tram trip. The distance from `harbor` is 860 m to `market`
    /// and 3.4 km to `park`.
    private func read(_ rows: String, stops: String = "") throws -> GTFSFixture {
        try GTFSFixture(
            FeedBuilder.small.adding(stops, to: "stops.txt").file("stop_times.txt", Self.header + rows))
    }

    private static let far = "far,,Far,53.7000,9.9800,0,,\n"

    @Test func tooFastBusIsReportedForEachTrip() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,
            b1,08:00:30,08:00:30,park,2,
            b2,09:00:00,09:00:00,harbor,1,
            b2,09:00:30,09:00:30,park,2,
            b3,09:00:00,09:00:00,harbor,1,
            b3,09:05:00,09:05:00,park,2,

            """)
        #expect(feed.count("fast_travel_between_consecutive_stops", "stop_times.txt") == 2)
        #expect(feed.place("fast_travel_between_consecutive_stops", "stop_times.txt") == "3:0 ")
        #expect(feed.count("fast_travel_between_far_stops", "stop_times.txt") == 0)
        #expect(feed.trips.keys.sorted() == ["b1", "b2", "b3"])
    }

    /// With times in whole minutes, a trip segment of 860 m in zero minutes can actually take up to a minute.
    @Test func wholeMinutesHaveRoundingTolerance() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,
            b1,08:00:00,08:00:00,market,2,
            b1,08:10:00,08:10:00,park,3,
            b2,09:00:10,09:00:10,harbor,1,
            b2,09:00:20,09:00:20,market,2,

            """)
        #expect(feed.count("fast_travel_between_consecutive_stops", "stop_times.txt") == 1)
        #expect(feed.place("fast_travel_between_consecutive_stops", "stop_times.txt") == "6:0 ")
    }

    @Test func speedOverLongDistanceIsChecked() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,
            b1,08:01:01,08:01:01,market,2,
            b1,08:02:30,08:02:30,far,3,

            """, stops: Self.far)
        #expect(feed.count("fast_travel_between_far_stops", "stop_times.txt") == 1)
        #expect(feed.place("fast_travel_between_far_stops", "stop_times.txt") == "4:0 ")
    }

    @Test func nonIncreasingDistancesAreReported() throws {
        let feed = try read(
            """
            b1,08:00:00,08:00:00,harbor,1,0
            b1,08:05:00,08:05:00,market,2,500
            b1,08:10:00,08:10:00,central:1,3,400
            b2,09:00:00,09:00:00,harbor,1,0
            b2,09:05:00,09:05:00,market,2,0
            b3,09:00:00,09:00:00,harbor,1,
            b3,09:05:00,09:05:00,market,2,10.5

            """)
        #expect(feed.count("decreasing_or_equal_stop_time_distance", "stop_times.txt") == 2)
        #expect(feed.place("decreasing_or_equal_stop_time_distance", "stop_times.txt") == "4:0 ")
    }

    @Test func decreasingShapeDistancesAreReported() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "shapes.txt",
                """
                shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
                a,53.1,10.1,1,0
                a,53.2,10.1,2,10
                a,53.3,10.1,3,9
                a,53.4,10.1,4,
                b,53.1,10.1,1,3
                b,53.2,10.1,2,3

                """))
        #expect(feed.place("decreasing_shape_distance", "shapes.txt") == "4:5 shape_dist_traveled")
        #expect(feed.count("decreasing_shape_distance", "shapes.txt") == 1)
    }

    @Test func positionsNearOriginAndPolesAreReported() throws {
        let feed = try read(
            "b1,08:00:00,08:00:00,harbor,1,\nb1,08:10:00,08:10:00,market,2,\n",
            stops: "near,,Near,0.2,-0.9,0,,\npole,,Pole,89.5,10,0,,\nlome,,Lomé,6.13,1.22,0,,\n")
        #expect(feed.count("point_near_origin", "stops.txt") == 1)
        #expect(feed.stop("near")?.coordinate == nil)
        #expect(feed.count("point_near_pole", "stops.txt") == 1)
        #expect(feed.stop("lome")?.coordinate != nil)
    }

    @Test(arguments: [(3600, false), (7200, false), (-28_800, true), (8 * 3600, true)])
    func zoneFarFromSolarTimeIsReported(offset: Int, isUnusual: Bool) throws {
        var options = GTFSFixture.options
        options.zoneOffset = { _ in offset }
        let reading = try GTFSReader(FeedBuilder.small.source, options: options).read()
        #expect(reading.report.findings.contains { $0.rule == "unusual_timezone" } == isUnusual)
    }
}
