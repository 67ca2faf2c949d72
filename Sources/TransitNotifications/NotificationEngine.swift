package import TransitModel

/// The data from which one user's notifications are decided at one moment.
package struct NotificationInput: Hashable, Sendable {
    package var now: Instant
    /// The zone for quiet hours and days.
    package var zone: ServiceZone
    /// The subjects, each with its departures; `nil` if they are unchanged since the previous input.
    package var subjects: [WatchedSubject]?
    /// Whether the machine has just resumed from suspend, so that notifications that became due meanwhile are dropped.
    package var hasResumed = false
    /// Whether the general rules are evaluated next (``NotificationEngine/evaluate(_:)-(GeneralRuleInput)``). They show
    /// the digest, so that decisions they make at that moment are part of it.
    package var isDigestDeferred = false
    /// How pinned journeys that broke go on; `nil` if that is unchanged since the previous input.
    package var detours: [JourneyDetour]?

    package init(now: Instant, zone: ServiceZone, subjects: [WatchedSubject]? = nil) {
        self.now = now
        self.zone = zone
        self.subjects = subjects
    }
}

/// Decides one user's notifications: a state machine for each subject, and the ledger of what was shown.
///
/// It is deterministic: the same state, settings and inputs give the same decisions.
///
/// After a start, the first input contains the subjects. Every function that returns decisions can change ``state``,
/// which the caller saves with them. Suppressed decisions are included, each once, with their reasons.
package struct NotificationEngine: Sendable {
    /// The state, which the daemon saves with every decision.
    package internal(set) var state: NotificationState
    package var settings: NotificationSettings
    /// The subjects of the last input that had any, ordered by the precedence of their kinds.
    var subjects: [WatchedSubject] = []
    /// Whether a departure changed its phase during the current step.
    private var hasTransitions = false
    /// The zone of the last input.
    var zone = ServiceZone.utc

    package init(state: NotificationState = NotificationState(), settings: NotificationSettings) {
        self.state = state
        self.settings = settings
    }

    /// Sets the zone for quiet hours and days before the first input, for functions without an input.
    package mutating func restore(_ zone: ServiceZone) { self.zone = zone }

    /// Applies an input. Suppressed decisions are included, with their reasons.
    package mutating func evaluate(_ input: NotificationInput) -> [NotificationDecision] {
        let now = input.now
        zone = input.zone
        if let subjects = input.subjects {
            let order = SubjectKind.allCases
            self.subjects = order.flatMap { kind in subjects.filter { $0.kind == kind } }
        }
        guard settings.isEnabled else { return [] }
        if let detours = input.detours { state.detours = detours }
        if state.digestedThrough == nil { state.digestedThrough = now }
        var decisions: [NotificationDecision] = []
        if input.hasResumed { decisions += skipMissed(now) }
        endRuns(now)
        // A decision about one departure can arm another one, so the steps are repeated until nothing changes.
        for _ in 0..<16 {
            hasTransitions = false
            let steps = step(now) + lastDepartures(now)
            decisions += steps
            if steps.isEmpty, !hasTransitions { break }
        }
        if !input.isDigestDeferred || state.digest.isEmpty, let digest = ledger(now).digest(&state) {
            decisions.append(digest)
        }
        state.trim()
        return decisions
    }

    /// Returns the next moment at which a decision can change without new data; `nil` if there is none. The input of
    /// the current moment must have been evaluated.
    package func nextMoment(after now: Instant) -> Instant? {
        guard settings.isEnabled else { return nil }
        var moments: [Instant] = []
        for (departure, position) in followed(now) {
            let context = DepartureRuleContext(departure, of: subjects[position], now: now, settings: settings)
            guard let memory = state.runs[departure.key] else { continue }
            moments += DepartureStateMachine.nextMoments(context, memory)
            if memory.leave == nil, memory.phase != .caught, context.timing.canBeCaught(at: now) {
                // A commute moves on to its next departure when this one can no longer be caught.
                let timing = context.timing
                moments += [timing.firstMoment(after: now) { !timing.canBeCaught(at: $0) }].compactMap { $0 }
            }
        }
        moments += subjects.flatMap { armingMoments($0, after: now) + catchableMoments($0, after: now) }
        moments += state.runs.values.map { DepartureStateMachine.over($0).advanced(by: 1) }
        for subject in subjects {
            guard let last = lastRun(of: subject, now), let memory = memory(last, subject) else { continue }
            let context = DepartureRuleContext(last, of: subject, now: now, settings: settings)
            moments += [LastDepartureRule.nextMoment(context, memory)].compactMap { $0 }
        }
        let ledger = ledger(now)
        if state.runs.values.contains(where: { !$0.withheld.isEmpty }) { moments += ledger.releases(state) }
        if !state.digest.isEmpty { moments += ledger.digestMoments(after: now).prefix(1) }
        return moments.filter { $0 > now }.min()
    }

    func ledger(_ now: Instant) -> NotificationLedger {
        NotificationLedger(now: now, zone: zone, settings: settings)
    }

    // MARK: Runs

    /// Evaluates each followed departure.
    private mutating func step(_ now: Instant) -> [NotificationDecision] {
        let followed = followed(now)
        var decisions: [NotificationDecision] = []
        for (departure, position) in followed {
            let steps = step(departure, of: subjects[position], now)
            decisions += steps
            // Another departure may no longer be followed.
            if steps.contains(where: { $0.operation == .withdraw }) { return decisions }
        }
        // A departure without a notification is dormant again when its subject moved on.
        let keys = Set(followed.map(\.departure.key))
        for (key, memory) in state.runs
        where memory.phase == .armed && !memory.hasBeenShown && memory.withheld.isEmpty && !keys.contains(key) {
            state.runs[key] = nil
        }
        return decisions
    }

    private mutating func step(
        _ departure: WatchedDeparture, of subject: WatchedSubject, _ now: Instant
    ) -> [NotificationDecision] {
        var context = DepartureRuleContext(
            departure, of: subject, now: now, settings: settings, after: state.runs[departure.key])
        var memory =
            state.runs[departure.key]
            ?? DepartureState(departure.key, kind: subject.kind, name: subject.name)
        context.advised = state.runs[departure.key]?.advice?.leaveBy
        let (phase, replacement) = (memory.phase, memory.replacement)
        DepartureStateMachine.observe(
            context, &memory, isReplaceable: subject.kind == .pinned || subject.kind == .usual)
        if phase != memory.phase || replacement != memory.replacement { hasTransitions = true }
        state.runs[departure.key] = memory
        var decisions: [NotificationDecision] = []
        if phase == .replaced, memory.phase == .armed, context.timing.canBeCaught(at: now) {
            decisions += withdrawLater(than: departure, in: subject, now)
        }
        for candidate in DepartureStateMachine.decisions(context, memory) {
            var candidate = candidate
            restrain(&candidate, memory, subject, now)
            switch ledger(now).admit(candidate.decision, isForDate: subject.isForDate, to: &state) {
            case .shown(let decision):
                commit(candidate.state, decision, context, subject, now)
                // When a contradiction ends, it can reinstate a departure without an earlier transition.
                if phase == .replaced, memory.phase == .replaced,
                    candidate.state.phase == .armed
                        || candidate.state.phase == .announced
                {
                    return withdrawLater(than: departure, in: subject, now) + [decision]
                }
                return decisions + [decision]
            case .needless:
                hasTransitions = true
                commit(candidate.state, nil, context, subject, now)
                return decisions
            case .suppressed(let decision):
                // The state stays as it was, so that the rule decides again when the reason is gone.
                let rule = decision.rule
                guard state.runs[departure.key]?.withheld.insert(rule).inserted ?? false else { continue }
                decisions.append(ledger(now).record(decision, &state))
            }
        }
        // Each message is compared once with the advice, so that the passing of time alone corrects nothing.
        if context.observation.isFresh, state.runs[departure.key]?.withheld.isEmpty ?? false {
            state.runs[departure.key]?.compared = context.observation.measured
        }
        return decisions
    }

    private mutating func commit(
        _ memory: DepartureState, _ decision: NotificationDecision?, _ context: DepartureRuleContext,
        _ subject: WatchedSubject,
        _ now: Instant
    ) {
        var memory = memory
        memory.withheld = []
        let isFirstLeave = memory.leave != nil && state.runs[memory.departure]?.leave == nil
        let wasAnnounced = memory.hasBeenShown && !memory.isSilent
        if let decision { memory.advise(decision, context) }
        state.runs[memory.departure] = memory
        guard decision != nil else { return }
        if isFirstLeave { countLeave(context.departure, of: subject.kind, now) }
        if memory.phase == .replaced, wasAnnounced { release(context.departure.key, now) }
        guard memory.phase == .replaced else { return }
        for other in context.alsoCanceled
        where !context.observation.status.isRunning
            && state.runs[other.key]?.hasBeenShown != true
        {
            // The notification names it.
            var also = DepartureState(other.key, kind: subject.kind, name: subject.name)
            also.phase = .replaced
            also.shown = DepartureState.Shown(status: other.observation.status)
            also.time = other.observation.time
            also.isSilent = true
            state.runs[other.key] = also
        }
        announceNext(context, subject, now)
    }

    /// Remembers that a cancellation said to leave for the next departure, if that is due.
    private mutating func announceNext(_ context: DepartureRuleContext, _ subject: WatchedSubject, _ now: Instant) {
        guard let next = context.next.first, state.runs[next.departure.key]?.leave == nil,
            now >= next.timing.notice(at: now, settings: settings.timing.leave), context.isOn(.leave)
        else { return }
        let run = DepartureRuleContext(next.departure, of: subject, now: now, settings: settings)
        var memory =
            state.runs[next.departure.key]
            ?? DepartureState(next.departure.key, kind: subject.kind, name: subject.name)
        memory.isSilent = isSilent(memory, subject, now, isAnnouncement: true)
        memory.notify(run)
        LeaveRule.announce(run, &memory)
        memory.time = next.departure.observation.time
        state.runs[next.departure.key] = memory
        countLeave(next.departure, of: subject.kind, now)
    }

    /// Withdraws the notices to leave for later departures of a subject whose departure runs again.
    private mutating func withdrawLater(
        than departure: WatchedDeparture, in subject: WatchedSubject, _ now: Instant
    ) -> [NotificationDecision] {
        var decisions: [NotificationDecision] = []
        for other in subject.departures where other.key.scheduled > departure.key.scheduled {
            guard let memory = state.runs[other.key], memory.leave != nil, memory.phase != .caught else { continue }
            state.runs[other.key] = nil
            decisions += withdraw(memory, now, reason: "The departure that it replaced runs again.")
        }
        return decisions
    }

    /// Returns the withdrawal of the notification about a departure. The ledger adds the rule and the texts.
    func withdrawal(_ memory: DepartureState, _ now: Instant, reason: String) -> NotificationDecision {
        NotificationDecision(
            id: "", key: memory.notificationKey, revision: 0, operation: .withdraw, rule: .leave, at: now,
            validUntil: now,
            title: "", body: "", subjectKind: memory.kind.rawValue, subjectName: memory.name, reason: reason)
    }

    mutating func withdraw(_ memory: DepartureState, _ now: Instant, reason: String) -> [NotificationDecision] {
        let outcome = ledger(now).admit(withdrawal(memory, now, reason: reason), to: &state)
        guard case .shown(let decision) = outcome else { return [] }
        return [decision]
    }

    /// Ends the departures that left two minutes ago.
    private mutating func endRuns(_ now: Instant) {
        for subject in subjects {
            for departure in subject.departures + subject.lastDepartures
            where state.runs[departure.key] != nil {
                state.runs[departure.key]?.time = departure.observation.time
                state.runs[departure.key]?.arrival = departure.arrival
                // The machine may have been suspended when the vehicle left.
                if subject.isBoarded { state.runs[departure.key]?.board() }
            }
            if subject.kind == .pinned, !subject.leadsHome, let first = subject.departures.first,
                first.observation.time <= now
            {
                state.pinnedAway = riderDay(of: first.key, zone: first.names.zone)
            }
        }
        let over = state.runs.filter {
            DepartureStateMachine.over($0.value) < now && replacements(of: $0.value, now).isEmpty
        }
        for (key, memory) in over {
            state.runs[key] = nil
            if memory.hasBeenShown || memory.isLeaveMissed || memory.phase == .caught { finish(key) }
        }
    }

    mutating func finish(_ key: DepartureKey) {
        state.finished.insert(key)
    }

    /// Skips notices to leave that became due while the machine was suspended, if it is too late for them.
    private mutating func skipMissed(_ now: Instant) -> [NotificationDecision] {
        var decisions: [NotificationDecision] = []
        for (departure, position) in followed(now) {
            let subject = subjects[position]
            let context = DepartureRuleContext(
                departure, of: subject, now: now, settings: settings, after: state.runs[departure.key])
            var memory =
                state.runs[departure.key] ?? DepartureState(departure.key, kind: subject.kind, name: subject.name)
            guard memory.leave == nil, !memory.isLeaveMissed, context.isOn(.leave),
                context.observation.status.isRunning, context.timing.target(at: now) < now
            else { continue }
            memory.isLeaveMissed = true
            memory.time = context.observation.time
            state.runs[departure.key] = memory
            var decision = context.decision(
                .leave, title: LeaveRule.title(context), body: [], reason: "It was time to leave.")
            decision.suppression = "The computer was asleep when it was time to leave."
            decisions.append(ledger(now).record(decision, &state))
        }
        return decisions
    }

    // MARK: The last departure

    private mutating func lastDepartures(_ now: Instant) -> [NotificationDecision] {
        var decisions: [NotificationDecision] = []
        for subject in subjects {
            guard let last = lastRun(of: subject, now), let memory = memory(last, subject) else { continue }
            let context = DepartureRuleContext(last, of: subject, now: now, settings: settings, after: memory)
            var after = memory
            guard var decision = LastDepartureRule.decide(context, &after).first else { continue }
            decision.hasSound = subject.kind == .journey || isOut(subject, for: last.key, now)
            switch ledger(now).admit(decision, isForDate: subject.isForDate, to: &state) {
            case .shown(let decision):
                after.withheld = []
                after.advise(decision, context)
                state.runs[last.key] = after
                decisions.append(decision)
            case .suppressed(let decision):
                var memory = memory
                guard memory.withheld.insert(.last).inserted else { continue }
                state.runs[last.key] = memory
                decisions.append(ledger(now).record(decision, &state))
            case .needless: break
            }
        }
        return decisions
    }

    private func memory(_ departure: WatchedDeparture, _ subject: WatchedSubject) -> DepartureState? {
        if let memory = state.runs[departure.key] { return memory }
        guard !state.finished.contains(departure.key) else { return nil }
        var memory = DepartureState(departure.key, kind: subject.kind, name: subject.name)
        memory.time = departure.observation.time
        return memory
    }

    /// Returns the last departure home of the day if it runs, unless the last trip of that day led home, or the first departure
    /// of a pinned journey that is the last one of the day. Such a journey stands for the commute between its ends.
    func lastRun(of subject: WatchedSubject, _ now: Instant) -> WatchedDeparture? {
        guard let last = subject.last, last.observation.status.isRunning else { return nil }
        if subject.kind == .journey { return subject.isBoarded ? nil : last }
        guard subject.leadsHome,
            state.lastTrip(on: riderDay(of: last.key, zone: last.names.zone))?.ledHome != true,
            !subjects.contains(where: { $0.kind == .journey && $0.name == subject.name && $0.last != nil })
        else { return nil }
        return last
    }
}
