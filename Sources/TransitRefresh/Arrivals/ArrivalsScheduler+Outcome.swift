public import TransitModel

extension ArrivalsScheduler {
    /// Completes a request. The outcome of an abandoned request is ignored.
    public mutating func complete(_ ticket: UInt64, _ outcome: ArrivalsOutcome, at now: ClockReading) {
        guard let request = requestsInFlight.removeValue(forKey: ticket) else { return }
        lastRequestEnd = now.boot
        updateHostHealth(request, outcome, now)
        recordOutcome(outcome)
        recordAttempt(request, outcome)
        if outcome == .answered { endPauses(with: request) }
        // The query may have been evicted in the meantime.
        guard var record = records[request.query], record.ticket == ticket else { return }
        record.ticket = nil
        record.lastAttempt = now.boot
        record.apply(
            outcome, limits, fraction: jitter.fraction(HostID(request.query.description), record.failures), now)
        records[request.query] = record
    }

    private mutating func recordOutcome(_ outcome: ArrivalsOutcome) {
        switch outcome {
        case .answered: (failures, lastFailure) = (0, nil)
        case .canceled: break
        case .failed, .unreadable:
            failures = min(failures + 1, 1 << 20)
            lastFailure = ArrivalsFailure(outcome)
        }
    }

    /// Records a failed attempt. The spacing of the next probe starts at this attempt.
    private mutating func recordAttempt(_ request: ArrivalsRequestInFlight, _ outcome: ArrivalsOutcome) {
        guard let host = request.host, let lastFailure = ArrivalsFailure(outcome) else { return }
        if case .refused = lastFailure { return }
        lastFailedAttempts[host] = max(lastFailedAttempts[host] ?? request.began, request.began)
        guard lastFailedAttempts.count > Self.maximumHosts else { return }
        lastFailedAttempts = lastFailedAttempts.filter { hosts[$0.key] != nil || $0.key == host }
    }

    /// Ends the pauses of queries that failed with the host, after a response to an early probe or to a query that had
    /// failed.
    private mutating func endPauses(with request: ArrivalsRequestInFlight) {
        guard let host = request.host, records[request.query]?.failures ?? 0 > 0 || request.isEarlyProbe else { return }
        for (query, record) in records where record.host == host && record.isFetchFailure {
            records[query]?.notBefore = nil
        }
    }

    /// Updates the health of the host. A host that sends any response is healthy.
    private mutating func updateHostHealth(
        _ request: ArrivalsRequestInFlight, _ outcome: ArrivalsOutcome, _ now: ClockReading
    ) {
        guard let host = request.host else { return }
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
            case .permanent: _ = circuit.succeed()
            case .transient, .overloaded:
                guard isOnline else { return }
                let fraction = jitter.fraction(host, circuit.record.pauses)
                _ = circuit.fail(
                    at: now, opensAtOnce: failure.kind == .overloaded, fraction: fraction,
                    isEarlyProbe: request.isEarlyProbe)
            }
        }
        // A host without failures needs no record.
        hosts[host] = circuit.record == HostRecord(host) ? nil : circuit.record
        guard hosts.count > Self.maximumHosts else { return }
        hosts = hosts.filter { HostCircuit($0.value).pauseEnd.map { $0 > now.boot } ?? false }
    }

    /// The maximum number of failing hosts to record, in addition to those that are paused.
    static let maximumHosts = 32

    /// Abandons requests that were never completed.
    mutating func abandonLostRequests(_ now: ClockReading) {
        for (ticket, request) in requestsInFlight
        where request.began.advanced(by: ArrivalsRequestInFlight.abandonTimeout) <= now.boot {
            complete(ticket, .failed(.timeout), at: now)
        }
    }
}

extension ArrivalsQueryState {
    fileprivate mutating func apply(
        _ outcome: ArrivalsOutcome, _ limits: ArrivalsPolicy, fraction: Double, _ now: ClockReading
    ) {
        if case .canceled = outcome {
            single = nil
            return
        }
        lastFailure = ArrivalsFailure(outcome)
        guard lastFailure != nil else {
            answered = now.boot
            (single, notBefore, failures) = (nil, nil, 0)
            return
        }
        failures = min(failures + 1, 1 << 20)
        let isTransient = outcome.isTransient
        // There is no point in waiting if no response is expected soon.
        if !isTransient { single = nil }
        if case .refused = lastFailure {
            notBefore = now.later(byMilliseconds: Int64(max(limits.refusalLifetime, limits.cooldown)) * 1000)
            return
        }
        let pause = RetryPolicy(isRealtime: true).pause(
            failures: failures, isPermanent: !isTransient, fraction: fraction)
        notBefore = now.later(byMilliseconds: pause)
    }
}

extension ArrivalsOutcome {
    /// Whether an early retry may help. If the host is overloaded, each query also waits longer.
    fileprivate var isTransient: Bool {
        guard case .failed(let failure, _) = self else { return false }
        return failure.kind == .transient || failure == .status(503)
    }
}

extension ArrivalsFailure {
    /// Returns `nil` if the outcome is not a failure.
    fileprivate init?(_ outcome: ArrivalsOutcome) {
        switch outcome {
        case .answered, .canceled: return nil
        case .unreadable(let reason): self = .unreadable(reason)
        case .failed(.status(let status), _) where status == 403 || status == 422: self = .refused(status: status)
        case .failed(let failure, _): self = .failed(failure)
        }
    }
}
