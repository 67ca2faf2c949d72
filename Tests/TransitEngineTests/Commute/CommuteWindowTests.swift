import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

@Suite("Commute windows")
struct CommuteWindowTests {
    @Test(
        "Two times of day are parsed",
        arguments: [
            ("07:00-09:30", 25_200, 34_200), ("7:05-7:06", 25_500, 25_560), ("00:00-23:59", 0, 86_340),
        ])
    func twoTimesOfDayAreParsed(text: String, start: Int, end: Int) throws {
        let window = try #require(CommuteWindow(text))
        #expect((window.start, window.end) == (start, end))
    }

    @Test(
        "Any other text is rejected",
        arguments: [
            "", "07:00", "09:00-07:00", "07:00-07:00", "7-9", "07:60-08:00", "24:00-25:00", "07:00-08:00-09:00",
            "7:0-8:0",
        ])
    func otherTextIsRejected(text: String) { #expect(CommuteWindow(text) == nil) }

    @Test("Windows occur only on their days and follow the local clock through daylight saving changes")
    func windowsFollowDaysAndClock() throws {
        let zone = try systemZone("Europe/Berlin")
        let window = try #require(CommuteWindow("07:00-09:00", days: [.saturday, .sunday, .monday]))
        // A Friday. The clock is set forward on Sunday.
        let now = try #require(Instant(rfc3339: "2026-03-27T12:00:00Z"))
        let starts = window.instances(from: now, days: 4, in: zone).map { zone.rfc3339($0.lowerBound) }
        #expect(
            starts == ["2026-03-28T07:00:00+01:00", "2026-03-29T07:00:00+02:00", "2026-03-30T07:00:00+02:00"])
    }

    @Test("A current window is included; a past window is not")
    func currentWindowCountsAndPastWindowDoesNot() throws {
        let window = try #require(CommuteWindow("07:00-09:00"))
        let inside = try #require(Instant(rfc3339: "2026-03-27T08:00:00Z"))
        let after = try #require(Instant(rfc3339: "2026-03-27T09:00:01Z"))
        #expect(window.instances(from: inside, days: 0, in: .utc).count == 1)
        #expect(window.instances(from: after, days: 0, in: .utc).isEmpty)
    }
}

struct CommuteWindowDaysTests {
    private static let weekdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]

    @Test(
        arguments: [
            ("mon", [.monday]), ("sun", [.sunday]), ("weekdays", weekdays), ("weekends", [.saturday, .sunday]),
            ("mon-fri", weekdays), ("sat-mon", [.saturday, .sunday, .monday]), ("wed-wed", [.wednesday]),
            ("mon-sun", Set(Weekday.allCases)),
        ] as [(String, Set<Weekday>)])
    func daysAreParsedAndFormatted(_ text: String, _ days: Set<Weekday>) {
        #expect(CommuteWindow.days(text) == days)
    }

    @Test(arguments: ["", "monday", "Mon", "-", "mon-", "-fri", "mon-fri-sun", "mon–fri", "weekdays-sun", "mon,wed"])
    func otherTextIsRejected(_ text: String) { #expect(CommuteWindow.days(text) == nil) }

    @Test func descriptionUsesSameForms() throws {
        #expect(CommuteWindow("7:00-09:30")?.description == "07:00-09:30")
        #expect(CommuteWindow("07:00-09:30", days: Self.weekdays)?.description == "07:00-09:30 weekdays")
        #expect(CommuteWindow("16:05-23:59", days: [.wednesday, .monday])?.description == "16:05-23:59 mon, wed")
        #expect(CommuteWindow("16:05-23:59", days: [.sunday])?.description == "16:05-23:59 sun")
    }
}
