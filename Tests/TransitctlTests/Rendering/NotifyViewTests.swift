import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct NotifyViewTests {
    private func event(_ rule: String = "leave", _ op: NotificationOperation = .show) throws -> NotificationEvent {
        NotificationEvent(
            id: "bus-1", key: "bus", revision: 1, op: op, rule: rule, urgency: .high, sound: true,
            at: try Sample.time("08:00"), validUntil: try Sample.time("08:14"), expiresIn: 840, language: "en",
            title: "Leave now for Bus 24 at 08:12", body: "8 min walk to Mill Lane.\nThen: 08:27, 08:42.",
            subject: NotificationSubject(kind: .commute, name: "home-to-work"), departure: nil,
            reason: "The time to leave is in 5 minutes.")
    }

    private func list() throws -> NotifyListResult {
        let delay = NotificationRuleStatus(
            rule: "delay", description: "Tells you that a departure is late.", isOn: true,
            mutedUntil: try Sample.time("09:00"),
            settings: [
                NotificationSetting(
                    key: "delay.on", value: "on", origin: .builtIn, description: "Tells you that a departure is late."),
                NotificationSetting(
                    key: "delay.first", value: "5", origin: .user,
                    description: "The delay from which you are told. Unit: min.", unit: "min", defaultValue: "3"),
            ], next: "It watches Bus 24 at 08:12.")
        let alert = NotificationRuleStatus(
            rule: "alert", description: "Tells you about alerts for your routes, directions and stops.", isOn: true,
            settings: [])
        let quiet = NotificationRuleStatus(
            rule: "quiet", description: "Tells nothing during quiet hours.", isOn: true,
            settings: [("on", "on"), ("from", "22:00"), ("until", "06:00")].map { key, value in
                NotificationSetting(
                    key: "quiet.\(key)", value: value, origin: key == "until" ? .user : .builtIn,
                    description: "Quiet hours.", defaultValue: key == "until" ? "07:00" : value)
            })
        let badge = NotificationRuleStatus(
            rule: "badge", description: "Tells you that you earned a badge.", isOn: false,
            settings: [
                NotificationSetting(
                    key: "badge.on", value: "off", origin: .configuration,
                    description: "Tells you that you earned a badge.")
            ])
        return NotifyListResult(
            at: try Sample.time("08:05"), isOn: true,
            agent: NotificationAgentStatus(lastContact: try Sample.time("08:00"), subscribers: 1, failures: 0),
            subjects: [
                WatchedSubjectStatus(
                    kind: .commute, name: "home-to-work", stop: "Mill Lane", route: "Bus 24",
                    scheduled: try Sample.time("08:12"), expected: try Sample.time("08:15"),
                    rules: ["leave", "delay", "canceled", "skipped", "unseen", "early", "platform", "last", "alert"]),
                WatchedSubjectStatus(kind: .pinned, name: "17:30 R2", problem: "city no longer has the stop \"x\"."),
                WatchedSubjectStatus(
                    kind: .commute, name: "work-to-home", rules: ["leave", "delay", "canceled", "skipped"]),
                WatchedSubjectStatus(
                    kind: .favorite, name: "Harbor", stop: "Harbor", route: "Tram 5",
                    scheduled: try Sample.time("08:20"), rules: ["canceled", "skipped", "alert"]),
            ], rules: [delay, alert, badge, quiet],
            daysOff: ["2026-12-24", "2026-12-25", "2027-01-01"].compactMap { ServiceDate(iso8601: $0) },
            log: [
                NotificationLogEntry(
                    id: "bus-1", at: try Sample.time("08:00"), rule: "leave", op: .show,
                    title: "Leave now for Bus 24 at 08:12", stage: "done"),
                NotificationLogEntry(
                    id: "bus-2", at: try Sample.time("08:04"), rule: "leave", op: .withdraw,
                    title: "Leave now for Bus 24 at 08:12", stage: "replaced"),
                NotificationLogEntry(
                    id: "s-1", at: try Sample.time("23:00", days: -1), rule: "delay", op: .show,
                    title: "Bus 24 is 5 min late", stage: "suppressed", reason: "Quiet hours last until 07:00."),
            ])
    }

    @Test(arguments: [40, 80, 120]) func listShowsRules(_ width: Int) throws {
        try expectSnapshot(paint(.notifyList, try list(), width: width), "notify-list-\(width)")
    }

    @Test(arguments: [40, 80]) func listShowsEverySetting(_ width: Int) throws {
        try expectSnapshot(paint(.notifySettings, try list(), width: width), "notify-list-all-\(width)")
    }

    @Test func listFitsATerminal() throws {
        for view in [View.notifyList, .notifySettings] {
            let lines = paint(view, try list(), width: 80).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 })
        }
        // What is on comes first.
        #expect(paint(.notifyList, try list()).hasPrefix("Your notifications are on."))
    }

    /// An older daemon reports neither rules of subjects nor defaults.
    @Test func listOfAnOlderDaemonIsShown() throws {
        var result = try list()
        for position in result.subjects.indices { result.subjects[position].rules = [] }
        for rule in result.rules.indices {
            for setting in result.rules[rule].settings.indices {
                result.rules[rule].settings[setting].defaultValue = ""
                result.rules[rule].settings[setting].unit = nil
            }
        }
        let text = paint(.notifyList, result)
        #expect(!text.contains("watched by") && text.contains("delay.first = 5 (yours)"))
    }

    @Test(arguments: [40, 120]) func logShowsResults(_ width: Int) throws {
        try expectSnapshot(paint(.notifyLog, try list(), width: width), "notify-log-\(width)")
    }

    @Test(arguments: [40, 120]) func notificationsAreListed(_ width: Int) throws {
        let result = NotificationsResult(
            at: try Sample.time("08:05"), events: [try event(), try event("delay", .withdraw)], unfinished: [])
        try expectSnapshot(paint(.notifications, result, width: width), "notifications-\(width)")
    }

    @Test(arguments: [40, 120]) func rehearsalShowsDifferences(_ width: Int) throws {
        let result = NotifyRehearseResult(
            at: try Sample.time("08:05"), days: 12, before: 30, after: 22, soundingBefore: 21,
            soundingAfter: 15, logged: 33,
            differences: [
                RehearsedNotification(
                    rule: "delay", title: "Bus 24 is 3 min late", before: try Sample.time("08:00", days: -1)),
                RehearsedNotification(
                    rule: "leave", title: "Leave now for Bus 24", after: try Sample.time("08:02", days: -2)),
            ])
        try expectSnapshot(paint(.notifyRehearse, result, width: width), "notify-rehearse-\(width)")
    }

    @Test func plainOutputHasRows() throws {
        try expectSnapshot(PlainRows.text(View.notifyList.rows(try list())), "notify-list-plain")
        try expectSnapshot(PlainRows.text(View.notifyLog.rows(try list())), "notify-log-plain")
        #expect(
            PlainRows.text(
                View.notifications.rows(
                    NotificationsResult(
                        at: try Sample.time("08:05"), events: [try event()], unfinished: []))
            )
            .hasPrefix("2026-03-28T08:00:00-07:00\tshow\tleave\thigh\tLeave now"))
    }

    @Test func changesAreConfirmedWithSentences() throws {
        let at = try Sample.time("08:05")
        #expect(
            paint(.notifyMute, NotifyMuteResult(at: at, rule: "delay", until: try Sample.time("09:00")))
                == "The rule delay is muted until 09:00.\n")
        #expect(paint(.notifyMute, NotifyMuteResult(at: at)) == "Your notifications are no longer muted.\n")
        #expect(
            paint(
                .daysOff,
                NotifyDaysOffResult(at: at, days: ["2026-12-24", "2026-12-25"].compactMap { ServiceDate(iso8601: $0) }))
                == "Days off: 2026-12-24..2026-12-25\n")
        var off = try list()
        off.isOn = false
        #expect(paint(.notifyEnable, off).hasPrefix("Your notifications are off."))
        let set = NotifySetResult(
            at: at,
            setting: NotificationSetting(key: "delay.first", value: "3", origin: .builtIn, description: "The delay."))
        #expect(paint(.notifySet, set) == "delay.first is 3 (default).\nThe delay.\n")
    }

    @Test(
        arguments: [
            (["2h"], nil, 7200), (["today"], nil, nil), (["delay"], "delay", nil), (["delay", "30m"], "delay", 1800),
            (["delay", "today"], "delay", nil),
        ] as [([String], String?, Int?)])
    func muteArguments(_ words: [String], _ rule: String?, _ seconds: Int?) throws {
        let arguments = try #require(MuteArguments(words))
        #expect(arguments.rule == rule)
        #expect(arguments.seconds == seconds)
    }

    @Test(arguments: [["0h"], ["2h", "delay"], ["-5"], ["100000d"], []])
    func wrongMuteArguments(_ words: [String]) { #expect(MuteArguments(words) == nil) }

    @Test func dateRangesAreParsed() {
        #expect(DateSpan("2026-12-24")?.last == ServiceDate(iso8601: "2026-12-24"))
        #expect(DateSpan("2026-12-24..2026-12-26")?.last == ServiceDate(iso8601: "2026-12-26"))
        #expect(DateSpan("2026-12-26..2026-12-24") == nil)
        #expect(DateSpan("tomorrow") == nil)
    }
}
