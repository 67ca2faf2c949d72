import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

struct QueryTimeTests {
    /// Saturday, 28 March 2026, 12:00 in Berlin. The clock is set forward during the following night.
    static let now = "2026-03-28T12:00:00+01:00"

    static let times = [
        ("2026-05-01T08:15:00Z", "2026-05-01T10:15:00+02:00"),
        ("2026-05-01T08:15:00-07:00", "2026-05-01T17:15:00+02:00"),
        ("2026-05-01T08:15", "2026-05-01T08:15:00+02:00"),
        ("2026-05-01 8:15:30", "2026-05-01T08:15:30+02:00"),
        ("2020-01-01 08:00", "2020-01-01T08:00:00+01:00"),
        ("now", "2026-03-28T12:00:00+01:00"),
        ("12:30", "2026-03-28T12:30:00+01:00"),
        ("12:00", "2026-03-28T12:00:00+01:00"),
        // A time of day up to five minutes ago means today. Any earlier time means tomorrow.
        ("11:55", "2026-03-28T11:55:00+01:00"),
        ("11:54:59", "2026-03-29T11:54:59+02:00"),
        ("8:15", "2026-03-29T08:15:00+02:00"),
        ("0:00", "2026-03-29T00:00:00+01:00"),
        // 02:30 does not exist that night.
        ("2:30", "2026-03-29T03:30:00+02:00"),
        ("today 8:15", "2026-03-28T08:15:00+01:00"),
        ("tomorrow 8:15", "2026-03-29T08:15:00+02:00"),
        ("Tomorrow  23:59", "2026-03-29T23:59:00+02:00"),
        ("sat 12:30", "2026-03-28T12:30:00+01:00"),
        ("sat 11:56", "2026-03-28T11:56:00+01:00"),
        ("sat 08:00", "2026-04-04T08:00:00+02:00"),
        ("sun 08:00", "2026-03-29T08:00:00+02:00"),
        ("mon 08:00", "2026-03-30T08:00:00+02:00"),
        ("Friday 08:00", "2026-04-03T08:00:00+02:00"),
        ("tues 08:00", "2026-03-31T08:00:00+02:00"),
        // As people write them.
        ("8", "2026-03-29T08:00:00+02:00"),
        ("8am", "2026-03-29T08:00:00+02:00"),
        ("8 AM", "2026-03-29T08:00:00+02:00"),
        ("8:15pm", "2026-03-28T20:15:00+01:00"),
        ("12am", "2026-03-29T00:00:00+01:00"),
        ("12:30 pm", "2026-03-28T12:30:00+01:00"),
        ("0815", "2026-03-29T08:15:00+02:00"),
        ("815pm", "2026-03-28T20:15:00+01:00"),
        ("2015", "2026-03-28T20:15:00+01:00"),
        ("noon", "2026-03-28T12:00:00+01:00"),
        ("midnight", "2026-03-29T00:00:00+01:00"),
        ("tomorrow 7", "2026-03-29T07:00:00+02:00"),
        ("tomorrow at 7pm", "2026-03-29T19:00:00+02:00"),
        ("at 1pm", "2026-03-28T13:00:00+01:00"),
        ("mon noon", "2026-03-30T12:00:00+02:00"),
        ("today midnight", "2026-03-28T00:00:00+01:00"),
        ("2026-05-01 8am", "2026-05-01T08:00:00+02:00"),
        // Offsets are hours that pass, also when the clock is set forward.
        ("+20m", "2026-03-28T12:20:00+01:00"),
        ("+20", "2026-03-28T12:20:00+01:00"),
        ("+1h30m", "2026-03-28T13:30:00+01:00"),
        ("+14h", "2026-03-29T03:00:00+02:00"),
        ("in 1h", "2026-03-28T13:00:00+01:00"),
        ("in 20 minutes", "2026-03-28T12:20:00+01:00"),
        ("In 1 hour 5 min", "2026-03-28T13:05:00+01:00"),
        ("+31d", "2026-04-28T13:00:00+02:00"),
    ]

    @Test("The forms of --at are parsed", arguments: times)
    func timesAreParsed(text: String, expected: String) throws {
        let berlin = try systemZone("Europe/Berlin")
        let asked = try QueryTime(text, now: instant(Self.now), zone: berlin)
        #expect(asked.end == nil)
        #expect(berlin.rfc3339(asked.start) == expected)
    }

    @Test(
        "A day alone is the whole day, and today its rest",
        arguments: [
            ("tomorrow", "2026-03-29T00:00:00+01:00", "2026-03-29T23:59:59+02:00"),
            ("friday", "2026-04-03T00:00:00+02:00", "2026-04-03T23:59:59+02:00"),
            ("2026-10-25", "2026-10-25T00:00:00+02:00", "2026-10-25T23:59:59+01:00"),
            ("2026-03-28", "2026-03-28T00:00:00+01:00", "2026-03-28T23:59:59+01:00"),
            ("today", "2026-03-28T12:00:00+01:00", "2026-03-28T23:59:59+01:00"),
            ("Sat", "2026-03-28T12:00:00+01:00", "2026-03-28T23:59:59+01:00"),
        ])
    func dayHasStartAndEnd(text: String, start: String, end: String) throws {
        let berlin = try systemZone("Europe/Berlin")
        let day = try QueryTime(text, now: instant(Self.now), zone: berlin)
        #expect(berlin.rfc3339(day.start) == start)
        #expect(day.end.map(berlin.rfc3339) == end)
    }

    /// In Berlin, the clock is set back on 25 October 2026 from 03:00 to 02:00.
    private static let autumn = [
        ("2026-10-25T01:50:00+02:00", "2:30", "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T02:34:00+02:00", "2:30", "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T02:45:00+02:00", "2:30", "2026-10-25T02:30:00+01:00"),
        ("2026-10-25T02:10:00+01:00", "2:30", "2026-10-25T02:30:00+01:00"),
        ("2026-10-25T02:34:00+01:00", "2:30", "2026-10-25T02:30:00+01:00"),
        ("2026-10-25T02:45:00+01:00", "2:30", "2026-10-26T02:30:00+01:00"),
        ("2026-10-25T02:10:00+01:00", "today 2:30", "2026-10-25T02:30:00+01:00"),
        ("2026-10-25T02:10:00+01:00", "sun 2:30", "2026-10-25T02:30:00+01:00"),
        ("2026-10-25T02:10:00+01:00", "2026-10-25 2:30", "2026-10-25T02:30:00+01:00"),
        ("2026-10-25T02:10:00+01:00", "2026-10-25T02:30", "2026-10-25T02:30:00+01:00"),
        ("2026-10-24T12:00:00+02:00", "tomorrow 2:30", "2026-10-25T02:30:00+02:00"),
        ("2026-10-27T12:00:00+01:00", "2026-10-25 2:30", "2026-10-25T02:30:00+02:00"),
    ]

    @Test("A time that occurs twice means the next occurrence", arguments: autumn)
    func repeatedTimeMeansNextOccurrence(now: String, text: String, expected: String) throws {
        let berlin = try systemZone("Europe/Berlin")
        #expect(try berlin.rfc3339(QueryTime(text, now: instant(now), zone: berlin).start) == expected)
    }

    @Test("Just after midnight, a time in the evening means the coming evening")
    func eveningTimeAfterMidnightIsNextEvening() throws {
        let berlin = try systemZone("Europe/Berlin")
        let asked = try QueryTime("23:58", now: instant("2026-06-10T00:01:00+02:00"), zone: berlin)
        #expect(berlin.rfc3339(asked.start) == "2026-06-10T23:58:00+02:00")
    }

    @Test(
        "An invalid time is rejected with a reason and examples",
        arguments: [
            ("", "it is empty"), ("soon", "\"soon\" is not a valid time. Use"), ("24:00", "between 0:00 and 23:59"),
            ("12:60", "between 0:00 and 23:59"), ("24", "between 0:00 and 23:59"), ("2460", "between 0:00 and 23:59"),
            ("13pm", "between 1 and 12"), ("0am", "between 1 and 12"), ("am", "is not a valid time. Use"),
            ("tomorrow soon", "\"soon\" is not a time of day such as 8:15"), ("12345", "is not a valid time. Use"),
            ("8:5", "is not a valid time. Use"), ("8:15 tomorrow", "\"8:15\" is not a day"),
            ("+8:15", "\"8:\" is not a duration"), ("+", "the duration is missing"), ("in", "the duration is missing"),
            ("in a while", "\"awhile\" is not a duration"), ("+1h30", "\"30\" is not a duration"),
            ("+32d", "more than 31 days"), ("+99999999999999999999h", "is not a duration"),
            ("+9999999d9999999d", "more than 31 days"), ("+-20m", "is not a duration"),
            ("someday 8:15", "\"someday\" is not a day"),
            ("mo 8:15", "\"mo\" is not a day"), ("2026-02-30 08:00", "\"2026-02-30\" is not a day"),
            ("2026-02-30", "is not a valid time. Use"), ("2026-02-30T08:00:00Z", "is not a valid time. Use"),
            ("mon tue 8:00", "expected a day and a time of day"), ("８:15", "is not a valid time. Use"),
            ("８", "is not a valid time. Use"), ("8:15:00:00", "is not a valid time. Use"),
            ("9999-12-31T23:59:59Z", "the year must be"), ("9999-01-01 00:00", "the year must be"),
            ("9999-01-01", "the year must be"), ("1969-12-31 23:59", "the year must be"),
        ])
    func invalidTimeIsRejectedWithExamples(text: String, reason: String) throws {
        let error = #expect(throws: QueryTimeError.self) {
            try QueryTime(text, now: instant(Self.now), zone: .utc)
        }
        let description = error?.description ?? ""
        #expect(description.contains(reason), "\(description)")
        #expect(description.contains("tomorrow 8:15"))
    }
}
