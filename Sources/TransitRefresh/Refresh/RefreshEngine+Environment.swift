internal import TransitModel

// The engine's environment: clocks, suspend, network and configuration.
extension RefreshEngine {
    /// The change of the wall clock relative to the boot clock, in milliseconds, above which the clock is considered to
    /// have been set. The wall clock is read in whole seconds, so readings vary by one second.
    private static let jump: Int64 = 5000
    /// The number of seconds after the requested wake-up time after which the machine is considered to have been
    /// suspended.
    private static let wakeTolerance = 3

    /// Detects that the machine was suspended or its clock was set.
    mutating func checkClocks(_ now: ClockReading) {
        let jumped = now.offset - lastReading.offset
        if abs(jumped) > Self.jump {
            effects.append(.notice(.clockJumped(seconds: Int(clamping: jumped / 1000))))
            catchUpAll(from: now.boot, now)
        } else if let wake, now.boot > wake.advanced(by: Self.wakeTolerance) {
            catchUpAll(from: now.boot, now)
        }
        lastReading = now
    }

    /// Spreads out all overdue fetches.
    mutating func catchUpAll(from start: BootTime, _ now: ClockReading) {
        catchUp.clear()
        catchUp(Array(configuration.datasets.keys), from: start, now)
    }

    /// Spreads out the overdue fetches of some datasets. Local files and the demo city are all fetched at once.
    mutating func catchUp(_ datasets: [DatasetID], from start: BootTime, _ now: ClockReading) {
        if faults.contains(.noCatchUp) { return }
        let spacing = configuration.limits.catchUpSpacing
        // The overdue datasets include those that become due during the catch-up.
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
            saving.stage(circuit.record)
        }
        // Failures while the network is unavailable do not count against the sources.
        for (id, record) in datasets where record.consecutiveFailures > 1 && !record.isFailurePermanent {
            datasets[id]?.consecutiveFailures = 1
        }
        catchUpAll(from: now.boot, now)
    }

    /// Allows new fetches of the datasets of a feed that failed because of its key. A fetch that began with the
    /// previous key and has not ended is treated in the same way.
    mutating func clearRejection(of feed: FeedID) {
        for (id, pendingFetch) in fetchesInFlight where id.feed == feed && !pendingFetch.isHeld {
            fetchesInFlight[id]?.usesReplacedKey = true
        }
        for (id, record) in datasets where id.feed == feed && mayFailBecauseOfKey(record) {
            var record = record
            record.forgetFailures()
            datasets[id] = record
            saving.stage(record)
        }
    }

    /// Whether the dataset's failures may end with a new key.
    func mayFailBecauseOfKey(_ record: DatasetRecord) -> Bool { record.isKeyRejected || hadNoResponse(record) }

    /// Whether the last request to a source with a key received no response at all.
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

    /// Removes the state of datasets, hosts and keys that are no longer configured.
    mutating func reconcile(at now: ClockReading) {
        let known = configuration.datasets
        for id in datasets.keys where known[id] == nil {
            datasets[id] = nil
            saving.stageRemoval(of: id)
        }
        for (id, pendingFetch) in fetchesInFlight where known[id] == nil && !pendingFetch.isCancelled {
            if pendingFetch.isHeld { abandon(id) } else { cancel(id, pendingFetch) }
        }
        for id in requests.keys where known[id] == nil { answer(id, .removed) }
        for id in fetchedThisRun where known[id] == nil { fetchedThisRun.remove(id) }
        recovering.formIntersection(known.keys)
        let feeds = Set(known.keys.map(\.feed))
        demand = demand.filter { feeds.contains($0.key) }
        feedCalendar = feedCalendar.filter { feeds.contains($0.key) }
        reconcileHosts()
        reconcileBudgets()
    }

    private mutating func cancel(_ id: DatasetID, _ pendingFetch: FetchInFlight) {
        fetchesInFlight[id]?.isCancelled = true
        effects.append(.cancel(ticket: pendingFetch.order.ticket, id))
    }

    private mutating func reconcileHosts() {
        let known = Set(configuration.datasets.values.compactMap(\.source.host))
        for host in hosts.keys where !known.contains(host) {
            hosts[host] = nil
            saving.stageRemoval(of: host)
        }
        probes = probes.filter { known.contains($0.key) }
    }

    /// Applies the configured budgets. A key that is no longer configured keeps its charged requests, because it may be
    /// configured again before its window ends.
    private mutating func reconcileBudgets() {
        for key in requestBudgets.keys {
            requestBudgets[key]?.setPolicy(configuration.budgets[key] ?? BudgetPolicy(key: key, limits: []))
        }
        for (key, policy) in configuration.budgets where requestBudgets[key] == nil {
            requestBudgets[key] = RequestBudget(policy)
        }
    }

    /// Records the requests of the previous run, so that a restart does not shorten a spacing.
    mutating func restoreRequestHistory(_ now: ClockReading) {
        for record in datasets.values {
            guard let source = configuration.datasets[record.id]?.source, let attempt = record.lastAttempt,
                now.age(of: attempt) < RequestHistory.memory || record.isInProgress
            else { continue }
            let length = record.isInProgress ? 0 : Int64(record.lastUpdate?.milliseconds ?? 0)
            let ended = record.isInProgress ? now.boot : min(now.boot, attempt.boot.advanced(byMilliseconds: length))
            requestHistory.record(source, endedAt: ended)
        }
    }

    /// Issues a notice when a key's budget is exhausted, and another when it is available again. Removes expired
    /// charges.
    mutating func watchBudgets(_ now: ClockReading) {
        for (key, budget) in requestBudgets {
            let free = budget.earliest(.user, now: now.boot)
            if free > now.boot, exhaustedKeys.insert(key).inserted {
                effects.append(.notice(.budgetExhausted(key, until: now.wall(at: free))))
            } else if free <= now.boot, exhaustedKeys.remove(key) != nil {
                effects.append(.notice(.budgetAvailable(key)))
            }
            if !faults.contains(.budgetNotPruned), let end = requestBudgets[key]?.prune(at: now.boot) {
                saving.drop(key, before: end)
            }
        }
    }

    mutating func warnOfExpiry(_ now: ClockReading) {
        for (feed, feedCalendar) in feedCalendar {
            let id = DatasetID(feed, .static)
            guard let lastDate = feedCalendar.lastDate, var record = datasets[id] else { continue }
            let today = feedCalendar.zone.civil(at: now.wall).date
            guard let warning = ExpiryWarningSchedule.due(lastDate: lastDate, today: today, given: record.expiryWarning)
            else { continue }
            record.expiryWarning = warning
            datasets[id] = record
            saving.stage(record)
            effects.append(.notice(.expiring(feed, warning)))
        }
    }

    /// Returns the time at which the next dataset is ready.
    func nextReady(_ now: ClockReading) -> BootTime {
        configuration.datasets.keys.compactMap { readiness($0, now).at }.min() ?? BootTime(milliseconds: .max)
    }

    /// Returns the time of the next action if no event happens before. The time is at most an hour away, because the
    /// wall clock can be set.
    ///
    /// - Parameter dataset: The time at which the next dataset is ready.
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
        for pendingFetch in fetchesInFlight.values where !pendingFetch.isHeld {
            next = min(next, Self.check(pendingFetch))
        }
        if saving.isIdle, !saving.isEmpty, let retry = saving.nextRetry { next = min(next, retry) }
        next = max(next, now.boot.advanced(byMilliseconds: 1))
        wake = next
        return next
    }
}
