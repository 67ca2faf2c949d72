internal import TransitModel

extension NotificationRule {
    package static let leave = NotificationRule(
        "leave", "Notifies you when to leave for a departure.", isOnForFavorites: false,
        subjects: .departuresToLeaveFor,
        isUrgent: true, passesQuietHours: true, limit: .departures, forecast: forecastOfNotice)
}

/// Notifies the user before the time to leave, and again when that has become later.
///
/// Only a new message changes a notice that was shown. A time to leave that moves only because the prediction becomes
/// more certain is not worth a notification.
enum LeaveRule: DepartureRule {
    static let rules: [NotificationRule] = [.leave]

    struct Settings: RuleSettings {
        /// In seconds.
        let notice, withoutPlace, marginShort, marginMedium, marginLong: Int
        /// The number of departures.
        let perWindow: Int

        init(_ read: inout SettingReader) {
            notice = read.duration(
                "notice", .minutes, 5, 0...60, "Notify this long before the time to leave.")
            withoutPlace = read.duration(
                "without_place", .minutes, 15, 1...90,
                "Notify this long before the departure if no walk from a place is known.")
            marginShort = read.duration(
                "margin_short", .minutes, 2, 0...30,
                "Time to spare at the stop if the next departure follows within 15 minutes.")
            marginMedium = read.duration(
                "margin_medium", .minutes, 3, 0...30,
                "Time to spare at the stop if the next departure follows within 30 minutes.")
            marginLong = read.duration(
                "margin_long", .minutes, 5, 0...30,
                "Time to spare at the stop if the next departure follows later or never.")
            perWindow = read.number(
                "per_window", "departures", 2, 1...50,
                "The number of departures to announce in a commute window, the first with a sound.")
        }
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard context.isOn(.leave), context.observation.status != .departed else { return [] }
        guard let leave = state.leave else { return first(context, &state) }
        if let later = later(context, &state, leave) { return [later] }
        guard leave.isRepeated, context.isLeaveDue else { return [] }
        return [notice(context, &state, reason: "The new, later time to leave is near.")]
    }

    /// How much later a time to leave is when its notice is repeated, in seconds.
    private static let repetition = 300

    /// Whether it is time to leave for a departure that overtakes this one, so that the user can choose.
    private static func isOvertakingDue(_ context: DepartureRuleContext) -> Bool {
        guard let other = context.overtaking, context.timing.canBeCaught(at: context.now) else { return false }
        return context.now >= other.timing.notice(at: context.now, settings: context.settings.timing.leave)
    }

    private static func first(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision]
    {
        guard !state.isLeaveMissed else { return [] }
        if context.isLeaveDue { return [notice(context, &state, reason: "The time to leave is near.")] }
        guard isOvertakingDue(context) else { return [] }
        return [notice(context, &state, reason: "The time to leave is near for a departure that leaves before it.")]
    }

    private static func notice(
        _ context: DepartureRuleContext, _ state: inout DepartureState, reason: String
    ) -> NotificationDecision {
        state.notify(context)
        announce(context, &state)
        return context.decision(
            .leave, title: title(context), body: body(context),
            reason: reason, urgency: .high, hasSound: true)
    }

    /// Records that a notification says when to leave.
    static func announce(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        state.phase = .announced
        state.leave = DepartureState.Leave(
            basis: context.timing.basis, lowerBound: context.timing.lowerBound(at: context.now))
        if context.observation.isMissing { state[NotReportedRule.self].hasNotified = true }
        state.compared = context.observation.measured
    }

    /// Remembers that a notification about a delay names the new time to leave. The notice is repeated when that is near.
    static func postpone(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        guard let leave = state.leave else { return }
        let bound = context.timing.lowerBound(at: context.now)
        guard leave.lowerBound.seconds(to: bound) >= repetition,
            leave.basis.seconds(to: context.timing.basis) >= repetition
        else { return }
        state.leave = DepartureState.Leave(basis: context.timing.basis, lowerBound: bound, isRepeated: true)
        state.compared = context.observation.measured
    }

    /// A new message that moves the time to leave more than two minutes later. ``AdviceRule`` handles an earlier one.
    private static func later(
        _ context: DepartureRuleContext, _ state: inout DepartureState, _ leave: DepartureState.Leave
    ) -> NotificationDecision? {
        guard context.observation.isFresh, let measured = context.observation.measured, measured != state.compared,
            context.timing.canBeCaught(at: context.now)
        else { return nil }
        let bound = context.timing.lowerBound(at: context.now)
        guard min(leave.basis.seconds(to: context.timing.basis), leave.lowerBound.seconds(to: bound)) > 120 else {
            return nil
        }
        // The notice is repeated for a person who still waits, if it makes a difference.
        let isOnTheWay = state.isOnTheWay(at: context.now)
        let isRepeated = !context.isLeaveDue && !isOnTheWay && leave.lowerBound.seconds(to: bound) >= repetition
        let hasSound =
            isOnTheWay && context.isOn(.delay) && DelayRule.isWorthASound(context, state, context.delay ?? 0)
        state.phase = .changed
        state.leave = DepartureState.Leave(basis: context.timing.basis, lowerBound: bound, isRepeated: isRepeated)
        state.notify(context)
        state.compared = measured
        return context.decision(
            .leave, title: movedTitle(context, isEarlier: false),
            body: body(context), reason: "The time to leave is now later.", hasSound: hasSound)
    }

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        guard context.isOn(.leave), state.leave?.isRepeated ?? !state.isLeaveMissed else { return nil }
        // A suppressed notice waits until the reason for suppressing it has ended.
        if state.withheld.contains(.leave), context.isLeaveDue || isOvertakingDue(context) { return nil }
        let timings = [context.timing] + (state.leave == nil ? [context.overtaking?.timing].compactMap { $0 } : [])
        return timings.compactMap { $0.momentOfNotice(after: context.now, context.settings.timing.leave) }.min()
    }

    // MARK: Text

    static func title(_ context: DepartureRuleContext) -> String {
        guard let leaveBy = context.leaveBy else {
            let departure = context.departure
            guard let delay = context.delay, delay >= 60 || delay <= -60 else {
                return
                    "\(departure.names.routeAndNumber) leaves at \(departure.clock(departure.key.scheduled))"
            }
            return
                "\(departure.text) leaves at \(departure.clock(context.observation.time))"
        }
        let isNow = leaveBy <= context.now.advanced(by: 60)
        return (isNow ? "Leave now" : "Leave by \(context.departure.clock(leaveBy))")
            + ": \(context.expectedText)"
    }

    static func nextTitle(_ context: DepartureRuleContext) -> String {
        "Next: \(context.expectedText)"
    }

    static func movedTitle(_ context: DepartureRuleContext, isEarlier: Bool) -> String {
        let direction = isEarlier ? "earlier" : "later"
        guard context.namesLeaveBy else { return "\(context.departure.text) leaves later" }
        guard let leaveBy = context.leaveBy, leaveBy > context.now.advanced(by: 60) else {
            return isEarlier ? title(context) : "\(context.departure.text) leaves later"
        }
        return
            "Leave \(direction), by \(context.departure.clock(leaveBy)): \(context.expectedText)"
    }

    /// The facts for a title that says when to leave.
    static func body(_ context: DepartureRuleContext) -> [String?] {
        let walk = context.timing.walk.flatMap { $0 < 60 ? nil : "\(($0 + 30) / 60) min walk." }
        return [
            context.stopLine, context.expectationLine,
            context.platformLine, walk, context.overtakingLine,
        ]
    }
}
