internal import TransitModel

extension RefreshEngine {
    /// Begins what may begin, in the order of what matters.
    ///
    /// - Returns: when the next dataset is ready; `nil` when that has to be found out anew.
    mutating func begin(_ now: ClockReading) -> BootTime? {
        var ready: [(DatasetID, Readiness)] = []
        var next = BootTime(milliseconds: .max)
        for id in configuration.datasets.keys {
            let readiness = readiness(id, now)
            guard let at = readiness.at else { continue }
            if at <= now.boot { ready.append((id, readiness)) } else { next = min(next, at) }
        }
        for id in sorted(ready, now) {
            // Those before it may hold it back.
            let readiness = readiness(id, now)
            guard let at = readiness.at, at <= now.boot else { continue }
            order(id, readiness.priority, now)
        }
        let isUnchanged = ready.isEmpty && requests.isEmpty
        answerLongWaits(now)
        return isUnchanged ? next : nil
    }

    /// The age in seconds above which a dataset comes before more important kinds of the same priority.
    private static func neglected(_ interval: Int) -> Int { max(1, min(interval * 10, interval + 600)) }

    /// Sorts by priority, then by kind. Neglected datasets come first within their priority, the longest overdue
    /// foremost.
    /// A host that fails is probed with each of its datasets in turn, because one endpoint may fail for longer than the others.
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

    /// How long a dataset was left out, as a multiple of the time that it may be; at least 1.
    private func neglect(of id: DatasetID, _ interval: Int, _ now: ClockReading) -> Double {
        guard let record = datasets[id] else { return .infinity }
        let host = configuration.datasets[id]?.source.host.flatMap { hosts[$0] }
        if let host, HostCircuit(host).isHalfOpen, let attempt = record.lastAttempt {
            return max(1, Double(now.age(of: attempt)) / Double(PendingHostProbe.spacing))
        }
        return record.age(at: now).map { max(1, Double($0) / Double(Self.neglected(interval))) } ?? .infinity
    }

    private mutating func order(_ id: DatasetID, _ priority: FetchPriority, _ now: ClockReading) {
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
        saving.note(record)
        let spend = dataset.source.key.flatMap { requestBudgets[$0] == nil ? nil : $0 }.map { key in
            BudgetSpend(key: key, dataset: id, priority: priority, at: now)
        }
        if let spend { self.spend(spend) }
        flights[id] = FetchInFlight(
            order: order, began: now, spend: spend, isHeld: true,
            isEarlyProbe: beginsEarlyProbe(id, dataset.source, now))
        recovering.remove(id)
        calls.begin(dataset.source, at: now.boot)
        called.insert(id)
        catchUp.remove(id)
        if saving.isSaveFailing, spend == nil { release(id) }
    }

    mutating func spend(_ spend: BudgetSpend) {
        requestBudgets[spend.key]?.spend(spend)
        if !faults.contains(.budgetNotSaved) { saving.note(spend) }
    }

    /// Lets a fetch begin that waited for the ledger.
    mutating func release(_ id: DatasetID) {
        guard var flight = flights[id], flight.isHeld else { return }
        flight.isHeld = false
        flights[id] = flight
        effects.append(.fetch(flight.order))
    }

    /// Takes back a fetch that was not begun.
    mutating func abandon(_ id: DatasetID) {
        guard let flight = flights.removeValue(forKey: id), flight.isHeld else { return }
        if let spend = flight.spend {
            requestBudgets[spend.key]?.refund(spend)
            saving.refund(spend)
        }
        called.remove(id)
        datasets[id]?.isInProgress = false
        if let record = datasets[id] { saving.note(record) }
    }

    /// Cancels what is under way for longer than it may, and gives up what nobody ends.
    mutating func watchFlights(_ now: ClockReading) {
        for (id, flight) in flights where !flight.isHeld {
            guard now.boot >= Self.overdue(flight) else { continue }
            if !flight.isCancelled {
                flights[id]?.isCancelled = true
                effects.append(.cancel(ticket: flight.order.ticket, id))
            } else if now.boot >= Self.lost(flight) {
                end(
                    FetchOutcome(ticket: flight.order.ticket, dataset: id, result: .failed(.local("it never ended"))),
                    now)
            }
        }
    }

    /// When a flight that is still there is cancelled: its deadline and time to work on what came.
    private static func overdue(_ flight: FetchInFlight) -> BootTime {
        flight.began.boot.advanced(by: flight.order.deadline * 2 + 30)
    }

    /// When it is given up.
    private static func lost(_ flight: FetchInFlight) -> BootTime {
        overdue(flight).advanced(by: flight.order.deadline + 300)
    }

    /// When a flight has to be looked at.
    static func check(_ flight: FetchInFlight) -> BootTime { flight.isCancelled ? lost(flight) : overdue(flight) }
}

extension DatasetKind {
    /// The order in which datasets are fetched when not all can be. Realtime data is useless without a timetable, a
    /// prediction is worth more than a position, and a position more than a text.
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
    /// Whether to ask for all of it, though the upstream could say what changed.
    func needsFullContent(_ policy: RefreshPolicy, at now: ClockReading) -> Bool {
        guard !areValidatorsUnreliable, contentDigest != nil, let lastFull else { return true }
        return now.age(of: lastFull) >= policy.unconditionalInterval
    }

    /// Whether what is known of its content is about that source; a ledger of an earlier release does not say.
    func isFrom(_ endpoint: EndpointID) -> Bool { source == nil || source == endpoint }

    /// Another source has other content: what is known of the old one's says nothing.
    mutating func forgetContent() {
        var new = DatasetRecord(id, history: history)
        new.expiryWarning = expiryWarning
        self = new
    }
}
