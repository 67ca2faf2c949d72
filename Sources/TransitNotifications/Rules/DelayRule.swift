internal import TransitModel

/// Tells that a departure is late, that its delay differs from what was told, and that it is back to normal.
enum DelayRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard context.isOn(.delay), context.observation.status != .departed, let delay = context.delay else {
            return nil
        }
        let told = memory.told?.delay ?? 0
        let hasMoved =
            abs(delay - told) > context.settings.delayChange
            && abs(delay - told) * 100 > abs(told) * context.settings.delayChangePercent
        if memory.isDelayTold {
            guard delay >= context.settings.delayNormal, hasMoved else { return nil }
            return late(context, memory, delay, isAgain: true)
        }
        guard delay >= context.settings.delayFirst, hasMoved, let late = memory.late,
            late.count >= 2 || context.isNear
        else { return nil }
        return Self.late(context, memory, delay, isAgain: false)
    }

    private static func late(
        _ context: RunContext, _ memory: RunMemory, _ delay: Int, isAgain: Bool
    ) -> RunDecision {
        var after = memory
        after.tell(context)
        after.isDelayTold = true
        if after.phase == .armed || after.phase == .announced { after.phase = .changed }
        if let leave = memory.leave {
            // The bubble names the new time to leave, so the notice is repeated when that time is near.
            let bound = context.timing.lowerBound(at: context.now)
            let isLater =
                leave.lowerBound.seconds(to: bound) >= LeaveRule.repetition
                && leave.basis.seconds(to: context.timing.basis) >= LeaveRule.repetition
            if isLater {
                after.leave = RunMemory.Leave(basis: context.timing.basis, lowerBound: bound, isRepeated: true)
                after.judged = context.observation.measured
            }
        }
        let decision = context.decision(
            .delay, title: NotificationText.delayTitle(context, isAgain: isAgain),
            body: NotificationText.delayFacts(context),
            reason: isAgain
                ? "The delay differs from the one in the last notification."
                : "The departure is late by at least \(context.settings.delayFirst / 60) min, the setting delay.first.",
            memory: memory, hasSound: !isAgain && isWorthASound(context, memory, delay))
        return RunDecision(decision: decision, memory: after)
    }

    /// Whether a person can use the delay. One who is on the way can only wait, or choose another departure.
    static func isWorthASound(_ context: RunContext, _ memory: RunMemory, _ delay: Int) -> Bool {
        !memory.isOnTheWay(at: context.now) || context.overtaking != nil
            || delay - (memory.told?.delay ?? 0) >= longDelay
    }

    /// A further delay for which a person who is on the way can do something else, in seconds.
    private static let longDelay = 600

    /// Tells that a departure that was told to be late or early is on time again.
    static func normal(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard memory.isDelayTold || memory.isEarlyTold, context.isOn(memory.isDelayTold ? .delay : .early),
            let normal = memory.normal, normal.count >= 2, isNormal(context)
        else { return nil }
        var after = memory
        after.tell(context)
        after.isDelayTold = false
        after.isEarlyTold = false
        let decision = context.decision(
            memory.isDelayTold ? .delay : .early, title: NotificationText.normalTitle(context),
            body: NotificationText.facts(context), reason: "Two messages say that the departure is on time.",
            memory: memory, urgency: .low, operation: .update)
        return RunDecision(decision: decision, memory: after)
    }

    static func isNormal(_ context: RunContext) -> Bool {
        context.delay.map { $0 < context.settings.delayNormal && $0 > -context.settings.earlyFirst } ?? false
    }

    /// Counts the messages that the rules for late, early and normal departures require.
    static func count(_ context: RunContext, _ memory: inout RunMemory) {
        guard let delay = context.delay else { return }
        let measured = context.observation.measured ?? context.observation.at
        let settings = context.settings
        RunMemory.count(&memory.late, !memory.isDelayTold && delay >= settings.delayFirst, measured)
        RunMemory.count(&memory.early, delay <= -settings.earlyFirst, measured)
        RunMemory.count(&memory.normal, (memory.isDelayTold || memory.isEarlyTold) && isNormal(context), measured)
    }

    /// Returns the moment from which on one message is enough.
    static func nextMoment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        let isAwaited =
            (memory.late?.count == 1 && context.isOn(.delay)) || (memory.early?.count == 1 && context.isOn(.early))
        guard isAwaited, !context.isNear else { return nil }
        let timing = context.timing
        return timing.firstMoment(after: context.now) { now in
            timing.target(at: now).advanced(by: -context.settings.delayNear) < now
        }
    }
}
