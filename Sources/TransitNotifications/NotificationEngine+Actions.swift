internal import TransitEngine
package import TransitModel
package import TransitStore

/// The user's actions (a trip was taken, the next departure is wanted, mutes), and decisions of other rules.
extension NotificationEngine {
    /// The departures that stay in the input after they left, because the user took them.
    package var followedDepartures: Set<DepartureKey> {
        Set(state.runs.values.filter { $0.phase == .caught }.map(\.departure))
    }

    /// The departures that stay in the input until they left.
    package var awaitedDepartures: AwaitedDepartures {
        var awaited = AwaitedDepartures()
        awaited.taken = followedDepartures
        awaited.detours = state.detours
        for memory in state.runs.values where memory.phase != .caught {
            if memory.phase == .replaced { awaited.replacements[memory.departure] = memory.replacement }
            if memory[LastDepartureRule.self].hasNotified { awaited.last.insert(memory.departure) }
        }
        return awaited
    }

    /// Returns a pinned journey on the way that the user is on: another one if the journey broke.
    package func way(of journey: SavedJourney, at now: Instant) -> SavedJourney {
        let detour = state.detours.first { $0.isOf(journey) }?.at(now)
        return detour?.taken.map(journey.onWay) ?? journey
    }

    /// Returns the departures that are watched instead of one and are not over, in their order.
    func replacements(of memory: DepartureState, _ now: Instant) -> [DepartureState] {
        var (seen, replacements): (Set<DepartureKey>, [DepartureState]) = ([memory.departure], [])
        var current = memory
        while let replacement = current.replacement, seen.insert(replacement).inserted,
            let next = state.runs[replacement]
        {
            if DepartureStateMachine.over(next) >= now { replacements.append(next) }
            current = next
        }
        return replacements
    }

    /// The subjects that list a departure, also as the last one of the day.
    private func holders(of departure: DepartureKey) -> [WatchedSubject] {
        subjects.filter { subject in
            (subject.departures + subject.lastDepartures).contains { $0.key == departure }
        }
    }

    func riderDay(of departure: DepartureKey, zone: ServiceZone) -> ServiceDate {
        RiderDay(of: departure.scheduled, in: zone).date
    }

    /// Records a trip that the user took. The last trip of a rider's day shows whether the user is out.
    private mutating func recordTrip(_ departure: DepartureKey, _ holders: [WatchedSubject]) {
        let zone = holders.lazy.flatMap { $0.departures + $0.lastDepartures }.first { $0.key == departure }?.names.zone
        let ledHome = holders.contains(where: \.leadsHome)
        state.trips.removeAll { $0.departure == departure }
        state.trips.append(
            NotificationState.TakenTrip(
                departure: departure, day: riderDay(of: departure, zone: zone ?? self.zone), ledHome: ledHome))
        guard !ledHome else { return }
        // The last way home concerns a user who went out again.
        for last in subjects.filter(\.leadsHome).compactMap(\.last) { state.finished.remove(last.key) }
    }

    /// Records that the user took a departure: the only further notification about it is to get off, and there is none about the
    /// other departures of its commute's window. Its notification is withdrawn.
    package mutating func taken(_ departure: DepartureKey, at now: Instant) -> [NotificationDecision] {
        let holders = holders(of: departure)
        guard settings.isEnabled else { return [] }
        var memory =
            state.runs[departure]
            ?? DepartureState(departure, kind: holders.first?.kind ?? .pinned, name: holders.first?.name ?? "")
        memory.phase = .caught
        (memory.leave, memory.advice) = (nil, nil)
        memory.withheld = []
        state.runs[departure] = memory
        recordTrip(departure, holders)
        var decisions = withdraw(memory, now, reason: "You took it.")
        for subject in holders {
            // Outside its window, a commute lists the departures of the next one.
            if subject.kind == .commute || subject.kind == .favorite,
                subject.departures.contains(where: { $0.key == departure })
            {
                var window = window(of: subject, now)
                window.isDone = true
                window.end = max(window.end, departure.scheduled.advanced(by: 1800))
                state.windows[windowName(subject)] = window
            }
            for other in subject.departures + subject.lastDepartures where other.key != departure {
                guard let memory = state.runs[other.key], memory.phase != .caught,
                    abs(other.key.scheduled.seconds(to: departure.scheduled)) <= 5400
                        || subject.leadsHome && memory[LastDepartureRule.self].hasNotified
                else { continue }
                state.runs[other.key] = nil
                finish(other.key)
                decisions += withdraw(memory, now, reason: "You took another departure.")
            }
            if subject.kind == .pinned || subject.kind == .usual, let first = subject.departures.first,
                first.key != departure, first.key.scheduled.seconds(to: departure.scheduled) >= -5400,
                first.key.scheduled.seconds(to: departure.scheduled) <= 5400
            {
                finish(first.key)
            }
        }
        return decisions
    }

    /// Forgets that the user took a departure.
    package mutating func untaken(_ departure: DepartureKey, at now: Instant) {
        state.trips.removeAll { $0.departure == departure }
        guard state.runs[departure]?.phase == .caught else { return }
        state.runs[departure] = nil
        for subject in holders(of: departure) {
            state.windows[windowName(subject)]?.isDone = false
            for other in subject.departures + subject.lastDepartures
            where other.key.scheduled > now
                && (abs(other.key.scheduled.seconds(to: departure.scheduled)) <= 5400
                    || other.key == subject.last?.key)
            {
                state.finished.remove(other.key)
            }
        }
    }

    /// Forgets all departures that the user took.
    package mutating func forgetTrips() { state.trips = [] }

    /// Carries out a button of a notification: "taken", "next" or "mute-today".
    ///
    /// - Returns: `nil` if the notification or the action is not known.
    package mutating func act(_ id: String, _ action: String, at now: Instant) -> [NotificationDecision]? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count > 2, let revision = Int(parts[parts.count - 2]) else { return nil }
        let key = parts.dropLast(2).joined(separator: "-")
        guard let bubble = state.bubbles[key], (1...bubble.revision).contains(revision) else { return nil }
        switch action {
        case "taken":
            return departure(ofKey: key).map { taken($0, at: now) }
        case "next":
            guard let departure = departure(ofKey: key) else { return nil }
            return passUp(departure, now)
        case "mute-today":
            mute(nil, until: zone.instant(date: zone.civil(at: now).date.advanced(by: 1), secondsOfDay: 0))
            guard let departure = departure(ofKey: key), let memory = state.runs[departure] else { return [] }
            return withdraw(memory, now, reason: "You muted notifications.")
        default: return nil
        }
    }

    private func departure(ofKey key: String) -> DepartureKey? {
        if let run = state.runs.keys.first(where: { $0.notificationKey == key }) { return run }
        return subjects.lazy.flatMap(\.departures).map(\.key).first { $0.notificationKey == key }
    }

    /// Moves on to the departure after one that the user does not want.
    private mutating func passUp(_ departure: DepartureKey, _ now: Instant) -> [NotificationDecision] {
        var decisions: [NotificationDecision] = []
        if let memory = state.runs[departure] {
            decisions += withdraw(memory, now, reason: "You asked for the next departure.")
        }
        for subject in subjects {
            guard let watched = subject.departures.first(where: { $0.key == departure }) else { continue }
            let context = DepartureRuleContext(watched, of: subject, now: now, settings: settings)
            guard subject.kind == .pinned || subject.kind == .usual else {
                var window = window(of: subject, now)
                window.announced = max(0, window.announced - 1)
                window.isNextSounding = true
                state.windows[windowName(subject)] = window
                continue
            }
            // The replacement of the skipped departure is the next one.
            var memory = state.runs[departure] ?? DepartureState(departure, kind: subject.kind, name: subject.name)
            memory.phase = .replaced
            memory.isPassedUp = true
            (memory.leave, memory.advice) = (nil, nil)
            memory.replacement = context.next.first?.departure.key
            memory.shown = nil
            state.runs[departure] = memory
            return decisions + proceed(after: departure, now)
        }
        state.runs[departure] = nil
        finish(departure)
        return decisions + proceed(after: departure, now)
    }

    /// Shows the departure that comes instead of one that was passed up, silently if it is not yet time to leave.
    private mutating func proceed(after departure: DepartureKey, _ now: Instant) -> [NotificationDecision] {
        let decisions = evaluate(NotificationInput(now: now, zone: zone))
        let holder = subjects.first { $0.departures.contains { $0.key == departure } }
        let later = followed(now).first {
            $0.departure.key.scheduled >= departure.scheduled && $0.departure.key != departure
                && subjects[$0.subject].name == holder?.name && state.runs[$0.departure.key]?.leave == nil
        }
        guard !decisions.contains(where: { $0.suppression == nil && $0.rule == .leave }), let later,
            var memory = state.runs[later.departure.key]
        else { return decisions }
        let context = DepartureRuleContext(
            later.departure, of: subjects[later.subject], now: now, settings: settings, after: memory)
        let decision = context.decision(
            .leave, title: LeaveRule.nextTitle(context), body: context.facts,
            reason: "You asked for the next departure.")
        memory.notify(context)
        state.runs[later.departure.key] = memory
        return decisions + [ledger(now).number(decision, &state)]
    }

    /// Forgets what was shown, because the user turned notifications off. Events that happen while they are off are not
    /// shown later. The notifications stay known, so that their revisions go on.
    package mutating func turnOff() {
        state.general = RuleMemories()
        (state.runs, state.windows, state.digest, state.digestedThrough) = ([:], [:], [], nil)
    }

    /// Mutes everything or one rule.
    ///
    /// - Parameters:
    ///   - rule: `nil` for all rules.
    ///   - until: `nil` until further notice, for a rule only.
    package mutating func mute(_ rule: NotificationRule?, until: Instant?) {
        if let rule { state.mutes.rules[rule] = until ?? NotificationLedger.always } else { state.mutes.all = until }
    }

    /// Ends the mute of one rule or, with `nil`, all mutes.
    package mutating func unmute(_ rule: NotificationRule?) {
        if let rule { state.mutes.rules[rule] = nil } else { state.mutes = NotificationState.Mutes() }
    }

    /// A current mute of one rule or of everything; it has no end if it lasts until further notice.
    package struct Mute: Hashable, Sendable {
        package var rule: NotificationRule?
        package var until: Instant?
    }

    package func mutes(at now: Instant) -> [Mute] {
        var mutes: [Mute] = []
        if let all = state.mutes.all, all > now { mutes.append(Mute(rule: nil, until: all)) }
        for rule in NotificationRule.allCases {
            guard let until = state.mutes.rules[rule], until > now else { continue }
            mutes.append(Mute(rule: rule, until: until == NotificationLedger.always ? nil : until))
        }
        return mutes
    }

    /// Returns a sample notification of a rule, which is always shown.
    package mutating func test(_ rule: NotificationRule, at now: Instant) -> [NotificationDecision] {
        var decision = NotificationDecision(
            id: "", key: "test-\(rule.rawValue)", revision: 0, operation: .show, rule: rule, at: now,
            validUntil: now.advanced(by: 300), title: "Test of \(rule.rawValue)",
            body: "This is what notifications of this rule look like.", subjectKind: "machine", subjectName: "test",
            reason: "A test was requested.")
        decision.isTest = true
        decision.hasSound = rule.isUrgent
        decision.urgency = rule.isUrgent ? .high : .normal
        guard case .shown(let shown) = ledger(now).admit(decision, to: &state) else { return [] }
        return [shown]
    }

    /// Numbers decisions of other rules, whose `id` is empty and whose `revision` is 0, and applies the settings, mutes,
    /// days off, quiet hours and the bucket. A decision that `isForDigest`, or that is still valid after the quiet hours
    /// or the bucket that suppressed it, becomes an entry of the next digest.
    ///
    /// - Returns: The decisions that are shown, and the suppressed ones with their reasons. Entries of the next digest
    ///   only change ``state``.
    package mutating func admit(_ decisions: [NotificationDecision], now: Instant) -> [NotificationDecision] {
        guard settings.isEnabled else { return [] }
        if state.digestedThrough == nil { state.digestedThrough = now }
        let ledger = ledger(now)
        var results: [NotificationDecision] = []
        for decision in decisions where settings.isOn(decision.rule) || decision.isTest {
            // An entry with the same key is replaced, by the notification or by the new entry.
            state.digest.removeAll { $0.key == decision.key }
            if decision.isForDigest, decision.operation != .withdraw {
                ledger.queue(decision, &state)
                continue
            }
            switch ledger.admit(decision, to: &state) {
            case .shown(let shown): results.append(shown)
            case .needless: break
            case .suppressed(let suppressed):
                results.append(ledger.record(suppressed, &state))
                let end = ledger.releases(state).min() ?? now
                if decision.validUntil > end, decision.operation == .show { ledger.queue(decision, &state) }
            }
        }
        if let digest = ledger.digest(&state) { results.append(digest) }
        state.trim()
        return results
    }
}
