internal import TransitModel

/// Corrects a time to leave that a notification named, as urgently as it was named: when new data moves it earlier, and
/// when the departure can no longer be caught by a person who follows it.
///
/// A correction before the notice to leave is silent if that notice still follows, with its sound, in time.
///
/// Only a new message from the source corrects advice. The rule is evaluated before all rules that describe the
/// departure, which would otherwise replace wrong advice silently.
enum AdviceRule: DepartureRule {
    static let name = "advice"

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        let observation = context.observation
        guard let advice = state.advice, let rule = rule(context), observation.isFresh,
            let measured = observation.measured, measured != state.compared
        else { return [] }
        let bound = context.timing.lowerBound(at: context.now)
        // A person who leaves at the named time arrives at the stop at this time.
        let arrival = advice.leaveBy.advanced(by: context.timing.walk ?? 0)
        if observation.status == .departed {
            guard context.now < arrival else { return [] }
            return [missed(context, &state, advice, rule, leftEarlyTitle(context))]
        }
        let earliest = max(
            advice.basis.seconds(to: context.timing.basis), advice.lowerBound.seconds(to: bound))
        guard earliest < 0 else { return [] }
        if !context.timing.canBeCaught(at: context.now) {
            guard context.now < advice.leaveBy || bound < arrival else { return [] }
            return [missed(context, &state, advice, rule, uncatchableTitle(context))]
        }
        // It does not help a person who leaves in this minute and arrives in time.
        guard earliest <= -minimumChange, !state.isOnTheWay(at: context.now) || bound < arrival else { return [] }
        return [earlier(context, &state, advice, rule)]
    }

    /// How much earlier a time to leave is when it is corrected, in seconds.
    private static let minimumChange = 60

    /// The rule of the correction. A person who turned off notices to leave can have received a time to leave with a delay.
    private static func rule(_ context: DepartureRuleContext) -> NotificationRule? {
        [.leave, .delay, .early].first { context.isOn($0) }
    }

    private static func earlier(
        _ context: DepartureRuleContext, _ state: inout DepartureState, _ advice: DepartureState.Advice,
        _ rule: NotificationRule
    ) -> NotificationDecision {
        let isAwaited = rule == .leave && state.leave == nil && !context.isLeaveDue
        state.notify(context)
        if !isAwaited { LeaveRule.announce(context, &state) }
        state.compared = context.observation.measured
        // The corrected advice replaces this one, even for a person who was about to leave.
        if !isAwaited { state.advice = nil }
        let hasSound = advice.hasSound && !isAwaited
        return context.decision(
            rule, title: LeaveRule.movedTitle(context, isEarlier: true),
            body: LeaveRule.body(context), reason: "The time to leave is now earlier.",
            urgency: hasSound ? .high : .normal, hasSound: hasSound)
    }

    /// The departure can no longer be caught. Another one is watched instead.
    private static func missed(
        _ context: DepartureRuleContext, _ state: inout DepartureState, _ advice: DepartureState.Advice,
        _ rule: NotificationRule, _ title: String
    ) -> NotificationDecision {
        state.notify(context)
        (state.phase, state.isGivenUp) = (.replaced, true)
        (state.leave, state.advice, state[ReinstatementRule.self].running) = (nil, nil, nil)
        state.compared = context.observation.measured
        state.replacement = context.next.first?.departure.key
        var decision = context.decision(
            rule, title: title,
            body: [
                context.observation.status == .departed ? nil : context.expectationLine,
                context.nextLine,
            ],
            reason: "New data says that you would miss it if you left at the advised time.",
            urgency: advice.hasSound ? .high : .normal, hasSound: advice.hasSound)
        decision.leaveBy = nil
        context.nameAlternatives(in: &decision)
        return decision
    }

    // MARK: Text

    private static func uncatchableTitle(_ context: DepartureRuleContext) -> String {
        "You can no longer catch \(context.departure.text)"
    }

    private static func leftEarlyTitle(_ context: DepartureRuleContext) -> String {
        "\(context.departure.text) left early"
    }
}
