import Testing
import TransitModel
import TransitTestSupport

@testable import TransitRefresh

/// The upstream's limits are observed for any demand and any outcomes.
@Suite struct ArrivalsPropertyTests {
    private static let outcomes: [ArrivalsOutcome] = [
        .answered, .answered, .answered, .answered, .failed(.timeout), .failed(.status(403)), .failed(.status(422)),
        .failed(.status(429), retryAfter: "7"), .failed(.status(503), retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"),
        .failed(.status(502)), .failed(.connection("it broke")), .unreadable("not JSON"), .canceled,
        .failed(.local("the disk is full")),
    ]

    @Test(arguments: 0..<60) func policyIsNeverViolated(_ seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
        let limits = ArrivalsPolicy(
            batch: chance.number(1...7), batchSpacing: chance.number(0...900), cooldown: chance.number(1...9),
            lifetime: chance.number(1...60), refusalLifetime: chance.number(0...600))
        let capacity = chance.number(5...40)
        var driver = ArrivalsDriver(limits, capacity: capacity)
        for _ in 0..<1500 {
            Self.step(&driver, &chance)
            // A single check for each step: so many expectations would take longer than the scheduler.
            guard let violation = Self.violation(driver, limits) else { continue }
            Issue.record("\(violation)")
            break
        }
        Self.checkCooldown(driver, limits)
        Self.checkSpacing(driver, limits)
        #expect(driver.requests.count > 20)
    }

    private static func violation(_ driver: ArrivalsDriver, _ limits: ArrivalsPolicy) -> String? {
        if driver.orders.count > limits.batch { return "more requests than a batch" }
        if Set(driver.orders.map(\.query)).count != driver.orders.count { return "two requests for one query" }
        if driver.plan.records.count > driver.plan.capacity { return "more records than the capacity" }
        if driver.plan.requestsInFlight.count != driver.orders.count { return "the requests in flight are miscounted" }
        if driver.plan.hosts.count > 3 { return "more hosts than there are" }
        if let wake = driver.plan.nextWake(at: driver.now), wake <= driver.now.boot { return "the next wake is past" }
        return nil
    }

    private static func step(_ driver: inout ArrivalsDriver, _ chance: inout SeededGenerator) {
        switch chance.number(0...9) {
        case 0...3:
            let names = (0..<chance.number(1...8)).map { _ in "host\(chance.number(1...3))/\(chance.number(1...30))" }
            let priority = FetchPriority.allCases[chance.number(0...2)]
            driver.addDemand(names, priority, for: chance.number(0...2) == 0 ? chance.number(1...300) : nil)
        case 4...6:
            guard let order = driver.orders.randomElement(using: &chance) else { return }
            driver.end(order.ticket, outcomes[chance.number(0...outcomes.count - 1)])
        case 7: driver.pass(milliseconds: Int64(chance.number(1...1000)))
        case 8: driver.pass(milliseconds: Int64(chance.number(1...20_000)))
        default:
            driver.plan.setOnline(chance.number(0...3) != 0)
            driver.begin()
        }
        // No request takes longer than the deadline.
        for order in driver.orders {
            guard let began = driver.requests[order.ticket]?.began, driver.time - began > 60_000 else { continue }
            driver.end(order.ticket, .failed(.timeout))
        }
    }

    /// Checks that no query is repeated within its cooldown.
    private static func checkCooldown(_ driver: ArrivalsDriver, _ limits: ArrivalsPolicy) {
        for (query, requests) in Dictionary(grouping: driver.requests.values, by: \.query) {
            let sorted = requests.sorted { $0.began < $1.began }
            for (earlier, later) in zip(sorted, sorted.dropFirst()) {
                guard let ended = earlier.ended else {
                    Issue.record("\(query) was sent twice simultaneously")
                    continue
                }
                #expect(later.began - ended >= Int64(limits.cooldown) * 1000, "\(query)")
            }
        }
    }

    /// Checks the spacing between batches, and between a batch and the end of the previous request.
    private static func checkSpacing(_ driver: ArrivalsDriver, _ limits: ArrivalsPolicy) {
        let begins = driver.batches.compactMap { $0.first.flatMap { driver.requests[$0]?.began } }
        for (earlier, later) in zip(begins, begins.dropFirst()) {
            #expect(later - earlier >= Int64(limits.batchSpacing))
        }
        let ends = driver.requests.values.compactMap(\.ended).sorted()
        var next = 0
        for begin in begins.sorted() {
            while next < ends.count, ends[next] < begin { next += 1 }
            guard next > 0 else { continue }
            #expect(begin - ends[next - 1] >= Int64(limits.batchSpacing))
        }
    }

    /// All demand is eventually satisfied, and the most urgent demand is satisfied within the time that its batch
    /// takes.
    @Test(arguments: 0..<20) func allDemandIsEventuallySent(_ seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed) &+ 99)
        let limits = ArrivalsPolicy(batch: chance.number(1...6), batchSpacing: chance.number(0...600))
        var driver = ArrivalsDriver(limits)
        let names = (0..<chance.number(1...60)).map { "host/\($0)" }
        driver.addDemand(names)
        driver.endAll()
        driver.pass(60, .answered)
        for name in names.prefix(30 * limits.batch) { #expect(driver.count(name) == 1, "\(name)") }
    }
}
