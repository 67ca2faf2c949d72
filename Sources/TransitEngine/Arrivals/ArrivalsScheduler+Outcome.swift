public import TransitModel

extension ArrivalsScheduler {
    /// A request has ended. One that was given up already is left out.
    public mutating func end(_ ticket: UInt64, _ outcome: ArrivalsOutcome, at now: ClockReading) {
        guard let flight = flights.removeValue(forKey: ticket) else { return }
        lastEnded = now.boot
        updateHostHealth(flight, outcome, now)
        note(outcome)
        recordAttempt(flight, outcome)
        if outcome == .answered { endPauses(with: flight) }
        // It may have been forgotten meanwhile.
        guard var record = records[flight.query], record.ticket == ticket else { return }
        record.ticket = nil
        record.asked = now.boot
        record.take(outcome, limits, fraction: jitter.fraction(HostID(flight.query.description), record.failures), now)
        records[flight.query] = record
    }

    private mutating func note(_ outcome: ArrivalsOutcome) {
        switch outcome {
        case .answered: (failures, trouble) = (0, nil)
        case .canceled: break
        case .failed, .unreadable:
            failures = min(failures + 1, 1 << 20)
            trouble = ArrivalsFailure(outcome)
        }
    }

    /// Records the failed attempt from which the next probe is spaced.
    private mutating func recordAttempt(_ flight: ArrivalsRequestInFlight, _ outcome: ArrivalsOutcome) {
        guard let host = flight.host, let trouble = ArrivalsFailure(outcome) else { return }
        if case .refused = trouble { return }
        lastFailedAttempts[host] = max(lastFailedAttempts[host] ?? flight.began, flight.began)
        guard lastFailedAttempts.count > Self.maximumHosts else { return }
        lastFailedAttempts = lastFailedAttempts.filter { hosts[$0.key] != nil || $0.key == host }
    }

    /// Ends the pauses of queries that failed with the host, after an early probe or a query that failed before got an
    /// answer.
    private mutating func endPauses(with flight: ArrivalsRequestInFlight) {
        guard let host = flight.host, records[flight.query]?.failures ?? 0 > 0 || flight.isEarlyProbe else { return }
        for (query, record) in records where record.host == host && record.isPassing { records[query]?.notBefore = nil }
    }

    /// What the outcome says about the host: who answers, whatever it is, is well.
    private mutating func updateHostHealth(
        _ flight: ArrivalsRequestInFlight, _ outcome: ArrivalsOutcome, _ now: ClockReading
    ) {
        guard let host = flight.host else { return }
        var circuit = HostCircuit(hosts[host] ?? HostRecord(host))
        switch outcome {
        case .canceled: return
        case .answered, .unreadable: _ = circuit.succeed()
        case .failed(let failure, let retryAfter):
            if failure.kind == .overloaded, let seconds = retryAfter.flatMap({ RetryAfter.seconds($0, now: now.wall) })
            {
                circuit.wait(seconds: seconds, from: now)
            }
            switch failure.kind {
            case .local: return
            case .lasting: _ = circuit.succeed()
            case .transient, .overloaded:
                guard isOnline else { return }
                let fraction = jitter.fraction(host, circuit.record.pauses)
                _ = circuit.fail(
                    at: now, opensAtOnce: failure.kind == .overloaded, fraction: fraction,
                    isEarlyProbe: flight.isEarlyProbe)
            }
        }
        // Of most hosts there is nothing to remember.
        hosts[host] = circuit.record == HostRecord(host) ? nil : circuit.record
        guard hosts.count > Self.maximumHosts else { return }
        hosts = hosts.filter { HostCircuit($0.value).opens.map { $0 > now.boot } ?? false }
    }

    /// So many hosts in trouble are remembered, besides those that must not be asked now.
    static let maximumHosts = 32

    /// Requests that nobody ended: whoever carried them out has lost them.
    mutating func abandonLostRequests(_ now: ClockReading) {
        for (ticket, flight) in flights
        where flight.began.advanced(by: ArrivalsRequestInFlight.longest) <= now.boot {
            end(ticket, .failed(.timeout), at: now)
        }
    }
}

extension ArrivalsQueryState {
    fileprivate mutating func take(
        _ outcome: ArrivalsOutcome, _ limits: ArrivalsPolicy, fraction: Double, _ now: ClockReading
    ) {
        if case .canceled = outcome {
            once = nil
            return
        }
        trouble = ArrivalsFailure(outcome)
        guard trouble != nil else {
            answered = now.boot
            (once, notBefore, failures) = (nil, nil, 0)
            return
        }
        failures = min(failures + 1, 1 << 20)
        let isTransient = outcome.isTransient
        // Who waits for what does not come soon waits in vain.
        if !isTransient { once = nil }
        if case .refused = trouble {
            notBefore = now.later(byMilliseconds: Int64(max(limits.refusalLifetime, limits.cooldown)) * 1000)
            return
        }
        let pause = RetryPolicy(isLive: true).pause(failures: failures, lasts: !isTransient, fraction: fraction)
        notBefore = now.later(byMilliseconds: pause)
    }
}

extension ArrivalsOutcome {
    /// Whether trying again soon may help. Where the host has too much to do, each question is left alone for long, too.
    fileprivate var isTransient: Bool {
        guard case .failed(let failure, _) = self else { return false }
        return failure.kind == .transient || failure == .status(503)
    }
}

extension ArrivalsFailure {
    /// `nil` for what is no trouble.
    fileprivate init?(_ outcome: ArrivalsOutcome) {
        switch outcome {
        case .answered, .canceled: return nil
        case .unreadable(let reason): self = .unreadable(reason)
        case .failed(.status(let status), _) where status == 403 || status == 422: self = .refused(status: status)
        case .failed(let failure, _): self = .failed(failure)
        }
    }
}
