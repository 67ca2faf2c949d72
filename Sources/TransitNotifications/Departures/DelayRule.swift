internal import TransitModel

extension NotificationRule {
    package static let delay = NotificationRule(
        "delay", "Notifies you when a departure is late.", isOnForFavorites: false, subjects: .departures,
        forecast: forecastOfWatched)
}

/// Notifies the user when a departure is late, and when its delay differs from the one that was shown.
enum DelayRule: DepartureRule {
    static let rules: [NotificationRule] = [.delay]

    struct Settings: RuleSettings {
        /// In seconds.
        let first, near, change: Int
        let changePercent: Int
        /// In seconds.
        let normal: Int

        init(_ read: inout SettingReader) {
            first = read.duration("first", .minutes, 3, 1...60, "Notify when a departure is at least this late.")
            near = read.duration(
                "near", .minutes, 10, 0...60,
                "If the time to leave is nearer than this, one message from the source is enough; otherwise two must agree."
            )
            change = read.duration(
                "change", .minutes, 2, 1...60,
                "Notify again when the delay has changed by more than this."
            )
            changePercent = read.number(
                "change_percent", "%", 20, 0...100,
                "The change must also exceed this percentage of the delay in the last notification.")
            normal = read.duration(
                "normal", .minutes, 2, 0...30, "A departure with a smaller delay than this counts as on time.")
        }
    }

    struct Memory: RuleMemory {
        /// Whether a delay was shown that is not yet back to normal.
        var hasReportedDelay = false
        /// Messages with a delay that is not shown yet.
        var late: DepartureState.Evidence?
    }

    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        guard let delay = context.delay else { return }
        let isNew = !state[Self.self].hasReportedDelay && delay >= context.settings[Self.self].first
        state[Self.self].late = .counting(state[Self.self].late, isNew, context.observation.messageTime)
    }

    static func notified(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        if let delay = context.delay, delay >= context.settings[Self.self].first {
            state[Self.self].hasReportedDelay = true
        }
        state[Self.self].late = nil
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard context.isOn(.delay), context.observation.status != .departed, let delay = context.delay else {
            return []
        }
        let (settings, memory) = (context.settings[Self.self], state[Self.self])
        let shown = state.shown?.delay ?? 0
        guard abs(delay - shown) > settings.change, abs(delay - shown) * 100 > abs(shown) * settings.changePercent
        else { return [] }
        let isAgain = memory.hasReportedDelay
        if isAgain {
            guard delay >= settings.normal else { return [] }
        } else {
            guard delay >= settings.first, let late = memory.late, late.count >= 2 || context.isNear else { return [] }
        }
        let hasSound = !isAgain && isWorthASound(context, state, delay)
        state.notifyChange(context)
        state[Self.self].hasReportedDelay = true
        LeaveRule.postpone(context, &state)
        return [
            context.decision(
                .delay, title: title(context, isAgain: isAgain),
                body: body(context),
                reason: isAgain
                    ? "The delay differs from the one in the last notification."
                    : "The departure is at least \(settings.first / 60) min late (the setting delay.first).",
                hasSound: hasSound)
        ]
    }

    /// Whether the delay helps a person. A person who is on the way can only wait, or choose another departure.
    static func isWorthASound(_ context: DepartureRuleContext, _ state: DepartureState, _ delay: Int) -> Bool {
        !state.isOnTheWay(at: context.now) || context.overtaking != nil
            || delay - (state.shown?.delay ?? 0) >= longDelay
    }

    /// A further delay that is long enough for a person who is on the way to change plans, in seconds.
    private static let longDelay = 600

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        context.isOn(.delay) ? context.momentOfNearness(state[Self.self].late) : nil
    }

    // MARK: Text

    private static func title(_ context: DepartureRuleContext, isAgain: Bool) -> String {
        "\(context.departure.text) is \(isAgain ? "now " : "")\(NotificationText.minutes(context.delay ?? 0)) late"
    }

    /// The facts with the departure that leaves before a late one.
    private static func body(_ context: DepartureRuleContext) -> [String?] {
        context.facts + [context.overtakingLine]
    }
}

/// Notifies that a departure that was shown to be late or early is on time again.
enum BackToNormalRule: DepartureRule {
    static let name = "normal"

    struct Memory: RuleMemory {
        /// Messages without a delay, after one was shown.
        var normal: DepartureState.Evidence?
    }

    /// The rule under whose name the user was notified; `nil` if the departure was not shown to be late or early.
    private static func reported(_ state: DepartureState) -> NotificationRule? {
        state[DelayRule.self].hasReportedDelay ? .delay : state[EarlyRule.self].hasReportedEarly ? .early : nil
    }

    private static func isNormal(_ context: DepartureRuleContext) -> Bool {
        let (late, early) = (context.settings[DelayRule.self].normal, context.settings[EarlyRule.self].first)
        return context.delay.map { $0 < late && $0 > -early } ?? false
    }

    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        guard context.delay != nil else { return }
        let holds = reported(state) != nil && isNormal(context)
        state[Self.self].normal = .counting(state[Self.self].normal, holds, context.observation.messageTime)
    }

    static func notified(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        state[Self.self].normal = nil
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard let rule = reported(state), context.isOn(rule), let normal = state[Self.self].normal,
            normal.count >= 2, isNormal(context)
        else { return [] }
        state.notify(context)
        state[DelayRule.self].hasReportedDelay = false
        state[EarlyRule.self].hasReportedEarly = false
        return [
            context.decision(
                rule, title: title(context), body: context.facts,
                reason: "Two messages say that the departure is on time.", urgency: .low, operation: .update)
        ]
    }

    // MARK: Text

    private static func title(_ context: DepartureRuleContext) -> String {
        "\(context.departure.text) is on time again"
    }
}

extension DepartureObservation {
    /// The time of the message, or that of the observation if the message has none.
    var messageTime: Instant { measured ?? at }
}
