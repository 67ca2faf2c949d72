internal import TransitModel

/// Announces the last departure home of the day before it is time to leave for it. Then it is followed like any other
/// departure: without a sound for a person who is probably at home.
enum LastDepartureRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard applies(context, memory), context.now >= moment(context, at: context.now),
            context.timing.canBeCaught(at: context.now)
        else { return nil }
        var after = memory
        after.isLastTold = true
        after.tell(context)
        let decision = context.decision(
            .last, title: NotificationText.lastTitle(context), body: NotificationText.facts(context),
            reason: "It is the last departure of the day, and you did not report a trip home.", memory: memory,
            hasSound: true)
        return RunDecision(decision: decision, memory: after)
    }

    private static func applies(_ context: RunContext, _ memory: RunMemory) -> Bool {
        context.isOn(.last) && !memory.isLastTold && memory.leave == nil && context.observation.status.isRunning
            && context.observation.status != .departed && memory.phase != .caught
    }

    private static func moment(_ context: RunContext, at now: Instant) -> Instant {
        context.timing.target(at: now).advanced(by: -context.settings.lastBefore)
    }

    static func nextMoment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        guard applies(context, memory) else { return nil }
        // A notification that was suppressed waits for the end of what suppressed it.
        if memory.withheld.contains(.last), context.now >= moment(context, at: context.now) { return nil }
        let timing = context.timing
        return timing.firstMoment(
            after: context.now, where: { $0 >= moment(context, at: $0) }, while: { timing.canBeCaught(at: $0) })
    }
}
