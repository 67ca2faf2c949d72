internal import TransitModel

/// Follows one run: dormant (not remembered), armed, announced, changed, replaced, caught, over (finished).
///
/// It is a function of the run's memory and the present observation. Whatever does not come from a new message or from
/// the passing of a moment changes nothing, so that a restart, a reload, a step of the clock or a new version of the
/// timetable tells nothing again.
enum SubjectMachine {
    /// The time after a departure, or after an arrival, at which a run is over, in seconds.
    static let afterDeparture = 120

    /// Updates what is remembered from an observation, before any rule.
    static func observe(_ context: RunContext, _ memory: inout RunMemory, isReplaceable: Bool) {
        memory.kind = context.kind
        memory.name = context.name
        memory.time = context.observation.time
        memory.arrival = context.departure.arrival
        guard memory.phase != .caught, !memory.isPassedUp else { return }
        memory.missingSince = context.observation.isMissing ? memory.missingSince ?? context.now : nil
        ContradictionRule.observe(context, &memory)
        CancellationRule.count(context, &memory)
        DelayRule.count(context, &memory)
        // What was said at the time to leave holds until the source is settled.
        guard memory.contradiction != .concluded else { return }
        if !context.observation.status.isRunning || memory.contradiction != nil {
            if memory.phase != .replaced {
                memory.phase = .replaced
                memory.leave = nil
                memory.running = nil
            }
            if isReplaceable, memory.replacement == nil { memory.replacement = context.next.first?.departure.key }
        } else if memory.phase == .replaced, let running = memory.running, running.count >= 2 {
            let canBeCaught = context.timing.canBeCaught(at: context.now)
            guard canBeCaught || !memory.isGivenUp else { return }
            memory.phase = .armed
            memory.isGivenUp = false
            memory.leave = nil
            if canBeCaught { memory.replacement = nil }
        }
    }

    /// Returns what the rules decide, in the order of their importance. The first decision that is told ends the step,
    /// because it says everything that is known.
    static func decisions(_ context: RunContext, _ memory: RunMemory) -> [RunDecision] {
        if memory.phase == .caught { return [GetoffRule.decide(context, memory)].compactMap { $0 } }
        guard !memory.isPassedUp else { return [] }
        if memory.contradiction != nil {
            if let decision = ContradictionRule.decide(context, memory) { return [decision] }
            // The other rules go on if the notification at the time to leave said that the departure runs.
            guard memory.contradiction == .concluded, !memory.isCancellationTold,
                context.observation.status.isRunning
            else { return [] }
        }
        guard context.observation.status.isRunning else {
            return [CancellationRule.decide(context, memory)].compactMap { $0 }
        }
        guard memory.phase != .replaced else { return [] }
        return [
            memory.contradiction == nil ? CancellationRule.reinstated(context, memory) : nil,
            AdviceRule.decide(context, memory), LeaveRule.decide(context, memory),
            EarlyRule.decide(context, memory), UnseenRule.decide(context, memory),
            UnseenRule.reported(context, memory), DelayRule.decide(context, memory),
            PlatformRule.decide(context, memory), DelayRule.normal(context, memory),
        ].compactMap { $0 }
    }

    /// Returns the next moments at which the rules can decide about the run without a new message.
    static func nextMoments(_ context: RunContext, _ memory: RunMemory) -> [Instant] {
        var moments = [over(memory).advanced(by: 1)]
        if memory.phase == .caught {
            moments += [GetoffRule.nextMoment(context, memory)].compactMap { $0 }
            return moments
        }
        moments += [ContradictionRule.nextMoment(context, memory)].compactMap { $0 }
        if context.observation.status.isRunning, memory.phase != .replaced {
            moments += [
                LeaveRule.nextMoment(context, memory), DelayRule.nextMoment(context, memory),
                UnseenRule.nextMoment(context, memory), PlatformRule.nextMoment(context, memory),
            ].compactMap { $0 }
        }
        return moments
    }

    /// The last moment before a run is over.
    static func over(_ memory: RunMemory) -> Instant {
        let end = memory.phase == .caught ? max(memory.time, memory.arrival ?? memory.time) : memory.time
        return end.advanced(by: afterDeparture)
    }
}

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
