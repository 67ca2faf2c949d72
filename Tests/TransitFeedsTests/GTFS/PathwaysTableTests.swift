import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// pathways.txt: the rows that are read, and the findings about those that are not or that lead nowhere.
@Suite struct PathwaysTableTests {
    private static let header =
        "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count,max_slope,min_width\n"
    private static let file = "pathways.txt"

    /// The small feed, whose central station has two platforms, with an entrance and a node there.
    private static let station = FeedBuilder.small.adding(
        "gate,,Gate,53.5530,10.0065,2,central,\nhall,,,,,3,central,\n", to: "stops.txt")

    private func read(_ rows: String, _ feed: FeedBuilder = station) throws -> GTFSFixture {
        try GTFSFixture(feed.file(Self.file, Self.header + rows))
    }

    /// The pathways as "FROM>TO".
    private func ways(_ feed: GTFSFixture) -> [String] {
        let pathways = feed.draft.pathways
        func name(_ location: UInt32) -> String {
            pathways.locations[Int(location)].stop.map { feed.draft.stops[$0.position].id.rawValue } ?? "?"
        }
        return pathways.pathways.map { "\(name($0.from))>\(name($0.to))" }
    }

    @Test func allColumnsAreRead() throws {
        let feed = try read(
            """
            1,gate,hall,2,1,12.345,,-20,,
            2,hall,central:1,1,0,,90,,0.083,0.9
            3,central:1,hall,7,0,,,,,
            4,hall,central:2,5,1,,45,,,

            """)
        #expect(ways(feed) == ["gate>hall", "hall>central:1", "central:1>hall", "hall>central:2"])
        let pathways = feed.draft.pathways
        #expect(
            pathways.pathways == [
                Pathway(from: 0, to: 1, mode: .stairs, isBidirectional: true, length: 1235, stairCount: -20),
                Pathway(
                    from: 1, to: 2, mode: .walkway, isBidirectional: false, traversalTime: 90, maximumSlope: 830,
                    minimumWidth: 90),
                Pathway(from: 2, to: 1, mode: .exitGate, isBidirectional: false),
                Pathway(from: 1, to: 3, mode: .elevator, isBidirectional: true, traversalTime: 45),
            ])
        #expect(pathways.locations.map(\.isEntrance) == [true, false, false, false])
        #expect(Set(pathways.locations.map(\.station)) == [StopIndex(2)])
        // The node has the position of its station.
        #expect(pathways.locations[1].coordinate == feed.stop("central")?.coordinate)
        #expect(feed.report.findings.isEmpty, "\(feed.report.findings)")
    }

    @Test func stopsAreTheSameWithAndWithoutPathways() throws {
        #expect(try GTFSFixture(Self.station).draft.stops == read("1,gate,hall,1,1,,,,,\n").draft.stops)
        #expect(try GTFSFixture(.small).draft.pathways == Pathways())
    }

    @Test func invalidRowsAreSkipped() throws {
        let feed = try read(
            """
            1,gate,nowhere,1,1,,,,,
            2,gate,central,1,1,,,,,
            3,gate,gate,1,1,,,,,
            4,gate,harbor,1,1,,,,,
            5,gate,hall,8,1,,,,,
            6,gate,hall,1,2,,,,,
            7,gate,hall,,1,,,,,
            8,gate,hall,1,1,-1,-20,x,steep,
            9,gate,hall,1,1,,86400,,,
            9,hall,central:1,1,1,,,,,
            10,central:1,central:2,7,1,,0,,,
            11,central:2,hall,1,1,,,,,

            """)
        #expect(ways(feed) == ["gate>hall", "gate>hall", "central:1>central:2", "central:2>hall"])
        #expect(feed.draft.pathways.pathways[0].traversalTime == nil && feed.draft.pathways.pathways[1].length == nil)
        #expect(!feed.draft.pathways.pathways[2].leadsBack)
        #expect(feed.place("foreign_key_violation", Self.file) == "2:3 to_stop_id")
        #expect(feed.place("pathway_to_wrong_location_type", Self.file) == "3:3 to_stop_id")
        #expect(feed.place("pathway_loop", Self.file) == "4:3 to_stop_id")
        #expect(feed.place("pathway_between_stations", Self.file) == "5:3 to_stop_id")
        #expect(feed.place("unexpected_enum_value", Self.file) == "6:4 pathway_mode")
        #expect(feed.count("unexpected_enum_value", Self.file) == 2)
        #expect(feed.place("missing_required_field", Self.file) == "8:4 pathway_mode")
        #expect(feed.place("number_out_of_range", Self.file) == "9:6 length")
        // The length and three times: -20, a day, and 0.
        #expect(feed.count("number_out_of_range", Self.file) == 4)
        #expect(feed.place("invalid_integer", Self.file) == "9:8 stair_count")
        #expect(feed.place("invalid_float", Self.file) == "9:9 max_slope")
        #expect(feed.place("duplicate_key", Self.file) == "11:1 pathway_id")
        #expect(feed.place("bidirectional_exit_gate", Self.file) == "12:5 is_bidirectional")
    }

    @Test func deadEndsAndLockedPlatformsAreReported() throws {
        let feed = try read("1,gate,hall,1,1,,,,,\n2,central:1,gate,7,0,,,,,\n")
        #expect(feed.count("pathway_dangling_generic_node", Self.file) == 1)
        // Riders can leave the first platform but not reach it, and the second one has no pathways.
        let locked = feed.findings("pathway_unreachable_location", Self.file).flatMap(\.examples).map(\.message)
        #expect(locked.count == 2)
        #expect(locked.first?.contains("“central:1”") == true && locked.last?.contains("“central:2”") == true)
        let open = try read("1,gate,hall,1,1,,,,,\n2,hall,central:1,1,1,,,,,\n3,hall,central:2,1,1,,,,,\n")
        #expect(open.report.findings.isEmpty, "\(open.report.findings)")
    }

    /// An entrance has one parent, but leads to two stations (GTFS reference, stops.txt, `location_type`).
    @Test func entranceOfTwoStationsIsLocationOfBoth() throws {
        let feed = try read(
            "1,gate,hall,1,1,,,,,\n2,gate,pier:1,1,1,,,,,\n3,hall,central:1,1,1,,,,,\n4,hall,central:2,1,1,,,,,\n5,gate,door,1,1,,,,,\n",
            Self.station.adding("pier,,Pier,53.553,10.007,1,,\npier:1,,Pier,53.553,10.007,0,pier,\n", to: "stops.txt")
                .adding("door,,Door,53.553,10.007,2,pier,\n", to: "stops.txt"))
        #expect(ways(feed) == ["gate>hall", "gate>pier:1", "hall>central:1", "hall>central:2"])
        let locations = feed.draft.pathways.locations
        #expect(locations.map { $0.stop?.position } == [6, 7, 6, 9, 3, 4])
        #expect(Set(locations[2...3].map(\.station)) == [StopIndex(8)])
        #expect(feed.count("pathway_between_stations", Self.file) == 1)
        #expect(feed.count("pathway_unreachable_location", Self.file) == 0)
    }

    @Test func stopWithDirectAccessNeedsNoPathway() throws {
        let table = Self.station["stops.txt"].split(separator: "\n").enumerated().map { number, line in
            "\(line),\(number == 0 ? "stop_access" : line.hasPrefix("central:2") ? "1" : "")\n"
        }
        let feed = try read(
            "1,gate,hall,1,1,,,,,\n2,hall,central:1,1,1,,,,,\n", Self.station.file("stops.txt", table.joined()))
        #expect(feed.report.findings.isEmpty, "\(feed.report.findings)")
    }

    @Test func boardingAreasBelongToTheirPlatform() throws {
        let feed = try read(
            "1,gate,area,1,1,,,,,\n2,gate,central:1,1,1,,,,,\n3,gate,hall,1,1,,,,,\n4,hall,central:2,1,1,,,,,\n",
            Self.station.adding("area,,,,,4,central:1,\n", to: "stops.txt"))
        #expect(feed.draft.pathways.locations[1].platform == StopIndex(3))
        #expect(feed.draft.pathways.locations[1].station == StopIndex(2))
        #expect(feed.count("pathway_to_platform_with_boarding_areas", Self.file) == 1)
    }

    /// Ten thousand nodes in one station: none of its pathways is used, because a part of them would be wrong.
    @Test func stationWithTooManyPathwaysHasNone() throws {
        let nodes = (0..<10_000).map { "n\($0),,,,,3,central,\n" }.joined()
        let rows = (0..<10_000).map { "\($0),gate,n\($0),1,1,,,,,\n" }.joined()
        let feed = try read(rows, Self.station.adding(nodes, to: "stops.txt"))
        #expect(feed.draft.pathways == Pathways())
        #expect(feed.count("too_many_pathways", Self.file) == 10_000)
        let most = (0..<Pathways.maximumOfStation).map { "\($0),gate,n\($0),1,1,,,,,\n" }.joined()
        let large = try read(most, Self.station.adding(nodes, to: "stops.txt"))
        #expect(large.draft.pathways.pathways.count == Pathways.maximumOfStation)
        #expect(large.count("too_many_pathways", Self.file) == 0)
    }

    /// Nodes that are not among the stops of the timetable, because most of its stops have no trips.
    @Test func nodesThatAreNotKeptAreLocations() throws {
        let own = FeedBuilder.small["stops.txt"].split(separator: "\n", omittingEmptySubsequences: false)
        let many = (0..<11_000).map { "n\($0),,,,,3,central,\n" }.joined()
        let last = "far,,,,,3,central,\ndoor,,Door,53.55,10.01,2,central,\n"
        let table = "\(own[0])\n" + own.dropFirst().joined(separator: "\n") + many + last
        let stops = FeedBuilder.small.file("stops.txt", table)
        let feed = try read("1,central:1,far,1,1,,30,,,\n2,far,central:2,1,1,,30,,,\n3,far,door,1,1,,,,,\n", stops)
        #expect(feed.stop("far") == nil)
        #expect(ways(feed) == ["central:1>?", "?>central:2", "?>?"])
        let locations = feed.draft.pathways.locations
        #expect(locations.map(\.isEntrance) == [false, false, false, true])
        #expect(locations[3].coordinate == Coordinate(latitude: 53.55, longitude: 10.01))
    }

    @Test func partOfFeedHasPathwaysOfItsStations() throws {
        var options = GTFSFixture.options
        let harbor = try #require(Coordinate(latitude: 53.54, longitude: 9.98))
        options.subset = FeedSubset(places: [.coordinate(harbor)], radius: 200)
        let feed = Self.station.file(Self.file, Self.header + "1,central:1,hall,1,1,,30,,,\n2,hall,gate,1,1,,,,,\n")
        let draft = try GTFSReader(feed.source, options: options).read().draft
        // The bus ends at a platform outside of the kept part.
        #expect(draft.stops.map(\.id.rawValue) == ["harbor", "market", "central", "central:1"])
        #expect(draft.pathways.pathways.count == 2)
        #expect(draft.pathways.locations.map { $0.stop?.position } == [3, nil, nil])
        #expect(draft.pathways.locations.map(\.station) == [StopIndex(2), StopIndex(2), StopIndex(2)])
    }
}
