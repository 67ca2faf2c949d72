internal import TransitModel

extension NotificationRule {
    package static let last = NotificationRule(
        "last", "Notifies you about the last way home, and when a pinned journey is the last one of the day.",
        subjects: [.journey, .commute, .pinned, .usual],
        passesQuietHours: true, limit: .departures,
        forecast: forecastOfLast)
}

/// Announces the last departure home of the day before it is time to leave for it. Then it is followed like any other
/// departure: without a sound for a person who is probably at home. A pinned journey that is the last one of the day, or has
/// become it, is announced in the same way, wherever it leads.
enum LastDepartureRule: DepartureRule {
    static let rules: [NotificationRule] = [.last]
    static let situation = DepartureSituation.lastOfDay

    struct Settings: RuleSettings {
        /// In seconds.
        let before: Int

        init(_ read: inout SettingReader) {
            before = read.duration(
                "before", .minutes, 60, 5...180,
                "Notify this long before the time to leave for the last departure.")
        }
    }

    struct Memory: RuleMemory {
        var hasNotified = false
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard applies(context, state), context.now >= moment(context, at: context.now),
            context.timing.canBeCaught(at: context.now)
        else { return [] }
        state[Self.self].hasNotified = true
        state.notify(context)
        return [
            context.decision(
                .last, title: title(context), body: context.facts + lines(context),
                reason: context.lastJourney.map { reason($0, context) }
                    ?? "It is the last departure of the day, and you have not logged a trip home.",
                hasSound: true)
        ]
    }

    private static func applies(_ context: DepartureRuleContext, _ state: DepartureState) -> Bool {
        context.isOn(.last) && !state[Self.self].hasNotified && state.leave == nil
            && context.observation.status.isRunning
            && context.observation.status != .departed && state.phase != .caught
    }

    private static func moment(_ context: DepartureRuleContext, at now: Instant) -> Instant {
        context.timing.target(at: now).advanced(by: -context.settings[Self.self].before)
    }

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        guard applies(context, state) else { return nil }
        // A suppressed notification waits until the reason for suppressing it has ended.
        if state.withheld.contains(.last), context.now >= moment(context, at: context.now) { return nil }
        let timing = context.timing
        return timing.firstMoment(
            after: context.now, where: { $0 >= moment(context, at: $0) }, while: { timing.canBeCaught(at: $0) })
    }

    // MARK: Text

    private static func title(_ context: DepartureRuleContext) -> String {
        "\(context.leadsHome ? "Last trip home" : "Last journey of the day"): \(context.departure.text)"
    }

    /// What follows a pinned journey that is the last one, and what could not be searched.
    private static func lines(_ context: DepartureRuleContext) -> [String?] {
        guard let last = context.lastJourney else { return [] }
        let following = last.following.map { following in
            let zone = context.departure.names.zone
            let (date, today) = (zone.civil(at: following).date, zone.civil(at: context.now).date)
            let day = GeneralText.date(date, from: today)
            let words = date == today ? "" : today.days(to: date) == 1 ? "\(day) " : "on \(day) "
            return "The next journey leaves \(words)at \(context.departure.clock(following))."
        }
        let unsearched = last.unsearched.map(\.rawValue)
        return [
            following ?? "No later journey is known.",
            unsearched.isEmpty ? nil : "Journeys with \(GeneralText.list(unsearched)) could not be searched.",
        ]
    }

    private static func reason(_ last: WatchedLastJourney, _ context: DepartureRuleContext) -> String {
        "A search at \(context.departure.clock(last.searched)) found no later journey on that day."
    }
}
