internal import TransitModel

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

    /// Sorts datasets by priority, then by kind. Neglected datasets come first within their priority, the longest
    /// overdue first. A failing host is probed with each of its datasets in turn, because one endpoint may fail for
    /// longer than the other endpoints.
    private func sorted(_ ready: [(DatasetID, Readiness)], _ now: ClockReading) -> [DatasetID] {
        guard ready.count > 1 else { return ready.map(\.0) }
        let ranks = ready.map { id, readiness -> (id: DatasetID, priority: FetchPriority, rank: (Double, Int)) in
            (id, readiness.priority, (-neglect(of: id, readiness.interval, now), id.kind.rank))
        }
        return ranks.sorted { left, right in
            if left.priority != right.priority { return left.priority > right.priority }
            return left.rank == right.rank ? left.id < right.id : left.rank < right.rank
        }.map(\.id)
    }

    /// Returns the age of a dataset as a multiple of the age above which it is neglected, at least 1.
    private func neglect(of id: DatasetID, _ interval: Int, _ now: ClockReading) -> Double {
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
        let isWhole = requests[id]?.force == true || record.needsFullContent(dataset.policy, at: now)
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
            order: order, began: now, spend: spend, isHeld: true,
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
        if let spend = pendingFetch.spend {
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
        }
    }
}

extension DatasetRecord {
    /// Whether to fetch the full content although the upstream supports conditional requests.
    func needsFullContent(_ policy: RefreshPolicy, at now: ClockReading) -> Bool {
        guard !areValidatorsUnreliable, contentDigest != nil, let lastFull else { return true }
        return now.age(of: lastFull) >= policy.unconditionalInterval
    }

    /// Whether the recorded content came from this source. Ledgers of earlier releases do not record the source.
    func isFrom(_ endpoint: EndpointID) -> Bool { source == nil || source == endpoint }

    /// Clears the record of the content, which does not apply to another source.
    mutating func forgetContent() {
        var new = DatasetRecord(id, history: history)
        new.expiryWarning = expiryWarning
        self = new
    }
}
