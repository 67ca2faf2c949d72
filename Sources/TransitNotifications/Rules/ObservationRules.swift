internal import TransitModel

/// Says once that a departure is not reported although its source reports others of its route, and takes it back silently.
enum UnseenRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard applies(context, memory), context.now >= moment(context, memory) else { return nil }
        var after = memory
        after.isUnseenTold = true
        after.tell(context)
        if after.phase == .armed { after.phase = .changed }
        let decision = context.decision(
            .unseen, title: NotificationText.unseenTitle(context), body: NotificationText.unseenBody(context),
            reason: "The source reports others of the route, but not this departure.", memory: memory,
            hasSound: !memory.isOnTheWay(at: context.now))
        return RunDecision(decision: decision, memory: after)
    }

    /// Replaces "not reported" silently by what is true, when the source reports the departure after all.
    static func reported(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        let observation = context.observation
        guard memory.told?.isMissing ?? false, !observation.isMissing, observation.isFresh,
            observation.source != .scheduled, observation.status != .departed
        else { return nil }
        var after = memory
        after.tell(context)
        after.judged = observation.measured
        let decision = context.decision(
            .unseen, title: NotificationText.reportedTitle(context), body: NotificationText.facts(context),
            reason: "The source reports the departure after all.", memory: memory, urgency: .low, operation: .update)
        return RunDecision(decision: decision, memory: after)
    }

    private static func applies(_ context: RunContext, _ memory: RunMemory) -> Bool {
        context.isOn(.unseen) && !memory.isUnseenTold && context.observation.isMissing
            && context.observation.status != .departed && context.now <= context.departure.key.scheduled
            // A silent source reports no departure.
            && context.departure.silentSince == nil
    }

    /// The time for which a departure that was reported before must be missing, in seconds. Sources leave departures out of
    /// single messages.
    private static let patience = 300

    private static func moment(_ context: RunContext, _ memory: RunMemory) -> Instant {
        let due = context.timing.target(at: context.now).advanced(by: -context.settings.unseenBefore)
        guard memory.report != nil, let since = memory.missingSince else { return due }
        return max(due, since.advanced(by: patience))
    }

    static func nextMoment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        guard applies(context, memory) else { return nil }
        let moment = moment(context, memory)
        return moment > context.now ? moment : nil
    }
}

/// Tells that a departure leaves before its time.
enum EarlyRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard context.isOn(.early), context.observation.status != .departed, let delay = context.delay,
            context.observation.source == .live, delay <= -context.settings.earlyFirst, let early = memory.early,
            early.count >= 2 || context.isNear
        else { return nil }
        if memory.isEarlyTold {
            guard let told = memory.told?.delay, delay - told <= -context.settings.earlyFirst else { return nil }
        }
        var after = memory
        after.tell(context)
        after.isEarlyTold = true
        after.isDelayTold = false
        if after.phase == .armed || after.phase == .announced { after.phase = .changed }
        if after.leave != nil {
            after.leave = RunMemory.Leave(
                basis: context.timing.basis, lowerBound: context.timing.lowerBound(at: context.now))
            after.judged = context.observation.measured
        }
        let decision = context.decision(
            .early, title: NotificationText.earlyTitle(context), body: NotificationText.facts(context),
            reason: "The source says that the vehicle leaves \(NotificationText.minutes(delay)) early.", memory: memory,
            urgency: .high, hasSound: true)
        return RunDecision(decision: decision, memory: after)
    }
}

/// Tells that a departure leaves from another platform than the timetable or the last notification said.
enum PlatformRule {
    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        guard applies(context, memory), context.now >= moment(context) else { return nil }
        var after = memory
        after.tell(context)
        if after.phase == .armed || after.phase == .announced { after.phase = .changed }
        let decision = context.decision(
            .platform, title: NotificationText.platformTitle(context), body: NotificationText.facts(context),
            reason: "The platform differs from the one in the timetable or in the last notification.", memory: memory,
            hasSound: context.now >= context.observation.time.advanced(by: -context.settings.platformSound))
        return RunDecision(decision: decision, memory: after)
    }

    private static func applies(_ context: RunContext, _ memory: RunMemory) -> Bool {
        let observation = context.observation
        guard context.isOn(.platform), observation.status != .departed, context.now <= observation.time,
            observation.isFresh,
            let platform = observation.platform, let known = memory.told?.platform ?? observation.scheduledPlatform
        else { return false }
        return platform != known && observation.scheduledPlatform != nil
    }

    private static func moment(_ context: RunContext) -> Instant {
        context.observation.time.advanced(by: -context.settings.platformWithin)
    }

    static func nextMoment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        guard applies(context, memory) else { return nil }
        let moment = moment(context)
        return moment > context.now ? moment : nil
    }
}
