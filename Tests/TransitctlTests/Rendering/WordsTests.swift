import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct WordsTests {
    @Test(arguments: [
        (-3600, "1 hour ago"), (-60, "1 minute ago"), (-59, "now"), (0, "now"), (59, "now"), (60, "in 1 minute"),
        (119, "in 1 minute"), (120, "in 2 minutes"), (3599, "in 59 minutes"), (3600, "in 1 hour"),
        (3900, "in 1 hour 5 minutes"), (7260, "in 2 hours 1 minute"),
    ])
    func waitingTimeIsRoundedDown(seconds: Int, words: String) {
        #expect(RelativeTime.words(seconds: seconds) == words)
    }

    @Test(arguments: [
        ("2026-03-28T08:05:00-07:00", "2026-03-28T08:12:00-07:00", "in 7 minutes", "08:12"),
        // After midnight: soon, during the night, and the next day.
        ("2026-03-28T23:50:00-07:00", "2026-03-29T00:10:00-07:00", "in 20 minutes", "00:10"),
        ("2026-03-28T23:50:00-07:00", "2026-03-29T05:10:00-07:00", "in 5 hours 20 minutes", "05:10 tomorrow"),
        ("2026-03-28T08:00:00-07:00", "2026-03-29T08:00:00-07:00", "tomorrow", "08:00"),
        ("2026-03-28T08:00:00-07:00", "2026-03-30T06:00:00-07:00", "on Monday", "06:00"),
        ("2026-03-28T08:00:00-07:00", "2026-04-04T06:00:00-07:00", "on 4 April", "06:00"),
        ("2026-12-24T08:00:00-08:00", "2027-01-04T06:00:00-08:00", "on 4 January 2027", "06:00"),
        // Daylight saving time begins at night; both times are from the same location.
        ("2026-03-28T23:40:00+01:00", "2026-03-29T07:25:00+02:00", "in 6 hours 45 minutes", "07:25 tomorrow"),
        // "Now" is in UTC, but the day is in the stop's time zone.
        ("2026-03-29T03:00:00Z", "2026-03-28T20:30:00-07:00", "in 30 minutes", "20:30"),
    ])
    func relativeTimesUseLocalDayOfStop(now: String, moment: String, before: String, after: String) throws {
        let words = RelativeTime.words(
            for: try #require(Timestamp(rfc3339: moment)), from: try #require(Timestamp(rfc3339: now)))
        #expect(words.before == before)
        #expect(words.after == after)
    }

    @Test(arguments: [
        (0, "2", "Tram 2"), (1, "U4", "Subway U4"), (2, "Train 1", "Train 1"), (2, "Local", "Train Local"),
        (3, "24", "Bus 24"), (4, "Ferry Line", "Ferry Line"), (5, "Powell", "Cable tram Powell"),
        (6, "Roosevelt", "Aerial lift Roosevelt"), (7, "Polybahn", "Funicular Polybahn"), (11, "31", "Trolleybus 31"),
        (12, "A", "Monorail A"), (109, "S1", "Train S1"), (401, "M1", "Subway M1"), (405, "M", "Monorail M"),
        (704, "9", "Bus 9"), (800, "5", "Trolleybus 5"), (900, "T1", "Tram T1"), (1000, "F2", "Ferry F2"),
        (1300, "G", "Aerial lift G"), (1400, "H", "Funicular H"), (200, "X5", "Coach X5"), (1700, "Z", "Service Z"),
        (3, "Busan", "Bus Busan"), (0, "Heritage Tram", "Heritage Tram"),
    ])
    func routeNamesHaveMode(type: Int, name: String, words: String) {
        #expect(RouteName.words(type: type, name: name) == words)
    }

    @Test func durationsAndCounts() {
        #expect(DurationText.of(seconds: 48 * 3600) == "2 days")
        #expect(DurationText.of(seconds: 47 * 3600 + 59) == "47 hours")
        #expect(CountText.of(1, "stop") == "1 stop")
        #expect(CountText.of(1_460_211, "stop time") == "1,460,211 stop times")
        #expect(CountText.grouped(-1234) == "-1,234")
        #expect(CountText.bytes(999) == "999 B")
        #expect(CountText.bytes(4_260_000) == "4.2 MB")
        #expect(CountText.bytes(446_000_000) == "446 MB")
    }
}
