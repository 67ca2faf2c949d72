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
