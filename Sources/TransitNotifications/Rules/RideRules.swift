internal import TransitModel

// The rules about riding: the last departure home, and the stop at which to get off.

/// Tells a user who took a departure to get off, with recent data only.
enum GetoffRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard let moment = moment(context, memory), context.now >= moment, let arrival = context.departure.arrival,
            context.now <= arrival
        else { return nil }
        var after = memory
        after.isGetoffTold = true
        after.tell(context)
        var decision = context.decision(
            .getoff, title: NotificationText.getoffTitle(context.departure, arrival: arrival), body: [],
            reason: "The vehicle that you took is near your stop.", memory: memory, urgency: .high, hasSound: true)
        decision.validUntil = arrival.advanced(by: 60)
        decision.leaveBy = nil
        return RunDecision(decision: decision, memory: after)
    }

    private static func moment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        let observation = context.observation
        guard memory.phase == .caught, !memory.isGetoffTold, context.isOn(.getoff), observation.isFresh,
            observation.source == .live, let measured = observation.measured,
            measured.seconds(to: context.now) < context.settings.getoffAge, let arrival = context.departure.arrival
        else { return nil }
        let before = arrival.advanced(by: -context.settings.getoffBefore)
        // The stop before an express's next stop is too early.
        guard let stop = context.departure.departureBeforeArrival, stop >= arrival.advanced(by: -300) else {
            return before
        }
        return min(before, stop)
    }

    static func nextMoment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        guard let moment = moment(context, memory), moment > context.now,
            let measured = context.observation.measured,
            measured.seconds(to: moment) < context.settings.getoffAge
        else { return nil }
        return moment
    }
}

/// Tells about the last way home before it is time to leave for it.
enum LastRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard applies(context, memory), context.now >= moment(context, at: context.now),
            context.timing.canBeCaught(at: context.now)
        else { return nil }
        var after = memory
        after.isLastTold = true
        after.tell(context)
        let decision = context.decision(
            .last, title: NotificationText.lastTitle(context), body: NotificationText.facts(context),
            reason: "It is the last departure of the day, and nothing was taken home.", memory: memory, hasSound: true)
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
