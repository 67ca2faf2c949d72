import Testing
import TransitModel
import TransitNotifications

struct SettingsTests {
    @Test func defaultsAreThoseOfTheTable() {
        let settings = NotificationSettings()
        #expect(!settings.isEnabled)
        for rule in NotificationRule.allCases {
            #expect(settings.isOn(rule) == (rule != .streak && rule != .brief), "\(rule)")
        }
        let values = Dictionary(uniqueKeysWithValues: settings.entries.map { ($0.definition.name, $0.text) })
        #expect(values["leave.notice"] == "5")
        #expect(values["delay.first"] == "3")
        #expect(values["early.first"] == "60")
        #expect(values["quiet.from"] == "22:00")
        #expect(values["quiet.until"] == "07:00")
        #expect(values["crowding.distance"] == "1.5")
        #expect(values["weather.amount"] == "0.5")
        #expect(values["brief.at"] == "21:00")
        #expect(settings.entries.allSatisfy { $0.source == .standard })
    }

    @Test func everyDefaultIsInItsRangeAndEverySentenceIsOne() {
        for definition in SettingDefinition.all {
            #expect(definition.parse(definition.text(definition.standard)) == definition.standard, "\(definition.name)")
            #expect(
                definition.sentence.hasSuffix(".") && !definition.sentence.dropLast().contains(". "),
                "\(definition.name)")
        }
        #expect(Set(SettingDefinition.all.map(\.name)).count == SettingDefinition.all.count)
    }

    @Test func personalValuesPrecedeTheConfiguration() {
        var errors: [NotificationSettingError] = []
        let settings = NotificationSettings(
            machine: ["delay.first": "4", "leave.notice": "6"],
            personal: ["delay.first": "5m", "notifications.on": "on", "days_off.dates": "2026-12-24..2026-12-26"],
            errors: &errors)
        #expect(errors.isEmpty)
        #expect(settings.isEnabled)
        #expect(settings["delay.first"] == 300 && settings["leave.notice"] == 360)
        let sources = Dictionary(uniqueKeysWithValues: settings.entries.map { ($0.definition.name, $0.source) })
        #expect(sources["delay.first"] == .user)
        #expect(sources["leave.notice"] == .configuration)
        #expect(settings.daysOff.contains(ServiceDate(year: 2026, month: 12, day: 25)!))
    }

    @Test func machineCannotTurnNotificationsOn() {
        var errors: [NotificationSettingError] = []
        let settings = NotificationSettings(machine: ["notifications.on": "on"], personal: [:], errors: &errors)
        #expect(!settings.isEnabled)
        #expect(errors.count == 1)
    }

    @Test(arguments: [
        ("delay.first", "0", "delay.first = \"0\" is not valid. It must be 1 to 60 min, such as 3."),
        ("delay.first", "soon", "delay.first = \"soon\" is not valid. It must be 1 to 60 min, such as 3."),
        ("early.first", "-5", "early.first = \"-5\" is not valid. It must be 30 to 600 s, such as 60."),
        ("leave.on", "maybe", "leave.on = \"maybe\" is not valid. It must be on or off, such as on."),
        (
            "quiet.from", "24:00",
            "quiet.from = \"24:00\" is not valid. It must be a time of day from 00:00 to 23:59, such as 22:00."
        ),
        (
            "crowding.distance", "1.55",
            "crowding.distance = \"1.55\" is not valid. It must be 0.1 to 10 miles, such as 1.5."
        ),
        (
            "early.last", "5",
            "early.last = \"5\" is not valid. There is no such setting. Settings of early: early.on, early.first, early.favorites."
        ),
        (
            "nothing", "5",
            "nothing = \"5\" is not valid. There is no such setting. `transitctl notify list` lists the settings."
        ),
        (
            "days_off.dates", "2026-13-01",
            "days_off.dates = \"2026-13-01\" is not valid. \"2026-13-01\" is not a date such as 2026-12-24 or a range such as 2026-12-24..2027-01-02."
        ),
    ])
    func errorsNameKeyValueRangeAndRemedy(_ name: String, _ value: String, _ message: String) {
        #expect(throws: NotificationSettingError.self) { try NotificationSettings.check(name, value) }
        do { try NotificationSettings.check(name, value) } catch { #expect(error.description == message) }
        var errors: [NotificationSettingError] = []
        let settings = NotificationSettings(machine: [:], personal: [name: value], errors: &errors)
        #expect(errors.map(\.description) == [message])
        #expect(settings["delay.first"] == 180)
    }

    @Test(arguments: [("5", 300), ("5m", 300), ("5 min", 300), ("240s", 240), ("1h", 3600)])
    func durationsHaveUnits(_ text: String, _ seconds: Int) throws {
        var settings = NotificationSettings()
        try settings.set("delay.first", to: text)
        #expect(settings["delay.first"] == seconds)
    }
}

struct DaysOffTests {
    private func date(_ text: String) -> ServiceDate { ServiceDate(iso8601: text)! }

    @Test func calendarOfEvents() throws {
        let text = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            BEGIN:VEVENT\r
            SUMMARY:Vacation, with a very long\r
              name\r
            DTSTART;VALUE=DATE:20260706\r
            DTEND;VALUE=DATE:20260718\r
            BEGIN:VALARM\r
            DTSTART:nonsense\r
            END:VALARM\r
            END:VEVENT\r
            BEGIN:VEVENT\r
            DTSTART;TZID=Europe/Berlin:20260320T090000\r
            DTEND;TZID=Europe/Berlin:20260321T150000\r
            END:VEVENT\r
            BEGIN:VEVENT\r
            DTSTART;VALUE=DATE:20241224\r
            DTEND;VALUE=DATE:20241227\r
            RRULE:FREQ=YEARLY\r
            END:VEVENT\r
            BEGIN:VEVENT\r
            DTSTART;VALUE=DATE:20260501\r
            STATUS:CANCELLED\r
            END:VEVENT\r
            END:VCALENDAR\r

            """
        let days = try DaysOff(calendar: text)
        for off in ["2026-07-06", "2026-07-17", "2026-03-20", "2026-03-21", "2024-12-26", "2027-12-24", "2031-12-26"] {
            #expect(days.contains(date(off)), "\(off)")
        }
        for working in ["2026-07-05", "2026-07-18", "2026-03-22", "2026-12-27", "2023-12-24", "2026-05-01"] {
            #expect(!days.contains(date(working)), "\(working)")
        }
    }

    @Test(arguments: [
        ("", "The file is not an iCalendar file"),
        ("<html></html>", "The file is not an iCalendar file"),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\n", "Line 2: the event has no END:VEVENT"),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR", "Line 2: the event has no DTSTART"),
        (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026-01-01\nEND:VEVENT\nEND:VCALENDAR",
            "Line 3: \"2026-01-01\" is not a date"
        ),
        (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nDTEND:29990101\nEND:VEVENT\nEND:VCALENDAR",
            "Line 2: more than 366 days"
        ),
        (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260105\nDTEND:20260101\nEND:VEVENT\nEND:VCALENDAR",
            "Line 2: the last day is before the first day"
        ),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VEVENT\nEND:VCALENDAR", "Line 3: an event inside an event"),
        ("BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR", "Line 2: END:VEVENT without BEGIN:VEVENT"),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nnothing\nEND:VEVENT\nEND:VCALENDAR", "Line 3: no colon"),
        ("BEGIN:VCALENDAR\nVERSION:2.0", "The file does not end with END:VCALENDAR"),
    ])
    func badCalendarsAreNamed(_ text: String, _ message: String) {
        do {
            _ = try DaysOff(calendar: text)
            Issue.record("accepted")
        } catch {
            #expect(error.description.hasPrefix(message), "\(error.description)")
        }
    }

    @Test func hugeCalendarsAreRefused() {
        let event = "BEGIN:VEVENT\nDTSTART:20260101\nEND:VEVENT\n"
        let many = "BEGIN:VCALENDAR\n" + String(repeating: event, count: 2001) + "END:VCALENDAR"
        #expect(throws: DaysOff.Failure.self) { try DaysOff(calendar: many) }
        #expect(throws: DaysOff.Failure.self) { try DaysOff(calendar: String(repeating: "x", count: 2 << 20)) }
    }
}
