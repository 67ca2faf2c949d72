internal import TransitModel

/// The situation of a departure, which determines the rules that decide about it.
enum DepartureSituation {
    /// It is expected to run, and the user can take it.
    case expected
    /// It is canceled, or the vehicle does not stop.
    case notRunning
    /// Its source contradicts itself about whether it runs.
    case contradictory
    /// The user is in the vehicle.
    case onBoard
    /// Another departure is watched instead.
    case replaced
    /// It is the last way home of the day. The engine evaluates these rules separately, before the departure is
    /// watched.
    case lastOfDay

    init(_ context: DepartureRuleContext, _ state: DepartureState) {
        let isRunning = context.observation.status.isRunning
        let contradiction = state[ContradictionRule.self].stage
        // After a notification at the time to leave said that the departure runs, it is watched like any other.
        let isSettled = contradiction == .concluded && !state.hasReportedCancellation && isRunning
        self =
            if state.phase == .caught {
                .onBoard
            } else if state.isPassedUp {
                .replaced
            } else if contradiction != nil, !isSettled {
                .contradictory
            } else if !isRunning {
                .notRunning
            } else {
                state.phase == .replaced ? .replaced : .expected
            }
    }
}

/// Follows one departure: not remembered, armed, announced, changed, replaced, caught, over.
///
/// It is a function of the departure's state and the current observation. Only a new message or the passing of a moment
/// changes the state, so that a restart, a reload, a clock step or a new version of the timetable repeats no
/// notification.
enum DepartureStateMachine {
    /// The time after a departure, or after an arrival, at which a departure is over, in seconds.
    static let afterDeparture = 120

    /// Updates what is remembered from an observation, before any rule.
    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState, isReplaceable: Bool) {
        state.kind = context.kind
        state.name = context.name
        state.time = context.observation.time
        state.arrival = context.departure.arrival
        guard state.phase != .caught, !state.isPassedUp else { return }
        if context.isBoarded { return state.board() }
        state.missingSince = context.observation.isMissing ? state.missingSince ?? context.now : nil
        for rule in Rules.departures { rule.observe(context, &state) }
        let contradiction = state[ContradictionRule.self].stage
        // The report at the time to leave holds until the source is settled.
        guard contradiction != .concluded else { return }
        if !context.observation.status.isRunning || contradiction != nil {
            if state.phase != .replaced {
                state.phase = .replaced
                state.leave = nil
                state[ReinstatementRule.self].running = nil
            }
            if isReplaceable, state.replacement == nil { state.replacement = context.next.first?.departure.key }
        } else if state.phase == .replaced, ReinstatementRule.isCertain(state) {
            let canBeCaught = context.timing.canBeCaught(at: context.now)
            guard canBeCaught || !state.isGivenUp else { return }
            state.phase = .armed
            state.isGivenUp = false
            state.leave = nil
            if canBeCaught { state.replacement = nil }
        }
    }

    /// Returns what the rules decide, in the order of their importance. The first decision that is shown ends the step,
    /// because its text contains everything that is known.
    static func decisions(
        _ context: DepartureRuleContext, _ state: DepartureState
    ) -> some Sequence<DepartureDecision> {
        let situation = DepartureSituation(context, state)
        return Rules.departures.lazy.filter { $0.situation == situation }.compactMap { rule in
            var after = state
            return rule.decide(context, &after).first.map { DepartureDecision(decision: $0, state: after) }
        }
    }

    /// Returns the next moments at which the rules can decide about the departure without a new message.
    static func nextMoments(_ context: DepartureRuleContext, _ state: DepartureState) -> [Instant] {
        let situation = DepartureSituation(context, state)
        let rules = Rules.departures.filter {
            $0.situation == situation || $0.situation == .contradictory && situation != .onBoard
        }
        return [over(state).advanced(by: 1)] + rules.compactMap { $0.nextMoment(context, state) }
    }

    /// The last moment before a departure is over.
    static func over(_ state: DepartureState) -> Instant {
        let end = state.phase == .caught ? max(state.time, state.arrival ?? state.time) : state.time
        return end.advanced(by: afterDeparture)
    }
}
