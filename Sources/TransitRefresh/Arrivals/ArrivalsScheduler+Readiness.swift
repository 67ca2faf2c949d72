public import TransitModel

extension ArrivalsScheduler {
    /// Returns the time of the next call to ``startBatch(at:budget:)`` if no event happens before; `nil` if there is
    /// none.
    public func nextWake(at now: ClockReading, budget: RequestBudget? = nil) -> BootTime? {
        let abandonTime = requestsInFlight.values.map { $0.began.advanced(by: ArrivalsRequestInFlight.abandonTimeout) }
            .min()
        guard let opens = nextBatchStart(now), let (ready, _) = earliest(now, budget) else { return abandonTime }
        let next = max(ready, opens)
        return abandonTime.map { min($0, next) } ?? next
    }

    /// Returns the status of a query; `nil` if the query is unknown.
    public func arrivalsStatus(of query: ArrivalsQueryID, at now: ClockReading, budget: RequestBudget? = nil)
        -> ArrivalsStatus?
    {
        guard let record = records[query] else { return nil }
        var readiness = constrained(record, record.demand(at: now.boot)?.priority ?? .user, now, budget)
        if let at = readiness.at { readiness.at = max(at, now.boot) }
        let isProbe = isProbe(record, at: now.boot)
        if isProbe, [.due, .busy, .inFlight].contains(readiness.reason) { readiness.reason = .circuitOpen }
        return ArrivalsStatus(
            age: record.answered.map { Int(clamping: max(0, $0.milliseconds(to: now.boot)) / 1000) },
            isFresh: record.isFresh(limits, at: now.boot), isInFlight: record.ticket != nil, next: readiness.at,
            reason: readiness.reason, hold: readiness.reason == .budget ? readiness.hold : nil,
            lastFailure: record.lastFailure, failures: record.failures, isProbe: isProbe)
    }

    /// The known queries.
    public var queries: Set<ArrivalsQueryID> { Set(records.keys) }

    /// Returns the status of all queries.
    public func summary(at now: ClockReading, budget: RequestBudget? = nil) -> ArrivalsSummary {
        let next = earliest(now, budget)
        return ArrivalsSummary(
            known: records.count, fresh: records.values.count { $0.isFresh(limits, at: now.boot) },
            failing: records.values.count { $0.failures > 0 }, lastAnswer: records.values.compactMap(\.answered).max(),
            lastRequested: records.values.compactMap(\.lastAttempt).max(), failures: failures, lastFailure: lastFailure,
            next: next.map { max($0.0, now.boot) },
            reason: next?.1 ?? (requestsInFlight.isEmpty ? isOnline ? .idle : .offline : .inFlight))
    }

    /// Returns the earliest time at which a requested query may be sent, regardless of batches.
    private func earliest(_ now: ClockReading, _ budget: RequestBudget?) -> (BootTime, DueReason)? {
        var earliest: (BootTime, DueReason)?
        for record in records.values {
            guard let readiness = readiness(record, now, budget), let at = readiness.at else { continue }
            if earliest.map({ at < $0.0 }) ?? true { earliest = (at, readiness.reason) }
        }
        return earliest
    }

    /// Returns the queries that may be sent now, by priority and then in the order of demand.
    func ready(_ now: ClockReading, _ budget: RequestBudget?) -> [ArrivalsQueryID] {
        let ready = records.values.compactMap { record -> (ArrivalsQueryID, ArrivalsQueryState.Interest)? in
            guard let at = readiness(record, now, budget)?.at, at <= now.boot, let demand = record.demand(at: now.boot)
            else { return nil }
            return (record.query, demand)
        }
        return ready.sorted { left, right in
            if left.1.priority != right.1.priority { return left.1.priority > right.1.priority }
            return (left.1.number, left.0) < (right.1.number, right.0)
        }.map(\.0)
    }

    /// Returns the time at which the next batch may start; `nil` if a request must end first.
    ///
    /// A batch normally starts after all requests have ended, and the spacing is measured from the end of the last
    /// request. A slow request only occupies its own place in the batch.
    func nextBatchStart(_ now: ClockReading) -> BootTime? {
        guard requestsInFlight.count < limits.batch else { return nil }
        let spaced = [lastBatchStart, lastRequestEnd].compactMap {
            $0?.advanced(byMilliseconds: Int64(limits.batchSpacing))
        }
        let held = requestsInFlight.values.map { $0.began.advanced(by: ArrivalsRequestInFlight.slowThreshold) }
        return (spaced + held).max() ?? now.boot
    }

    /// Returns the time at which a query may be sent; `nil` without demand.
    func readiness(_ record: ArrivalsQueryState, _ now: ClockReading, _ budget: RequestBudget?) -> Readiness? {
        guard let demand = record.demand(at: now.boot) else { return nil }
        return constrained(record, demand.priority, now, budget)
    }

    private func constrained(
        _ record: ArrivalsQueryState, _ priority: FetchPriority, _ now: ClockReading, _ budget: RequestBudget?
    ) -> Readiness {
        var readiness = Readiness(
            at: BootTime(milliseconds: .min), reason: .due, interval: limits.lifetime, priority: priority)
        if record.ticket != nil {
            readiness.block(.inFlight)
            return readiness
        }
        readiness.hold(until: record.answered?.advanced(by: record.lifetime(limits)), .fresh, now.boot)
        readiness.hold(until: record.lastAttempt?.advanced(by: limits.cooldown), .spacing, now.boot)
        let probe = probeMoment(record, budget, now)
        let pause = record.notBefore.map { record.wasRejected ? $0.boot : min($0.boot, probe ?? $0.boot) }
        readiness.hold(until: pause, record.isRefused ? .refused : .retrying, now.boot)
        if let slot = budget?.slot(priority, now: now.boot) {
            readiness.hold(until: slot.at, .budget, now.boot)
            readiness.hold = slot.hold
        }
        constrain(&readiness, record.host, probe, now)
        return readiness
    }

    private func constrain(_ readiness: inout Readiness, _ host: HostID?, _ probe: BootTime?, _ now: ClockReading) {
        guard let host else { return }
        guard isOnline else { return readiness.block(.offline) }
        guard let record = hosts[host] else { return }
        readiness.hold(until: record.openUntil.map { min($0.boot, probe ?? $0.boot) }, .circuitOpen, now.boot)
        // `Retry-After` applies to every request.
        readiness.hold(until: record.retryAfter?.boot, .retryAfter, now.boot)
        // A single request tests whether the host has recovered.
        let isProbed = HostCircuit(record).isHalfOpen && requestsInFlight.values.contains { $0.host == host }
        if let at = readiness.at, at <= now.boot, isProbed { readiness.block(.busy) }
    }
}

// As in the refresh engine, a user's request does not wait for the end of a failing host's pause: see
// ``PendingHostProbe``.
extension ArrivalsScheduler {
    /// Whether a query is delayed because its host is failing or because the query alone is failing.
    func isFailing(_ record: ArrivalsQueryState, at now: BootTime) -> Bool {
        if !record.wasRejected, let pause = record.notBefore, pause.boot > now { return true }
        return record.host.flatMap { hosts[$0] }.map { HostCircuit($0).isOpen(at: now) } ?? false
    }

    /// Whether the query's next request, or its request in flight, tests whether the host has recovered.
    private func isProbe(_ record: ArrivalsQueryState, at now: BootTime) -> Bool {
        let isHostDown = record.host.flatMap { hosts[$0] }.map { HostCircuit($0).isHalfOpen } ?? false
        let isEarly = record.ticket.flatMap { requestsInFlight[$0] }?.isEarlyProbe ?? false
        return isHostDown || isEarly
    }

    /// Returns the time at which a query may be sent as the probe of its host; `nil` if no user requested the query, or
    /// if no request to the host has failed.
    private func probeMoment(_ record: ArrivalsQueryState, _ budget: RequestBudget?, _ now: ClockReading) -> BootTime? {
        guard let host = record.host, record.isUserRequest(at: now.boot), let spacing = budget.map(\.probeSpacing) ?? 0,
            let last = lastFailedAttempts[host]
        else { return nil }
        return last.advanced(by: max(spacing, probeSpacing))
    }
}

extension ArrivalsQueryState {
    /// Whether the upstream rejected the query and would reject it again.
    var wasRejected: Bool { if case .refused = lastFailure { true } else { false } }

    /// Whether the last failure also affects other queries to the host.
    var isFetchFailure: Bool { if case .failed = lastFailure { true } else { false } }

    /// Whether the last response was a rejection or could not be parsed.
    fileprivate var isRefused: Bool {
        switch lastFailure {
        case .refused, .unreadable: true
        case .failed, nil: false
        }
    }
}
