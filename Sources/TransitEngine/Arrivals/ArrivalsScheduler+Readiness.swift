public import TransitModel

extension ArrivalsScheduler {
    /// When ``begin(at:budget:)`` has something to do again, if nothing happens before; `nil`: not by itself.
    public func wake(at now: ClockReading, budget: RequestBudget? = nil) -> BootTime? {
        let lost = flights.values.map { $0.began.advanced(by: ArrivalsRequestInFlight.longest) }.min()
        guard let opens = nextBatch(now), let (ready, _) = earliest(now, budget) else { return lost }
        let next = max(ready, opens)
        return lost.map { min($0, next) } ?? next
    }

    /// How a question stands; `nil` when it is not remembered.
    public func arrivalsStatus(of query: ArrivalsQueryID, at now: ClockReading, budget: RequestBudget? = nil)
        -> ArrivalsStatus?
    {
        guard let record = records[query] else { return nil }
        var readiness = restrained(record, record.wish(at: now.boot)?.priority ?? .user, now, budget)
        if let at = readiness.at { readiness.at = max(at, now.boot) }
        let isProbe = isProbe(record, at: now.boot)
        if isProbe, [.due, .busy, .inFlight].contains(readiness.reason) { readiness.reason = .circuitOpen }
        return ArrivalsStatus(
            age: record.answered.map { Int(clamping: max(0, $0.milliseconds(to: now.boot)) / 1000) },
            isFresh: record.isFresh(limits, at: now.boot), isInFlight: record.ticket != nil, next: readiness.at,
            reason: readiness.reason, trouble: record.trouble, failures: record.failures, isProbe: isProbe)
    }

    /// The questions that are remembered.
    public var queries: Set<ArrivalsQueryID> { Set(records.keys) }

    /// How all of them stand.
    public func summary(at now: ClockReading, budget: RequestBudget? = nil) -> ArrivalsSummary {
        let next = earliest(now, budget)
        return ArrivalsSummary(
            known: records.count, fresh: records.values.count { $0.isFresh(limits, at: now.boot) },
            failing: records.values.count { $0.failures > 0 }, lastAnswer: records.values.compactMap(\.answered).max(),
            lastRequested: records.values.compactMap(\.asked).max(), failures: failures, trouble: trouble,
            next: next.map { max($0.0, now.boot) },
            reason: next?.1 ?? (flights.isEmpty ? isOnline ? .idle : .offline : .inFlight))
    }

    /// The first moment at which a question that is wanted may be asked, whatever the batches.
    private func earliest(_ now: ClockReading, _ budget: RequestBudget?) -> (BootTime, DueReason)? {
        var earliest: (BootTime, DueReason)?
        for record in records.values {
            guard let readiness = readiness(record, now, budget), let at = readiness.at else { continue }
            if earliest.map({ at < $0.0 }) ?? true { earliest = (at, readiness.reason) }
        }
        return earliest
    }

    /// What may be asked now, the most urgent first, then who wished first.
    func ready(_ now: ClockReading, _ budget: RequestBudget?) -> [ArrivalsQueryID] {
        let ready = records.values.compactMap { record -> (ArrivalsQueryID, ArrivalsQueryState.Interest)? in
            guard let at = readiness(record, now, budget)?.at, at <= now.boot, let wish = record.wish(at: now.boot)
            else { return nil }
            return (record.query, wish)
        }
        return ready.sorted { left, right in
            if left.1.priority != right.1.priority { return left.1.priority > right.1.priority }
            return (left.1.number, left.0) < (right.1.number, right.0)
        }.map(\.0)
    }

    /// When the next batch may begin; `nil` when a request has to end first.
    ///
    /// What is under way ends before, and the spacing counts from there. A request that takes long holds back no more
    /// than its own place.
    func nextBatch(_ now: ClockReading) -> BootTime? {
        guard flights.count < limits.batch else { return nil }
        let spaced = [lastBegun, lastEnded].compactMap { $0?.advanced(byMilliseconds: Int64(limits.batchSpacing)) }
        let held = flights.values.map { $0.began.advanced(by: ArrivalsRequestInFlight.patience) }
        return (spaced + held).max() ?? now.boot
    }

    /// When a question may be asked; `nil` when nobody wants it.
    func readiness(_ record: ArrivalsQueryState, _ now: ClockReading, _ budget: RequestBudget?) -> Readiness? {
        guard let wish = record.wish(at: now.boot) else { return nil }
        return restrained(record, wish.priority, now, budget)
    }

    private func restrained(
        _ record: ArrivalsQueryState, _ priority: FetchPriority, _ now: ClockReading, _ budget: RequestBudget?
    ) -> Readiness {
        var readiness = Readiness(
            at: BootTime(milliseconds: .min), reason: .due, interval: limits.lifetime, priority: priority)
        if record.ticket != nil {
            readiness.block(.inFlight)
            return readiness
        }
        readiness.hold(until: record.answered?.advanced(by: record.lifetime(limits)), .fresh, now.boot)
        readiness.hold(until: record.asked?.advanced(by: limits.cooldown), .spacing, now.boot)
        let probe = probeMoment(record, budget, now)
        let pause = record.notBefore.map { record.isRefusal ? $0.boot : min($0.boot, probe ?? $0.boot) }
        readiness.hold(until: pause, record.isRefused ? .refused : .retrying, now.boot)
        readiness.hold(until: budget?.earliest(priority, now: now.boot), .budget, now.boot)
        restrain(&readiness, record.host, probe, now)
        return readiness
    }

    private func restrain(_ readiness: inout Readiness, _ host: HostID?, _ probe: BootTime?, _ now: ClockReading) {
        guard let host else { return }
        guard isOnline else { return readiness.block(.offline) }
        guard let record = hosts[host] else { return }
        readiness.hold(until: record.openUntil.map { min($0.boot, probe ?? $0.boot) }, .circuitOpen, now.boot)
        // `Retry-After` applies to every request.
        readiness.hold(until: record.retryAfter?.boot, .retryAfter, now.boot)
        // One request finds out whether the host is well again.
        let isProbed = HostCircuit(record).isHalfOpen && flights.values.contains { $0.host == host }
        if let at = readiness.at, at <= now.boot, isProbed { readiness.block(.busy) }
    }
}

// A request of a user does not wait for the end of a failing host's pause, as in the refresh engine: see
// ``PendingHostProbe``.
extension ArrivalsScheduler {
    /// Whether a query is held back because its host fails or because the query alone fails.
    func isFailing(_ record: ArrivalsQueryState, at now: BootTime) -> Bool {
        if !record.isRefusal, let pause = record.notBefore, pause.boot > now { return true }
        return record.host.flatMap { hosts[$0] }.map { HostCircuit($0).isOpen(at: now) } ?? false
    }

    /// Whether the query's next request, or its request under way, tests whether the host has recovered.
    private func isProbe(_ record: ArrivalsQueryState, at now: BootTime) -> Bool {
        let isHostDown = record.host.flatMap { hosts[$0] }.map { HostCircuit($0).isHalfOpen } ?? false
        let isEarly = record.ticket.flatMap { flights[$0] }?.isEarlyProbe ?? false
        return isHostDown || isEarly
    }

    /// When a query may be sent as the probe of its host; `nil` without a user's request or when there is nothing to
    /// test.
    private func probeMoment(_ record: ArrivalsQueryState, _ budget: RequestBudget?, _ now: ClockReading) -> BootTime? {
        guard let host = record.host, record.isUserRequest(at: now.boot), let spacing = budget.map(\.probeSpacing) ?? 0,
            let last = lastFailedAttempts[host]
        else { return nil }
        return last.advanced(by: max(spacing, probeSpacing))
    }
}

extension ArrivalsQueryState {
    /// Whether the upstream refused the query. It will refuse it again in a minute.
    var isRefusal: Bool { if case .refused = trouble { true } else { false } }

    /// Whether the last failure was one that affects other queries of the host as well.
    var isPassing: Bool { if case .failed = trouble { true } else { false } }

    /// Whether the last answer was that there is none to be had.
    fileprivate var isRefused: Bool {
        switch trouble {
        case .refused, .unreadable: true
        case .failed, nil: false
        }
    }
}
