internal import TransitModel

/// Which runs are followed at one moment: one subject for one run, and one departure of a commute at a time.
extension NotificationEngine {
    /// Returns the runs to evaluate, each with the position of its subject, in the order of the subjects.
    func followed(_ now: Instant) -> [(departure: WatchedDeparture, subject: Int)] {
        var seen: Set<DepartureKey> = []
        var runs: [(departure: WatchedDeparture, subject: Int)] = []
        for (position, subject) in subjects.enumerated() {
            for departure in followed(subject, now) where seen.insert(departure.key).inserted {
                runs.append((departure, position))
            }
        }
        return runs
    }

    private func followed(_ subject: WatchedSubject, _ now: Instant) -> [WatchedDeparture] {
        switch subject.kind {
        case .pinned, .usual: chain(subject, now)
        case .commute, .favorite: known(subject) + [choice(subject, now)].compactMap { $0 }
        }
    }

    /// A pinned or usual departure and, if it is canceled, the one that is watched instead.
    private func chain(_ subject: WatchedSubject, _ now: Instant) -> [WatchedDeparture] {
        guard let first = subject.departures.first, isArmed(first, now) else { return [] }
        var chain = [first]
        while chain.count < 6, let replacement = state.runs[chain[chain.count - 1].key]?.replacement,
            let next = subject.departures.first(where: { $0.key == replacement }), !chain.contains(next),
            !isOver(next, now)
        {
            chain.append(next)
        }
        // A trip that was taken is followed until the arrival.
        return chain + known(subject).filter { state.runs[$0.key]?.phase == .caught && !chain.contains($0) }
    }

    private func isArmed(_ departure: WatchedDeparture, _ now: Instant) -> Bool {
        departure.key.scheduled.advanced(by: -settings.rules.ahead) <= now
            && (state.runs[departure.key] != nil || !isOver(departure, now))
    }

    private func isOver(_ departure: WatchedDeparture, _ now: Instant) -> Bool {
        departure.observation.time.advanced(by: SubjectMachine.afterDeparture) < now
            || state.finished.contains(departure.key)
    }

    /// The runs of a subject that the user knows about.
    private func known(_ subject: WatchedSubject) -> [WatchedDeparture] {
        subject.departures.filter { departure in
            state.runs[departure.key].map { $0.isTold || $0.phase != .armed || !$0.withheld.isEmpty } ?? false
        }
    }

    /// The one departure of a commute or favorite that is watched next: the first that can still be caught.
    func choice(_ subject: WatchedSubject, _ now: Instant) -> WatchedDeparture? {
        if subject.kind == .commute {
            guard let window = subject.window, window.contains(now) else { return nil }
        }
        let window = window(of: subject, now)
        guard !window.isDone, subject.kind == .favorite || window.told < settings.rules.perWindow else { return nil }
        // The departure that the user was told to leave for is the one, until it is over.
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
            RunContext.timing(departure, in: subject, settings.rules).basis
        }
        return (basis(one), one.key.scheduled) < (basis(other), other.key.scheduled)
    }

    /// Whether a departure of the commute is pinned or usual and can still be caught, so that it is the one.
    private func isCovered(_ subject: WatchedSubject, _ now: Instant) -> Bool {
        guard subject.kind == .commute else { return false }
        return subjects.contains { other in
            guard other.kind == .pinned || other.kind == .usual, let first = other.departures.first,
                subject.departures.contains(where: { $0.key == first.key }), isArmed(first, now)
            else { return false }
            let chain = chain(other, now)
            return chain.contains { departure in
                // A canceled departure leads to the one that is watched instead.
                !isOver(departure, now)
                    && (state.runs[departure.key]?.leave != nil
                        || RunContext.timing(departure, in: other, settings.rules).canBeCaught(at: now))
            }
        }
    }

    private func isCandidate(_ departure: WatchedDeparture, _ subject: WatchedSubject, _ now: Instant) -> Bool {
        guard departure.observation.status != .departed, !isOver(departure, now) else { return false }
        if let memory = state.runs[departure.key] {
            guard memory.phase != .replaced, memory.phase != .caught, !memory.isLeaveMissed else { return false }
        }
        if subject.kind == .favorite {
            guard departure.key.scheduled.advanced(by: -settings.rules.ahead) <= now else { return false }
        } else if let window = subject.window {
            let margin = RunContext.margin(departure, in: subject, settings.rules)
            let leaveBy = departure.key.scheduled.advanced(by: -(subject.walk ?? 0) - margin)
            guard leaveBy <= window.upperBound else { return false }
        }
        return RunContext.timing(departure, in: subject, settings.rules).canBeCaught(at: now)
    }

    /// The moments at which departures of a subject are armed.
    func armingMoments(_ subject: WatchedSubject, after now: Instant) -> [Instant] {
        switch subject.kind {
        case .pinned, .usual:
            return subject.departures.prefix(1).map { $0.key.scheduled.advanced(by: -settings.rules.ahead) }
        case .commute:
            guard let window = subject.window else { return [] }
            return [window.lowerBound, window.upperBound.advanced(by: 1)]
        case .favorite:
            return subject.departures.map { $0.key.scheduled.advanced(by: -settings.rules.ahead) }
        }
    }

    /// The moments at which late departures can be caught after all, because the uncertainty became smaller.
    func catchableMoments(_ subject: WatchedSubject, after now: Instant) -> [Instant] {
        if let window = subject.window, !window.contains(now) { return [] }
        return subject.departures.compactMap { departure in
            guard DepartureTiming.reliable(departure.observation) != nil, !isOver(departure, now) else { return nil }
            let timing = RunContext.timing(departure, in: subject, settings.rules)
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
            start: start, end: subject.window?.upperBound ?? now.advanced(by: settings.rules.ahead), told: 0,
            isDone: false)
    }

    /// Counts a notice to leave for each commute that the departure serves. After a notice for a pinned or usual
    /// departure, the commute tells nothing more in its window.
    mutating func countLeave(_ departure: WatchedDeparture, of kind: SubjectKind, _ now: Instant) {
        for subject in subjects where subject.kind == .commute {
            guard subject.departures.contains(where: { $0.key == departure.key }),
                subject.window?.contains(now) ?? false
            else { continue }
            var window = window(of: subject, now)
            window.told += kind == .commute ? 1 : settings.rules.perWindow
            state.windows[windowName(subject)] = window
        }
    }
}
