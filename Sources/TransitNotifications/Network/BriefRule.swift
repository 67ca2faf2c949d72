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
    func crowds(_ thresholds: CrowdingThresholds) -> [EventNearStation] {
        events.filter { !EventCrowdingRule.toldTimes($0, thresholds).isEmpty }
    }

    /// The alerts that begin or end on a date, or are active during it, but not before it. An alert that stands already
    /// was told.
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

/// The evening brief: one bubble about tomorrow, only if tomorrow differs from the usual.
package enum BriefRule {
    private static let maximumLines = 8

    package static func evaluate(
        _ tomorrow: Tomorrow?, memory: inout OncePerDay, thresholds: NetworkThresholds, zone: ServiceZone,
        now: Instant
    ) -> [NotificationDecision] {
        let clock = zone.civil(at: now)
        let seconds = clock.secondsOfDay - thresholds.brief
        guard let tomorrow, tomorrow.date == clock.date.advanced(by: 1), memory.last != clock.date, seconds >= 0,
            seconds < thresholds.lateness
        else { return [] }
        let lines = lines(tomorrow, thresholds, zone)
        guard !lines.isEmpty else { return [] }
        memory.last = clock.date
        var shown = lines.prefix(maximumLines)
        if lines.count > maximumLines { shown[maximumLines - 1] = "and \(lines.count - maximumLines + 1) more" }
        var decision = NotificationDecision(
            id: "", key: "brief-\(tomorrow.date)", revision: 0, operation: .show, rule: .brief, at: now,
            validUntil: zone.instant(date: tomorrow.date, secondsOfDay: 12 * 3600),
            title: "Tomorrow, \(NetworkText.name(of: tomorrow.date.weekday))"
                + (tomorrow.dayOff == nil
                    ? ": \(NetworkText.count(lines.count, "thing")) to know" : ", is a day off"),
            body: shown.joined(separator: "\n"), subjectKind: "digest", subjectName: "\(tomorrow.date)",
            reason: "Tomorrow differs from the usual.")
        // A day off tomorrow is itself a difference, which the summary names.
        if tomorrow.dayOff == nil { decision.date = tomorrow.date }
        if tomorrow.dayOff == nil {
            if tomorrow.weather != nil { decision.sources.insert(.weather) }
            if !tomorrow.crowds(thresholds.crowding).isEmpty { decision.sources.insert(.events) }
        }
        return [decision]
    }

    /// The lines about the day: a day off alone, else service, timetable, alerts, weather and events.
    package static func lines(_ tomorrow: Tomorrow, _ thresholds: NetworkThresholds, _ zone: ServiceZone) -> [String] {
        if let dayOff = tomorrow.dayOff {
            let name = NetworkText.line(dayOff).map { "\($0). " } ?? ""
            return ["\(name)Only departures that you pinned for this date are announced."] + tomorrow.timetable
        }
        var lines: [String] = []
        if let service = tomorrow.service {
            let names = NetworkText.list(service.lines.map(\.name))
            lines.append("\(service.words): \(names)")
        }
        lines += tomorrow.timetable
        lines += tomorrow.alerts.map(\.title).uniqued()
        if let weather = tomorrow.weather { lines.append(weather) }
        lines += tomorrow.crowds(thresholds.crowding).map { $0.text(zone, thresholds.crowding) }.uniqued()
        return lines
    }
}
