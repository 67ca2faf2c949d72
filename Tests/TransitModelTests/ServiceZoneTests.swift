import Testing
internal import TransitTestSupport

@testable internal import TransitModel

/// The expected values come from Python's zoneinfo.
struct ServiceZoneTests {
    static let dayStarts = [
        ("Europe/Berlin", "2026-03-28", "2026-03-27T23:00:00Z"),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T22:00:00Z"),
        ("Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00Z"),
        ("Europe/Berlin", "2026-10-24", "2026-10-23T22:00:00Z"),
        ("Europe/Berlin", "2026-10-25", "2026-10-24T23:00:00Z"),
        ("Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00Z"),
        ("America/Los_Angeles", "2026-03-07", "2026-03-07T08:00:00Z"),
        ("America/Los_Angeles", "2026-03-08", "2026-03-08T07:00:00Z"),
        ("America/Los_Angeles", "2026-03-09", "2026-03-09T07:00:00Z"),
        ("America/Los_Angeles", "2026-10-31", "2026-10-31T07:00:00Z"),
        ("America/Los_Angeles", "2026-11-01", "2026-11-01T08:00:00Z"),
        ("America/Los_Angeles", "2026-11-02", "2026-11-02T08:00:00Z"),
        ("Pacific/Auckland", "2026-04-04", "2026-04-03T11:00:00Z"),
        ("Pacific/Auckland", "2026-04-05", "2026-04-04T12:00:00Z"),
        ("Pacific/Auckland", "2026-04-06", "2026-04-05T12:00:00Z"),
        ("Pacific/Auckland", "2026-09-26", "2026-09-25T12:00:00Z"),
        ("Pacific/Auckland", "2026-09-27", "2026-09-26T11:00:00Z"),
        ("Pacific/Auckland", "2026-09-28", "2026-09-27T11:00:00Z"),
        ("Pacific/Apia", "2011-12-28", "2011-12-28T10:00:00Z"),
        ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z"),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
        ("Pacific/Apia", "2012-01-01", "2011-12-31T10:00:00Z"),
        ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:30:00Z"),
        ("Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-05", "2026-10-04T13:00:00Z"),
        ("Europe/Dublin", "2026-03-29", "2026-03-28T23:00:00Z"),
        ("Europe/Dublin", "2026-10-25", "2026-10-25T00:00:00Z"),
        ("Africa/Casablanca", "2026-02-14", "2026-02-13T23:00:00Z"),
        ("Africa/Casablanca", "2026-02-15", "2026-02-15T00:00:00Z"),
        ("Africa/Casablanca", "2026-03-22", "2026-03-21T23:00:00Z"),
        ("Africa/Casablanca", "2026-03-23", "2026-03-22T23:00:00Z"),
        ("Europe/Berlin", "2050-03-26", "2050-03-25T23:00:00Z"),
        ("Europe/Berlin", "2050-03-27", "2050-03-26T22:00:00Z"),
        ("Europe/Berlin", "2050-03-28", "2050-03-27T22:00:00Z"),
        ("Europe/Berlin", "2050-10-30", "2050-10-29T23:00:00Z"),
        ("America/Los_Angeles", "2050-03-13", "2050-03-13T07:00:00Z"),
        ("Pacific/Auckland", "2050-09-25", "2050-09-24T11:00:00Z"),
        ("Europe/Dublin", "2050-03-27", "2050-03-26T23:00:00Z"),
        ("Europe/Dublin", "2050-12-25", "2050-12-25T00:00:00Z"),
        ("America/Nuuk", "2050-03-26", "2050-03-26T02:00:00Z"),
        ("America/Nuuk", "2050-03-27", "2050-03-27T01:00:00Z"),
        ("Africa/Casablanca", "2050-07-01", "2050-06-30T23:00:00Z"),
        ("Asia/Tokyo", "2050-07-01", "2050-06-30T15:00:00Z"),
        ("Asia/Kathmandu", "2026-07-01", "2026-06-30T18:15:00Z"),
        ("America/St_Johns", "2026-11-01", "2026-11-01T03:30:00Z"),
    ]

    @Test("A service day starts twelve hours before noon", arguments: dayStarts)
    func serviceDayStartsTwelveHoursBeforeNoon(zone: String, date: String, start: String) throws {
        let date = try #require(ServiceDate(iso8601: date))
        #expect(try systemZone(zone).serviceDayStart(date).rfc3339() == start)
    }

    static let serviceTimes = [
        // Berlin skips 02:00-03:00 on March 29 and repeats it on October 25.
        ("Europe/Berlin", "2026-03-29", "00:00:00", "2026-03-28T23:00:00+01:00"),
        ("Europe/Berlin", "2026-03-29", "02:59:59", "2026-03-29T01:59:59+01:00"),
        ("Europe/Berlin", "2026-03-29", "03:00:00", "2026-03-29T03:00:00+02:00"),
        ("Europe/Berlin", "2026-03-29", "12:00:00", "2026-03-29T12:00:00+02:00"),
        ("Europe/Berlin", "2026-03-28", "26:30:00", "2026-03-29T03:30:00+02:00"),
        ("Europe/Berlin", "2026-03-28", "25:30:00", "2026-03-29T01:30:00+01:00"),
        ("Europe/Berlin", "2026-03-28", "36:00:00", "2026-03-29T13:00:00+02:00"),
        ("Europe/Berlin", "2026-10-25", "00:00:00", "2026-10-25T01:00:00+02:00"),
        ("Europe/Berlin", "2026-10-25", "01:30:00", "2026-10-25T02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-25", "02:30:00", "2026-10-25T02:30:00+01:00"),
        ("Europe/Berlin", "2026-10-25", "08:00:00", "2026-10-25T08:00:00+01:00"),
        ("Europe/Berlin", "2026-10-24", "26:30:00", "2026-10-25T02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-24", "27:30:00", "2026-10-25T02:30:00+01:00"),
        ("America/Los_Angeles", "2026-03-08", "01:00:00", "2026-03-08T00:00:00-08:00"),
        ("America/Los_Angeles", "2026-03-08", "03:00:00", "2026-03-08T03:00:00-07:00"),
        ("America/Los_Angeles", "2026-03-07", "26:00:00", "2026-03-08T03:00:00-07:00"),
        ("America/Los_Angeles", "2026-11-01", "00:00:00", "2026-11-01T01:00:00-07:00"),
        ("America/Los_Angeles", "2026-11-01", "01:00:00", "2026-11-01T01:00:00-08:00"),
        ("America/Los_Angeles", "2026-10-31", "25:30:00", "2026-11-01T01:30:00-07:00"),
        ("America/Los_Angeles", "2026-10-31", "26:30:00", "2026-11-01T01:30:00-08:00"),
        ("Pacific/Auckland", "2026-04-05", "00:00:00", "2026-04-05T01:00:00+13:00"),
        ("Pacific/Auckland", "2026-04-05", "02:00:00", "2026-04-05T02:00:00+12:00"),
        ("Pacific/Auckland", "2026-04-04", "27:00:00", "2026-04-05T02:00:00+12:00"),
        ("Pacific/Auckland", "2026-09-27", "00:00:00", "2026-09-26T23:00:00+12:00"),
        ("Pacific/Auckland", "2026-09-27", "03:00:00", "2026-09-27T03:00:00+13:00"),
        ("Pacific/Auckland", "2026-09-26", "26:00:00", "2026-09-27T03:00:00+13:00"),
        // Apia went from December 29 to December 31, 2011.
        ("Pacific/Apia", "2011-12-29", "23:59:59", "2011-12-29T23:59:59-10:00"),
        ("Pacific/Apia", "2011-12-29", "24:00:00", "2011-12-31T00:00:00+14:00"),
        ("Pacific/Apia", "2011-12-30", "08:00:00", "2011-12-31T08:00:00+14:00"),
        ("Pacific/Apia", "2011-12-31", "08:00:00", "2011-12-31T08:00:00+14:00"),
        // A daylight saving shift of half an hour.
        ("Australia/Lord_Howe", "2026-04-05", "01:00:00", "2026-04-05T01:30:00+11:00"),
        ("Australia/Lord_Howe", "2026-04-05", "02:00:00", "2026-04-05T02:00:00+10:30"),
        ("Australia/Lord_Howe", "2026-10-04", "02:30:00", "2026-10-04T02:30:00+11:00"),
        ("Australia/Lord_Howe", "2026-10-04", "01:00:00", "2026-10-04T00:30:00+10:30"),
        // Trips that last several days, with and without a clock change.
        ("Europe/Berlin", "2026-03-27", "49:30:00", "2026-03-29T01:30:00+01:00"),
        ("Europe/Berlin", "2026-03-27", "74:00:00", "2026-03-30T03:00:00+02:00"),
        ("Europe/Berlin", "2026-03-29", "168:00:00", "2026-04-05T00:00:00+02:00"),
        ("America/Los_Angeles", "2026-06-01", "100:15:30", "2026-06-05T04:15:30-07:00"),
        ("Europe/Dublin", "2026-03-29", "02:00:00", "2026-03-29T02:00:00+01:00"),
        ("Europe/Dublin", "2026-10-25", "00:30:00", "2026-10-25T01:30:00+01:00"),
        ("Europe/Berlin", "2050-10-30", "02:30:00", "2050-10-30T02:30:00+01:00"),
    ]

    @Test("Service times are correct on days with a clock change", arguments: serviceTimes)
    func serviceTimesAcrossClockChanges(zone: String, date: String, time: String, expected: String) throws {
        let zone = try systemZone(zone)
        let date = try #require(ServiceDate(iso8601: date))
        let parsed = Array(time.utf8).withUnsafeBufferPointer { ServiceTime(gtfs: $0) }
        #expect(zone.rfc3339(zone.instant(of: try #require(parsed), on: date)) == expected)
    }

    @Test("A skipped time uses the offset before the change, a repeated time its first occurrence")
    func skippedAndRepeatedTimesAreResolved() throws {
        let berlin = try systemZone("Europe/Berlin")
        let march = try #require(ServiceDate(iso8601: "2026-03-29"))
        let october = try #require(ServiceDate(iso8601: "2026-10-25"))
        func wall(_ date: ServiceDate, _ hour: Int, _ minute: Int) -> String {
            berlin.rfc3339(berlin.instant(date: date, secondsOfDay: hour * 3600 + minute * 60))
        }
        #expect(wall(march, 1, 59) == "2026-03-29T01:59:00+01:00")
        #expect(wall(march, 2, 0) == "2026-03-29T03:00:00+02:00")
        #expect(wall(march, 2, 30) == "2026-03-29T03:30:00+02:00")
        #expect(wall(march, 3, 0) == "2026-03-29T03:00:00+02:00")
        #expect(wall(october, 1, 59) == "2026-10-25T01:59:00+02:00")
        #expect(wall(october, 2, 30) == "2026-10-25T02:30:00+02:00")
        #expect(wall(october, 3, 0) == "2026-10-25T03:00:00+01:00")
        #expect(wall(march, 24, 0) == "2026-03-30T00:00:00+02:00")
    }

    @Test("Local time is converted back for every hour of two years")
    func localTimeIsConvertedBack() throws {
        for name in ["Europe/Berlin", "Pacific/Auckland", "Australia/Lord_Howe", "America/St_Johns", "Etc/UTC"] {
            let zone = name == "Etc/UTC" ? .utc : try systemZone(name)
            var repeated = 0
            for hour in 0..<(2 * 365 * 24) {
                let instant = Instant(secondsSince1970: 1_767_225_600 + Int64(hour) * 3600 + 1234)
                let (date, seconds) = zone.civil(at: instant)
                let back = zone.instant(date: date, secondsOfDay: seconds)
                if back != instant { repeated += 1 }
                #expect(back <= instant)
                #expect(zone.civil(at: back) == (date, seconds))
                #expect((0..<86_400).contains(seconds))
            }
            #expect(repeated <= 2)
        }
    }

    @Test(
        "The precomputed changes match the rule",
        arguments: [
            "Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland", "Australia/Lord_Howe", "Europe/Dublin",
            "America/Santiago", "Africa/Casablanca", "Asia/Hong_Kong",
        ])
    func precomputedChangesMatchRule(name: String) throws {
        let zone = try systemZone(name)
        let rule = try #require(zone.rule)
        let start = try #require(Instant(rfc3339: "2038-01-01T00:17:00Z")).secondsSince1970
        for step in 0..<(25 * 365 * 4) {
            let time = start + Int64(step) * 21_600
            // The file for Morocco lists the changes for Ramadan until 2087.
            guard time > zone.transitions.last ?? 0 || name != "Africa/Casablanca" else { continue }
            #expect(zone.offset(at: Instant(secondsSince1970: time)) == Int(rule.offset(at: time)))
        }
        for change in zone.transitions where change >= start && name != "Africa/Casablanca" {
            for time in [change - 1, change] {
                #expect(zone.offset(at: Instant(secondsSince1970: time)) == Int(rule.offset(at: time)))
            }
        }
    }

    @Test("Offsets before 1970 and before standard time are correct")
    func offsetsBefore1970() throws {
        let berlin = try systemZone("Europe/Berlin")
        #expect(berlin.offset(at: Instant(secondsSince1970: -3_000_000_000)) == 3208)
        // 53 min 28 s east; RFC 3339 offsets have no seconds.
        #expect(berlin.rfc3339(Instant(secondsSince1970: -3_000_000_000)) == "1874-12-07T19:33:00+00:53")
        let (date, seconds) = ServiceZone.utc.civil(at: Instant(secondsSince1970: -1))
        #expect(date.description == "1969-12-31")
        #expect(seconds == 86_399)
    }
}
