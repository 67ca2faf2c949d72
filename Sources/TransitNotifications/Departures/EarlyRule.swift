internal import TransitModel

extension NotificationRule {
    package static let early = NotificationRule(
        "early", "Notifies you when a departure leaves early.", isOnForFavorites: false,
        subjects: .departuresToLeaveFor, isUrgent: true, limit: .departures, forecast: forecastOfWatched)
}

/// Notifies the user when a departure leaves early.
enum EarlyRule: DepartureRule {
    static let rules: [NotificationRule] = [.early]

    struct Settings: RuleSettings {
        /// In seconds.
        let first: Int

        init(_ read: inout SettingReader) {
            first = read.duration("first", .seconds, 60, 30...600, "Notify when a departure is at least this early.")
        }
    }

    struct Memory: RuleMemory {
        var hasReportedEarly = false
        /// Messages of an early departure.
        var early: DepartureState.Evidence?
    }

    private static func isEarly(_ context: DepartureRuleContext) -> Bool {
        context.delay.map { $0 <= -context.settings[Self.self].first } ?? false
    }

    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        guard context.delay != nil else { return }
        state[Self.self].early = .counting(
            state[Self.self].early, isEarly(context), context.observation.messageTime)
    }

    static func notified(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        if isEarly(context) { state[Self.self].hasReportedEarly = true }
        state[Self.self].early = nil
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard context.isOn(.early), context.observation.status != .departed, isEarly(context),
            let delay = context.delay, context.observation.source == .live, let early = state[Self.self].early,
            early.count >= 2 || context.isNear
        else { return [] }
        if state[Self.self].hasReportedEarly {
            guard let shown = state.shown?.delay, delay - shown <= -context.settings[Self.self].first else { return [] }
        }
        state.notifyChange(context)
        state[Self.self].hasReportedEarly = true
        state[DelayRule.self].hasReportedDelay = false
        if state.leave != nil {
            state.leave = DepartureState.Leave(
                basis: context.timing.basis, lowerBound: context.timing.lowerBound(at: context.now))
            state.compared = context.observation.measured
        }
        return [
            context.decision(
                .early, title: title(context), body: context.facts,
                reason: "The source says that the vehicle leaves \(NotificationText.minutes(delay)) early.",
                urgency: .high, hasSound: true)
        ]
    }

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        context.isOn(.early) ? context.momentOfNearness(state[Self.self].early) : nil
    }

    // MARK: Text

    private static func title(_ context: DepartureRuleContext) -> String {
        "\(context.departure.text) is \(NotificationText.minutes(context.delay ?? 0)) early"
    }
}
