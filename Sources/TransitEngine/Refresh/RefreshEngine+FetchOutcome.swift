internal import TransitModel

extension RefreshEngine {
    /// Takes note of how a fetch ended. An outcome that nobody waits for any more is left out.
    mutating func end(_ outcome: FetchOutcome, _ now: ClockReading) {
        let id = outcome.dataset
        guard let flight = flights[id], flight.order.ticket == outcome.ticket else { return }
        flights[id] = nil
        calls.end(flight.order.source, at: now.boot)
        if case .failed(.unsent) = outcome.result { refundSpend(of: flight) }
        updateHostHealth(flight, outcome, now)
        guard configuration.datasets[id] != nil, var record = datasets[id] else { return }
        let previous = record
        let verdict = record.take(outcome, flight, now, faults)
        for notice in verdict.notices(previous, record, now) { effects.append(.notice(notice)) }
        // The failure says nothing about the key that the feed has now. Requests wait for the fetch with that key.
        let isVoid = flight.usesReplacedKey && mayFailBecauseOfKey(record)
        if isVoid { record.forgetFailures() }
        datasets[id] = record
        saving.note(record)
        if !isVoid, let update = record.lastUpdate { answer(id, .ended(update)) }
    }

    /// A request that was not sent costs nothing. The ledger keeps its spend: after a restart it counts until its window ends.
    private mutating func refundSpend(of flight: FetchInFlight) {
        // The requests of a collection before the one that was not sent are paid for.
        guard let spend = flight.spend, configuration.datasets[spend.dataset]?.isCollected != true else { return }
        requestBudgets[spend.key]?.refund(spend)
    }

    /// What the outcome says about the host.
    private mutating func updateHostHealth(_ flight: FetchInFlight, _ outcome: FetchOutcome, _ now: ClockReading) {
        guard let host = flight.order.source.host else { return }
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
            case .lasting: isClosed = circuit.succeed()
            case .transient, .overloaded:
                // Without network it is not the host that fails.
                guard isOnline || outcome.status != nil else { return }
                let fraction = jitter.fraction(host, old.pauses)
                let isOpen = circuit.fail(
                    at: now, opensAtOnce: failure.kind == .overloaded, fraction: fraction,
                    isEarlyProbe: flight.isEarlyProbe)
                if isOpen, let until = circuit.record.openUntil {
                    effects.append(.notice(.circuitOpened(host, until: until.wall)))
                }
            }
        }
        guard circuit.record != old else { return }
        hosts[host] = circuit.record
        saving.note(circuit.record)
        guard isClosed else { return }
        effects.append(.notice(.circuitClosed(host)))
        let answering = configuration.datasets.keys.filter { configuration.datasets[$0]?.source.host == host }
        // Datasets that failed with the host do not wait for the end of their own pauses.
        recovering.formUnion(
            answering.filter { id in
                datasets[id].map { $0.consecutiveFailures > 0 && !$0.isFailurePermanent } ?? false
            })
        // A host that has just come back is not asked for everything at once.
        catchUp(answering, from: now.boot, now)
    }

    /// Fetches that a daemon began which was killed: they failed.
    ///
    /// The second consecutive crash during the import of one timetable is attributed to that timetable. It counts as a
    /// lasting failure, so that an archive that crashes the daemon does not crash it at every start.
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
            saving.note(record)
        }
    }
    /// Stops the engine: fetches under way end without a failure, and no new fetch begins.
    mutating func stop() {
        isStopping = true
        for id in flights.keys {
            flights[id] = nil
            guard var record = datasets[id] else { continue }
            record.isInProgress = false
            datasets[id] = record
            saving.note(record)
        }
    }
}

extension DatasetRecord {
    /// The failure reason of an update during which the daemon was killed.
    static let interrupted = "the daemon was stopped in the middle of it"

    /// The number of consecutive updates, up to the last one, that ended this way.
    var interruptions: Int {
        history.reversed().prefix { $0.outcome == .failed && $0.reason == Self.interrupted }.count
    }
}
