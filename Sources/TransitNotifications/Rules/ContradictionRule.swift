internal import TransitModel

/// Handles a source that contradicts itself: it cancels a departure, reinstates it, and cancels it again.
///
/// With the second reversal within ten minutes, one notification says so and names an alternative. Nothing follows until
/// the source has said the same for ten minutes, or it is time to leave. Then one notification says what it says now.
enum ContradictionRule {
    /// The time within which two reversals are a contradiction, and the time after which a source is settled, in seconds.
    static let period = 600

    /// Records what a message says, detects a contradiction, and ends one that a notification has concluded rightly.
    static func observe(_ context: RunContext, _ memory: inout RunMemory) {
        let observation = context.observation
        guard observation.isFresh, !observation.isMissing, observation.status != .departed else { return }
        let isRunning = observation.status.isRunning
        guard var report = memory.report else {
            memory.report = .init(isRunning: isRunning, since: context.now, wasCanceled: !isRunning)
            return
        }
        if !context.isOn(.canceled) { memory.contradiction = nil }
        if report.isRunning == isRunning {
            // A notification that could not be shown before the source was settled is not needed any more.
            let isConcludedRightly = memory.contradiction == .concluded && memory.isCancellationTold != isRunning
            guard memory.contradiction == .detected || isConcludedRightly, isSettled(report, context.now) else {
                return
            }
            memory.contradiction = nil
            memory.report?.reversals = []
            return
        }
        // The first cancellation reverses nothing.
        if report.wasCanceled {
            report.reversals = (report.reversals + [context.now]).suffix(RunMemory.Report.maximumReversals)
        }
        (report.isRunning, report.since) = (isRunning, context.now)
        report.wasCanceled = true
        memory.report = report
        guard memory.contradiction == nil, context.isOn(.canceled),
            report.reversals.count == RunMemory.Report.maximumReversals, let first = report.reversals.first,
            first.seconds(to: context.now) <= period
        else { return }
        memory.contradiction = .detected
    }

    static func decide(_ context: RunContext, _ memory: RunMemory) -> RunDecision? {
        // A silent source concludes nothing. What it contradicted before is still worth a notification.
        guard let report = memory.report, let contradiction = memory.contradiction, context.isOn(.canceled),
            context.observation.isFresh || contradiction == .detected, context.observation.status != .departed
        else { return nil }
        switch contradiction {
        case .detected: return contradicted(context, memory)
        case .shown:
            if isSettled(report, context.now) { return conclusion(context, memory, next: nil) }
            return LeaveRule.isDue(context) ? conclusion(context, memory, next: .concluded) : nil
        case .concluded:
            // What was said at the time to leave is not repeated.
            guard isSettled(report, context.now), memory.isCancellationTold == context.observation.status.isRunning
            else { return nil }
            return conclusion(context, memory, next: nil)
        }
    }

    private static func isSettled(_ report: RunMemory.Report, _ now: Instant) -> Bool {
        report.since.seconds(to: now) >= period
    }

    private static func contradicted(_ context: RunContext, _ memory: RunMemory) -> RunDecision {
        var after = memory
        after.contradiction = .shown
        after.tell(context)
        after.advice = nil
        var decision = context.decision(
            .canceled, title: NotificationText.contradictionTitle(context),
            body: [NotificationText.contradictionLine, NotificationText.nextLine(context)],
            reason: "The source canceled and reinstated the trip repeatedly within ten minutes.", memory: memory,
            urgency: .high, hasSound: true)
        decision.leaveBy = nil
        context.nameAlternatives(in: &decision)
        return RunDecision(decision: decision, memory: after)
    }

    /// Says once what the source says in the end.
    private static func conclusion(
        _ context: RunContext, _ memory: RunMemory, next: RunMemory.Contradiction?
    ) -> RunDecision {
        let isRunning = context.observation.status.isRunning
        var after = memory
        after.tell(context)
        after.contradiction = next
        if next == nil { after.report?.reversals = [] }
        if isRunning {
            (after.phase, after.running, after.replacement) = (.armed, nil, nil)
            if LeaveRule.isDue(context) { LeaveRule.announce(context, &after) }
        } else {
            (after.phase, after.leave, after.advice) = (.replaced, nil, nil)
            after.replacement = context.next.first?.departure.key
        }
        let rule: NotificationRule = context.observation.status == .skipped ? .skipped : .canceled
        // That the departure runs after all is of no use to a person who cannot catch it any more.
        let isUseful = !isRunning || context.timing.canBeCaught(at: context.now)
        var decision = context.decision(
            rule,
            title: isRunning
                ? NotificationText.reinstatedTitle(context, wasSkipped: false)
                : NotificationText.cancellationTitle(context),
            body: isRunning ? NotificationText.facts(context) : NotificationText.cancellationBody(context),
            reason: "The source has contradicted itself. This is what it says now.", memory: memory,
            urgency: isUseful ? .high : .low, hasSound: isUseful)
        if !isRunning { context.nameAlternatives(in: &decision) }
        return RunDecision(decision: decision, memory: after)
    }

    /// Returns the next time at which the rule can decide without a new message.
    static func nextMoment(_ context: RunContext, _ memory: RunMemory) -> Instant? {
        guard let report = memory.report, let contradiction = memory.contradiction, contradiction != .detected,
            context.isOn(.canceled)
        else { return nil }
        var moments = [report.since.advanced(by: period)].filter { $0 > context.now }
        if contradiction == .shown {
            let timing = context.timing
            moments += [
                timing.firstMoment(
                    after: context.now, where: { $0 >= timing.notice(at: $0, settings: context.settings) },
                    while: { timing.canBeCaught(at: $0) })
            ].compactMap { $0 }
        }
        return moments.min()
    }
}
