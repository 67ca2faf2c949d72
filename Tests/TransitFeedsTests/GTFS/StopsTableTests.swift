import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct StopsTableTests {
    private func read(_ rows: String) throws -> GTFSFixture {
        try GTFSFixture(
            FeedBuilder.small.adding(rows, to: "stops.txt").file(
                "stops.txt",
                """
                stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,stop_timezone,\
                wheelchair_boarding
                harbor,100,Harbor,53.5400,9.9800,0,,,,
                market,101,Market Square,53.5450,9.9900,0,,,,
                central,,Central Station,53.5530,10.0060,1,,,Europe/Kyiv,1
                central:1,102,Central Station,53.5531,10.0061,0,central,1,Europe/Berlin,2
                central:2,103,Central Station,53.5529,10.0063,0,central,2,,
                park,104,City Park,53.5600,10.0200,0,,,,

                """ + rows))
    }

    @Test func childrenInheritFromParents() throws {
        let feed = try read(
            """
            door,,,,,2,central,,,
            hall,,,,,3,central,,,
            area,,,,,4,central:2,,,

            """)
        #expect(feed.stop("central:1")?.wheelchair == .notPossible)
        #expect(feed.stop("central:2")?.wheelchair == .possible)
        #expect(feed.stop("area")?.wheelchair == .possible)
        #expect(feed.stop("central:1")?.timezone == "Europe/Kyiv")
        #expect(feed.stop("area")?.timezone == "Europe/Kyiv")
        #expect(feed.stop("harbor")?.timezone == nil)
        #expect(feed.stop("door")?.name == "Central Station")
        #expect(feed.stop("door")?.coordinate == feed.stop("central")?.coordinate)
        #expect(feed.stop("area")?.parent == feed.draft.stops.firstIndex { $0.id == "central:2" }.map { StopIndex($0) })
        #expect(feed.stop("hall")?.kind == .node)
        #expect(feed.count("missing_required_field", "stops.txt") == 0)
        #expect(feed.place("stop_without_location", "stops.txt") == "8:4 stop_lat")
        #expect(feed.count("stop_without_location", "stops.txt") == 1)
    }

    @Test func stationWithoutZoneUsesAgencyZone() throws {
        let feed = try read("p,,Platform,53.5,10.1,0,late,,Europe/Kyiv,\nlate,,Late,53.5,10.1,1,,,,\n")
        #expect(feed.stop("p")?.timezone == nil)
        #expect(feed.stop("late")?.timezone == nil)
    }

    @Test func parentMayFollowChild() throws {
        let feed = try read("p,,Platform,53.5,10.1,0,late,,,\nlate,,Late,53.5,10.1,1,,,,\n")
        #expect(feed.stop("p")?.parent.map { feed.draft.stops[$0.position].id } == "late")
    }

    @Test func invalidParentsAreIgnored() throws {
        let feed = try read(
            """
            a,,A,53.5,10.1,0,nowhere,,,
            b,,B,53.5,10.1,0,harbor,,,
            c,,C,53.5,10.1,1,central,,,
            d,,D,53.5,10.1,4,central,,,
            e,,E,53.5,10.1,2,,,,
            f,,F,53.5,10.1,0,f,,,

            """)
        for id in ["a", "b", "c", "d", "e", "f"] { #expect(feed.stop(id)?.parent == nil) }
        #expect(feed.place("foreign_key_violation", "stops.txt") == "8:0 parent_station")
        #expect(feed.count("wrong_parent_location_type", "stops.txt") == 3)
        #expect(feed.count("station_with_parent_station", "stops.txt") == 1)
        #expect(feed.count("location_without_parent_station", "stops.txt") == 1)
    }

    @Test func invalidPositionsAreIgnored() throws {
        let feed = try read(
            """
            zero,,Zero,0,0.000,0,,,,
            nan,,NaN,NaN,10,0,,,,
            far,,Far,53,180.5,0,,,,
            half,,Half,53,,0,,,,
            exponent,,Exponent,5.35e1,10,0,,,,
            edge,,Edge,-90,180,0,,,,

            """)
        for id in ["zero", "nan", "far", "half"] { #expect(feed.stop(id)?.coordinate == nil) }
        #expect(feed.stop("exponent")?.coordinate?.latitude == 53.5)
        #expect(feed.stop("edge")?.coordinate?.longitude == 180)
        #expect(feed.place("point_near_origin", "stops.txt") == "8:4 stop_lat")
        #expect(feed.place("invalid_float", "stops.txt") == "9:4 stop_lat")
        #expect(feed.place("number_out_of_range", "stops.txt") == "10:5 stop_lon")
        #expect(feed.place("missing_required_field", "stops.txt") == "11:5 stop_lon")
    }

    @Test func invalidRowsAndValuesAreReported() throws {
        let feed = try read(
            """
            ,,No id,53.5,10.1,0,,,,
            harbor,,Again,53.5,10.1,0,,,,
            kind,,Kind,53.5,10.1,7,,,,
            access,,Access,53.5,10.1,0,,,,yes
            zone,,Zone,53.5,10.1,0,,,PST,
            unnamed,55,,53.5,10.1,0,,,,

            """)
        #expect(feed.stop("harbor")?.name == "Harbor")
        #expect(feed.stop("kind")?.kind == .platform)
        #expect(feed.stop("access")?.wheelchair == .unknown)
        #expect(feed.stop("zone")?.timezone == nil)
        #expect(feed.stop("unnamed")?.name == "55")
        #expect(feed.place("missing_required_field", "stops.txt") == "8:1 stop_id")
        #expect(feed.place("duplicate_key", "stops.txt") == "9:1 stop_id")
        #expect(feed.count("unexpected_enum_value", "stops.txt") == 2)
        #expect(feed.place("invalid_timezone", "stops.txt") == "12:9 stop_timezone")
        #expect(feed.findings("missing_required_field", "stops.txt").map(\.severity) == [.error, .warning])
    }

    @Test func unusedStopsAreReported() throws {
        let feed = try read("lonely,,Lonely,53.5,10.1,0,,,,\n")
        #expect(feed.findings("stop_without_stop_time", "stops.txt").first?.severity == .info)
        #expect(feed.count("stop_without_stop_time", "stops.txt") == 1)
    }

    @Test func feedWithoutStopsIsRejected() throws {
        let refusal = try #require(
            GTFSFixture.refusal(.small.file("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n")))
        #expect(refusal.reason == "The feed has no stops")
    }
}
