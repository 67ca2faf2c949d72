import TransitModel

@testable import TransitRefresh

/// Drives an arrivals scheduler by hand and records its requests.
struct ArrivalsDriver {
    /// A request, with its start and end in milliseconds since the start of the test.
    struct Request: Hashable {
        var query: ArrivalsQueryID
        var began: Int64
        var ended: Int64?
    }

    var plan: ArrivalsScheduler
    var now: ClockReading
    var budget: RequestBudget?
    /// The requests in flight.
    var orders: [ArrivalsRequest] = []
    var requests: [UInt64: Request] = [:]
    /// The tickets of each batch, in order.
    var batches: [[UInt64]] = []
    private let start: BootTime

    init(_ limits: ArrivalsPolicy = ArrivalsPolicy(), capacity: Int = 512, budget: BudgetPolicy? = nil) {
        now = ClockReading(
            wall: Instant(rfc3339: "2026-11-21T08:00:00+08:00") ?? Instant(secondsSince1970: 0),
            boot: BootTime(milliseconds: 5_000_000))
        start = now.boot
        plan = ArrivalsScheduler(feed: "hk", limits: limits, capacity: capacity, seed: 3)
        self.budget = budget.map { RequestBudget($0) }
    }

    /// The number of milliseconds since the start of the test.
    var time: Int64 { start.milliseconds(to: now.boot) }

    /// Returns demand for queries by name. The part before the slash is the host.
    static func demands(_ names: [String]) -> [ArrivalsDemand] {
        names.map { name in
            ArrivalsDemand(ArrivalsQueryID(name), host: HostID(String(name.split(separator: "/").first ?? "host")))
        }
    }

    mutating func addDemand(_ names: [String], _ priority: FetchPriority = .user, for seconds: Int? = nil) {
        plan.addDemand(Self.demands(names), priority, until: seconds.map { now.boot.advanced(by: $0) }, at: now)
        begin()
    }

    /// - Returns: The names of the started queries, in the order in which they started.
    @discardableResult
    mutating func begin() -> [String] {
        let new = plan.startBatch(at: now, budget: budget)
        for order in new {
            if let spend = order.spend { budget?.spend(spend) }
            requests[order.ticket] = Request(query: order.query, began: time)
        }
        if !new.isEmpty { batches.append(new.map(\.ticket)) }
        orders += new
        return new.map(\.query.description)
    }

    mutating func end(_ ticket: UInt64, _ outcome: ArrivalsOutcome) {
        orders.removeAll { $0.ticket == ticket }
        let ended = time
        requests[ticket]?.ended = ended
        plan.complete(ticket, outcome, at: now)
        begin()
    }

    /// Ends all requests in flight.
    mutating func endAll(_ outcome: ArrivalsOutcome = .answered) {
        for order in orders { end(order.ticket, outcome) }
    }

    /// Advances the time. Requests end only if an outcome is given.
    mutating func pass(milliseconds: Int64, _ outcome: ArrivalsOutcome? = nil) {
        let end = now.boot.advanced(byMilliseconds: milliseconds)
        while let wake = plan.nextWake(at: now, budget: budget), wake <= end {
            move(to: max(wake, now.boot.advanced(byMilliseconds: 1)))
            begin()
            if let outcome { endAll(outcome) }
        }
        move(to: end)
    }

    mutating func pass(_ seconds: Int, _ outcome: ArrivalsOutcome? = nil) {
        pass(milliseconds: Int64(seconds) * 1000, outcome)
    }

    private mutating func move(to moment: BootTime) {
        let offset = now.offset
        now.boot = moment
        now.wall = Instant(secondsSince1970: (offset + moment.milliseconds) / 1000)
    }

    func arrivalsStatus(_ name: String) -> ArrivalsStatus? {
        plan.arrivalsStatus(of: ArrivalsQueryID(name), at: now, budget: budget)
    }

    func count(_ name: String) -> Int { requests.values.count { $0.query.description == name } }
}
