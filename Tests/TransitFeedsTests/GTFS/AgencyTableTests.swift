import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct AgencyTableTests {
    private func feed(_ agencies: String) -> FeedBuilder { .small.file("agency.txt", agencies) }

    @Test func singleAgencyNeedsNoIdentifier() throws {
        let feed = try GTFSFixture(
            feed("agency_name,agency_url,agency_timezone\nLines,https://a.example,Europe/Berlin\n")
                .file("routes.txt", "route_id,route_short_name,route_type\nbus24,24,3\ntram1,T1,0\n"))
        #expect(feed.draft.agencies.map(\.id) == [""])
        #expect(feed.draft.routes.map(\.agency) == [AgencyIndex(0), AgencyIndex(0)])
        #expect(feed.report.findings.isEmpty)
    }

    @Test func severalAgenciesNeedIdentifiers() throws {
        let feed = try GTFSFixture(
            feed(
                """
                agency_id,agency_name,agency_url,agency_timezone
                city,City,https://a.example,Europe/Berlin
                ,Nameless,https://a.example,Europe/Berlin
                ,Nameless again,https://a.example,Europe/Berlin
                city,Again,https://a.example,Europe/Berlin

                """))
        #expect(feed.draft.agencies.map(\.name) == ["City", "Nameless"])
        #expect(feed.place("missing_required_field", "agency.txt") == "4:1 agency_id")
        #expect(feed.place("duplicate_key", "agency.txt") == "5:1 agency_id")
    }

    @Test func routesOfUnknownAgencyAreKeptIfAllZonesAreEqual() throws {
        let agencies = "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example,Europe/Berlin\n"
        let feed = try GTFSFixture(feed(agencies))
        #expect(feed.draft.routes.count == 2)
        #expect(feed.count("foreign_key_violation", "routes.txt") == 2)
        #expect(feed.place("foreign_key_violation", "routes.txt") == "2:2 agency_id")

        let mixed = try GTFSFixture(
            self.feed(agencies + "b,B,https://b.example,America/New_York\n")
                .file("routes.txt", "route_id,agency_id,route_short_name,route_type\nbus24,b,24,3\ntram1,c,T1,0\n"))
        #expect(mixed.draft.routes.map(\.id) == ["bus24"])
        #expect(mixed.draft.routes.map(\.agency) == [AgencyIndex(1)])
        #expect(mixed.count("inconsistent_agency_timezone", "agency.txt") == 1)
        #expect(mixed.count("row_of_skipped_trip", "stop_times.txt") == 4)
    }

    @Test(arguments: [
        ("america/los_angeles", "America/Los_Angeles"), ("America/Los Angeles", "America/Los_Angeles"),
        ("US/Pacific", "America/Los_Angeles"), ("Europe/Kiev", "Europe/Kyiv"), ("Japan", "Asia/Tokyo"),
    ]) func unambiguousZoneNamesAreResolved(name: String, zone: String) throws {
        let text = "agency_id,agency_name,agency_url,agency_timezone\ncity,City,https://a.example,\(name)\n"
        let feed = try GTFSFixture(feed(text))
        #expect(feed.draft.agencies.map(\.timezone) == [zone])
        #expect(feed.findings("invalid_timezone", "agency.txt").first?.severity == .warning)
    }

    @Test(arguments: ["PST", "GMT+8", "Pacific Standard Time", "Mars/Olympus", ""])
    func unknownZoneRejectsFeed(name: String) throws {
        let text = "agency_id,agency_name,agency_url,agency_timezone\ncity,City,https://a.example,\(name)\n"
        let refusal = try #require(GTFSFixture.refusal(feed(text)))
        #expect(refusal.reason.contains(name.isEmpty ? "agency_timezone is empty" : "“\(name)”"))
        #expect(refusal.report.worst == .fatal)
    }

    @Test func oneKnownZoneAppliesToAllAgencies() throws {
        let feed = try GTFSFixture(
            feed(
                """
                agency_id,agency_name,agency_url,agency_timezone
                other,Other,https://a.example,CET-ish
                city,City,https://a.example,Europe/Berlin

                """))
        #expect(feed.draft.agencies.map(\.timezone) == ["Europe/Berlin", "Europe/Berlin"])
        #expect(feed.findings("invalid_timezone", "agency.txt").first?.severity == .error)
    }

    @Test func feedWithoutAgencyIsRejected() throws {
        let refusal = try #require(
            GTFSFixture.refusal(feed("agency_id,agency_name,agency_url,agency_timezone\n")))
        #expect(refusal.reason.contains("agency.txt has no agency"))
    }

    @Test func unknownColumnsAreReported() throws {
        let feed = try GTFSFixture(
            feed(
                """
                agency_id,agency_name,agency_url,agency_timezone,agency_email,agency_mood
                city,City,https://a.example,Europe/Berlin,a@a.example,good

                """))
        #expect(feed.findings("unknown_column", "agency.txt").first?.severity == .info)
        #expect(feed.place("unknown_column", "agency.txt") == "1:6 agency_mood")
        #expect(feed.count("unknown_column", "agency.txt") == 1)
    }
}
