internal import TransitModel

/// Says when to leave: before the time to leave, and again when it has become later.
///
/// Only a new message changes a notice that was told. A time to leave that moves because the uncertainty becomes smaller
/// with the time until the departure is no news.
enum LeaveRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard context.isOn(.leave), context.observation.status != .departed else { return nil }
        guard let leave = memory.leave else { return first(context, memory) }
        if let later = later(context, memory, leave) { return later }
        guard leave.isRepeated, isDue(context) else { return nil }
        return notice(context, memory, reason: "The time to leave, which became later, is near.")
    }

    /// How much later a time to leave is when its notice is repeated, in seconds.
    static let repetition = 300

    static func isDue(_ context: RunContext) -> Bool {
        context.now >= context.timing.notice(at: context.now, settings: context.settings)
            && context.timing.canBeCaught(at: context.now)
    }

    /// Whether it is time to leave for a departure that overtakes this one, so that the user can choose.
    private static func isOvertakingDue(_ context: RunContext) -> Bool {
        guard let other = context.overtaking, context.timing.canBeCaught(at: context.now) else { return false }
        return context.now >= other.timing.notice(at: context.now, settings: context.settings)
    }

    private static func first(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard !memory.isLeaveMissed else { return nil }
        if isDue(context) { return notice(context, memory, reason: "The time to leave is near.") }
        guard isOvertakingDue(context) else { return nil }
        return notice(context, memory, reason: "The time to leave is near for a departure that leaves before it.")
    }

    private static func notice(_ context: RunContext, _ memory: RunMemory, reason: String) -> RunDecision {
        var after = memory
        after.tell(context)
        announce(context, &after)
        let decision = context.decision(
            .leave, title: NotificationText.leaveTitle(context), body: NotificationText.leaveFacts(context),
            reason: reason, memory: memory, urgency: .high, hasSound: true)
        return RunDecision(decision: decision, memory: after)
    }

    /// Remembers that a notification says when to leave.
    static func announce(_ context: RunContext, _ memory: inout RunMemory) {
        memory.phase = .announced
        memory.leave = RunMemory.Leave(
            basis: context.timing.basis, lowerBound: context.timing.lowerBound(at: context.now))
        if context.observation.isMissing { memory.isUnseenTold = true }
        memory.judged = context.observation.measured
    }

    /// A new message that moves the time to leave more than two minutes later. ``AdviceRule`` handles an earlier one.
    private static func later(
        _ context: RunContext, _ memory: RunMemory, _ leave: RunMemory.Leave
    ) -> RunDecision? {
        guard context.observation.isFresh, let measured = context.observation.measured, measured != memory.judged,
            context.timing.canBeCaught(at: context.now)
        else { return nil }
        let bound = context.timing.lowerBound(at: context.now)
        guard min(leave.basis.seconds(to: context.timing.basis), leave.lowerBound.seconds(to: bound)) > 120 else {
            return nil
        }
        var after = memory
        after.phase = .changed
        // The notice is repeated for a person who still waits, if it makes a difference.
        let isOnTheWay = memory.isOnTheWay(at: context.now)
        let isRepeated =
            !isDue(context) && !isOnTheWay && leave.lowerBound.seconds(to: bound) >= Self.repetition
        let delay = context.delay ?? 0
        let hasSound = isOnTheWay && context.isOn(.delay) && DelayRule.isWorthASound(context, memory, delay)
        after.leave = RunMemory.Leave(basis: context.timing.basis, lowerBound: bound, isRepeated: isRepeated)
        after.tell(context)
        after.judged = measured
        let decision = context.decision(
            .leave, title: NotificationText.movedLeaveTitle(context, isEarlier: false),
            body: NotificationText.leaveFacts(context), reason: "The time to leave became later.", memory: memory,
            hasSound: hasSound)
        return RunDecision(decision: decision, memory: after)
    }

    /// Returns the next moment at which the rule can decide without a new message.
    static func nextMoment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        guard context.isOn(.leave), memory.leave?.isRepeated ?? !memory.isLeaveMissed else { return nil }
        // A notice that was suppressed waits for the end of what suppressed it.
        if memory.withheld.contains(.leave), isDue(context) || isOvertakingDue(context) { return nil }
        let timings = [context.timing] + (memory.leave == nil ? [context.overtaking?.timing].compactMap { $0 } : [])
        return timings.compactMap { timing in
            timing.firstMoment(
                after: context.now, where: { $0 >= timing.notice(at: $0, settings: context.settings) },
                while: { timing.canBeCaught(at: $0) })
        }.min()
    }
}
