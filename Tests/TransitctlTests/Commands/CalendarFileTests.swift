import Testing
import TransitControl
import TransitModel
import TransitWire

@testable import transitctl

/// What `notify days-off import` sends to the daemon, and what it shows.
@Suite struct CalendarFileTests {
    private static let text = """
        \u{FEFF}BEGIN:VCALENDAR\r
        VERSION:2.0\r
        X-WR-CALNAME:My secret calendar\r
        BEGIN:VTIMEZONE\r
        TZID:My zone\r
        X-LIC-LOCATION:Secret place\r
        BEGIN:STANDARD\r
        TZNAME:secret\r
        DTSTART:16010101T000000\r
        TZOFFSETFROM:+0100\r
        TZOFFSETTO:+0100\r
        END:STANDARD\r
        END:VTIMEZONE\r
        BEGIN:VEVENT\r
        UID:secret@example.org\r
        SUMMARY:Company\\, retreat\\nwith a very lo\r
         ng name\r
        DESCRIPTION:secret\r
         DTSTART:20200101\r
        DTST\r
         ART;TZID="My zone";X-NOTE=secret:20261224T0000\r
        \t00\r
        DURATION:P2D\r
        RRULE:FREQ=WEEKLY;\r
         COUNT=2\r
        EXDATE;TZID=My zone:20261231T000000\r
        TRANSP:OPAQUE\r
        ATTENDEE;CN=secret:mailto:secret@example.org\r
        BEGIN:VALARM\r
        ACTION:DISPLAY\r
        DESCRIPTION:secret\r
        TRIGGER:-PT15M\r
        DURATION:PT5M\r
        END:VALARM\r
        END:VEVENT\r
        BEGIN:VTODO\r
        DTSTART:20261225\r
        END:VTODO\r
        BEGIN:VEVENT\r
        UID:secret@example.org\r
        RECURRENCE-ID;TZID=My zone:20261231T000000\r
        DTSTART;VALUE=DATE:20261230\r
        STATUS:CONFIRMED\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    @Test func onlyDatesOfACalendarAreSent() throws {
        var file = try CalendarFile(Array(Self.text.utf8))
        #expect(file.entries.map(\.title) == ["Company, retreat with a very long name", "Event in line 39"])
        let parts = file.parts()
        #expect(parts.map(\.entries) == [[0, 1]])
        #expect(
            parts.first?.text == """
                BEGIN:VCALENDAR
                BEGIN:VTIMEZONE
                TZID:My zone
                BEGIN:STANDARD
                DTSTART:16010101T000000
                TZOFFSETFROM:+0100
                TZOFFSETTO:+0100
                END:STANDARD
                END:VTIMEZONE
                BEGIN:VEVENT
                UID:0
                DTSTART;TZID="My zone":20261224T000000
                DURATION:P2D
                RRULE:FREQ=WEEKLY;COUNT=2
                EXDATE;TZID="My zone":20261231T000000
                TRANSP:OPAQUE
                END:VEVENT
                BEGIN:VEVENT
                UID:0
                RECURRENCE-ID;TZID="My zone":20261231T000000
                DTSTART;VALUE="DATE":20261230
                STATUS:CONFIRMED
                END:VEVENT
                END:VCALENDAR

                """)
    }

    @Test func largeFileIsSentInParts() throws {
        let entries = (0..<3000).map { "BEGIN:VEVENT\nUID:\($0 / 2)\nDTSTART:20261224\nEND:VEVENT\n" }.joined()
        let huge =
            "BEGIN:VEVENT\nUID:huge\nDTSTART:20261224\nEXDATE:"
            + String(repeating: "20261224,", count: 8000) + "20261224\nEND:VEVENT\n"
        var file = try CalendarFile(Array("BEGIN:VCALENDAR\n\(entries)\(huge)END:VCALENDAR\n".utf8))
        let parts = file.parts()
        #expect(parts.flatMap(\.entries).sorted() == Array(0..<3000))
        #expect(parts.allSatisfy { $0.text.utf8.count <= 60_000 && $0.entries.count <= 2000 })
        // An entry and its changes stay together.
        #expect(parts.allSatisfy { part in part.entries.count % 2 == 0 && part.entries[0] % 2 == 0 })
        #expect(file.entries.last?.problem == "It has too many dates or changes to be read.")
    }

    @Test(arguments: [
        ("hello", "The file is not an iCalendar file"), ("", "The file is not an iCalendar file"),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", "Line 2: BEGIN:VEVENT has no END:VEVENT."),
    ])
    func unusableFileIsNamed(_ text: String, _ message: String) {
        let failure = #expect(throws: CalendarFile.Failure.self) { try CalendarFile(Array(text.utf8)) }
        #expect(failure?.message.hasPrefix(message) == true)
        #expect(throws: CalendarFile.Failure.self) { try CalendarFile.read("/nonexistent.ics") }
    }

    @Test func brokenRuleIsNotSent() throws {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224\nRRULE:FREQ=WEEKLY;\nBYDAY=MO\nEND:VEVENT\nEND:VCALENDAR\n"
        var file = try CalendarFile(Array(text.utf8))
        #expect(file.parts().isEmpty)
        #expect(file.entries[0].problem == "Line 5 is not a property: it has no colon after the name.")
    }

    @Test func resultNamesEachEntry() throws {
        func date(_ text: String) throws -> ServiceDate { try #require(ServiceDate(iso8601: text)) }
        let christmas = DateSpan(first: try date("2026-12-24"), last: try date("2026-12-26"))
        let friday = DateSpan(first: try date("2027-01-08"), last: try date("2027-01-08"))
        let partial = "It does not cover a whole day from midnight to midnight."
        let result = NotifyDaysOffResult(
            at: try Sample.time("08:05"), days: [christmas.first],
            entries: [
                ImportedCalendarEntry(index: 0, days: 3, spans: [christmas]),
                ImportedCalendarEntry(index: 1, days: 0, reason: partial),
                ImportedCalendarEntry(index: 2, days: 104, spans: [christmas, friday, friday, friday]),
                ImportedCalendarEntry(index: 3, days: 0, reason: "It is over."),
            ] + (4..<30).map { ImportedCalendarEntry(index: $0, days: 0, reason: partial) })
        let titles = ["Christmas", "Dentist", "No work on Fridays", "Last year"] + (4..<30).map { "Meeting \($0)" }
        let view = View<NotifyDaysOffResult>.daysOffImport(titles: titles)
        try expectSnapshot(paint(view, result), "days-off-import")
        try expectSnapshot(paint(view, result, width: 40), "days-off-import-40")
        #expect(
            PlainRows.text(view.rows(result)).split(separator: "\n").prefix(2) == [
                "Christmas\tadded\t3\t2026-12-24..2026-12-26\t", "Dentist\tskipped\t0\t\t\(partial)",
            ])
        let none = NotifyDaysOffResult(at: result.at, days: [])
        #expect(paint(view, none) == "The file has no events.\n")
    }
}
