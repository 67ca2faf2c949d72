import TransitModel

@testable import TransitEngine

/// Carries out a plan by hand, and keeps a record of what was asked when.
struct ArrivalsDriver {
    /// One request with the milliseconds since the start at which it began and ended.
    struct Request: Hashable {
        var query: ArrivalsQueryID
        var began: Int64
        var ended: Int64?
    }

    var plan: ArrivalsScheduler
    var now: ClockReading
    var budget: RequestBudget?
    /// Begun and not ended.
    var orders: [ArrivalsRequest] = []
    var requests: [UInt64: Request] = [:]
    /// The tickets of each batch, in their order.
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

    /// Milliseconds since the start.
    var time: Int64 { start.milliseconds(to: now.boot) }

    /// Queries by their names; what stands before a slash is the host.
    static func wishes(_ names: [String]) -> [ArrivalsDemand] {
        names.map { name in
            ArrivalsDemand(ArrivalsQueryID(name), host: HostID(String(name.split(separator: "/").first ?? "host")))
        }
    }

    mutating func want(_ names: [String], _ priority: FetchPriority = .user, for seconds: Int? = nil) {
        plan.want(Self.wishes(names), priority, until: seconds.map { now.boot.advanced(by: $0) }, at: now)
        begin()
    }

    /// - Returns: the names of what began, in its order.
    @discardableResult
    mutating func begin() -> [String] {
        let new = plan.begin(at: now, budget: budget)
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
        plan.end(ticket, outcome, at: now)
        begin()
    }

    /// Ends everything that is under way.
    mutating func endAll(_ outcome: ArrivalsOutcome = .answered) {
        for order in orders { end(order.ticket, outcome) }
    }

    /// Lets time pass, in which nothing ends by itself unless an outcome is given.
    mutating func pass(milliseconds: Int64, _ outcome: ArrivalsOutcome? = nil) {
        let end = now.boot.advanced(byMilliseconds: milliseconds)
        while let wake = plan.wake(at: now, budget: budget), wake <= end {
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
