import Testing
import TransitModel

@testable import TransitRefresh

/// Tests that the requests that leave this machine are charged to the key's budget, and no others.
@Suite struct RequestChargeTests {
    private let id = DatasetID("a", .tripUpdates)

    private func driver(_ kinds: [DatasetKind] = [.tripUpdates], isCollected: Bool = false) -> EngineDriver {
        var configuration = RefreshConfiguration.feed("a", kinds, key: "k")
        configuration.datasets[DatasetID("a", .static)]?.isCollected = isCollected
        configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [BudgetLimit(100, per: .rolling(seconds: 3600))])
        var driver = EngineDriver(configuration)
        // The first fetch waits for its turn.
        driver.pass(5)
        return driver
    }

    private func spent(_ driver: EngineDriver) -> Int? {
        driver.engine.budgets(at: driver.now).first?.windows.first?.spent
    }

    private func finish(_ driver: inout EngineDriver, _ outcome: FetchOutcome, requests: Int?) {
        var outcome = outcome
        outcome.requests = requests
        driver.finish(outcome)
    }

    @Test(arguments: [(nil, 1), (0, 0), (1, 1), (3, 3)] as [(Int?, Int)])
    func chargesEqualRequests(requests: Int?, charges: Int) throws {
        var driver = driver()
        let order = try #require(driver.orders.first)
        #expect(spent(driver) == 1)
        finish(&driver, .content(order), requests: requests)
        #expect(spent(driver) == charges)
        // After a restart, too.
        #expect(driver.ledger.spends.count == charges)
        #expect(driver.ledger.spends.allSatisfy { $0.dataset == id && $0.priority == .background })
    }

    /// The name of the host could not be resolved, so no request was sent.
    @Test func failureWithoutRequestIsNotCharged() throws {
        var driver = driver()
        let order = try #require(driver.orders.first)
        finish(&driver, .failed(order, .connection("no such host")), requests: 0)
        #expect(spent(driver) == 0 && driver.ledger.spends.isEmpty)
        #expect(driver.engine.record(id)?.consecutiveFailures == 1)
    }

    @Test func failureBeforeTheRequestIsNotCharged() throws {
        var driver = driver()
        driver.finish(.failed(try #require(driver.orders.first), .unsent("the key is missing")))
        #expect(spent(driver) == 0 && driver.ledger.spends.isEmpty)
    }

    /// The responses to the first requests of a collection were received in an earlier attempt.
    @Test func stepsOfACollectionThatWereNotSentAreNotCharged() throws {
        var driver = driver([.static], isCollected: true)
        let order = try #require(driver.orders.first)
        for _ in 0..<3 { driver.send(.step(ticket: order.ticket, order.dataset)) }
        #expect(spent(driver) == 4)
        finish(&driver, .content(order), requests: 2)
        #expect(spent(driver) == 2 && driver.ledger.spends.count == 2)
    }

    /// The refund is not lost if the ledger cannot be saved at first.
    @Test func refundIsSavedLater() throws {
        var driver = driver()
        driver.canSave = false
        let order = try #require(driver.orders.first)
        finish(&driver, .content(order), requests: 0)
        #expect(driver.ledger.spends.count == 1)
        driver.canSave = true
        driver.pass(60) { order in
            var outcome = FetchOutcome.content(order)
            outcome.requests = 0
            return outcome
        }
        #expect(driver.ledger.spends.isEmpty && spent(driver) == 0)
    }

    /// A collection that received responses before its host limited it starts with a short pause again.
    @Test func progressOfACollectionRestartsThePauses() throws {
        var driver = driver([.static], isCollected: true)
        for _ in 0..<4 {
            let order = try #require(driver.orders.first)
            let begin = driver.second
            var outcome = FetchOutcome.failed(order, .status(429))
            outcome.madeProgress = true
            driver.finish(outcome)
            let count = driver.started.count
            while driver.started.count == count { driver.pass(5) }
            #expect((60...70).contains(driver.second - begin), "\(driver.second - begin)")
        }
    }
}
