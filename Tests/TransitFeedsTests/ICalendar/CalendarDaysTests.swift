import Testing
import TransitModel
import TransitTestSupport
import TransitWire

@testable import TransitFeeds

/// Entries of iCalendar files, and the dates that they cover in Berlin from 2026-11-23 on.
@Suite struct CalendarDaysTests {
    private static let today = ServiceDate(iso8601: "2026-11-23")!

    private static func days(
        _ entries: String, zone: String = "Europe/Berlin", busyOnly: Bool = false, from today: ServiceDate = today
    ) throws -> CalendarDays {
        try CalendarDays(
            "BEGIN:VCALENDAR\nVERSION:2.0\n\(entries)END:VCALENDAR\n", in: today...today.advanced(by: 730),
            zone: systemZone(zone), busyOnly: busyOnly, zones: { try? systemZone($0) })
    }

    /// Returns the first dates of an entry as `2026-12-24 2026-12-25`, or the reason.
    private static func words(_ outcome: CalendarDays.Outcome, _ count: Int = 4) -> String {
        switch outcome {
        case .none(let reason): reason
        case .dates(let dates): dates.prefix(count).map(\.description).joined(separator: " ")
        }
    }

    /// Returns the dates of a single entry with these lines.
    private static func entry(_ lines: String, zone: String = "Europe/Berlin", busyOnly: Bool = false) throws -> String
    {
        let text = lines.split(separator: "|").joined(separator: "\n")
        let days = try days("BEGIN:VEVENT\n\(text)\nEND:VEVENT\n", zone: zone, busyOnly: busyOnly)
        return words(try #require(days.entries.first))
    }

    private static let partial = "It does not cover a whole day from midnight to midnight."

    @Test(arguments: [
        ("DTSTART;VALUE=DATE:20261224|DTEND;VALUE=DATE:20261227", "2026-12-24 2026-12-25 2026-12-26"),
        ("DTSTART;VALUE=DATE:20261224", "2026-12-24"),
        ("DTSTART;VALUE=DATE:20261224|DTEND;VALUE=DATE:20261224", "2026-12-24"),
        ("DTSTART;VALUE=DATE:20261224|DURATION:P2D", "2026-12-24 2026-12-25"),
        ("DTSTART;VALUE=DATE:20261224|DURATION:P1W", "2026-12-24 2026-12-25 2026-12-26 2026-12-27"),
        ("DTSTART:20261224T000000|DURATION:P2D", "2026-12-24 2026-12-25"),
        ("DTSTART:20261224T000000|DURATION:PT48H", "2026-12-24 2026-12-25"),
        ("DTSTART:20261224T120000|DURATION:P1DT12H", "2026-12-25"),
        // In progress since before today.
        ("DTSTART;VALUE=DATE:20261101|DTEND;VALUE=DATE:20261125", "2026-11-23 2026-11-24"),
        // An hour at the dentist, and other entries that leave a part of each day.
        ("DTSTART;TZID=Europe/Berlin:20261224T100000|DTEND;TZID=Europe/Berlin:20261224T110000", partial),
        ("DTSTART:20261224T100000", partial),
        ("DTSTART:20261224T080000|DTEND:20261225T200000", partial),
        ("DTSTART:20261224T000000|DTEND:20261224T235900", partial),
        // A weekend away covers Saturday and Sunday.
        ("DTSTART:20261211T150000|DTEND:20261214T090000", "2026-12-12 2026-12-13"),
        // Times are those of the person.
        ("DTSTART:20261230T220000Z|DTEND:20261231T220000Z", partial),
        ("DTSTART:20261230T230000Z|DTEND:20261231T230000Z", "2026-12-31"),
        ("DTSTART;TZID=America/New_York:20261230T000000|DTEND;TZID=America/New_York:20270101T000000", "2026-12-31"),
        (
            "DTSTART;TZID=America/New_York:20261230T180000|DTEND;TZID=Europe/Berlin:20270101T000000",
            "2026-12-31"
        ),
        ("DTSTART;TZID=\"/example.org/Europe/Berlin\":20261230T000000|DURATION:P1D", "2026-12-30"),
        ("DTSTART;TZID=W. Europe Standard Time:20261230T000000|DURATION:P1D", "2026-12-30"),
        ("DTSTART;TZID=Mars/Olympus:20261230T000000|DURATION:P1D", "Its time zone \"Mars/Olympus\" is not known."),
        // Free time counts, canceled entries do not.
        ("DTSTART;VALUE=DATE:20261225|TRANSP:TRANSPARENT", "2026-12-25"),
        ("DTSTART;VALUE=DATE:20261225|STATUS:cancelled", "It is canceled."),
        ("DTSTART;VALUE=DATE:20261225|STATUS:TENTATIVE", "2026-12-25"),
        ("DTSTART;VALUE=DATE:20251225", "It is over."),
        ("DTSTART;VALUE=DATE:20291225", "It is after 2028-11-22."),
        // A property in several lines, and an alarm with a duration of its own.
        ("DTSTART;VALUE=DAT| E:2026|\t1224|DTEND;VALUE=DATE:20261226", "2026-12-24 2026-12-25"),
        ("DTSTART;VALUE=DATE:20261224|BEGIN:VALARM|TRIGGER:-PT15M|DURATION:P9D|END:VALARM", "2026-12-24"),
        (
            "BEGIN:VALARM|DURATION:PT15M|DTSTART:20200101|END:VALARM|DTSTART:20261224|DURATION:P2D",
            "2026-12-24 2026-12-25"
        ),
        ("dtstart;value=date:20261224", "2026-12-24"),
        // What cannot be read is said.
        ("SUMMARY:nothing", "It has no DTSTART."),
        ("DTSTART:2026-12-24", "\"2026-12-24\" is not a date such as 20261224."),
        ("DTSTART:20261224T250000", "\"20261224T250000\" is not a date such as 20261224."),
        ("DTSTART:20261224|DTEND:20261224T100000", "Only one of DTSTART and DTEND has a time of day."),
        ("DTSTART:20261224|DTEND:20261225|DURATION:P1D", "It has both DTEND and DURATION."),
        ("DTSTART:20261224|DTEND:20261223", "It ends before it begins."),
        ("DTSTART:20261224|DURATION:-P1D", "Its duration \"-P1D\" is not one such as P1D or PT2H."),
        (
            "DTSTART:20261224|DURATION:PT1H",
            "It begins on a date without a time, but its DURATION is not a number of days."
        ),
        ("DTSTART:20261224|DTSTART:20261225", "It has DTSTART more than once."),
        ("DTSTART:20261224|BYDAY=MO", "Line 5 is not a property: it has no colon after the name."),
        // An unfolded text of another property is none of this entry's dates.
        ("DTSTART:20261224|DESCRIPTION:first|second", "2026-12-24"),
    ])
    func entryCoversDates(_ lines: String, _ expected: String) throws {
        #expect(try Self.entry(lines) == expected)
    }

    @Test(arguments: [
        ("RRULE:FREQ=WEEKLY", "2026-11-27 2026-12-04 2026-12-11 2026-12-18"),
        ("RRULE:FREQ=DAILY;COUNT=3", "2026-11-27 2026-11-28 2026-11-29"),
        ("RRULE:FREQ=MONTHLY", "2026-11-27 2026-12-27 2027-01-27 2027-02-27"),
        ("RRULE:FREQ=YEARLY", "2026-11-27 2027-11-27"),
        ("RRULE:FREQ=WEEKLY;UNTIL=20261211", "2026-11-27 2026-12-04 2026-12-11"),
        ("RRULE:FREQ=WEEKLY;UNTIL=20261210T230000Z", "2026-11-27 2026-12-04 2026-12-11"),
        ("RRULE:FREQ=WEEKLY;UNTIL=20261210T220000Z", "2026-11-27 2026-12-04"),
        ("RRULE:FREQ=WEE| KLY;COU|\tNT=2", "2026-11-27 2026-12-04"),
        ("RRULE:FREQ=WEEKLY|EXDATE;VALUE=DATE:20261204,20261211", "2026-11-27 2026-12-18 2026-12-25 2027-01-01"),
        ("RDATE;VALUE=DATE:20261224,20261231", "2026-11-27 2026-12-24 2026-12-31"),
        ("RRULE:FREQ=WEEKLY;COUNT=1|RDATE:20261224|EXDATE:20261127", "2026-12-24"),
        ("RRULE:FREQ=YEARLY;BYWEEKNO=20", "Its repetition uses BYWEEKNO, which is not supported."),
        ("RRULE:FREQ=HOURLY", "Its repetition \"FREQ=HOURLY\" is not supported."),
        ("RRULE:FREQ=YEARLY;BYYEARDAY=1", "Its repetition uses BYYEARDAY, which is not supported."),
        ("RRULE:FREQ=DAILY;BYHOUR=9", "Its repetition uses BYHOUR, which is not supported."),
        ("RRULE:RSCALE=CHINESE;FREQ=YEARLY", "Its repetition uses RSCALE, which is not supported."),
        ("RRULE:INTERVAL=2", "Its repetition rule has no FREQ."),
        ("RRULE:FREQ=WEEKLY;", "2026-11-27 2026-12-04 2026-12-11 2026-12-18"),
        ("RRULE:FREQ=WEEKLY;BYDAY", "Its repetition rule has a part \"BYDAY\" that is not valid."),
        (
            "RRULE:FREQ=WEEKLY;BYDAY=1MO",
            "Its repetition rule has a numbered BYDAY in a rule that is not monthly or yearly."
        ),
        ("RRULE:FREQ=DAILY;INTERVAL=0", "Its repetition rule has INTERVAL=0, which is not valid."),
        ("RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101", "Its repetition rule has both COUNT and UNTIL."),
        ("RRULE:FREQ=DAILY;UNTIL=soon", "\"soon\" is not a date such as 20261224."),
        ("RRULE:FREQ=WEEKLY|RRULE:FREQ=DAILY", "It has RRULE more than once."),
        ("RRULE:FREQ=WEEKLY|EXRULE:FREQ=MONTHLY", "Its repetition uses EXRULE, which is not supported."),
        ("RDATE:20261224T000000", "It has an RDATE of another type than its DTSTART."),
    ])
    func repetitionsOfADate(_ lines: String, _ expected: String) throws {
        // A Friday.
        #expect(try Self.entry("DTSTART;VALUE=DATE:20261127|" + lines) == expected)
    }

    @Test(arguments: [
        ("RDATE;VALUE=PERIOD:20261224T000000/20261226T000000", "2026-12-24 2026-12-25"),
        ("RDATE;VALUE=PERIOD:20261224T000000/P1D,20270105T000000/PT24H", "2026-12-24 2027-01-05"),
        ("RDATE:20261223T230000Z", Self.partial),
        ("RRULE:FREQ=WEEKLY;COUNT=2|EXDATE:20261203T090000|RDATE;VALUE=PERIOD:20261209T230000Z/P1D", "2026-12-10"),
    ])
    func periodsHaveLengthsOfTheirOwn(_ lines: String, _ expected: String) throws {
        #expect(try Self.entry("DTSTART:20261126T090000|DTEND:20261126T170000|" + lines) == expected)
    }

    @Test func freeTimeIsSkippedOnRequest() throws {
        #expect(try Self.entry("DTSTART:20261225|TRANSP:TRANSPARENT", busyOnly: true) == "It is marked as free time.")
        #expect(try Self.entry("DTSTART:20261225|TRANSP:OPAQUE", busyOnly: true) == "2026-12-25")
        #expect(try Self.entry("DTSTART:20261225", busyOnly: true) == "2026-12-25")
    }

    /// A change of a repetition replaces it, wherever it is in the file.
    @Test func changedRepetitionReplacesTheOriginalOne() throws {
        func outcomes(_ change: String) throws -> [String] {
            let changed = "BEGIN:VEVENT\nUID:a\n\(change.split(separator: "|").joined(separator: "\n"))\nEND:VEVENT\n"
            let series = "BEGIN:VEVENT\nUID:a\nDTSTART;VALUE=DATE:20261127\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\n"
            let other = "BEGIN:VEVENT\nUID:b\nDTSTART;VALUE=DATE:20261204\nEND:VEVENT\n"
            return try Self.days(changed + series + other).entries.map { Self.words($0) }
        }
        #expect(
            try outcomes("RECURRENCE-ID;VALUE=DATE:20261204|DTSTART;VALUE=DATE:20261207")
                == ["2026-12-07", "2026-11-27 2026-12-11", "2026-12-04"])
        #expect(
            try outcomes("RECURRENCE-ID;VALUE=DATE:20261204|DTSTART;VALUE=DATE:20261204|STATUS:CANCELLED")
                == ["It is canceled.", "2026-11-27 2026-12-11", "2026-12-04"])
        #expect(
            try outcomes("RECURRENCE-ID;RANGE=THISANDFUTURE:20261204|DTSTART;VALUE=DATE:20261207")
                == [
                    "It changes all later repetitions (RANGE), which is not supported.",
                    "A change of one of its repetitions cannot be used.", "2026-12-04",
                ])
    }

    /// Half a day in each of two entries is no day off, because the reply is about each entry.
    @Test func entriesCountAlone() throws {
        let halves = [("000000", "120000"), ("120000", "235959")].map {
            "BEGIN:VEVENT\nDTSTART:20261224T\($0.0)\nDTEND:20261224T\($0.1)\nEND:VEVENT\n"
        }
        #expect(try Self.days(halves.joined()).entries == [.none(Self.partial), .none(Self.partial)])
    }

    /// Repetitions at midnight cover the dates of clock changes, which have 23 and 25 hours.
    @Test(arguments: [
        ("Europe/Berlin", "20261018", "2027-03-28", "2027-10-31"),
        ("America/New_York", "20261018", "2027-03-14", "2027-11-07"),
        // Clocks change at midnight.
        ("America/Santiago", "20261018", "2027-04-04", "2027-09-05"),
        ("America/Havana", "20261018", "2027-03-14", "2027-11-07"),
        ("Australia/Lord_Howe", "20261018", "2027-04-04", "2027-10-03"),
        ("Pacific/Apia", "20261018", "2027-04-04", "2027-09-26"),
    ])
    func sundaysAreCoveredOverClockChanges(zone: String, start: String, spring: String, autumn: String) throws {
        let next = ServiceDate(gtfs: Array(start.utf8))!.advanced(by: 1).description.filter { $0 != "-" }
        let forms = [
            "DTSTART;TZID=\(zone):\(start)T000000\nDTEND;TZID=\(zone):\(next)T000000\n",
            "DTSTART;TZID=\(zone):\(start)T000000\nDURATION:P1D\n", "DTSTART:\(start)T000000\nDTEND:\(next)T000000\n",
            "DTSTART;VALUE=DATE:\(start)\n",
        ]
        for form in forms {
            let days = try Self.days("BEGIN:VEVENT\n\(form)RRULE:FREQ=WEEKLY\nEND:VEVENT\n", zone: zone)
            guard case .dates(let dates) = try #require(days.entries.first) else {
                Issue.record("\(days.entries) \(form)")
                continue
            }
            #expect(dates.allSatisfy { $0.weekday == .sunday } && dates.count == 104, "\(form)")
            #expect(dates.contains { "\($0)" == spring } && dates.contains { "\($0)" == autumn }, "\(form)")
        }
        // 24 hours are less than the date with 25 hours, and more than the one with 23.
        let hours = try Self.days(
            "BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20261018T000000\nDURATION:PT24H\nRRULE:FREQ=WEEKLY\nEND:VEVENT\n")
        guard case .dates(let exact)? = hours.entries.first else { throw CalendarEntryProblem("\(hours.entries)") }
        #expect(exact.contains { "\($0)" == "2027-03-28" } && !exact.contains { "\($0)" == "2027-10-31" })
    }

    /// A zone that only the file defines, such as those of Outlook.
    @Test(arguments: [
        // The rules of Berlin under a name of its own.
        (
            "TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nDTSTART:16011028T030000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
            "TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nDTSTART:16010325T020000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
            "2027-06-01"
        ),
        // A zone an hour further east has its day from 23:00 to 23:00.
        ("TZOFFSETFROM:+0200\nTZOFFSETTO:+0200\nDTSTART:16011028T030000", "", partial),
        (
            "TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nDTSTART:16011028T030000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
            "TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nDTSTART:20260325T020000\nRDATE:20270325T020000",
            "Its time zone \"My zone\" is not known."
        ),
    ])
    func zonesOfTheFile(_ standard: String, _ daylight: String, _ expected: String) throws {
        let summer = daylight.isEmpty ? "" : "BEGIN:DAYLIGHT\n\(daylight)\nEND:DAYLIGHT\n"
        let days = try Self.days(
            """
            BEGIN:VTIMEZONE
            TZID:My zone
            BEGIN:STANDARD
            \(standard)
            END:STANDARD
            \(summer)END:VTIMEZONE
            BEGIN:VEVENT
            DTSTART;TZID="My zone":\(daylight.isEmpty ? "20270110" : "20270601")T000000
            DURATION:P1D
            END:VEVENT

            """)
        #expect(days.entries.map { Self.words($0) } == [expected])
    }

    @Test(arguments: [
        ("", "The file is not an iCalendar file"), ("<html></html>", "The file is not an iCalendar file"),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\n", "Line 2: BEGIN:VEVENT has no END:VEVENT."),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VEVENT\n", "Line 3: an event inside another component."),
        ("BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR", "Line 2: END:VEVENT without BEGIN:VEVENT."),
        ("BEGIN:VCALENDAR\nVERSION:2.0", "Line 1: BEGIN:VCALENDAR has no END:VCALENDAR."),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR\nDTSTART:1\n", "Line 3: a property after END:VCALENDAR."),
        (
            "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X\n", count: 100_000),
            "Line 17: more than 16 components in each other."
        ),
        (String(repeating: "x", count: 2 << 20), "The calendar is larger than 1 MiB."),
    ])
    func badFilesAreNamed(_ text: String, _ message: String) throws {
        let error = #expect(throws: ICalendarError.self) {
            try CalendarDays(text, in: Self.today...Self.today, zone: .utc, zones: { _ in nil })
        }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    /// The work for a file does not depend on what its rules ask for.
    @Test func hostileFilesAreBounded() throws {
        func entries(_ lines: String, _ count: Int) throws -> CalendarDays {
            try Self.days(String(repeating: "BEGIN:VEVENT\nUID:a\n\(lines)\nEND:VEVENT\n", count: count))
        }
        let tooMany = CalendarDays.Outcome.none("The repetitions of this calendar are too many to count.")
        let old = try entries("DTSTART:00010101\nRRULE:FREQ=DAILY;COUNT=1000000000", 10)
        #expect(old.entries.dropFirst().allSatisfy { $0 == tooMany })
        let both = String(
            repeating: "BEGIN:VEVENT\nDTSTART:00010101\nRRULE:FREQ=DAILY;COUNT=999999\nEND:VEVENT\n", count: 3)
        let simple = try Self.days(both + "BEGIN:VEVENT\nDTSTART:20261224\nEND:VEVENT\n")
        #expect(simple.entries.last.map { Self.words($0) } == "2026-12-24", "others do not suffer")
        let sparse = try entries("DTSTART:19000101\nRRULE:FREQ=DAILY;INTERVAL=999999999999999999999;COUNT=99", 10)
        #expect(
            sparse.entries
                == Array(repeating: .none("It does not take place from 2026-11-23 to 2028-11-22."), count: 10))
        let long = try entries("DTSTART:20100101\nDURATION:P900000000D\nRRULE:FREQ=DAILY", 400)
        #expect(long.entries.first.map { Self.words($0, 1) } == "2026-11-23")
        #expect(long.entries.last == tooMany)
        let never = try entries("DTSTART:20260101\nRRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31;COUNT=5", 100)
        #expect(never.entries.allSatisfy { $0 == .none("It does not take place from 2026-11-23 to 2028-11-22.") })
        let changes = try entries("DTSTART:20261224\nRECURRENCE-ID:20261224", 1000)
        #expect(changes.entries.count == 1000)
        #expect(throws: ICalendarError.self) { try entries("DTSTART:20261224", CalendarDays.maximumEntries + 1) }
        // A single line of almost 1 MiB.
        let line = "EXDATE:" + String(repeating: "20261224,", count: 100_000) + "20261224"
        let single = try Self.days("BEGIN:VEVENT\nDTSTART:20261224\n\(line)\nEND:VEVENT\n")
        #expect(single.entries == [.none("It has more than 4000 single dates.")])
    }
}
