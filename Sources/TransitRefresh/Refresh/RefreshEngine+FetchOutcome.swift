internal import TransitModel

extension RefreshEngine {
    /// Applies the outcome of a fetch. The outcome of an abandoned fetch is ignored.
    mutating func complete(_ outcome: FetchOutcome, _ now: ClockReading) {
        let id = outcome.dataset
        guard let pendingFetch = fetchesInFlight[id], pendingFetch.order.ticket == outcome.ticket else { return }
        fetchesInFlight[id] = nil
        requestHistory.recordEnd(of: pendingFetch.order.source, at: now.boot)
        if case .failed(.unsent) = outcome.result { refundSpend(of: pendingFetch) }
        updateHostHealth(pendingFetch, outcome, now)
        guard configuration.datasets[id] != nil, var record = datasets[id] else { return }
        let previous = record
        let assessment = record.apply(outcome, pendingFetch, now, faults)
        for notice in assessment.notices(previous, record, now) { effects.append(.notice(notice)) }
        // The failure does not apply to the feed's new key. Requests wait for the fetch with the new key.
        let isVoid = pendingFetch.usesReplacedKey && mayFailBecauseOfKey(record)
        if isVoid { record.forgetFailures() }
        datasets[id] = record
        saving.stage(record)
        if !isVoid, let update = record.lastUpdate { answer(id, .ended(update)) }
    }

    /// Refunds the charge of a fetch that sent no request. The ledger keeps the charge, so after a restart it counts
    /// until its window ends.
    private mutating func refundSpend(of pendingFetch: FetchInFlight) {
        // The earlier requests of a collection remain charged.
        guard let spend = pendingFetch.spend, configuration.datasets[spend.dataset]?.isCollected != true else { return }
        requestBudgets[spend.key]?.refund(spend)
    }

    /// Updates the health of the host.
    private mutating func updateHostHealth(_ pendingFetch: FetchInFlight, _ outcome: FetchOutcome, _ now: ClockReading)
    {
        guard let host = pendingFetch.order.source.host else { return }
        let old = hosts[host] ?? HostRecord(host)
        var circuit = HostCircuit(old)
        if let text = outcome.retryAfter, outcome.status == 429 || outcome.status == 503,
            let seconds = RetryAfter.seconds(text, now: now.wall)
        {
            circuit.wait(seconds: seconds, from: now)
        }
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
                if isOpen, let until = circuit.record.openUntil {
                    effects.append(.notice(.circuitOpened(host, until: until.wall)))
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

    /// Records a failure for each fetch during which the daemon was killed.
    ///
    /// The second consecutive crash during the import of one timetable is attributed to that timetable. The crash
    /// counts as a permanent failure, so that an archive that crashes the daemon does not crash it at every start.
    mutating func endOpenAttempts(at now: ClockReading) {
        for (id, record) in datasets where record.isInProgress {
            var record = record
            record.isInProgress = false
            record.consecutiveFailures += 1
            record.append(
                UpdateRecord(
                    number: 0, began: record.lastAttempt?.wall ?? now.wall, milliseconds: 0, outcome: .failed,
                    reason: DatasetRecord.interrupted))
            record.isFailurePermanent = id.kind == .static && record.interruptions > 1
            datasets[id] = record
            saving.stage(record)
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

extension DatasetRecord {
    /// The failure reason of an update during which the daemon was killed. The text is stored in the ledger, so
    /// changing it requires a migration of the state file.
    static let interrupted = "the daemon stopped during the update"

    /// The number of consecutive updates, up to the last one, that were interrupted.
    var interruptions: Int {
        history.reversed().prefix { $0.outcome == .failed && $0.reason == Self.interrupted }.count
    }
}
