import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite struct ArchiveOverviewTests {
    private func overview(_ feed: FeedBuilder) throws -> ArchiveOverview {
        try ArchiveOverview(ZipArchive(feed.source))
    }

    @Test func namesAgenciesStopsAndDates() throws {
        let small = try overview(.small)
        #expect(small.agencies == ["City Lines"] && small.timeZone == "Europe/Berlin")
        #expect(small.stops == ["Harbor", "Market Square", "Central Station"])
        #expect(small.serviceDates?.lowerBound.description == "2026-01-01")
        #expect(small.serviceDates?.upperBound.description == "2026-12-31")
    }

    @Test func addedDatesCountAndRemovedOnesDoNot() throws {
        let dates = try overview(
            FeedBuilder.small.file("calendar.txt", "service_id\n").file(
                "calendar_dates.txt", "service_id,date,exception_type\na,20260301,1\na,20270101,2\na,20260303,1\n"))
        #expect(dates.serviceDates?.lowerBound.description == "2026-03-01")
        #expect(dates.serviceDates?.upperBound.description == "2026-03-03")
        let none = try overview(
            FeedBuilder.small.file("calendar.txt", "service_id\n").file("calendar_dates.txt", "service_id\n"))
        #expect(none.serviceDates == nil)
    }
}
