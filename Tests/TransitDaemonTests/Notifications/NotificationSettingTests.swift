import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport
import TransitWire

@testable import TransitDaemon

@Suite struct NotificationSettingTests {
    private func setting(_ key: String, _ fixture: NotificationFixture) throws -> NotificationSetting? {
        try fixture.daemon.ask(NotifyListParameters()).rules.flatMap(\.settings).first { $0.key == key }
    }

    @Test func settingIsTheUsersThenTheConfigurationsThenTheDefault() async throws {
        let fixture = try await NotificationFixture { $0.notifications = ["delay.first": "4"] }
        #expect(try setting("delay.first", fixture)?.value == "4")
        #expect(try setting("delay.first", fixture)?.origin == .configuration)
        #expect(try setting("delay.change", fixture)?.origin == .builtIn)
        let set = try fixture.daemon.ask(NotifySetParameters(key: "delay.first", value: "5"))
        #expect(set.setting.value == "5")
        #expect(set.setting.origin == .user)
        let reset = try fixture.daemon.ask(NotifySetParameters(key: "delay.first"))
        #expect(reset.setting.value == "4")
    }

    @Test func ruleIsTurnedOff() async throws {
        let fixture = try await NotificationFixture()
        #expect(try fixture.daemon.ask(NotifySetParameters(key: "canceled", value: "off")).setting.key == "canceled.on")
        #expect(try fixture.daemon.ask(NotifyListParameters()).rules.first { $0.rule == "canceled" }?.isOn == false)
        fixture.service.pass()
        fixture.receive("b1", .canceled)
        #expect(try fixture.events("canceled").isEmpty)
    }

    @Test(arguments: [("delay.frist", "3"), ("delay.first", "many"), ("delay.first", "0"), ("quiet.from", "25:00")])
    func invalidSettingIsRefused(_ key: String, _ value: String) async throws {
        let fixture = try await NotificationFixture()
        let error = fixture.daemon.error(of: NotifySetParameters(key: key, value: value))
        #expect(error?.kind == .notificationSettingInvalid)
        #expect(error?.hint != nil)
    }

    @Test func muteSuppressesWithItsReason() async throws {
        let fixture = try await NotificationFixture()
        let muted = try fixture.daemon.ask(NotifyMuteParameters(rule: "canceled", duration: 3600))
        #expect(muted.until?.clock == "08:30")
        fixture.receive("b1", .canceled)
        #expect(try fixture.events("canceled").isEmpty)
        let list = try fixture.daemon.ask(NotifyListParameters(suppressed: true))
        #expect(list.log.first?.rule == "canceled")
        #expect(list.log.first?.reason?.contains("muted") == true)
        #expect(list.rules.first { $0.rule == "canceled" }?.mutedUntil?.clock == "08:30")
        #expect(try fixture.daemon.ask(NotifyMuteParameters(duration: 0)).until == nil)
        #expect(try fixture.daemon.ask(NotifyListParameters()).rules.allSatisfy { $0.mutedUntil == nil })
    }

    @Test func daysOffAreAddedRemovedAndImported() async throws {
        let fixture = try await NotificationFixture()
        func span(_ first: String, _ last: String) throws -> DateSpan {
            DateSpan(first: try #require(ServiceDate(iso8601: first)), last: try #require(ServiceDate(iso8601: last)))
        }
        _ = try fixture.daemon.ask(NotifyDaysOffParameters(add: [span("2026-12-24", "2026-12-26")]))
        let removed = try fixture.daemon.ask(NotifyDaysOffParameters(remove: [span("2026-12-25", "2026-12-25")]))
        #expect(removed.days.map { "\($0)" } == ["2026-12-24", "2026-12-26"])
        let calendar = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            DTSTART;VALUE=DATE:20260501
            DTEND;VALUE=DATE:20260502
            END:VEVENT
            END:VCALENDAR

            """
        let imported = try fixture.daemon.ask(NotifyDaysOffParameters(calendar: calendar))
        #expect(imported.days.first.map { "\($0)" } == "2026-05-01")
        #expect(
            fixture.daemon.error(of: NotifyDaysOffParameters(calendar: "no calendar"))?.kind
                == .notificationSettingInvalid)
        // Nothing is told on a day off.
        _ = try fixture.daemon.ask(NotifyDaysOffParameters(add: [span("2026-03-27", "2026-03-27")]))
        fixture.service.pass()
        fixture.receive("b1", .canceled)
        #expect(try fixture.events("canceled").isEmpty)
    }

    /// A later version can have saved them.
    @Test func savedSettingsThatCannotBeUsedAreReported() async throws {
        let fixture = try await NotificationFixture()
        try fixture.daemon.daemon.state.setNotificationSettings(
            ["delay.first": "soon", "seat_reserved.on": "on"], of: 1000)
        let result = try fixture.daemon.ask(NotifyListParameters())
        #expect(
            result.notices.filter { $0.kind == .malformed }.map(\.message) == [
                "delay.first = \"soon\" is not valid. It must be 1 to 60 min, such as 3. It is ignored.",
                "seat_reserved.on = \"on\" is not valid. There is no such setting. `transitctl notify list` lists the settings. It is ignored.",
            ])
        #expect(result.rules.first { $0.rule == "delay" }?.settings.first { $0.key == "delay.first" }?.value == "3")
    }

    /// The fixture is in Berlin.
    @Test func calendarAddsDaysOffAndSaysWhy() async throws {
        let fixture = try await NotificationFixture()
        func calendar(_ entries: String...) -> String {
            "BEGIN:VCALENDAR\n" + entries.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined() + "END:VCALENDAR\n"
        }
        let text = calendar(
            "DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227",
            "DTSTART:20261230T220000Z\nDTEND:20261231T220000Z",
            "DTSTART;VALUE=DATE:20260501\nTRANSP:TRANSPARENT")
        let busy = try fixture.daemon.ask(NotifyDaysOffParameters(calendar: text, busyOnly: true))
        #expect(busy.days.map { "\($0)" } == ["2026-12-24", "2026-12-25", "2026-12-26"])
        #expect(busy.entries.map(\.days) == [3, 0, 0])
        #expect(
            busy.entries.map { $0.spans.map { "\($0.first)..\($0.last)" } } == [["2026-12-24..2026-12-26"], [], []])
        #expect(
            busy.entries.map(\.reason) == [
                nil, "It does not cover a whole day from midnight to midnight.", "It is marked as free time.",
            ])
        let all = try fixture.daemon.ask(NotifyDaysOffParameters(calendar: text))
        #expect(all.entries.map(\.index) == [0, 1, 2])
        #expect(all.days.count == 4)
        // Two years of days off are one range, which can be read again.
        let daily = try fixture.daemon.ask(
            NotifyDaysOffParameters(calendar: calendar("DTSTART:20260101\nRRULE:FREQ=DAILY")))
        #expect(daily.days.count == 731)
        #expect(try fixture.daemon.ask(NotifyDaysOffParameters()).days.count == 731)
        #expect(try fixture.daemon.ask(NotifyListParameters()).daysOff.count == 366)
    }

    @Test func unitsAreASettingOfThePerson() async throws {
        let fixture = try await NotificationFixture { $0.insights.units = .metric }
        func units(_ uid: UInt32 = 1000) async throws -> MeasurementUnits {
            try await fixture.daemon.askLengthy(InsightsParameters(), uid: uid).units
        }
        #expect(try setting("units", fixture)?.value == "metric")
        #expect(try setting("units", fixture)?.origin == .configuration)
        let set = try fixture.daemon.ask(NotifySetParameters(key: "units", value: "Imperial"))
        #expect([set.setting.value, set.setting.origin.rawValue] == ["imperial", "user"])
        #expect(try await units() == .imperial)
        #expect(try await units(1001) == .metric)
        #expect(try fixture.daemon.ask(NextParameters(commute: "trip")).units == .imperial)
        let error = fixture.daemon.error(of: NotifySetParameters(key: "units", value: "furlongs"))
        #expect(error?.kind == .notificationSettingInvalid)
        #expect(error?.hint == "Use metric, imperial, auto.")
        #expect(try fixture.daemon.ask(NotifySetParameters(key: "units", value: "auto")).setting.value == "auto")
        #expect(try await units() == .automatic)
        #expect(try fixture.daemon.ask(NotifySetParameters(key: "units")).setting.value == "metric")
    }

    /// Runs the command that the notice names, and adds the commute again.
    @Test func noticeOfQuietCommuteNamesACommandThatWorks() async throws {
        let fixture = try await NotificationFixture()
        let commute = CommuteAddParameters(
            name: "early", from: "city:harbor", to: "city:central", replace: true, windows: ["05:00-08:00"])
        let notice = try #require(try fixture.daemon.ask(commute).notices.first { $0.kind == .quiet })
        #expect(notice.message.contains("05:00-07:00") && notice.message.contains("early"))
        #expect(try fixture.daemon.ask(NotifyListParameters()).notices.contains { $0.message == notice.message })
        let command = try #require(notice.message.split(separator: ": ").last)
        let words = command.split(separator: " ").map(String.init)
        #expect(words.prefix(3) == ["transitctl", "notify", "set"])
        try #require(words.count == 5)
        _ = try fixture.daemon.ask(NotifySetParameters(key: words[3], value: words[4]))
        #expect(try fixture.daemon.ask(commute).notices.isEmpty)
        #expect(try !fixture.daemon.ask(NotifyListParameters()).notices.contains { $0.kind == .quiet })
    }

    @Test func machineDefaultsAreRead() throws {
        let text = "[notifications.delay]\nfirst = 4\non = false\n[notifications.quiet]\nfrom = \"23:00\"\n"
        let configuration = try Configuration(text: text, file: "/config.toml")
        #expect(
            configuration.notifications == ["delay.first": "4", "delay.on": "off", "quiet.from": "23:00"])
    }

    @Test(arguments: [
        ("[notifications.dealy]\n", "1:1: [notifications] has no key `dealy`; did you mean `delay`?"),
        ("[notifications.delay]\nfrist = 3\n", "2:1: [notifications.delay] has no key `frist`; did you mean `first`?"),
        ("[notifications.delay]\nfirst = 0\n", "2:9: `first` is \"0\"; use 1 to 60 min"),
        ("[notifications.delay]\nfirst = [3]\n", "2:9: `first` is a list, not a single value; write `first = 3`"),
    ])
    func wrongDefaultIsReported(_ text: String, _ expected: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "/config.toml") }
        let problem = try #require(error?.problems.first)
        let position = try #require(problem.position)
        #expect("\(position.line):\(position.column): \(problem.message); \(problem.remedy)" == expected)
    }
}
