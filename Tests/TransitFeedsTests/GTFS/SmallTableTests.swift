import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct FrequenciesTableTests {
    private static let header = "trip_id,start_time,end_time,headway_secs,exact_times\n"

    @Test func frequenciesBelongToTheirTrip() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "frequencies.txt", Self.header + "b2,07:00:00,09:00:00,600,1\nb2,05:00:00,07:00:00,900,\n"))
        let position = try #require((0..<6).first { feed.draft.trips.ids[$0] == "b2" })
        #expect(
            feed.trips["b2"]?.frequencies == [
                Frequency(trip: UInt32(position), start: 18_000, end: 25_200, headway: 900, isExact: false),
                Frequency(trip: UInt32(position), start: 25_200, end: 32_400, headway: 600, isExact: true),
            ])
        #expect(feed.report.findings.isEmpty)
    }

    @Test func invalidRowsAreSkipped() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.adding("nowhere,weekday,x,,\n", to: "trips.txt").file(
                "frequencies.txt",
                Self.header + """
                    ghost,07:00:00,09:00:00,600,0
                    x,07:00:00,09:00:00,600,0
                    b2,09:00:00,09:00:00,600,0
                    b2,07:00:00,09:00:00,0,0
                    b2,07:00:00,9h,600,0
                    b2,,09:00:00,600,0
                    b2,07:00:00,09:00:00,600,2
                    b2,07:00:00,09:30:00,600,0
                    b2,08:00:00,10:00:00,600,0
                    b2,12:00:00,11:00:00,600,0

                    """))
        let file = "frequencies.txt"
        #expect(feed.trips["b2"]?.frequencies.map(\.start) == [25_200, 28_800])
        #expect(feed.trips["b2"]?.frequencies.map(\.end) == [28_800, 36_000])
        #expect(feed.place("foreign_key_violation", file) == "2:1 trip_id")
        #expect(feed.place("row_of_skipped_trip", file) == "3:1 trip_id")
        #expect(feed.place("start_and_end_range_equal", file) == "4:3 end_time")
        #expect(feed.place("start_and_end_range_out_of_order", file) == "11:3 end_time")
        #expect(feed.place("number_out_of_range", file) == "5:4 headway_secs")
        #expect(feed.place("invalid_time", file) == "6:3 end_time")
        #expect(feed.place("missing_required_field", file) == "7:2 start_time")
        #expect(feed.place("unexpected_enum_value", file) == "8:5 exact_times")
        #expect(feed.place("duplicate_key", file) == "9:0 ")
        #expect(feed.place("overlapping_frequency", file) == "10:0 ")
    }
}

@Suite struct TransfersTableTests {
    @Test func allTransferTypesAreKept() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "transfers.txt",
                """
                from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_route_id,from_trip_id,to_trip_id
                central:1,central:2,2,120,,,,
                central:2,central:1,,,bus24,,,t1
                ,,4,,,,b1,b2

                """))
        #expect(
            feed.draft.transfers == [
                Transfer(fromStop: StopIndex(3), toStop: StopIndex(4), kind: .minimumTime, minimumTime: 120),
                Transfer(
                    fromStop: StopIndex(4), toStop: StopIndex(3), fromRoute: RouteIndex(0), toTrip: "t1",
                    kind: .recommended),
                Transfer(fromStop: nil, toStop: nil, fromTrip: "b1", toTrip: "b2", kind: .inSeat),
            ])
        #expect(feed.report.findings.isEmpty)
    }

    @Test func invalidRowsAreSkipped() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "transfers.txt",
                """
                from_stop_id,to_stop_id,transfer_type,min_transfer_time,to_trip_id
                nowhere,central:2,0,,
                central:1,,0,,
                central:1,central:2,0,,ghost
                central:1,central:2,9,soon,
                central:1,central:2,0,,

                """))
        #expect(
            feed.draft.transfers == [Transfer(fromStop: StopIndex(3), toStop: StopIndex(4), kind: .recommended)])
        let file = "transfers.txt"
        #expect(feed.place("foreign_key_violation", file) == "2:1 from_stop_id")
        #expect(feed.count("foreign_key_violation", file) == 2)
        #expect(feed.place("missing_required_field", file) == "3:2 to_stop_id")
        #expect(feed.place("unexpected_enum_value", file) == "5:3 transfer_type")
        #expect(feed.place("invalid_integer", file) == "5:4 min_transfer_time")
        #expect(feed.place("duplicate_key", file) == "6:1 from_stop_id")
    }
}

@Suite struct TranslationsTableTests {
    @Test func translationsByRecordAndByValueAreRead() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "translations.txt",
                """
                table_name,field_name,language,translation,record_id,record_sub_id,field_value
                stops,stop_name,de,Hafen,harbor,,
                stop_times,stop_headsign,de,Bahnhof,b1,2,
                trips,trip_headsign,de,Hauptbahnhof,,,Central Station
                feed_info,feed_publisher_name,de,Stadt,,,

                """))
        #expect(
            feed.draft.translations == [
                Translation(
                    table: "stops", field: "stop_name", language: "de", text: "Hafen",
                    subject: .record(id: "harbor", subID: nil)),
                Translation(
                    table: "stop_times", field: "stop_headsign", language: "de", text: "Bahnhof",
                    subject: .record(id: "b1", subID: "2")),
                Translation(
                    table: "trips", field: "trip_headsign", language: "de", text: "Hauptbahnhof",
                    subject: .value("Central Station")),
                Translation(
                    table: "feed_info", field: "feed_publisher_name", language: "de", text: "Stadt",
                    subject: .record(id: "", subID: nil)),
            ])
    }

    @Test func invalidRowsAreSkipped() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "translations.txt",
                """
                table_name,field_name,language,translation,record_id,record_sub_id,field_value
                tables,stop_name,de,Hafen,harbor,,
                stops,stop_name,de,Hafen,nowhere,,
                stops,stop_name,de,Hafen,,,
                stops,,de,Hafen,harbor,,
                stops,stop_name,de,Hafen,harbor,,Harbor

                """))
        #expect(feed.draft.translations.map(\.subject) == [.record(id: "harbor", subID: nil)])
        let file = "translations.txt"
        #expect(feed.place("translation_unknown_table_name", file) == "2:1 table_name")
        #expect(feed.place("translation_foreign_key_violation", file) == "3:5 record_id")
        #expect(feed.place("missing_required_field", file) == "4:5 record_id")
        #expect(feed.count("missing_required_field", file) == 2)
        #expect(feed.place("translation_unexpected_value", file) == "6:7 field_value")
    }

    @Test func legacyTranslationsApplyToFieldsWithTheirText() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "translations.txt",
                "trans_id,lang,translation\nCentral Station,de,Hauptbahnhof\nNot there,de,Nichts\nT1,de,S1\n"))
        #expect(
            feed.draft.translations.map { "\($0.table).\($0.field) \($0.text)" } == [
                "stops.stop_name Hauptbahnhof", "trips.trip_headsign Hauptbahnhof",
                "stop_times.stop_headsign Hauptbahnhof", "routes.route_short_name S1",
            ])
        #expect(feed.place("unused_translation", "translations.txt") == "3:1 trans_id")
        #expect(feed.draft.translations.allSatisfy { $0.language == "de" })
        #expect(feed.draft.translations.first?.subject == .value("Central Station"))
    }
}

@Suite struct FeedInfoTableTests {
    private func read(_ rows: String) throws -> GTFSFixture {
        try GTFSFixture(
            .small.file(
                "feed_info.txt",
                "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version\n" + rows))
    }

    @Test func firstRowIsUsed() throws {
        let feed = try read("City,https://city.example,en,20260101,20261231,v7\nOther,,,,,\n")
        #expect(
            feed.draft.feedInfo
                == FeedInfo(
                    publisher: "City", publisherURL: "https://city.example", language: "en",
                    startDate: date(2026, 1, 1), endDate: date(2026, 12, 31), version: "v7"))
        #expect(feed.place("more_than_one_entity", "feed_info.txt") == "3:0 ")
        #expect(feed.report.findings.count == 1)
    }

    @Test func expirationSoonIsReported() throws {
        let feed = try read("City,https://city.example,en,20260101,20260310,v7\n")
        #expect(feed.findings("feed_expiration_date7_days", "feed_info.txt").first?.severity == .warning)
        let later = try read("City,https://city.example,en,20260101,20260311,v7\n")
        #expect(later.report.findings.isEmpty)
    }

    @Test func invalidDatesAreIgnored() throws {
        let broken = try read("City,https://city.example,en,2026,20261231,v7\n")
        #expect(broken.draft.feedInfo?.startDate == nil)
        #expect(broken.draft.feedInfo?.endDate == date(2026, 12, 31))
        #expect(broken.place("invalid_date", "feed_info.txt") == "2:4 feed_start_date")

        let reversed = try read("City,https://city.example,en,20261231,20260101,v7\n")
        #expect(reversed.draft.feedInfo?.startDate == nil && reversed.draft.feedInfo?.endDate == nil)
        #expect(reversed.place("start_and_end_range_out_of_order", "feed_info.txt") == "2:5 feed_end_date")
    }
}

@Suite struct ShapesTableTests {
    private func shapes(_ rows: String) throws -> (feed: GTFSFixture, points: [String: [Coordinate]]) {
        let feed = try GTFSFixture(
            .small.file("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + rows))
        let columns = feed.draft.shapes
        let points = (0..<columns.count).map { shape in
            (columns.ids[shape], ShapePacking.points(columns.packed.bytes[columns.packed.range(shape)]) ?? [])
        }
        return (feed, Dictionary(uniqueKeysWithValues: points))
    }

    @Test func pointsAreSortedBySequence() throws {
        let (feed, points) = try shapes(
            """
            a,53.3,10.3,30
            a,53.1,10.1,10
            b,-1.5,0,1
            a,53.2,10.2,20
            b,-1.6,-0.25,7
            a,53.0,10.0,0

            """)
        #expect(points["a"]?.map(\.latitude) == [53.0, 53.1, 53.2, 53.3])
        #expect(points["a"]?.map(\.longitude) == [10.0, 10.1, 10.2, 10.3])
        #expect(points["b"]?.map(\.longitude) == [0, -0.25])
        #expect(feed.count("unused_shape", "shapes.txt") == 2)
    }

    @Test func invalidPointsAreSkipped() throws {
        let (feed, points) = try shapes(
            """
            a,53.1,10.1,1
            a,53.9,10.9,1
            a,0,0,2
            a,0.000004,-0.000001,2
            a,53.2,x,3
            a,53.2,10.2,
            a,53.2,10.2,-4
            ,53.2,10.2,5
            b,1,1,1
            a,53.3,10.3,1

            """)
        #expect(points["a"]?.map(\.latitude) == [53.1])
        let file = "shapes.txt"
        #expect(feed.findings("duplicate_key", file).first?.examples.map(\.place.line) == [3, 11])
        #expect(feed.count("point_near_origin", file) == 3)
        #expect(feed.count("invalid_float", file) == 1)
        #expect(feed.count("missing_required_field", file) == 2)
        #expect(feed.count("number_out_of_range", file) == 1)
    }
}

/// Huge tables, in which the number of rows is limited during reading.
@Suite struct EndlessTableTests {
    @Test func excessShapePointsAreCounted() throws {
        let rows = (0..<200_100).map { "s,53.\($0 % 1000 + 1000),10.1,\($0)\n" }.joined()
        let feed = try GTFSFixture(
            FeedBuilder.small.file("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + rows))
        #expect(feed.count("too_many_shape_points", "shapes.txt") == 100)
        #expect(feed.place("too_many_shape_points", "shapes.txt") == "200002:1 shape_id")
    }

    @Test func duplicatePointsAreCountedButNotStored() throws {
        let rows = String(repeating: "s,53.1,10.1,1\n", count: 5_000)
        let feed = try GTFSFixture(
            FeedBuilder.small.file("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + rows))
        #expect(feed.count("duplicate_key", "shapes.txt") == 4_999)
        #expect(feed.findings("duplicate_key", "shapes.txt").first?.examples.count == 5)
    }

    @Test func excessFrequenciesAreCounted() throws {
        let rows = (0..<1_500).map { minute in
            "b2,\(minute / 60):\(String(minute % 60 + 100).dropFirst()):00,300:00:00,600,1\n"
        }
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times\n" + rows.joined()))
        #expect(feed.count("too_many_frequencies", "frequencies.txt") == 60)
    }
}
