internal import TransitModel

/// Tells that a departure is canceled or does not stop, with the next one that can be caught; and that it runs again.
enum CancellationRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        let rule: NotificationRule = context.observation.status == .skipped ? .skipped : .canceled
        guard !context.observation.status.isRunning, !memory.isCancellationTold, !memory.isGivenUp, context.isOn(rule)
        else { return nil }
        var after = memory
        after.tell(context)
        (after.leave, after.advice) = (nil, nil)
        var decision = context.decision(
            rule, title: NotificationText.cancellationTitle(context), body: NotificationText.cancellationBody(context),
            reason: rule == .skipped
                ? "The source says that the vehicle does not stop." : "The source says that the trip is canceled.",
            memory: memory, urgency: .high, hasSound: true)
        context.nameAlternatives(in: &decision)
        return RunDecision(decision: decision, memory: after)
    }

    /// Tells that a departure runs again, if the user was told that it does not.
    static func reinstated(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard memory.isCancellationTold, let running = memory.running, running.count >= 2 else { return nil }
        let rule: NotificationRule = memory.told?.status == .skipped ? .skipped : .canceled
        guard context.isOn(rule) else { return nil }
        var after = memory
        after.tell(context)
        after.running = nil
        // The notification says when to leave.
        if LeaveRule.isDue(context) { LeaveRule.announce(context, &after) }
        let decision = context.decision(
            rule, title: NotificationText.reinstatedTitle(context, wasSkipped: rule == .skipped),
            body: NotificationText.facts(context),
            reason: "Two messages in a row say so.", memory: memory, urgency: .high, hasSound: true,
            operation: .update)
        return RunDecision(decision: decision, memory: after)
    }

    /// Counts the messages that the trip takes place.
    static func count(_ context: RunContext, _ memory: inout RunMemory) {
        let observation = context.observation
        guard memory.phase == .replaced, observation.isFresh, let measured = observation.measured else { return }
        RunMemory.count(&memory.running, observation.status.isRunning && !observation.isMissing, measured)
    }
}
