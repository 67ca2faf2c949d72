internal import TransitModel

extension NotificationRule {
    package static let last = NotificationRule(
        "last", "Notifies you about the last way home.", subjects: [.journey, .commute, .pinned, .usual],
        limit: .departures,
        forecast: forecastOfLast)
}

/// Announces the last departure home of the day before it is time to leave for it. Then it is followed like any other
/// departure: without a sound for a person who is probably at home.
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
                .last, title: title(context), body: context.facts,
                reason: "It is the last departure of the day, and you have not logged a trip home.", hasSound: true)
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
        "Last trip home: \(context.departure.text)"
    }
}
