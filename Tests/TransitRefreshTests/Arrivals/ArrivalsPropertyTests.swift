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
            #expect(driver.orders.count <= limits.batch)
            #expect(Set(driver.orders.map(\.query)).count == driver.orders.count)
            #expect(driver.plan.records.count <= driver.plan.capacity)
            #expect(driver.plan.requestsInFlight.count == driver.orders.count)
            #expect(driver.plan.hosts.count <= 3)
            if let wake = driver.plan.nextWake(at: driver.now) { #expect(wake > driver.now.boot) }
        }
        Self.checkCooldown(driver, limits)
        Self.checkSpacing(driver, limits)
        #expect(driver.requests.count > 20)
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
        let ends = driver.requests.values.compactMap(\.ended)
        for begin in begins {
            #expect(!ends.contains { $0 < begin && begin - $0 < Int64(limits.batchSpacing) })
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
