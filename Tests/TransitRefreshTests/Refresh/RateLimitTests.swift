import Testing
import TransitModel

@testable import TransitRefresh

/// Tests the pauses after a response with status 429 that does not say how long to wait.
@Suite struct RateLimitTests {
    private func driver(_ kinds: [DatasetKind] = [.tripUpdates], key: KeyName? = nil) -> EngineDriver {
        var configuration = RefreshConfiguration.feed("a", kinds, key: key)
        if let key {
            configuration.budgets[key] = BudgetPolicy(key: key, limits: [BudgetLimit(60, per: .rolling(seconds: 3600))])
        }
        return EngineDriver(configuration)
    }

    private func gaps(_ driver: EngineDriver) -> [Int] {
        zip(driver.started, driver.started.dropFirst()).map { $1.second - $0.second }
    }

    /// Somebody watches and requests departures every minute.
    private func watch(
        _ driver: inout EngineDriver, for seconds: Int, _ answer: @escaping (DatasetFetch) -> FetchOutcome
    ) {
        for _ in 0..<(seconds / 60) {
            driver.send(.demand("a", Demand(subscribers: 1, lastRequest: driver.now)))
            driver.pass(60, answer)
        }
    }

    @Test(arguments: [nil, "k"] as [KeyName?]) func pausesDoubleUpToAnHourWhileSomebodyWatches(key: KeyName?) {
        var driver = driver(key: key)
        watch(&driver, for: 6 * 3600) { .failed($0, .status(429)) }
        let minutes = gaps(driver).map { Int((Double($0) / 60).rounded()) }
        #expect(Array(minutes.prefix(8)) == [1, 2, 4, 8, 16, 32, 60, 60], "\(gaps(driver))")
        #expect(driver.plan(DatasetID("a", .tripUpdates))?.reason == .retryAfter)
    }

    @Test func datasetsOfOneHostPauseTogether() {
        var driver = driver([.tripUpdates, .vehicles, .alerts])
        watch(&driver, for: 3600) { .failed($0, .status(429)) }
        // Two requests may be in flight when the first response arrives; they are one refusal.
        let rounds = driver.started.map(\.second).reduce(into: [Int]()) { rounds, second in
            if rounds.last.map({ second - $0 > 5 }) ?? true { rounds.append(second) }
        }
        #expect(rounds.count <= 7, "\(driver.started.map(\.second))")
    }

    @Test func restartKeepsThePauses() {
        var first = driver()
        watch(&first, for: 20 * 60) { .failed($0, .status(429)) }
        let before = first.started.count
        var second = EngineDriver(.feed("a", [.tripUpdates]), ledger: first.ledger, at: first.now)
        watch(&second, for: 30 * 60) { .failed($0, .status(429)) }
        #expect(before + second.started.count <= 6, "\(second.started.map(\.second))")
    }

    @Test func successEndsThePauses() {
        var driver = driver()
        watch(&driver, for: 10 * 60) { .failed($0, .status(429)) }
        watch(&driver, for: 30 * 60) { .content($0) }
        driver.started = []
        watch(&driver, for: 4 * 60) { .failed($0, .status(429)) }
        #expect(driver.started.count == 3, "\(driver.started.map(\.second))")
    }

    @Test func statedPauseIsObeyed() {
        var driver = driver()
        watch(&driver, for: 600) { .failed($0, .status(429), retryAfter: "90") }
        #expect(gaps(driver).allSatisfy { (90...96).contains($0) }, "\(gaps(driver))")
    }
}
