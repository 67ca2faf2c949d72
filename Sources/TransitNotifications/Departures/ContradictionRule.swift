internal import TransitModel

/// Handles a source that contradicts itself: it cancels a departure, reinstates it, and cancels it again.
///
/// With the second reversal within ten minutes, one notification says so and names an alternative. Nothing follows until
/// the source has said the same for ten minutes, or it is time to leave. Then one notification gives the latest report.
enum ContradictionRule: DepartureRule {
    static let name = "contradiction"
    static let situation = DepartureSituation.contradictory

    struct Memory: RuleMemory {
        /// `nil` before the first message.
        var report: Report?
        /// `nil` unless the source contradicts itself.
        var stage: Stage?
    }

    /// What the source last said about whether the departure runs.
    struct Report: Codable, Hashable, Sendable {
        var isRunning: Bool
        /// The time since which it has said so.
        var since: Instant
        /// Whether it was canceled or skipped at any time.
        var wasCanceled: Bool
        /// When it reinstated the departure, or canceled it again, newest last.
        var reversals: [Instant] = []

        func isSettled(at now: Instant) -> Bool { since.seconds(to: now) >= period }
    }

    /// The notifications that the user received about the contradiction.
    enum Stage: String, Codable, Hashable, Sendable, CaseIterable {
        /// The source has reversed itself twice, and no notification says so yet.
        case detected
        /// A notification says so. Nothing follows until the source is settled or it is time to leave.
        case shown
        /// It was time to leave, and a notification said what the source reported then.
        case concluded
    }

    /// The time within which two reversals are a contradiction, and the time after which a source is settled, in seconds.
    private static let period = 600
    private static let maximumReversals = 2

    /// Records what a message says, detects a contradiction, and ends one that a notification has concluded rightly.
    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        let observation = context.observation
        guard observation.isFresh, !observation.isMissing, observation.status != .departed else { return }
        let isRunning = observation.status.isRunning
        var memory = state[Self.self]
        defer { state[Self.self] = memory }
        guard var report = memory.report else {
            memory.report = Report(isRunning: isRunning, since: context.now, wasCanceled: !isRunning)
            return
        }
        if !context.isOn(.canceled) { memory.stage = nil }
        if report.isRunning == isRunning {
            // A notification that could not be shown before the source was settled is no longer needed.
            let isConcludedRightly = memory.stage == .concluded && state.hasReportedCancellation != isRunning
            guard memory.stage == .detected || isConcludedRightly, report.isSettled(at: context.now) else { return }
            memory.stage = nil
            memory.report?.reversals = []
            return
        }
        // The first cancellation reverses nothing.
        if report.wasCanceled { report.reversals = (report.reversals + [context.now]).suffix(maximumReversals) }
        (report.isRunning, report.since) = (isRunning, context.now)
        report.wasCanceled = true
        memory.report = report
        guard memory.stage == nil, context.isOn(.canceled), report.reversals.count == maximumReversals,
            let first = report.reversals.first, first.seconds(to: context.now) <= period
        else { return }
        memory.stage = .detected
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        // A silent source concludes nothing. The earlier contradiction is still worth a notification.
        guard let report = state[Self.self].report, let stage = state[Self.self].stage, context.isOn(.canceled),
            context.observation.isFresh || stage == .detected, context.observation.status != .departed
        else { return [] }
        let isSettled = report.isSettled(at: context.now)
        switch stage {
        case .detected: return [contradicted(context, &state)]
        case .shown where isSettled: return [conclusion(context, &state, next: nil)]
        case .shown: return context.isLeaveDue ? [conclusion(context, &state, next: .concluded)] : []
        case .concluded:
            // The report at the time to leave is not repeated.
            guard isSettled, state.hasReportedCancellation == context.observation.status.isRunning else { return [] }
            return [conclusion(context, &state, next: nil)]
        }
    }

    private static func contradicted(
        _ context: DepartureRuleContext, _ state: inout DepartureState
    ) -> NotificationDecision {
        state[Self.self].stage = .shown
        state.notify(context)
        state.advice = nil
        var decision = context.decision(
            .canceled, title: title(context),
            body: [warning, context.nextLine],
            reason: "The source canceled and reinstated the trip repeatedly within ten minutes.", urgency: .high,
            hasSound: true)
        decision.leaveBy = nil
        context.nameAlternatives(in: &decision)
        return decision
    }

    /// Notifies the user once of the source's final report.
    private static func conclusion(
        _ context: DepartureRuleContext, _ state: inout DepartureState, next: Stage?
    ) -> NotificationDecision {
        let isRunning = context.observation.status.isRunning
        state.notify(context)
        state[Self.self].stage = next
        if next == nil { state[Self.self].report?.reversals = [] }
        if isRunning {
            (state.phase, state[ReinstatementRule.self].running, state.replacement) = (.armed, nil, nil)
            if context.isLeaveDue { LeaveRule.announce(context, &state) }
        } else {
            (state.phase, state.leave, state.advice) = (.replaced, nil, nil)
            state.replacement = context.next.first?.departure.key
        }
        let rule: NotificationRule = context.observation.status == .skipped ? .skipped : .canceled
        // A notification that the departure runs after all does not help a person who can no longer catch it.
        let isUseful = !isRunning || context.timing.canBeCaught(at: context.now)
        var decision = context.decision(
            rule,
            title: isRunning
                ? ReinstatementRule.title(context, wasSkipped: false)
                : CancellationRule.title(context),
            body: isRunning ? context.facts : CancellationRule.body(context),
            reason: "The source has contradicted itself. This is what it says now.",
            urgency: isUseful ? .high : .low, hasSound: isUseful)
        if !isRunning { context.nameAlternatives(in: &decision) }
        return decision
    }

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        guard let report = state[Self.self].report, let stage = state[Self.self].stage, stage != .detected,
            context.isOn(.canceled)
        else { return nil }
        var moments = [report.since.advanced(by: period)].filter { $0 > context.now }
        if stage == .shown {
            moments += [context.timing.momentOfNotice(after: context.now, context.settings.timing.leave)]
                .compactMap { $0 }
        }
        return moments.min()
    }

    // MARK: Text

    private static func title(_ context: DepartureRuleContext) -> String {
        "Conflicting reports about \(context.departure.text)"
    }

    private static let warning = "It was canceled and reinstated repeatedly. Do not rely on it."
}
