package import TransitModel
package import TransitQueries

/// What is unusual about tomorrow. A usual day has an empty value.
package struct Tomorrow: Hashable, Sendable {
    package var date: ServiceDate
    /// The name of the day off: "Memorial Day"; empty if it has none, `nil` if the user travels.
    package var dayOff: String?
    package var service: UnusualService?
    /// The changes of the user's departures on the date: "Your 08:12 leaves at 08:15".
    package var timetable: [String] = []
    /// The alerts that are active on the date.
    package var alerts: [WatchedAlert] = []
    /// The line about the weather at the usual arrival.
    package var weather: String?
    /// The events near stations of the commutes.
    package var events: [EventNearStation] = []

    package init(date: ServiceDate) { self.date = date }

    /// The events that crowd a station while the user travels.
    func crowds(_ settings: EventCrowdingRule.Settings) -> [EventNearStation] {
        events.filter { !EventCrowdingRule.noticeTimes($0, settings).isEmpty }
    }

    /// The alerts that begin or end on a date, or are active during it, but not before it. The user was already
    /// notified of alerts that began before.
    package static func plannedAlerts(
        _ watched: WatchedAlerts, on date: ServiceDate, zone: ServiceZone, now: Instant
    ) -> [WatchedAlert] {
        let (start, end) = (
            zone.instant(date: date, secondsOfDay: 0), zone.instant(date: date.advanced(by: 1), secondsOfDay: 0)
        )
        return watched.alerts.filter { alert in
            !alert.isActive(at: now)
                && alert.periods.contains { period in
                    period.start.map { $0 < end } ?? true && period.end.map { $0 > start } ?? true
                }
        }
    }
}

extension NotificationRule {
    package static let brief = NotificationRule(
        "brief", "Sends an evening summary of the next day if it is unusual.", isOn: false)
}

/// The evening brief: one notification about tomorrow, only if tomorrow differs from the usual.
enum BriefRule: GeneralRule {
    static let rules: [NotificationRule] = [.brief]
    static let forgetsWhenOff = false

    struct Settings: RuleSettings {
        /// In seconds after midnight.
        let at: Int

        init(_ read: inout SettingReader) {
            at = read.time("at", 21, "The time of day of the summary.")
        }
    }

    struct Memory: RuleMemory {
        /// The date on which the last brief was shown.
        var last: ServiceDate?
    }

    private static let maximumLines = 8

    static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        guard let tomorrow = context.input.tomorrow, tomorrow.date == context.today.advanced(by: 1),
            state[Self.self].last != context.today, context.isTime(context.settings[Self.self].at)
        else { return [] }
        let lines = lines(tomorrow, context)
        guard !lines.isEmpty else { return [] }
        state[Self.self].last = context.today
        var shown = lines.prefix(maximumLines)
        if lines.count > maximumLines { shown[maximumLines - 1] = "and \(lines.count - maximumLines + 1) more" }
        var decision = context.decision(
            .brief, "brief-\(tomorrow.date)",
            title: "Tomorrow, \(GeneralText.name(of: tomorrow.date.weekday))"
                + (tomorrow.dayOff == nil
                    ? ": \(GeneralText.count(lines.count, "thing")) to know" : ", is a day off"),
            body: shown.joined(separator: "\n"), validUntil: context.moment(12 * 3600, on: tomorrow.date),
            subject: ("digest", "\(tomorrow.date)"), reason: "Tomorrow is unusual.")
        // A day off tomorrow is itself a difference, which the summary names.
        if tomorrow.dayOff == nil {
            decision.date = tomorrow.date
            if tomorrow.weather != nil { decision.sources.insert(.weather) }
            if !tomorrow.crowds(context.settings[EventCrowdingRule.self]).isEmpty { decision.sources.insert(.events) }
        }
        return [decision]
    }

    static func nextMoment(_ context: GeneralRuleContext, _ state: RuleMemories) -> Instant? {
        guard let tomorrow = context.input.tomorrow, !lines(tomorrow, context).isEmpty else { return nil }
        return context.moment(context.settings[Self.self].at, on: tomorrow.date.advanced(by: -1))
    }

    /// The lines about the day: a day off alone, else service, timetable, alerts, weather and events.
    private static func lines(_ tomorrow: Tomorrow, _ context: GeneralRuleContext) -> [String] {
        if let dayOff = tomorrow.dayOff {
            let name = GeneralText.line(dayOff).map { "\($0). " } ?? ""
            return ["\(name)Only departures that you pinned for this date are announced."] + tomorrow.timetable
        }
        var lines: [String] = []
        if let service = tomorrow.service {
            let names = GeneralText.list(service.lines.map(\.name))
            lines.append("\(service.words): \(names)")
        }
        lines += tomorrow.timetable
        lines += tomorrow.alerts.map(\.title).uniqued()
        if let weather = tomorrow.weather { lines.append(weather) }
        let crowding = context.settings[EventCrowdingRule.self]
        lines += tomorrow.crowds(crowding).map { $0.text(context.zone, crowding) }.uniqued()
        return lines
    }
}
