public import TransitModel

/// The schedule of all datasets: a state machine that handles events and returns effects.
///
/// It performs no I/O. The daemon's service and the simulation both own an engine and carry out its effects, so the
/// engine that is simulated is the engine that runs in the daemon. The engine measures all waits in ``BootTime``, which
/// includes time in suspend and cannot be set. The wall clock matters only for local times and dates: the agency's
/// quiet hours, commute windows, a server's `Retry-After` date.
///
/// After each event the caller carries out the effects in order. A fetch starts only after the ledger has recorded it,
/// so that charged requests are not lost if the daemon is killed.
public struct RefreshEngine: Sendable {
    public internal(set) var configuration: RefreshConfiguration
    let boot: BootID
    let jitter: Jitter
    let faults: Faults

    // The contents of the ledger; charged requests are in the budgets.
    var datasets: [DatasetID: DatasetRecord]
    var hosts: [HostID: HostRecord]
    var requestBudgets: [KeyName: RequestBudget]

    // The state of this run.
    var fetchesInFlight: [DatasetID: FetchInFlight] = [:]
    var tickets: UInt64 = 0
    var requestHistory = RequestHistory()
    /// The datasets fetched in this run.
    var fetchedThisRun: Set<DatasetID> = []
    var requests: [DatasetID: PendingRequest] = [:]
    var catchUp = CatchUpSchedule()
    /// The pending early probes of failing hosts, which users' requests trigger.
    var probes: [HostID: PendingHostProbe] = [:]
    /// The datasets that failed with their host, which has recovered. Their pauses are over.
    var recovering: Set<DatasetID> = []
    var demand: [FeedID: Demand] = [:]
    var feedCalendar: [FeedID: FeedCalendarInfo] = [:]
    var isOnline = true
    /// Whether the engine is stopping and starts no fetch.
    var isStopping = false
    var saving: LedgerSaveState
    var steps: [PendingStep] = []
    /// The imports that begin when the ledger is saved, by dataset.
    var startingImports: [DatasetID: UInt64] = [:]
    /// The keys with an exhausted budget for which a notice was issued.
    private var exhaustedKeys: Set<KeyName> = []

    /// The last reading of the clocks.
    private var lastReading: ClockReading
    /// The last requested wake-up time.
    private var wake: BootTime?
    var effects: [RefreshEffect] = []

    /// Creates an engine that continues with the state from a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger as read from disk; empty on the first start.
    ///   - boot: The current boot.
    ///   - seed: The seed of this installation, which spreads the fetches.
    public init(
        configuration: RefreshConfiguration, ledger: RefreshLedger, boot: BootID, seed: UInt64, now: ClockReading
    ) {
        self.init(
            configuration: configuration, ledger: ledger, boot: boot, seed: seed, now: now, faults: [])
    }

    /// Creates an engine with deliberate faults for the simulation to find.
    package init(
        configuration: RefreshConfiguration, ledger: RefreshLedger, boot: BootID, seed: UInt64, now: ClockReading,
        faults: Faults
    ) {
        var converted = ledger.boot == boot ? ledger.validated(at: now) : ledger.converted(over: boot, to: now)
        self.configuration = configuration
        self.boot = boot
        self.faults = faults
        jitter = Jitter(seed: seed)
        datasets = converted.datasets
        hosts = converted.hosts
        let requestBudgets = RequestBudget.requestBudgets(configuration.budgets, converted.spends)
        converted.spends = requestBudgets.keys.sorted().flatMap { requestBudgets[$0]?.spends ?? [] }
        self.requestBudgets = requestBudgets
        lastReading = now
        saving = LedgerSaveState(ledger, boot: boot, spacing: configuration.limits.endpointSpacing, at: now)
        if ledger.boot != boot { saving.replaceAll(with: converted, at: now) }
        restoreRequestHistory(now)
        endOpenAttempts(at: now)
        reconcile(at: now)
        catchUpAll(from: saving.unrecordedRequestsBegin, now)
    }

    /// Handles an event.
    ///
    /// - Returns: The effects in order. The last one is always the time to send ``RefreshEvent/tick``.
    public mutating func handle(_ event: RefreshEvent, at now: ClockReading) -> [RefreshEffect] {
        checkClocks(now)
        apply(event, now)
        checkFetchesInFlight(now)
        watchBudgets(now)
        warnOfExpiry(now)
        let next = isStopping ? BootTime(milliseconds: .max) : startFetches(now)
        save(now)
        effects.append(.wake(at: nextWake(now, dataset: next ?? nextReady(now))))
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    private mutating func apply(_ event: RefreshEvent, _ now: ClockReading) {
        switch event {
        case .tick: break
        case .configured(let configuration): configure(configuration, now)
        case .feedCalendar(let feed, let feedCalendar): self.feedCalendar[feed] = feedCalendar
        case .demand(let feed, let demand): updateDemand(demand, of: feed, now)
        case .requestedWithoutTimetable(let feed): requestProbe(DatasetID(feed, .static), now)
        case .requested(let request): handleRequest(request, now)
        case .withdrawn(let id): withdraw(id)
        case .fetchEnded(let outcome): complete(outcome, now)
        case .contentLost(let id): recordLoss(of: id)
        case .step(let ticket, let id): step(ticket, id, now)
        case .importing(let ticket, let id, let isReading): recordImport(ticket, id, isReading: isReading)
        case .saved(let isSaved): handleSaveResult(isSaved, now)
        case .network(let isOnline): setOnline(isOnline, now)
        case .keyChanged(let feed): clearRejection(of: feed)
        case .resumed: catchUpAll(from: now.boot, now)
        case .stopping: stop()
        }
    }
}

extension RefreshEngine {
    /// Deliberate faults that the simulation must detect. Only its tests set them.
    package struct Faults: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// All fetches that are due after a resume start at once.
        package static let noCatchUp = Faults(rawValue: 1 << 0)
        /// Charged requests are not saved.
        package static let budgetNotSaved = Faults(rawValue: 1 << 1)
        /// Forced requests ignore `Retry-After` and the circuit breaker.
        package static let forceIgnoresLimits = Faults(rawValue: 1 << 2)
        /// A second request starts a second fetch.
        package static let noSharing = Faults(rawValue: 1 << 3)
        /// The full content is never fetched again.
        package static let alwaysConditional = Faults(rawValue: 1 << 4)
        /// A failed fetch counts as a success.
        package static let failureIsSuccess = Faults(rawValue: 1 << 5)
        /// The engine measures waits with the wall clock instead of the boot clock.
        package static let wallClock = Faults(rawValue: 1 << 6)
        /// Requests to an endpoint are not spaced.
        package static let noSpacing = Faults(rawValue: 1 << 7)
        /// Charged requests are never removed.
        package static let budgetNotPruned = Faults(rawValue: 1 << 8)
        /// User requests do not bring the probe of a failing host forward.
        package static let noProbes = Faults(rawValue: 1 << 9)
        /// User requests bring the probe forward without a minimum spacing.
        package static let probesNotSpaced = Faults(rawValue: 1 << 10)
        /// User requests bring the probe forward for a metered key in the same way as for any other key.
        package static let probesNotMetered = Faults(rawValue: 1 << 11)
        /// Datasets do not take turns: those whose names come first are fetched first.
        package static let noTurns = Faults(rawValue: 1 << 12)
        /// The requests with a key are not spread over the window of its budget.
        package static let noSpread = Faults(rawValue: 1 << 13)
        /// A timetable waits for its share of the budget, however long it has been due.
        package static let noStarvation = Faults(rawValue: 1 << 14)
        /// Any number of requests to one host are sent simultaneously.
        package static let noHostLimit = Faults(rawValue: 1 << 15)
    }
}

// The engine's environment: clocks, suspend, network and configuration.
extension RefreshEngine {
    /// The change of the wall clock relative to the boot clock, in milliseconds, above which the clock is considered to
    /// have been set. The wall clock is read in whole seconds, so readings vary by one second.
    private static let jump: Int64 = 5000
    /// The number of seconds after the requested wake-up time after which the machine is considered to have been
    /// suspended.
    private static let wakeTolerance = 3

    /// Detects that the machine was suspended or its clock was set.
    private mutating func checkClocks(_ now: ClockReading) {
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
    private mutating func catchUpAll(from start: BootTime, _ now: ClockReading) {
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
        catchUp.plan(overdue.filter { !isRemote($0) }.sorted(), from: now.boot, spacing: 0, jitter: jitter)
    }

    private func isRemote(_ id: DatasetID) -> Bool { configuration.datasets[id]?.source.host != nil }

    /// The key whose budget pays for a dataset, if the budget has limits.
    private func meteredKey(_ id: DatasetID) -> KeyName? {
        configuration.datasets[id]?.source.key.flatMap { configuration.budgets[$0]?.limits.isEmpty == false ? $0 : nil }
    }

    private mutating func setOnline(_ isOnline: Bool, _ now: ClockReading) {
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
    private mutating func clearRejection(of feed: FeedID) {
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

    private mutating func configure(_ new: RefreshConfiguration, _ now: ClockReading) {
        let known = Set(configuration.datasets.keys)
        configuration = new
        reconcile(at: now)
        let added = new.datasets.keys.filter { !known.contains($0) && isRemote($0) }
        catchUp.plan(
            added.sorted(), from: now.boot, spacing: new.limits.catchUpSpacing, jitter: jitter, key: meteredKey)
    }

    /// Removes the state of datasets, hosts and keys that are no longer configured, and ends fetches from former sources.
    private mutating func reconcile(at now: ClockReading) {
        let known = configuration.datasets
        for id in datasets.keys where known[id] == nil {
            datasets[id] = nil
            saving.stageRemoval(of: id)
        }
        for (id, pendingFetch) in fetchesInFlight
        where !isFromConfiguredSource(pendingFetch) && !pendingFetch.isCancelled {
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
    private mutating func restoreRequestHistory(_ now: ClockReading) {
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
    private mutating func watchBudgets(_ now: ClockReading) {
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

    private mutating func warnOfExpiry(_ now: ClockReading) {
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
    private func nextReady(_ now: ClockReading) -> BootTime {
        configuration.datasets.keys.compactMap { readiness($0, now).at }.min() ?? BootTime(milliseconds: .max)
    }

    /// Returns the time of the next action if no event happens before. The time is at most an hour away, because the
    /// wall clock can be set.
    ///
    /// - Parameter dataset: The time at which the next dataset is ready.
    private mutating func nextWake(_ now: ClockReading, dataset: BootTime) -> BootTime {
        var next = min(dataset, now.boot.advanced(by: 3600))
        for (feed, demand) in demand {
            guard let rise = demand.nextRise(after: now.wall),
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
