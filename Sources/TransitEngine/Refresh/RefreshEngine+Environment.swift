internal import TransitModel

// What happens around the engine: clocks, suspend, the network, another configuration.
extension RefreshEngine {
    /// A wall clock that moves by more against the other clock was set, in milliseconds. Whole seconds make it tremble by one.
    private static let jump: Int64 = 5000
    /// Whoever wakes so many seconds after the time has slept.
    private static let wakeTolerance = 3

    /// Finds out whether the machine slept, or its clock was set.
    mutating func checkClocks(_ now: ClockReading) {
        let jumped = now.offset - seen.offset
        if abs(jumped) > Self.jump {
            effects.append(.notice(.clockJumped(seconds: Int(clamping: jumped / 1000))))
            catchUpAll(from: now.boot, now)
        } else if let wake, now.boot > wake.advanced(by: Self.wakeTolerance) {
            catchUpAll(from: now.boot, now)
        }
        seen = now
    }

    /// What is overdue comes one by one, whatever made it so.
    mutating func catchUpAll(from start: BootTime, _ now: ClockReading) {
        catchUp.clear()
        catchUp(Array(configuration.datasets.keys), from: start, now)
    }

    /// The same for some of them. Files and the demo city can be asked all at once.
    mutating func catchUp(_ datasets: [DatasetID], from start: BootTime, _ now: ClockReading) {
        if faults.contains(.noCatchUp) { return }
        let spacing = configuration.limits.catchUpSpacing
        // Also what becomes due while the others have their turn.
        let end = start.advanced(by: datasets.count * spacing)
        let overdue = datasets.filter { id in
            requests[id] == nil && readiness(id, now).at.map { $0 <= end } ?? true
        }
        catchUp.plan(
            overdue.filter(isRemote).sorted(), from: start, spacing: spacing, jitter: jitter, key: meteredKey)
        catchUp.plan(overdue.filter { !isRemote($0) }.sorted(), from: start, spacing: 0, jitter: jitter)
    }

    private func isRemote(_ id: DatasetID) -> Bool { configuration.datasets[id]?.source.host != nil }

    /// The key whose budget pays for a dataset, if the budget has limits.
    private func meteredKey(_ id: DatasetID) -> KeyName? {
        configuration.datasets[id]?.source.key.flatMap { configuration.budgets[$0]?.limits.isEmpty == false ? $0 : nil }
    }

    mutating func setOnline(_ isOnline: Bool, _ now: ClockReading) {
        guard isOnline != self.isOnline else { return }
        self.isOnline = isOnline
        guard isOnline else { return }
        for (host, record) in hosts where record.pauses > 0 {
            var circuit = HostCircuit(record)
            circuit.reopen()
            hosts[host] = circuit.record
            saving.note(circuit.record)
        }
        // What failed without network failed for that reason.
        for (id, record) in datasets where record.consecutiveFailures > 1 && !record.isFailurePermanent {
            datasets[id]?.consecutiveFailures = 1
        }
        catchUpAll(from: now.boot, now)
    }

    /// What was rejected for its key, or could not be asked without one, is asked for again. The same holds for fetches that
    /// began with the former key and have not ended.
    mutating func clearRejection(of feed: FeedID) {
        for (id, flight) in flights where id.feed == feed && !flight.isHeld { flights[id]?.usesReplacedKey = true }
        for (id, record) in datasets where id.feed == feed && mayFailBecauseOfKey(record) {
            var record = record
            record.forgetFailures()
            datasets[id] = record
            saving.note(record)
        }
    }

    /// Whether another key may end the dataset's failures.
    func mayFailBecauseOfKey(_ record: DatasetRecord) -> Bool { record.isKeyRejected || hadNoResponse(record) }

    /// Whether the last try of a source that takes a key had no answer at all.
    private func hadNoResponse(_ record: DatasetRecord) -> Bool {
        guard configuration.datasets[record.id]?.source.isKeyed == true, record.consecutiveFailures > 0,
            let last = record.lastUpdate
        else { return false }
        return last.outcome == .failed && last.status == nil
    }

    mutating func configure(_ new: RefreshConfiguration, _ now: ClockReading) {
        let known = Set(configuration.datasets.keys)
        configuration = new
        reconcile(at: now)
        let added = new.datasets.keys.filter { !known.contains($0) && isRemote($0) }
        catchUp.plan(
            added.sorted(), from: now.boot, spacing: new.limits.catchUpSpacing, jitter: jitter, key: meteredKey)
    }

    /// Makes what is kept agree with the configuration: nothing stays of what it does not have any more.
    mutating func reconcile(at now: ClockReading) {
        let known = configuration.datasets
        for id in datasets.keys where known[id] == nil {
            datasets[id] = nil
            saving.forget(id)
        }
        for (id, flight) in flights where known[id] == nil && !flight.isCancelled {
            if flight.isHeld { abandon(id) } else { cancel(id, flight) }
        }
        for id in requests.keys where known[id] == nil { answer(id, .gone) }
        for id in called where known[id] == nil { called.remove(id) }
        recovering.formIntersection(known.keys)
        let feeds = Set(known.keys.map(\.feed))
        demand = demand.filter { feeds.contains($0.key) }
        facts = facts.filter { feeds.contains($0.key) }
        reconcileHosts()
        reconcileBooks()
    }

    private mutating func cancel(_ id: DatasetID, _ flight: FetchInFlight) {
        flights[id]?.isCancelled = true
        effects.append(.cancel(ticket: flight.order.ticket, id))
    }

    private mutating func reconcileHosts() {
        let known = Set(configuration.datasets.values.compactMap(\.source.host))
        for host in hosts.keys where !known.contains(host) {
            hosts[host] = nil
            saving.forget(host)
        }
        probes = probes.filter { known.contains($0.key) }
    }

    /// A key that is not in the configuration keeps its spends: it may come back before its window ends.
    private mutating func reconcileBooks() {
        for key in requestBudgets.keys {
            requestBudgets[key]?.setPolicy(configuration.budgets[key] ?? BudgetPolicy(key: key, limits: []))
        }
        for (key, policy) in configuration.budgets where requestBudgets[key] == nil {
            requestBudgets[key] = RequestBudget(policy)
        }
    }

    /// Calls of the run before this one, so that a restart does not shorten a spacing.
    mutating func rememberCalls(_ now: ClockReading) {
        for record in datasets.values {
            guard let source = configuration.datasets[record.id]?.source, let attempt = record.lastAttempt,
                now.age(of: attempt) < RequestHistory.memory || record.isInProgress
            else { continue }
            let length = record.isInProgress ? 0 : Int64(record.lastUpdate?.milliseconds ?? 0)
            let ended = record.isInProgress ? now.boot : min(now.boot, attempt.boot.advanced(byMilliseconds: length))
            calls.remember(source, endedAt: ended)
        }
    }

    /// Says once when a key's budget is spent, and once when it is not any more; lets go of spends that do not count.
    mutating func watchBudgets(_ now: ClockReading) {
        for (key, book) in requestBudgets {
            let free = book.earliest(.user, now: now.boot)
            if free > now.boot, exhausted.insert(key).inserted {
                effects.append(.notice(.budgetExhausted(key, until: now.wall(at: free))))
            } else if free <= now.boot, exhausted.remove(key) != nil {
                effects.append(.notice(.budgetAvailable(key)))
            }
            if !faults.contains(.budgetNotPruned), let end = requestBudgets[key]?.prune(at: now.boot) {
                saving.drop(key, before: end)
            }
        }
    }

    mutating func warnOfExpiry(_ now: ClockReading) {
        for (feed, facts) in facts {
            let id = DatasetID(feed, .static)
            guard let lastDate = facts.lastDate, var record = datasets[id] else { continue }
            let today = facts.zone.civil(at: now.wall).date
            guard let warning = ExpiryWarningSchedule.due(lastDate: lastDate, today: today, given: record.expiryWarning)
            else { continue }
            record.expiryWarning = warning
            datasets[id] = record
            saving.note(record)
            effects.append(.notice(.expiring(feed, warning)))
        }
    }

    /// When the next dataset is ready.
    func nextReady(_ now: ClockReading) -> BootTime {
        configuration.datasets.keys.compactMap { readiness($0, now).at }.min() ?? BootTime(milliseconds: .max)
    }

    /// When something happens next, if nothing is heard until then: an hour at most, for the wall clock may be set.
    ///
    /// - Parameter dataset: when the next dataset is ready.
    mutating func nextWake(_ now: ClockReading, dataset: BootTime) -> BootTime {
        var next = min(dataset, now.boot.advanced(by: 3600))
        for (feed, demand) in demand {
            guard let rise = demand.nextUrgencyIncrease(after: now.wall),
                configuration.datasets.keys.contains(where: {
                    $0.feed == feed && $0.kind.isRealtime
                })
            else { continue }
            next = min(next, now.boot(at: rise))
        }
        for flight in flights.values where !flight.isHeld { next = min(next, Self.check(flight)) }
        if saving.isIdle, !saving.isEmpty, let retry = saving.nextRetry { next = min(next, retry) }
        next = max(next, now.boot.advanced(byMilliseconds: 1))
        wake = next
        return next
    }
}
