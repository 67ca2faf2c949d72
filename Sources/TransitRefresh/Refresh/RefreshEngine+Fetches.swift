package import TransitModel

extension RefreshEngine {
    /// Starts the permitted fetches in order of importance.
    ///
    /// - Returns: The time at which the next dataset is ready; `nil` if it must be computed again.
    mutating func startFetches(_ now: ClockReading) -> BootTime? {
        var ready: [(DatasetID, Readiness)] = []
        var next = BootTime(milliseconds: .max)
        for id in configuration.datasets.keys {
            let readiness = readiness(id, now)
            guard let at = readiness.at else { continue }
            if at <= now.boot { ready.append((id, readiness)) } else { next = min(next, at) }
        }
        for id in sorted(ready, now) {
            // The fetches that were just ordered may block this dataset.
            let readiness = readiness(id, now)
            guard let at = readiness.at, at <= now.boot else { continue }
            orderFetch(id, readiness.priority, now)
        }
        let isUnchanged = ready.isEmpty && requests.isEmpty
        answerLongWaits(now)
        return isUnchanged ? next : nil
    }

    /// The age in seconds above which a dataset comes before more important kinds of the same priority.
    private static func neglected(_ interval: Int) -> Int { max(1, min(interval * 10, interval + 600)) }

    /// Sorts datasets by priority, then by kind, then by turns: the dataset whose last request is the oldest comes
    /// first, so that feeds share a key or a host equally. Neglected datasets come first within their priority, the
    /// longest overdue first. A late timetable comes before realtime data, because it takes one request in many hours.
    /// A failing host is probed with each of its datasets in turn, because one endpoint may fail for longer than the
    /// other endpoints.
    private func sorted(_ ready: [(DatasetID, Readiness)], _ now: ClockReading) -> [DatasetID] {
        guard ready.count > 1 else { return ready.map(\.0) }
        let ranks = ready.map { id, readiness -> (id: DatasetID, priority: FetchPriority, rank: (Double, Int, Int64)) in
            let attempt = faults.contains(.noTurns) ? 0 : datasets[id]?.lastAttempt?.boot.milliseconds ?? .min
            let isLateTimetable = readiness.turn != nil || readiness.isStarved && id.kind == .static
            let neglect = isLateTimetable ? .infinity : neglect(of: id, readiness.interval, now)
            return (id, readiness.rank, (-neglect, id.kind.rank, attempt))
        }
        return ranks.sorted { left, right in
            if left.priority != right.priority { return left.priority > right.priority }
            return left.rank == right.rank ? left.id < right.id : left.rank < right.rank
        }.map(\.id)
    }

    /// Returns the age of a dataset as a multiple of the age above which it is neglected, at least 1.
    func neglect(of id: DatasetID, _ interval: Int, _ now: ClockReading) -> Double {
        guard let record = datasets[id] else { return .infinity }
        let host = configuration.datasets[id]?.source.host.flatMap { hosts[$0] }
        if let host, HostCircuit(host).isHalfOpen, let attempt = record.lastAttempt {
            return max(1, Double(now.age(of: attempt)) / Double(PendingHostProbe.spacing))
        }
        return record.age(at: now).map { max(1, Double($0) / Double(Self.neglected(interval))) } ?? .infinity
    }

    private mutating func orderFetch(_ id: DatasetID, _ priority: FetchPriority, _ now: ClockReading) {
        guard let dataset = configuration.datasets[id] else { return }
        tickets &+= 1
        var record = datasets[id] ?? DatasetRecord(id)
        if !record.isFrom(dataset.source.endpoint) { record.forgetContent() }
        record.source = dataset.source.endpoint
        let isWhole = requests[id]?.isWhole == true || record.needsFullContent(dataset.policy, at: now)
        let asksWhole = isWhole && !faults.contains(.alwaysConditional)
        let order = DatasetFetch(
            ticket: tickets, dataset: id, source: dataset.source,
            validators: asksWhole || record.validators.isEmpty ? nil : record.validators,
            deadline: dataset.policy.deadline, bodyLimit: dataset.policy.bodyLimit, priority: priority)
        record.lastAttempt = now
        record.isInProgress = true
        datasets[id] = record
        saving.stage(record)
        let spend = dataset.source.key.flatMap { requestBudgets[$0] == nil ? nil : $0 }.map { key in
            BudgetSpend(key: key, dataset: id, priority: priority, at: now)
        }
        if let spend { self.spend(spend) }
        fetchesInFlight[id] = FetchInFlight(
            order: order, began: now, charges: spend.map { [$0] } ?? [], isHeld: true,
            isEarlyProbe: beginsEarlyProbe(id, dataset.source, now))
        recovering.remove(id)
        requestHistory.recordStart(of: dataset.source, at: now.boot)
        fetchedThisRun.insert(id)
        catchUp.remove(id)
        if saving.isSaveFailing, spend == nil { release(id) }
    }

    mutating func spend(_ spend: BudgetSpend) {
        requestBudgets[spend.key]?.spend(spend)
        if !faults.contains(.budgetNotSaved) { saving.stage(spend) }
    }

    /// Starts a fetch that was waiting for the ledger to be saved.
    mutating func release(_ id: DatasetID) {
        guard var pendingFetch = fetchesInFlight[id], pendingFetch.isHeld else { return }
        pendingFetch.isHeld = false
        fetchesInFlight[id] = pendingFetch
        effects.append(.fetch(pendingFetch.order))
    }

    /// Drops a fetch that was not started.
    mutating func abandon(_ id: DatasetID) {
        guard let pendingFetch = fetchesInFlight.removeValue(forKey: id), pendingFetch.isHeld else { return }
        for spend in pendingFetch.charges {
            requestBudgets[spend.key]?.refund(spend)
            saving.refund(spend)
        }
        fetchedThisRun.remove(id)
        datasets[id]?.isInProgress = false
        if let record = datasets[id] { saving.stage(record) }
    }

    /// Cancels overdue fetches, and abandons canceled fetches that do not end.
    mutating func checkFetchesInFlight(_ now: ClockReading) {
        for (id, pendingFetch) in fetchesInFlight where !pendingFetch.isHeld {
            guard now.boot >= Self.overdue(pendingFetch) else { continue }
            if !pendingFetch.isCancelled {
                fetchesInFlight[id]?.isCancelled = true
                effects.append(.cancel(ticket: pendingFetch.order.ticket, id))
            } else if now.boot >= Self.lost(pendingFetch) {
                complete(
                    FetchOutcome(
                        ticket: pendingFetch.order.ticket, dataset: id, result: .failed(.local("the fetch never ended"))
                    ),
                    now)
            }
        }
    }

    /// Returns the time at which a fetch is canceled: its deadline, plus time to process the response.
    private static func overdue(_ pendingFetch: FetchInFlight) -> BootTime {
        pendingFetch.began.boot.advanced(by: pendingFetch.order.deadline * 2 + 30)
    }

    /// Returns the time at which a canceled fetch is abandoned.
    private static func lost(_ pendingFetch: FetchInFlight) -> BootTime {
        overdue(pendingFetch).advanced(by: pendingFetch.order.deadline + 300)
    }

    /// Returns the time at which a fetch must be checked.
    static func check(_ pendingFetch: FetchInFlight) -> BootTime {
        pendingFetch.isCancelled ? lost(pendingFetch) : overdue(pendingFetch)
    }
}

extension RefreshEngine {
    /// Applies the outcome of a fetch. The outcome of an abandoned fetch is ignored.
    mutating func complete(_ outcome: FetchOutcome, _ now: ClockReading) {
        let id = outcome.dataset
        guard let pendingFetch = fetchesInFlight[id], pendingFetch.order.ticket == outcome.ticket else { return }
        fetchesInFlight[id] = nil
        requestHistory.recordEnd(of: pendingFetch.order.source, at: now.boot)
        settle(pendingFetch, outcome, now)
        updateHostHealth(pendingFetch, outcome, now)
        guard configuration.datasets[id] != nil, var record = datasets[id] else { return }
        let previous = record
        let assessment = record.apply(outcome, pendingFetch, now, faults)
        for notice in assessment.notices(previous, record, now) { effects.append(.notice(notice)) }
        if pendingFetch.isContentLost { record.loseContent() }
        // A failure with the former key does not apply to the new one, and no outcome of the former source to the new one.
        // Requests wait for the fetch with the new key or from the new source.
        let isOfFormerKey = pendingFetch.usesReplacedKey && mayFailBecauseOfKey(record)
        if isOfFormerKey { record.forgetFailures() }
        let isVoid = isOfFormerKey || !isFromConfiguredSource(pendingFetch)
        datasets[id] = record
        saving.stage(record)
        // What a later request needs may not have existed yet when the fetch found that nothing had to be sent.
        if pendingFetch.isRequestedAgain, outcome.requests == 0, case .notModified = outcome.result { return }
        if !isVoid, let update = record.lastUpdate { answer(id, .ended(update)) }
    }

    /// Whether a fetch requests the source that is configured now.
    func isFromConfiguredSource(_ pendingFetch: FetchInFlight) -> Bool {
        configuration.datasets[pendingFetch.order.dataset]?.source.endpoint == pendingFetch.order.source.endpoint
    }

    /// Records that the stored content of a dataset was lost.
    mutating func recordLoss(of id: DatasetID) {
        fetchesInFlight[id]?.isContentLost = true
        guard var record = datasets[id] else { return }
        record.loseContent()
        datasets[id] = record
        saving.stage(record)
    }

    /// Makes the charges of a fetch equal to the requests that left this machine.
    private mutating func settle(_ pendingFetch: FetchInFlight, _ outcome: FetchOutcome, _ now: ClockReading) {
        let charges = pendingFetch.charges
        if let requests = outcome.requests {
            settle(charges, requests: requests, at: now)
        } else if case .failed(.unsent) = outcome.result {
            settle(charges, requests: charges.count - 1, at: now)
        }
    }

    /// Makes charges equal to the requests that left this machine: refunds those that were not sent, for example
    /// because the key is missing or the host's name could not be resolved, and charges those to which redirects led.
    ///
    /// - Parameter charges: Charges of one dataset, in the order of the requests.
    package mutating func settle(_ charges: [BudgetSpend], requests: Int, at now: ClockReading) {
        guard let first = charges.first else { return }
        for spend in charges.dropFirst(max(0, requests)) { refund(spend) }
        for _ in charges.count..<max(requests, charges.count) {
            spend(BudgetSpend(key: first.key, dataset: first.dataset, priority: first.priority, at: now))
        }
    }

    /// Refunds a charge that may have been saved.
    private mutating func refund(_ spend: BudgetSpend) {
        requestBudgets[spend.key]?.refund(spend)
        saving.stageRefund(spend)
    }

    /// Updates the health of the host.
    private mutating func updateHostHealth(_ pendingFetch: FetchInFlight, _ outcome: FetchOutcome, _ now: ClockReading)
    {
        guard let host = pendingFetch.order.source.host else { return }
        let old = hosts[host] ?? HostRecord(host)
        var circuit = HostCircuit(old)
        // The host answered the earlier requests of a collection.
        if outcome.madeProgress { _ = circuit.succeed() }
        circuit.waitIfOverloaded(status: outcome.status, retryAfter: outcome.retryAfter, from: now)
        var isClosed = false
        switch outcome.result {
        case .canceled: break
        case .content, .notModified, .outdated, .refused: isClosed = circuit.succeed()
        case .failed(let failure):
            switch failure.kind {
            case .local: break
            case .permanent: isClosed = circuit.succeed()
            case .transient, .overloaded:
                // While the network is unavailable, failures are not caused by the host.
                guard isOnline || outcome.status != nil else { return }
                let fraction = jitter.fraction(host, old.pauses)
                let isOpen = circuit.fail(
                    at: now, opensAtOnce: failure.kind == .overloaded, fraction: fraction,
                    isEarlyProbe: pendingFetch.isEarlyProbe)
                if isOpen, let until = circuit.pauseEnd {
                    effects.append(.notice(.circuitOpened(host, until: now.wall(at: until))))
                }
            }
        }
        guard circuit.record != old else { return }
        hosts[host] = circuit.record
        saving.stage(circuit.record)
        guard isClosed else { return }
        effects.append(.notice(.circuitClosed(host)))
        let answering = configuration.datasets.keys.filter { configuration.datasets[$0]?.source.host == host }
        // Datasets that failed with the host do not wait for the end of their own pauses.
        recovering.formUnion(
            answering.filter { id in
                datasets[id].map { $0.consecutiveFailures > 0 && !$0.isFailurePermanent } ?? false
            })
        // The fetches from a recovered host are spread out.
        catchUp(answering, from: now.boot, now)
    }

    /// Records a failure for each fetch during which the daemon was killed. A timetable that was still requested, or
    /// waited for memory, cannot be the reason, so its fetch has not failed.
    ///
    /// The second consecutive crash during the import of one timetable is attributed to that timetable. The crash
    /// counts as a permanent failure, so that an archive that crashes the daemon does not crash it at every start.
    mutating func endOpenAttempts(at now: ClockReading) {
        for (id, record) in datasets where record.isInProgress {
            let isBlamed = id.kind != .static || record.isImporting
            var record = record
            record.isInProgress = false
            guard isBlamed else {
                datasets[id] = record
                saving.stage(record)
                continue
            }
            record.consecutiveFailures += 1
            record.append(
                UpdateRecord(
                    number: 0, began: record.lastAttempt?.wall ?? now.wall, milliseconds: 0, outcome: .failed,
                    reason: DatasetRecord.interrupted))
            record.isFailurePermanent = id.kind == .static && record.interruptions > 1
            datasets[id] = record
            saving.stage(record)
        }
        // An impossible time of the attempt, as after a clock was set back, must not end the pause.
        for (id, record) in datasets where record.isRepeatedlyInterrupted && record.lastAttempt == nil {
            datasets[id]?.lastAttempt = now
            if let record = datasets[id] { saving.stage(record) }
        }
    }

    /// Stops the engine: fetches in flight end without a failure, and no new fetch starts.
    mutating func stop() {
        isStopping = true
        for id in fetchesInFlight.keys {
            fetchesInFlight[id] = nil
            guard var record = datasets[id] else { continue }
            record.isInProgress = false
            datasets[id] = record
            saving.stage(record)
        }
    }
}

/// An ordered fetch that has not ended.
struct FetchInFlight: Hashable, Sendable {
    var order: DatasetFetch
    var began: ClockReading
    /// The requests that are charged so far, oldest first.
    var charges: [BudgetSpend]
    /// Whether the fetch is waiting for the ledger to be saved.
    var isHeld: Bool
    /// Whether the fetch probes a host whose pause is not over.
    var isEarlyProbe: Bool
    var isCancelled = false
    /// Whether the feed's key was replaced after the fetch began.
    var usesReplacedKey = false
    /// Whether the stored content was lost after the fetch began.
    var isContentLost = false
    /// Whether a forced request came after the fetch began.
    var isRequestedAgain = false
}

extension DatasetKind {
    /// The order in which datasets are fetched if not all of them can be fetched. Realtime data is useless without a
    /// timetable, a prediction is worth more than a position, and a position is worth more than an alert.
    var rank: Int {
        switch self {
        case .static: 0
        case .tripUpdates: 1
        case .vehicles: 2
        case .alerts: 3
        case .arrivals: 4
        case .weather: 5
        case .events: 6
        case .catalog: 7
        }
    }
}

extension DatasetRecord {
    /// Whether to fetch the full content although the upstream supports conditional requests.
    fileprivate func needsFullContent(_ policy: RefreshPolicy, at now: ClockReading) -> Bool {
        guard !areValidatorsUnreliable, contentDigest != nil, let lastFull else { return true }
        return now.age(of: lastFull) >= policy.unconditionalInterval
    }

    /// Whether the recorded content came from this source. Ledgers of earlier releases do not record the source.
    func isFrom(_ endpoint: EndpointID) -> Bool { source == nil || source == endpoint }

    /// Clears the record of the content, which does not apply to another source.
    fileprivate mutating func forgetContent() {
        var new = DatasetRecord(id, history: history)
        new.expiryWarning = expiryWarning
        self = new
    }

    /// Records that the content of the last success is not stored any more. Attempts and failures remain, because the
    /// source is the same.
    fileprivate mutating func loseContent() {
        (lastSuccess, lastFull, contentDigest, validators) = (nil, nil, nil, Validators())
    }

    /// The failure reason of an update during which the daemon was killed. The text is stored in the ledger, so
    /// changing it requires a migration of the state file.
    static let interrupted = "the daemon stopped during the update"

    /// Whether the last two or more updates were interrupted, so that the content is assumed to be the cause.
    var isRepeatedlyInterrupted: Bool { isFailurePermanent && interruptions > 1 }

    /// The number of consecutive updates, up to the last one, that were interrupted.
    var interruptions: Int {
        history.reversed().prefix { $0.outcome == .failed && $0.reason == Self.interrupted }.count
    }
}
