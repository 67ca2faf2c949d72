internal import TransitModel

extension NotificationRule {
    package static let unseen = NotificationRule(
        "unseen", "Notifies you when a departure is not reported although others on its route are.",
        isOnForFavorites: false, subjects: .departuresToLeaveFor, isUrgent: true, forecast: forecastOfWatched)
}

/// Notifies once that a departure is not reported although its source reports others on its route.
enum NotReportedRule: DepartureRule {
    static let rules: [NotificationRule] = [.unseen]

    struct Settings: RuleSettings {
        /// In seconds.
        let before: Int

        init(_ read: inout SettingReader) {
            before = read.duration(
                "before", .minutes, 10, 1...60, "Notify this long before the time to leave.")
        }
    }

    struct Memory: RuleMemory {
        var hasNotified = false
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard applies(context, state), context.now >= moment(context, state) else { return [] }
        let hasSound = !state.isOnTheWay(at: context.now)
        state[Self.self].hasNotified = true
        state.notify(context)
        if state.phase == .armed { state.phase = .changed }
        return [
            context.decision(
                .unseen, title: title(context), body: body(context),
                reason: "The source reports others on the route, but not this departure.", hasSound: hasSound)
        ]
    }

    private static func applies(_ context: DepartureRuleContext, _ state: DepartureState) -> Bool {
        context.isOn(.unseen) && !state[Self.self].hasNotified && context.observation.isMissing
            && context.observation.status != .departed && context.now <= context.departure.key.scheduled
            // A silent source reports no departure.
            && context.departure.silentSince == nil
    }

    /// The time for which a departure that was reported before must be missing, in seconds. Sources leave departures out of
    /// single messages.
    private static let patience = 300

    private static func moment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant {
        let due = context.timing.target(at: context.now).advanced(by: -context.settings[Self.self].before)
        guard state[ContradictionRule.self].report != nil, let since = state.missingSince else { return due }
        return max(due, since.advanced(by: patience))
    }

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        guard applies(context, state) else { return nil }
        let moment = moment(context, state)
        return moment > context.now ? moment : nil
    }

    // MARK: Text

    private static func title(_ context: DepartureRuleContext) -> String {
        "\(context.departure.text) is not reported"
    }

    private static func body(_ context: DepartureRuleContext) -> [String?] {
        [
            "Other departures on its route are. It may be late or canceled.", context.leaveLine,
            context.nextLine,
        ]
    }
}

/// Replaces "not reported" silently with the current report, when the source reports the departure after all.
enum ReportedRule: DepartureRule {
    static let name = "reported"

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        let observation = context.observation
        guard state.shown?.isMissing ?? false, !observation.isMissing, observation.isFresh,
            observation.source != .scheduled, observation.status != .departed
        else { return [] }
        state.notify(context)
        state.compared = observation.measured
        return [
            context.decision(
                .unseen, title: title(context), body: context.facts,
                reason: "The source reports the departure after all.", urgency: .low, operation: .update)
        ]
    }

    // MARK: Text

    /// "Tram 5 at 08:12 is now reported, on time".
    private static func title(_ context: DepartureRuleContext) -> String {
        guard let delay = context.delay, delay >= 60 || delay <= -60 else {
            return "\(context.departure.text) is now reported"
                + (context.delay == nil ? "" : ", on time")
        }
        return
            "\(context.departure.text) is now reported, \(NotificationText.minutes(delay)) \(delay > 0 ? "late" : "early")"
    }
}
