import Testing
internal import TransitModel

struct ServiceDateTests {
    @Test("Every date from 1890 to 2110 is read back from its components")
    func datesAreReadBackFromComponents() throws {
        var expected = try #require(ServiceDate(year: 1890, month: 1, day: 1))
        for year in 1890...2110 {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in 1...length {
                    #expect(ServiceDate(year: year, month: month + 1, day: day) == expected)
                    #expect(expected.components == (year, month + 1, day))
                    expected = expected.advanced(by: 1)
                }
                #expect(ServiceDate(year: year, month: month + 1, day: length + 1) == nil)
            }
        }
    }

    @Test(
        "Known dates have the right day number and weekday",
        arguments: [
            ("1970-01-01", 0, Weekday.thursday), ("2000-02-29", 11_016, .tuesday), ("2026-03-28", 20_540, .saturday),
            ("1969-12-31", -1, .wednesday), ("1900-03-01", -25_508, .thursday),
        ])
    func knownDatesHaveTheirWeekday(text: String, days: Int32, weekday: Weekday) throws {
        let date = try #require(ServiceDate(iso8601: text))
        #expect(date.daysSince1970 == days)
        #expect(date.weekday == weekday)
        #expect(date.description == text)
        #expect(ServiceDate(gtfs: text.utf8.filter { $0 != 0x2D }) == date)
    }

    @Test(
        "Invalid dates are rejected",
        arguments: [
            "", "20260328", "2026-3-28", "2026-02-29", "1900-02-29", "2026-00-10", "2026-13-10", "2026-01-00",
            "0000-01-01", "2026-01-0x", "+026-01-01", "2026-01-01-", "2026-01-011",
        ])
    func invalidTextIsRejected(text: String) {
        #expect(ServiceDate(iso8601: text) == nil)
    }

    @Test("GTFS dates have eight digits", arguments: ["2026328", "2026-3-28", "202603281", "2026032 ", "２０２６"])
    func invalidGTFSDateIsRejected(text: String) {
        #expect(ServiceDate(gtfs: Array(text.utf8)) == nil)
    }

    @Test("Days are added and counted across a leap day")
    func daysAreAddedAndCounted() throws {
        let date = try #require(ServiceDate(iso8601: "2024-02-28"))
        #expect(date.advanced(by: 2).description == "2024-03-01")
        #expect(date.days(to: date.advanced(by: -400)) == -400)
        #expect(date.advanced(by: -1) < date)
    }
}

struct ServiceTimeTests {
    func parse(_ text: String) -> Int32? {
        Array(text.utf8).withUnsafeBufferPointer { ServiceTime(gtfs: $0)?.seconds }
    }

    @Test(
        "GTFS times may exceed 24:00:00",
        arguments: [
            ("0:00:00", 0), ("8:05:09", 29_109), ("08:05:09", 29_109), ("24:00:00", 86_400), ("25:35:59", 92_159),
            ("100:00:00", 360_000), ("720:00:00", 2_592_000),
        ])
    func parsesTimesPastMidnight(text: String, seconds: Int32) {
        #expect(parse(text) == seconds)
    }

    @Test(
        "Invalid GTFS times are rejected",
        arguments: [
            "", "08:05", "08:05:9", "8:5:09", "08:60:00", "08:00:60", "-8:00:00", "08-00-00", "0x:00:00", "08:00:00 ",
            "720:00:01", "9999:00:00", ":00:00", "８:00:00",
        ])
    func invalidTextIsRejected(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("Times are formatted with at least two digits for the hour")
    func hourHasAtLeastTwoDigits() {
        #expect(ServiceTime(seconds: 29_109).description == "08:05:09")
        #expect(ServiceTime(seconds: 360_000).description == "100:00:00")
    }
}
