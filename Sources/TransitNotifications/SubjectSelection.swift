internal import TransitModel

/// The departures that are followed at one moment: one subject for each, and one departure of a commute at a time.
extension NotificationEngine {
    /// Returns the departures to evaluate, each with the position of its subject, in the order of the subjects.
    func followed(_ now: Instant) -> [(departure: WatchedDeparture, subject: Int)] {
        var seen: Set<DepartureKey> = []
        var runs: [(departure: WatchedDeparture, subject: Int)] = []
        for (position, subject) in subjects.enumerated() {
            for departure in followed(subject, now) + lastFollowed(subject, now)
            where seen.insert(departure.key).inserted {
                runs.append((departure, position))
            }
        }
        return runs
    }

    private func followed(_ subject: WatchedSubject, _ now: Instant) -> [WatchedDeparture] {
        switch subject.kind {
        case .journey, .connection, .pinned, .usual: chain(subject, now)
        case .commute, .favorite: known(subject, now) + [choice(subject, now)].compactMap { $0 }
        }
    }

    /// A pinned or usual departure and, if it is canceled, the one that is watched instead.
    private func chain(_ subject: WatchedSubject, _ now: Instant) -> [WatchedDeparture] {
        let caught = subject.departures.filter { state.runs[$0.key]?.phase == .caught }
        guard let first = subject.departures.first, isArmed(first, now) || isOnBoard(of: subject, now) else {
            return caught
        }
        var chain = [first]
        while chain.count < 6, let replacement = state.runs[chain[chain.count - 1].key]?.replacement,
            let next = subject.departures.first(where: { $0.key == replacement }), !chain.contains(next),
            !isOver(next, now)
        {
            chain.append(next)
        }
        // A trip that was taken is followed until the arrival.
        return chain + caught.filter { !chain.contains($0) }
    }

    /// The last departures home that were announced or taken, even outside the window of their commute or if they do
    /// not run, and that of a pinned journey.
    private func lastFollowed(_ subject: WatchedSubject, _ now: Instant) -> [WatchedDeparture] {
        guard subject.leadsHome || subject.kind == .journey else { return [] }
        return subject.lastDepartures.filter { last in
            guard let memory = state.runs[last.key], !isOver(last, now) else { return false }
            if memory.phase == .caught { return true }
            guard memory[LastDepartureRule.self].hasNotified || memory.withheld.contains(.last) else { return false }
            return subject.kind == .journey
                || state.lastTrip(on: riderDay(of: last.key, zone: last.names.zone))?.ledHome != true
        }
    }

    /// Whether the user is in the vehicle of a ride, which may have left before the ride was pinned or while the machine was
    /// suspended.
    private func isOnBoard(of subject: WatchedSubject, _ now: Instant) -> Bool {
        guard subject.isBoarded, let ride = subject.departures.first, let arrival = ride.arrival else { return false }
        return arrival.advanced(by: DepartureStateMachine.afterDeparture) >= now && !state.finished.contains(ride.key)
    }

    private func isArmed(_ departure: WatchedDeparture, _ now: Instant) -> Bool {
        departure.key.scheduled.advanced(by: -settings.subjects.ahead) <= now
            && (state.runs[departure.key] != nil || !isOver(departure, now))
    }

    private func isOver(_ departure: WatchedDeparture, _ now: Instant) -> Bool {
        departure.observation.time.advanced(by: DepartureStateMachine.afterDeparture) < now
            || state.finished.contains(departure.key)
    }

    /// The departures of a subject that the user knows about.
    ///
    /// A departure that was suppressed in the window of a commute is not announced after it.
    private func known(_ subject: WatchedSubject, _ now: Instant) -> [WatchedDeparture] {
        let isOpen = subject.window?.contains(now) ?? true
        return subject.departures.filter { departure in
            state.runs[departure.key].map { $0.hasBeenShown || $0.phase != .armed || isOpen && !$0.withheld.isEmpty }
                ?? false
        }
    }

    /// The one departure of a commute or favorite that is watched next: the first that can still be caught.
    func choice(_ subject: WatchedSubject, _ now: Instant) -> WatchedDeparture? {
        if subject.kind == .commute {
            guard let window = subject.window, window.contains(now) else { return nil }
        }
        guard !window(of: subject, now).isDone else { return nil }
        // It is the departure for which the user was notified to leave, until that is over.
        let hasCurrent = subject.departures.contains { departure in
            guard !isOver(departure, now) else { return false }
            if let memory = state.runs[departure.key] {
                return memory.phase == .caught || (memory.leave != nil && memory.phase != .replaced)
            }
            return false
        }
        guard !hasCurrent, !isCovered(subject, now) else { return nil }
        return subject.departures.filter { isCandidate($0, subject, now) }
            .min { earlier($0, $1, subject) }
    }

    /// A late vehicle comes after later departures of the timetable that overtake it.
    private func earlier(_ one: WatchedDeparture, _ other: WatchedDeparture, _ subject: WatchedSubject) -> Bool {
        func basis(_ departure: WatchedDeparture) -> Instant {
            DepartureRuleContext.timing(departure, in: subject, settings).basis
        }
        return (basis(one), one.key.scheduled) < (basis(other), other.key.scheduled)
    }

    /// Whether a departure of the commute is pinned or usual and can still be caught, so that it is the one.
    private func isCovered(_ subject: WatchedSubject, _ now: Instant) -> Bool {
        guard subject.kind == .commute else { return false }
        return subjects.contains { other in
            if other.kind == .journey, other.name == subject.name { return covers(other, subject, now) }
            guard other.kind == .pinned || other.kind == .usual, let first = other.departures.first,
                subject.departures.contains(where: { $0.key == first.key })
            else { return false }
            guard isArmed(first, now) else { return isDueInWindow(first, of: other, subject, now) }
            let chain = chain(other, now)
            return chain.contains { departure in
                // A canceled departure leads to the one that is watched instead.
                !isOver(departure, now)
                    && (state.runs[departure.key]?.leave != nil
                        || DepartureRuleContext.timing(departure, in: other, settings).canBeCaught(at: now))
            }
        }
    }

    /// Whether a pinned journey between the ends of a commute is the one in its window.
    private func covers(_ journey: WatchedSubject, _ commute: WatchedSubject, _ now: Instant) -> Bool {
        guard let first = journey.departures.first, let window = commute.window else { return false }
        return window.contains(DepartureRuleContext.timing(first, in: journey, settings).target(at: now))
            && !state.finished.contains(first.key)
    }

    /// Whether it is time to leave for a departure later in the window of a commute.
    private func isDueInWindow(
        _ departure: WatchedDeparture, of own: WatchedSubject, _ subject: WatchedSubject, _ now: Instant
    ) -> Bool {
        guard let window = subject.window, departure.observation.status.isRunning, !isOver(departure, now) else {
            return false
        }
        let timing = DepartureRuleContext.timing(departure, in: own, settings)
        return window.contains(timing.target(at: now)) && timing.canBeCaught(at: now)
    }

    private func isCandidate(_ departure: WatchedDeparture, _ subject: WatchedSubject, _ now: Instant) -> Bool {
        guard departure.observation.status != .departed, !isOver(departure, now) else { return false }
        if let memory = state.runs[departure.key] {
            guard memory.phase != .replaced, memory.phase != .caught, !memory.isLeaveMissed else { return false }
        }
        if subject.kind == .favorite {
            guard departure.key.scheduled.advanced(by: -settings.subjects.ahead) <= now else { return false }
        } else if let window = subject.window {
            let margin = DepartureRuleContext.margin(departure, in: subject, settings)
            let leaveBy = departure.key.scheduled.advanced(by: -(subject.walk ?? 0) - margin)
            guard leaveBy <= window.upperBound else { return false }
        }
        return DepartureRuleContext.timing(departure, in: subject, settings).canBeCaught(at: now)
    }

    /// The moments at which departures of a subject are armed.
    func armingMoments(_ subject: WatchedSubject, after now: Instant) -> [Instant] {
        switch subject.kind {
        case .journey, .connection, .pinned, .usual:
            return subject.departures.prefix(1).map { $0.key.scheduled.advanced(by: -settings.subjects.ahead) }
        case .commute:
            guard let window = subject.window else { return [] }
            return [window.lowerBound, window.upperBound.advanced(by: 1)]
        case .favorite:
            return subject.departures.map { $0.key.scheduled.advanced(by: -settings.subjects.ahead) }
        }
    }

    /// The moments at which late departures can be caught after all, because the uncertainty became smaller.
    func catchableMoments(_ subject: WatchedSubject, after now: Instant) -> [Instant] {
        if let window = subject.window, !window.contains(now) { return [] }
        return subject.departures.compactMap { departure in
            guard DepartureTiming.reliable(departure.observation) != nil, !isOver(departure, now) else { return nil }
            let timing = DepartureRuleContext.timing(departure, in: subject, settings)
            guard !timing.canBeCaught(at: now) else { return nil }
            return timing.firstMoment(after: now) { timing.canBeCaught(at: $0) }
        }
    }

    // MARK: Windows

    func windowName(_ subject: WatchedSubject) -> String { "\(subject.kind.rawValue)/\(subject.name)" }

    func window(of subject: WatchedSubject, _ now: Instant) -> NotificationState.Window {
        let start = subject.window?.lowerBound ?? Instant(secondsSince1970: 0)
        if let window = state.windows[windowName(subject)], window.start == start, now <= window.end { return window }
        return NotificationState.Window(
            start: start, end: subject.window?.upperBound ?? now.advanced(by: settings.subjects.ahead))
    }

    /// Counts a notice to leave for each commute that the departure serves. After a notice for a pinned or usual
    /// departure, other departures of the commute are suppressed in its window.
    mutating func countLeave(_ departure: WatchedDeparture, of kind: SubjectKind, _ now: Instant) {
        for subject in subjects where subject.kind == .commute {
            guard subject.departures.contains(where: { $0.key == departure.key }),
                subject.window?.contains(now) ?? false
            else { continue }
            var window = window(of: subject, now)
            if kind != .commute {
                window.hasOwnDeparture = true
            } else if state.runs[departure.key]?.isCounted != true {
                window.announced += 1
            }
            window.isNextSounding = false
            state.windows[windowName(subject)] = window
        }
        state.runs[departure.key]?.isCounted = true
    }

    /// Lets the next announcement of a commute have a sound, because the announced departure cannot be taken or is not
    /// wanted.
    mutating func release(_ departure: DepartureKey, _ now: Instant) {
        for subject in subjects where subject.kind == .commute {
            guard subject.departures.contains(where: { $0.key == departure }) else { continue }
            var window = window(of: subject, now)
            (window.isNextSounding, window.hasOwnDeparture) = (true, false)
            state.windows[windowName(subject)] = window
        }
    }

    // MARK: Sound

    /// Suppresses a decision about a departure of a commute after the limit of its window, and takes the sound of one
    /// about a departure after the first.
    func restrain(
        _ candidate: inout DepartureDecision, _ memory: DepartureState, _ subject: WatchedSubject, _ now: Instant
    ) {
        if let reason = exhaustion(memory, subject, now) {
            candidate.decision.suppression = reason
            return
        }
        let isAnnouncement = candidate.state.leave != nil && memory.leave == nil
        candidate.state.isSilent = isSilent(memory, subject, now, isAnnouncement: isAnnouncement)
        guard candidate.state.isSilent else { return }
        candidate.decision.hasSound = false
        if candidate.decision.urgency == .high { candidate.decision.urgency = .normal }
    }

    /// Whether notifications about a departure have no sound. A commute announces one departure of its window with a
    /// sound: most people do not report that they took it.
    func isSilent(
        _ memory: DepartureState, _ subject: WatchedSubject, _ now: Instant, isAnnouncement: Bool
    ) -> Bool {
        guard subject.kind == .commute, memory.phase != .caught else { return false }
        if subject.last?.key == memory.departure || memory[LastDepartureRule.self].hasNotified {
            if isOut(subject, for: memory.departure, now) { return false }
            if !(subject.window?.contains(now) ?? false) { return true }
        }
        if memory.hasBeenShown, !isAnnouncement || !memory.isSilent { return memory.isSilent }
        let window = window(of: subject, now)
        return window.announced > 0 && !window.isNextSounding
    }

    /// Why nothing more is shown about the departures of a commute in its window; `nil` if it is.
    func exhaustion(_ memory: DepartureState, _ subject: WatchedSubject, _ now: Instant) -> String? {
        guard subject.kind == .commute, subject.window?.contains(now) ?? false, !memory.hasBeenShown,
            memory.phase != .caught,
            subject.last?.key != memory.departure
        else { return nil }
        let window = window(of: subject, now)
        if window.hasOwnDeparture {
            return "Your pinned or usual departure was already announced in this window of \(subject.name)."
        }
        guard window.announced >= settings.timing.leave.perWindow else { return nil }
        let count = window.announced == 1 ? "1 departure was" : "\(window.announced) departures were"
        return "\(count) already announced in this window of \(subject.name)."
    }

    /// Whether there is a sign that the user is out on the day of a departure home: the last trip of the day did not lead
    /// home, a pinned departure, or an open window of the commute home. A person without one is probably at home.
    func isOut(_ subject: WatchedSubject, for departure: DepartureKey, _ now: Instant) -> Bool {
        let zone = subject.lastDepartures.first { $0.key == departure }?.names.zone ?? zone
        let date = riderDay(of: departure, zone: zone)
        if state.lastTrip(on: date)?.ledHome == false { return true }
        if state.pinnedAway == date || (subject.window?.contains(now) ?? false) { return true }
        return subjects.contains { other in
            if other.kind == .journey, other.name == subject.name { return covers(other, subject, now) }
            guard other.kind == .pinned, let first = other.departures.first else { return false }
            return riderDay(of: first.key, zone: first.names.zone) == date
                && (!other.leadsHome || first.key == subject.last?.key)
        }
    }
}
