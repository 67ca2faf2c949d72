public import TransitModel

/// Decides which questions about arrivals one feed's source is asked when: on demand, politely, each for everybody at once.
///
/// A plain value that is told what is wanted and what became of it. Whoever carries it out calls ``begin(at:budget:)``
/// after each change and at ``wake(at:budget:)``, asks what is returned, and ends each with ``end(_:_:at:)``:
///
///     plan.want([wish], .user, at: now)
///     for order in plan.begin(at: now) { ask(order) }
///     plan.end(order.ticket, .answered, at: later)
///
/// Like ``RefreshEngine`` it waits by ``BootTime`` alone. At most a batch is under way at once; batches lie apart; nothing
/// is asked again before its cooldown is over, whoever wants it; and what is new enough is not asked at all.
public struct ArrivalsScheduler: Sendable {
    /// What is paid from a budget is paid for this dataset.
    public let dataset: DatasetID
    public let limits: ArrivalsPolicy
    /// The most questions that are remembered.
    public let capacity: Int
    let jitter: Jitter
    /// Seconds between two probes of a failing host during demand. Tests of the simulation set a wrong value, which it
    /// must detect.
    package var probeSpacing = PendingHostProbe.spacing

    var records: [ArrivalsQueryID: ArrivalsQueryState] = [:]
    var flights: [UInt64: ArrivalsRequestInFlight] = [:]
    var hosts: [HostID: HostRecord] = [:]
    /// When the last failed request to each host began.
    var lastFailedAttempts: [HostID: BootTime] = [:]
    var isOnline = true
    /// When the last batch began, and when the last request ended.
    var lastBegun: BootTime?
    var lastEnded: BootTime?
    /// Since the source as a whole answered last.
    var failures = 0
    var trouble: ArrivalsFailure?
    private var tickets: UInt64 = 0
    private var wishes: UInt64 = 0

    /// - Parameters:
    ///   - capacity: at least a batch; enough for all boards that are looked at within an hour.
    ///   - seed: of this installation; pauses are spread by it.
    public init(feed: FeedID, limits: ArrivalsPolicy, capacity: Int = 512, seed: UInt64 = 0) {
        dataset = DatasetID(feed, .arrivals)
        self.limits = limits
        self.capacity = max(capacity, limits.batch)
        jitter = Jitter(seed: seed)
    }

    // MARK: Wishes

    /// Somebody wants the answers to be new enough.
    ///
    /// - Parameters:
    ///   - until: they are to be kept so until then; `nil`: once is enough.
    public mutating func want(
        _ wanted: [ArrivalsDemand], _ priority: FetchPriority, until: BootTime? = nil, at now: ClockReading
    ) {
        for wish in wanted.prefix(capacity) {
            guard admit(wish, now) else { continue }
            wishes &+= 1
            // Who wants it once, and finds it new enough, wants nothing more.
            guard until != nil || records[wish.query]?.isFresh(limits, at: now.boot) != true else {
                records[wish.query]?.wished = wishes
                continue
            }
            let isFailing = records[wish.query].map { self.isFailing($0, at: now.boot) } ?? false
            records[wish.query]?.want(priority, number: wishes, until: until, isFailing: isFailing, at: now.boot)
        }
    }

    /// Takes note of an answer of an earlier run.
    public mutating func remember(_ wish: ArrivalsDemand, answered moment: BootTime, at now: ClockReading) {
        guard records[wish.query]?.answered == nil, admit(wish, now) else { return }
        let moment = min(moment, now.boot)
        records[wish.query]?.answered = moment
        if records[wish.query]?.asked == nil { records[wish.query]?.asked = moment }
    }

    /// Whether there is a network. Failures without one are nobody's fault.
    public mutating func setOnline(_ isOnline: Bool) {
        if isOnline, !self.isOnline {
            for host in hosts.keys {
                guard let record = hosts[host] else { continue }
                var circuit = HostCircuit(record)
                circuit.reopen()
                hosts[host] = circuit.record
            }
            lastFailedAttempts = [:]
            // These queries failed because the network was offline.
            for query in records.keys where records[query]?.isPassing == true { records[query]?.notBefore = nil }
        }
        self.isOnline = isOnline
    }

    /// Makes room for a question. The one goes that nobody wanted for longest; never one that may not be asked again
    /// yet, for that would be forgotten with it.
    ///
    /// - Returns: false when there is no room.
    private mutating func admit(_ wish: ArrivalsDemand, _ now: ClockReading) -> Bool {
        if records[wish.query] != nil {
            records[wish.query]?.host = wish.host
            records[wish.query]?.lifetime = wish.lifetime
            return true
        }
        if records.count >= capacity {
            let old = records.values.filter {
                $0.ticket == nil && !$0.isInCooldown(limits, at: now.boot) && !$0.isRefused(at: now.boot)
            }
            guard let oldest = old.min(by: { $0.wished < $1.wished }) else { return false }
            records[oldest.query] = nil
        }
        records[wish.query] = ArrivalsQueryState(wish)
        return true
    }

    // MARK: Asking

    /// Begins what may begin: a batch, or nothing.
    ///
    /// - Parameter budget: of the key that the source is asked with, if somebody counts; every order that is returned
    ///   has to be counted there.
    public mutating func begin(at now: ClockReading, budget: RequestBudget? = nil) -> [ArrivalsRequest] {
        abandonLostRequests(now)
        guard let opens = nextBatch(now), opens <= now.boot else { return [] }
        var budget = budget
        var orders: [ArrivalsRequest] = []
        for query in ready(now, budget) where flights.count < limits.batch {
            guard let record = records[query], let readiness = readiness(record, now, budget),
                let at = readiness.at, at <= now.boot
            else { continue }
            let order = order(record, readiness.priority, budget, now)
            if let spend = order.spend { budget?.spend(spend) }
            orders.append(order)
        }
        if !orders.isEmpty { lastBegun = now.boot }
        return orders
    }

    private mutating func order(
        _ record: ArrivalsQueryState, _ priority: FetchPriority, _ budget: RequestBudget?, _ now: ClockReading
    ) -> ArrivalsRequest {
        tickets &+= 1
        let spend = budget.map { BudgetSpend(key: $0.policy.key, dataset: dataset, priority: priority, at: now) }
        let isEarlyProbe = isFailing(record, at: now.boot)
        flights[tickets] = ArrivalsRequestInFlight(
            query: record.query, host: record.host, began: now.boot, isEarlyProbe: isEarlyProbe)
        // The other queries of the batch are not early probes.
        if isEarlyProbe, let host = record.host { lastFailedAttempts[host] = now.boot }
        records[record.query]?.ticket = tickets
        records[record.query]?.asked = now.boot
        return ArrivalsRequest(ticket: tickets, query: record.query, priority: priority, spend: spend)
    }
}
