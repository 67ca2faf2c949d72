import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct CalendarTests {
    private static let header =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"

    @Test func oneFileMayBeMissing() throws {
        let onlyDates = try GTFSFixture(
            FeedBuilder.small.without("calendar.txt").file(
                "calendar_dates.txt",
                "service_id,date,exception_type\nweekday,20260306,1\nweekday,20260305,1\nweekend,20260307,1\n"))
        #expect(onlyDates.service("weekday")?.added == [date(2026, 3, 5), date(2026, 3, 6)])
        #expect(onlyDates.service("weekday")?.weekdays == 0)
        #expect(onlyDates.draft.trips.count == 6)

        let onlyWeeks = try GTFSFixture(FeedBuilder.small.without("calendar_dates.txt"))
        #expect(onlyWeeks.service("weekday")?.weekdays == 0b001_1111)
        #expect(onlyWeeks.service("weekend")?.weekdays == 0b110_0000)
    }

    @Test func feedWithoutCalendarFilesIsRejected() throws {
        let refusal = try #require(
            GTFSFixture.refusal(.small.without("calendar.txt").without("calendar_dates.txt")))
        #expect(refusal.reason.contains("neither calendar.txt nor calendar_dates.txt"))
        #expect(refusal.report.findings.last?.rule == "missing_calendar_and_calendar_date_files")
    }

    @Test func invalidRowsAreSkipped() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.adding(
                """
                ,1,1,1,1,1,0,0,20260101,20261231
                weekday,0,0,0,0,0,0,0,20200101,20201231
                a,1,1,1,1,1,0,0,2026-01-01,20261231
                b,1,1,1,1,1,0,0,20260101,20260231
                c,1,1,1,1,1,0,0,20260101,
                d,1,,yes,1,1,0,0,20260101,20261231
                e,1,1,1,1,1,1,1,20261231,20260101

                """, to: "calendar.txt"))
        #expect(feed.draft.services.map(\.id) == ["weekday", "weekend", "d", "e"])
        #expect(feed.service("weekday")?.start == date(2026, 1, 1))
        #expect(feed.service("d")?.weekdays == 0b001_1001)
        #expect(feed.service("e")?.span == nil)
        #expect(feed.place("duplicate_key", "calendar.txt") == "5:1 service_id")
        #expect(feed.place("invalid_date", "calendar.txt") == "6:9 start_date")
        #expect(feed.count("invalid_date", "calendar.txt") == 2)
        #expect(feed.count("missing_required_field", "calendar.txt") == 3)
        #expect(feed.place("unexpected_enum_value", "calendar.txt") == "9:4 wednesday")
        #expect(feed.place("start_and_end_range_out_of_order", "calendar.txt") == "10:10 end_date")
    }

    @Test func missingWeekdayMeansNoService() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.file(
                "calendar.txt",
                """
                service_id,monday,tuesday,wednesday,friday,saturday,sunday,start_date,end_date
                weekday,1,1,1,1,0,0,20260101,20261231
                weekend,0,0,0,0,1,1,20260101,20261231

                """))
        #expect(feed.service("weekday")?.weekdays == 0b001_0111)
        #expect(feed.place("missing_required_column", "calendar.txt") == "1:0 thursday")
    }

    @Test func invalidExceptionsAreSkipped() throws {
        let feed = try GTFSFixture(
            FeedBuilder.small.adding(
                """
                weekday,20260501,1
                weekday,20260502,3
                weekday,20261301,1
                ,20260503,1
                weekday,,1
                weekday,20260504,
                special,20260505,1

                """, to: "calendar_dates.txt"))
        #expect(feed.service("weekday")?.removed == [date(2026, 5, 1)])
        #expect(feed.service("weekday")?.added == [])
        #expect(feed.service("special")?.added == [date(2026, 5, 5)])
        #expect(feed.place("duplicate_key", "calendar_dates.txt") == "4:0 ")
        #expect(feed.place("unexpected_enum_value", "calendar_dates.txt") == "5:3 exception_type")
        #expect(feed.count("unexpected_enum_value", "calendar_dates.txt") == 2)
        #expect(feed.place("invalid_date", "calendar_dates.txt") == "6:2 date")
        #expect(feed.count("missing_required_field", "calendar_dates.txt") == 2)
    }

    @Test func feedWithoutServiceDatesIsRejected() throws {
        let refusal = try #require(
            GTFSFixture.refusal(
                FeedBuilder.small.without("calendar_dates.txt").file(
                    "calendar.txt",
                    Self.header + """
                        weekday,0,0,0,0,0,0,0,20260101,20261231
                        weekend,1,0,0,0,0,0,0,20260103,20260104
                        unused,1,1,1,1,1,1,1,20260101,20261231

                        """)))
        #expect(refusal.reason.contains("No trip in the feed runs on any date"))
    }

    @Test(arguments: [
        ("20250101", "20251231", "expired_calendar"), ("20260401", "20261231", "future_calendar"),
        ("20260101", "20260308", "feed_expiration_date7_days"),
    ]) func expiredAndFutureFeedsAreReported(start: String, end: String, rule: String) throws {
        let week = "1,1,1,1,1,1,1,\(start),\(end)\n"
        let feed = try GTFSFixture(
            FeedBuilder.small.without("calendar_dates.txt").file(
                "calendar.txt", Self.header + "weekday," + week + "weekend," + week))
        #expect(feed.report.findings.map(\.rule) == [rule])
        #expect(feed.report.worst == .warning)
    }
}
