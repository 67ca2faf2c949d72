public import TransitModel

/// Decides when to send which arrivals queries to the source of one feed: on demand, within the source's rate limits,
/// and once for all clients.
///
/// The scheduler is a plain value that receives demand and outcomes. Its owner calls ``startBatch(at:budget:)`` after
/// each change and at ``nextWake(at:budget:)``, sends the returned requests, and completes each with
/// ``complete(_:_:at:)``:
///
///     scheduler.addDemand([demand], .user, at: now)
///     for request in scheduler.startBatch(at: now) { send(request) }
///     scheduler.complete(request.ticket, .answered, at: later)
///
/// Like ``RefreshEngine``, the scheduler measures all waits in ``BootTime``. At most one batch is in flight, batches
/// are spaced, no query is repeated within its cooldown, and no query with a fresh response is sent.
public struct ArrivalsScheduler: Sendable {
    /// The dataset to which requests are charged.
    public let dataset: DatasetID
    public let limits: ArrivalsPolicy
    /// The maximum number of queries.
    public let capacity: Int
    let jitter: Jitter
    /// The number of seconds between two probes of a failing host while there is demand. Some tests set a wrong value,
    /// which the simulation must detect.
    package var probeSpacing = PendingHostProbe.spacing

    var records: [ArrivalsQueryID: ArrivalsQueryState] = [:]
    var requestsInFlight: [UInt64: ArrivalsRequestInFlight] = [:]
    var hosts: [HostID: HostRecord] = [:]
    /// The time at which the last failed request to each host started.
    var lastFailedAttempts: [HostID: BootTime] = [:]
    var isOnline = true
    /// The start of the last batch, and the end of the last request.
    var lastBatchStart: BootTime?
    var lastRequestEnd: BootTime?
    /// The number of failures of any query since the source's last response.
    var failures = 0
    var lastFailure: ArrivalsFailure?
    private var tickets: UInt64 = 0
    private var demandCount: UInt64 = 0

    /// - Parameters:
    ///   - capacity: The maximum number of queries: at least a batch, and enough for all boards that are viewed within
    ///     an hour.
    ///   - seed: The seed of this installation, which varies the pauses.
    public init(feed: FeedID, limits: ArrivalsPolicy, capacity: Int = 512, seed: UInt64 = 0) {
        dataset = DatasetID(feed, .arrivals)
        self.limits = limits
        self.capacity = max(capacity, limits.batch)
        jitter = Jitter(seed: seed)
    }

    // MARK: Demand

    /// Registers demand for fresh responses.
    ///
    /// - Parameters:
    ///   - until: The time until which responses must be kept fresh; `nil` if one response is enough.
    public mutating func addDemand(
        _ demands: [ArrivalsDemand], _ priority: FetchPriority, until: BootTime? = nil, at now: ClockReading
    ) {
        for demand in demands.prefix(capacity) {
            guard admit(demand, now) else { continue }
            demandCount &+= 1
            // A fresh response satisfies demand for a single response.
            guard until != nil || records[demand.query]?.isFresh(limits, at: now.boot) != true else {
                records[demand.query]?.lastDemand = demandCount
                continue
            }
            let isFailing = records[demand.query].map { self.isFailing($0, at: now.boot) } ?? false
            records[demand.query]?.addDemand(
                priority, number: demandCount, until: until, isFailing: isFailing, at: now.boot)
        }
    }

    /// Records a response of an earlier run.
    public mutating func recordResponse(_ demand: ArrivalsDemand, answered moment: BootTime, at now: ClockReading) {
        guard records[demand.query]?.answered == nil, admit(demand, now) else { return }
        let moment = min(moment, now.boot)
        records[demand.query]?.answered = moment
        if records[demand.query]?.lastAttempt == nil { records[demand.query]?.lastAttempt = moment }
    }

    /// Sets whether the network is available. Failures while the network is unavailable do not count against the
    /// sources.
    public mutating func setOnline(_ isOnline: Bool) {
        if isOnline, !self.isOnline {
            for host in hosts.keys {
                guard let record = hosts[host] else { continue }
                var circuit = HostCircuit(record)
                circuit.reopen()
                hosts[host] = circuit.record
            }
            lastFailedAttempts = [:]
            // These queries failed because the network was unavailable.
            for query in records.keys where records[query]?.isFetchFailure == true { records[query]?.notBefore = nil }
        }
        self.isOnline = isOnline
    }

    /// Adds a query if there is room. If necessary, evicts the query with the oldest demand. A query that is in flight,
    /// in its cooldown or rejected is never evicted, because its pause would be lost.
    ///
    /// - Returns: Whether the query was added or was already known.
    private mutating func admit(_ demand: ArrivalsDemand, _ now: ClockReading) -> Bool {
        if records[demand.query] != nil {
            records[demand.query]?.host = demand.host
            records[demand.query]?.lifetime = demand.lifetime
            return true
        }
        if records.count >= capacity {
            let old = records.values.filter {
                $0.ticket == nil && !$0.isInCooldown(limits, at: now.boot) && !$0.isRefused(at: now.boot)
            }
            guard let oldest = old.min(by: { $0.lastDemand < $1.lastDemand }) else { return false }
            records[oldest.query] = nil
        }
        records[demand.query] = ArrivalsQueryState(demand)
        return true
    }

    // MARK: Requests

    /// Starts the next batch, if one may start, and returns its requests.
    ///
    /// - Parameter budget: The budget of the source's key; `nil` if requests are unmetered. The caller must charge
    ///   every returned request to it.
    public mutating func startBatch(at now: ClockReading, budget: RequestBudget? = nil) -> [ArrivalsRequest] {
        abandonLostRequests(now)
        guard let opens = nextBatchStart(now), opens <= now.boot else { return [] }
        var budget = budget
        var orders: [ArrivalsRequest] = []
        for query in ready(now, budget) where requestsInFlight.count < limits.batch {
            guard let record = records[query], let readiness = readiness(record, now, budget),
                let at = readiness.at, at <= now.boot
            else { continue }
            let order = order(record, readiness.priority, budget, now)
            if let spend = order.spend { budget?.spend(spend) }
            orders.append(order)
        }
        if !orders.isEmpty { lastBatchStart = now.boot }
        return orders
    }

    private mutating func order(
        _ record: ArrivalsQueryState, _ priority: FetchPriority, _ budget: RequestBudget?, _ now: ClockReading
    ) -> ArrivalsRequest {
        tickets &+= 1
        let spend = budget.map { BudgetSpend(key: $0.policy.key, dataset: dataset, priority: priority, at: now) }
        let isEarlyProbe = isFailing(record, at: now.boot)
        requestsInFlight[tickets] = ArrivalsRequestInFlight(
            query: record.query, host: record.host, began: now.boot, isEarlyProbe: isEarlyProbe)
        // The other queries of the batch are not early probes.
        if isEarlyProbe, let host = record.host { lastFailedAttempts[host] = now.boot }
        records[record.query]?.ticket = tickets
        records[record.query]?.lastAttempt = now.boot
        return ArrivalsRequest(ticket: tickets, query: record.query, priority: priority, spend: spend)
    }
}

extension ArrivalsScheduler {
    /// Completes a request. The outcome of an abandoned request is ignored.
    public mutating func complete(_ ticket: UInt64, _ outcome: ArrivalsOutcome, at now: ClockReading) {
        guard let request = requestsInFlight.removeValue(forKey: ticket) else { return }
        lastRequestEnd = now.boot
        updateHostHealth(request, outcome, now)
        recordOutcome(outcome)
        recordAttempt(request, outcome)
        if outcome == .answered { endPauses(with: request) }
        // The query may have been evicted in the meantime.
        guard var record = records[request.query], record.ticket == ticket else { return }
        record.ticket = nil
        record.lastAttempt = now.boot
        record.apply(
            outcome, limits, fraction: jitter.fraction(HostID(request.query.description), record.failures), now)
        records[request.query] = record
    }

    private mutating func recordOutcome(_ outcome: ArrivalsOutcome) {
        switch outcome {
        case .answered: (failures, lastFailure) = (0, nil)
        case .canceled: break
        case .failed, .unreadable:
            failures = min(failures + 1, 1 << 20)
            lastFailure = ArrivalsFailure(outcome)
        }
    }

    /// Records a failed attempt. The spacing of the next probe starts at this attempt.
    private mutating func recordAttempt(_ request: ArrivalsRequestInFlight, _ outcome: ArrivalsOutcome) {
        guard let host = request.host, let lastFailure = ArrivalsFailure(outcome) else { return }
        if case .refused = lastFailure { return }
        lastFailedAttempts[host] = max(lastFailedAttempts[host] ?? request.began, request.began)
        guard lastFailedAttempts.count > Self.maximumHosts else { return }
        lastFailedAttempts = lastFailedAttempts.filter { hosts[$0.key] != nil || $0.key == host }
    }

    /// Ends the pauses of queries that failed with the host, after a response to an early probe or to a query that had
    /// failed.
    private mutating func endPauses(with request: ArrivalsRequestInFlight) {
        guard let host = request.host, records[request.query]?.failures ?? 0 > 0 || request.isEarlyProbe else { return }
        for (query, record) in records where record.host == host && record.isFetchFailure {
            records[query]?.notBefore = nil
        }
    }

    /// Updates the health of the host. A host that sends any response is healthy.
    private mutating func updateHostHealth(
        _ request: ArrivalsRequestInFlight, _ outcome: ArrivalsOutcome, _ now: ClockReading
    ) {
        guard let host = request.host else { return }
        var circuit = HostCircuit(hosts[host] ?? HostRecord(host))
        switch outcome {
        case .canceled: return
        case .answered, .unreadable: _ = circuit.succeed()
        case .failed(let failure, let retryAfter):
            circuit.waitIfOverloaded(status: failure.status, retryAfter: retryAfter, from: now)
            switch failure.kind {
            case .local: return
            case .permanent: _ = circuit.succeed()
            case .transient, .overloaded:
                guard isOnline else { return }
                let fraction = jitter.fraction(host, circuit.record.pauses)
                _ = circuit.fail(
                    at: now, opensAtOnce: failure.kind == .overloaded, fraction: fraction,
                    isEarlyProbe: request.isEarlyProbe)
            }
        }
        // A host without failures needs no record.
        hosts[host] = circuit.record == HostRecord(host) ? nil : circuit.record
        guard hosts.count > Self.maximumHosts else { return }
        hosts = hosts.filter { HostCircuit($0.value).pauseEnd.map { $0 > now.boot } ?? false }
    }

    /// The maximum number of failing hosts to record, in addition to those that are paused.
    private static let maximumHosts = 32

    /// Abandons requests that were never completed.
    private mutating func abandonLostRequests(_ now: ClockReading) {
        for (ticket, request) in requestsInFlight
        where request.began.advanced(by: ArrivalsRequestInFlight.abandonTimeout) <= now.boot {
            complete(ticket, .failed(.timeout), at: now)
        }
    }
}

// Saves rejections and the pauses that hosts requested, so that they stay in effect after a restart.
extension ArrivalsScheduler {
    /// Returns the pauses that are in effect, to be saved for the next start.
    ///
    /// - Parameter boot: The current boot.
    public func backoff(in boot: BootID, at now: ClockReading) -> ArrivalsBackoff {
        let refused = records.values.compactMap { record -> RefusedArrivalsQuery? in
            guard let status = record.lastFailure?.refusal, let until = record.notBefore, until.boot > now.boot else {
                return nil
            }
            return RefusedArrivalsQuery(record.query, status: status, until: until)
        }
        let sorted = refused.sorted { ($1.until.boot, $0.query) < ($0.until.boot, $1.query) }
        let held = hosts.values.filter { host in HostCircuit(host).pauseEnd.map { $0 > now.boot } ?? false }
        return ArrivalsBackoff(
            boot: boot, refused: sorted.prefix(ArrivalsBackoff.maximumRefused).sorted { $0.query < $1.query },
            hosts: held.sorted { $0.host < $1.host })
    }

    /// Restores the pauses that the previous run saved.
    public mutating func restore(_ backoff: ArrivalsBackoff, in boot: BootID, at now: ClockReading) {
        let conversion = PauseConversion(from: backoff.boot, to: boot, now: now)
        for refused in backoff.refused.prefix(capacity) where records[refused.query] == nil {
            let maximumPause = max(limits.refusalLifetime, limits.cooldown)
            guard let until = conversion.converted(refused.until, atMost: maximumPause) else { continue }
            var record = ArrivalsQueryState(ArrivalsDemand(refused.query, host: nil))
            record.lastFailure = .refused(status: refused.status)
            record.failures = 1
            record.notBefore = until
            records[refused.query] = record
        }
        for var host in backoff.hosts where hosts[host.host] == nil {
            host.openUntil = host.openUntil.flatMap { conversion.converted($0, atMost: HostCircuit.maximumPause * 2) }
            host.retryAfter = host.retryAfter.flatMap { conversion.converted($0, atMost: RetryAfter.maximumPause) }
            guard HostCircuit(host).pauseEnd != nil else { continue }
            hosts[host.host] = host
            // The time of the last attempt is not saved.
            lastFailedAttempts[host.host] = now.boot
        }
    }
}

extension ArrivalsQueryState {
    fileprivate mutating func apply(
        _ outcome: ArrivalsOutcome, _ limits: ArrivalsPolicy, fraction: Double, _ now: ClockReading
    ) {
        if case .canceled = outcome {
            single = nil
            return
        }
        lastFailure = ArrivalsFailure(outcome)
        guard lastFailure != nil else {
            answered = now.boot
            (single, notBefore, failures) = (nil, nil, 0)
            return
        }
        failures = min(failures + 1, 1 << 20)
        let isTransient = outcome.isTransient
        // There is no point in waiting if no response is expected soon.
        if !isTransient { single = nil }
        if case .refused = lastFailure {
            notBefore = now.later(byMilliseconds: Int64(max(limits.refusalLifetime, limits.cooldown)) * 1000)
            return
        }
        let pause = RetryPolicy(isRealtime: true).pause(
            failures: failures, isPermanent: !isTransient, fraction: fraction)
        notBefore = now.later(byMilliseconds: pause)
    }
}

extension ArrivalsOutcome {
    /// Whether an early retry may help. If the host is overloaded, each query also waits longer.
    fileprivate var isTransient: Bool {
        guard case .failed(let failure, _) = self else { return false }
        return failure.kind == .transient || failure == .status(503)
    }
}

extension ArrivalsFailure {
    /// Returns `nil` if the outcome is not a failure.
    fileprivate init?(_ outcome: ArrivalsOutcome) {
        switch outcome {
        case .answered, .canceled: return nil
        case .unreadable(let reason): self = .unreadable(reason)
        case .failed(.status(let status), _) where status == 403 || status == 422: self = .refused(status: status)
        case .failed(let failure, _): self = .failed(failure)
        }
    }

    /// The HTTP status of a rejection.
    fileprivate var refusal: Int? {
        if case .refused(let status) = self { status } else { nil }
    }
}

/// Converts the ends of pauses from another run of the daemon.
private struct PauseConversion {
    /// The boot in which the pauses were saved, and the current one.
    var from: BootID
    var to: BootID
    var now: ClockReading

    /// Returns the end in the time of this boot; `nil` if it has passed. Only the wall clock advances while the machine
    /// is off.
    func converted(_ until: ClockReading, atMost seconds: Int) -> ClockReading? {
        let maximumPause = Int64(seconds) * 1000
        let left =
            from == to
            ? now.boot.milliseconds(to: until.boot)
            : Int64(min(max(0, now.wall.seconds(to: until.wall)), seconds)) * 1000
        guard left > 0 else { return nil }
        return now.later(byMilliseconds: min(left, maximumPause))
    }
}

extension ClockReading {
    /// Returns the readings of both clocks after a duration, provided that neither clock is set in the meantime.
    func later(byMilliseconds value: Int64) -> ClockReading {
        let boot = boot.advanced(byMilliseconds: value)
        return ClockReading(wall: wall(at: boot), boot: boot)
    }
}
