internal import TransitModel

extension NotificationRule {
    package static let canceled = NotificationRule(
        "canceled", "Notifies you when a departure is canceled, with what you can take instead.",
        isOnForFavorites: true, subjects: .departures, isUrgent: true, passesQuietHours: true, limit: .none,
        forecast: forecastOfWatched)
    package static let skipped = NotificationRule(
        "skipped", "Notifies you when a vehicle does not stop at your stop.",
        isOnForFavorites: true, subjects: .departures, isUrgent: true, limit: .none, forecast: forecastOfWatched)
}

/// Notifies the user when a departure is canceled or does not stop, with the next one that can be caught.
enum CancellationRule: DepartureRule {
    static let rules: [NotificationRule] = [.canceled, .skipped]
    static let situation = DepartureSituation.notRunning

    struct Memory: RuleMemory {
        /// Whether the notification said that another way is still being searched.
        var isSearching = false
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        let rule: NotificationRule = context.observation.status == .skipped ? .skipped : .canceled
        let isFound = state[Self.self].isSearching && !context.isReplacementSearched
        guard !state.hasReportedCancellation || isFound, !state.isGivenUp, context.isOn(rule) else { return [] }
        state.notify(context)
        state[Self.self].isSearching = context.isReplacementSearched
        (state.leave, state.advice) = (nil, nil)
        var decision = context.decision(
            rule, title: title(context), body: body(context),
            reason: rule == .skipped
                ? "The source says that the vehicle does not stop." : "The source says that the trip is canceled.",
            urgency: .high, hasSound: true)
        context.nameAlternatives(in: &decision)
        return [decision]
    }

    // MARK: Text

    static func title(_ context: DepartureRuleContext) -> String {
        let isSkipped = context.observation.status == .skipped
        let stop = context.departure.names.stop
        if !context.observation.isFresh {
            return context.departure.text
                + (isSkipped ? " may not stop at \(stop)" : " may be canceled")
        }
        return context.departure.text + (isSkipped ? " does not stop at \(stop)" : " is canceled")
    }

    static func body(_ context: DepartureRuleContext) -> [String?] {
        [context.observation.isFresh ? nil : staleLine, also(context), way(context)]
    }

    private static func way(_ context: DepartureRuleContext) -> String {
        context.replacementLine
            ?? (context.isReplacementSearched ? context.noReplacementLine : context.nextLine)
    }

    private static let staleLine = "The realtime data is too old to confirm this."

    private static func also(_ context: DepartureRuleContext) -> String? {
        let others = context.alsoCanceled
        guard !others.isEmpty else { return nil }
        let times = GeneralText.list(others.map { $0.clock($0.key.scheduled) }, showing: 4)
        let statuses = Set(others.map(\.observation.status))
        guard statuses.count == 1, let status = statuses.first else { return "\(times) are not an alternative either." }
        let isSame = status == context.observation.status
        if status == .skipped {
            return "\(times) \(others.count == 1 ? "does" : "do") not stop there" + (isSame ? " either." : ".")
        }
        return "\(times) \(others.count == 1 ? "is" : "are") canceled" + (isSame ? " too." : ".")
    }
}

/// Notifies that a departure runs again, if the user was notified that it does not.
enum ReinstatementRule: DepartureRule {
    static let name = "reinstatement"

    struct Memory: RuleMemory {
        /// Consecutive messages that the trip takes place, after a cancellation.
        var running: DepartureState.Evidence?
    }

    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        let observation = context.observation
        guard state.phase == .replaced, observation.isFresh, let measured = observation.measured else { return }
        let isRunning = observation.status.isRunning && !observation.isMissing
        state[Self.self].running = .counting(state[Self.self].running, isRunning, measured)
    }

    /// Whether two messages in a row say that the trip takes place.
    static func isCertain(_ state: DepartureState) -> Bool { state[Self.self].running.map { $0.count >= 2 } ?? false }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        let rule: NotificationRule = state.shown?.status == .skipped ? .skipped : .canceled
        guard state.hasReportedCancellation, isCertain(state), context.isOn(rule) else { return [] }
        state.notify(context)
        state[Self.self].running = nil
        // The notification says when to leave.
        if context.isLeaveDue { LeaveRule.announce(context, &state) }
        return [
            context.decision(
                rule, title: title(context, wasSkipped: rule == .skipped),
                body: context.facts, reason: "Two messages in a row say so.", urgency: .high,
                hasSound: true, operation: .update)
        ]
    }

    // MARK: Text

    /// - Parameter wasSkipped: Whether the notification before said that the vehicle does not stop.
    static func title(_ context: DepartureRuleContext, wasSkipped: Bool) -> String {
        context.departure.text + (wasSkipped ? " stops at \(context.departure.names.stop)" : " runs")
            + " after all"
    }
}
