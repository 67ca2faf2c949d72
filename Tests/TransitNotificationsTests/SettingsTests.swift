import Testing
import TransitModel

@testable import TransitNotifications

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
        let settings = NotificationSettings(
            machine: ["delay.first": "4", "leave.notice": "6"],
            personal: ["delay.first": "5m", "notifications.on": "on", "days_off.dates": "2026-12-24..2026-12-26"])
        #expect(settings.problems.isEmpty)
        #expect(settings.isEnabled)
        #expect(settings[DelayRule.self].first == 300 && settings[LeaveRule.self].notice == 360)
        let sources = Dictionary(uniqueKeysWithValues: settings.entries.map { ($0.definition.name, $0.source) })
        #expect(sources["delay.first"] == .user)
        #expect(sources["leave.notice"] == .configuration)
        #expect(settings.daysOff.contains(ServiceDate(year: 2026, month: 12, day: 25)!))
    }

    @Test func machineCannotTurnNotificationsOn() {
        let settings = NotificationSettings(machine: ["notifications.on": "on"], personal: [:])
        #expect(!settings.isEnabled)
        #expect(settings.problems.count == 1)
    }

    @Test(arguments: [
        ("delay.first", "0", "delay.first = \"0\" is not valid. It must be 1 to 60 min, such as 3."),
        ("delay.first", "soon", "delay.first = \"soon\" is not valid. It must be 1 to 60 min, such as 3."),
        ("early.first", "-5", "early.first = \"-5\" is not valid. It must be 30 to 600 s, such as 60."),
        ("leave.on", "maybe", "leave.on = \"maybe\" is not valid. It must be on or off."),
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
        let settings = NotificationSettings(machine: [:], personal: [name: value])
        #expect(settings.problems.map(\.description) == [message])
        #expect(settings[DelayRule.self].first == 180)
    }

    @Test(arguments: [("5", 300), ("5m", 300), ("5 min", 300), ("240s", 240), ("1h", 3600)])
    func durationsHaveUnits(_ text: String, _ seconds: Int) throws {
        var settings = NotificationSettings()
        try settings.set("delay.first", to: text)
        #expect(settings[DelayRule.self].first == seconds)
    }
}

struct DaysOffTests {
    @Test func listHasDatesAndRanges() throws {
        let days = try DaysOff(list: "2026-12-24, 2026-12-30..2027-01-01")
        let off = ["2026-12-23", "2026-12-24", "2026-12-29", "2026-12-30", "2027-01-01", "2027-01-02"].filter {
            ServiceDate(iso8601: $0).map { days.contains($0) } ?? false
        }
        #expect(off == ["2026-12-24", "2026-12-30", "2027-01-01"])
    }

    @Test(arguments: [
        ("soon", "\"soon\" is not a date"), ("2026-12-24..2026-12-23", "the last day is before the first day"),
        ("2026-01-01..2027-12-31", "more than 366 days"),
    ])
    func wrongListIsRefused(_ text: String, _ message: String) {
        let error = #expect(throws: DaysOff.Failure.self) { try DaysOff(list: text) }
        #expect(error?.description.contains(message) == true)
    }
}
