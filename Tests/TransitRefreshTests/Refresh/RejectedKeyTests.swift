import Testing
import TransitModel

@testable import TransitRefresh

/// Tests the retries after the upstream has rejected a key.
@Suite struct RejectedKeyTests {
    private let id = DatasetID("a", .tripUpdates)

    private func driver(isKeyed: Bool = true, ledger: RefreshLedger? = nil, at now: ClockReading? = nil) -> EngineDriver
    {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates])
        configuration.datasets[id]?.source.isKeyed = isKeyed
        guard let ledger, let now else { return EngineDriver(configuration) }
        return EngineDriver(configuration, ledger: ledger, at: now)
    }

    @Test(arguments: [401, 403])
    func retriesBecomeLessFrequent(_ status: Int) {
        var driver = driver()
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(86_400 * 4) { .failed($0, .status(status)) }
        let started = driver.started.map(\.second)
        let gaps = zip(started, started.dropFirst()).map { $1 - $0 }
        #expect(gaps == [600, 3600, 6 * 3600, 86_400, 86_400, 86_400])
        #expect(driver.plan(id)?.reason == .keyRejected)
        #expect(driver.engine.record(id)?.lastUpdate?.reason == "the key was rejected (HTTP status \(status))")
    }

    /// A gateway may reject keys temporarily while it restarts.
    @Test func temporaryRejectionCostsTenMinutes() {
        var driver = driver()
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(590) { .failed($0, .status(403)) }
        #expect(driver.started.count == 1)
        driver.pass(20) { .content($0) }
        #expect(driver.started.count == 2)
        #expect(driver.plan(id)?.reason == .fresh)
        // After the next rejection, the delays start over.
        let begin = driver.second
        driver.pass(700) { .failed($0, .status(403)) }
        #expect(driver.started.count { $0.second >= begin } == 2)
    }

    /// Repeated forced refreshes do not postpone the next retry.
    @Test func forcedRefreshDoesNotPostponeRetry() {
        var driver = driver()
        driver.pass(10) { .failed($0, .status(401)) }
        for id in UInt64(1)...5 {
            driver.send(.requested(RefreshRequest(id: id, scope: .all, force: true)))
            driver.pass(10) { .failed($0, .status(401)) }
        }
        guard let due = driver.plan(id)?.due else {
            Issue.record("no retry is planned")
            return
        }
        #expect(driver.now.wall.seconds(to: due.wall) <= 600)
        #expect(driver.plan(id)?.reason == .keyRejected)
    }

    /// Earlier failures during an outage do not count as rejections.
    @Test func otherFailuresDoNotCountAsRejections() {
        var driver = driver()
        driver.pass(3600) { .failed($0, .timeout) }
        driver.pass(1200) { .failed($0, .status(401)) }
        let started = driver.started.count
        driver.pass(600) { .failed($0, .status(401)) }
        #expect(driver.started.count <= started + 1)
        let rejections = driver.engine.record(id)?.keyRejections ?? 0
        #expect((1...3).contains(rejections))
    }

    /// A collection fails with the status of the request that was rejected.
    @Test func collectionIsRetriedByTheSameRule() {
        let network = DatasetID("a", .static)
        var configuration = RefreshConfiguration.feed("a", [.static])
        configuration.datasets[network]?.source.isKeyed = true
        configuration.datasets[network]?.isCollected = true
        var driver = EngineDriver(configuration)
        driver.pass(5000) { .failed($0, .status(403)) }
        #expect(driver.started.map(\.second) == [0, 600, 4200])
    }

    @Test func onlyForcedRefreshRetriesRejectedKey() {
        var driver = driver()
        driver.pass(60) { .failed($0, .status(401)) }
        #expect(driver.started.count == 1)
        driver.send(.requested(RefreshRequest(id: 1, scope: .all)))
        driver.pass(60) { .failed($0, .status(401)) }
        #expect(driver.started.count == 1)
        guard case .held(.keyRejected, let until?)? = driver.answers[1]?[id] else {
            Issue.record("\(driver.answers)")
            return
        }
        #expect((470...545).contains(driver.now.wall.seconds(to: until)))
        driver.send(.requested(RefreshRequest(id: 2, scope: .all, force: true)))
        driver.pass(60) { .failed($0, .status(401)) }
        #expect(driver.started.count == 2)
    }

    @Test func newKeyIsTriedAtOnce() {
        var driver = driver()
        driver.pass(200) { .failed($0, .status(403)) }
        driver.send(.keyChanged("b"))
        driver.pass(200) { .failed($0, .status(403)) }
        #expect(driver.started.count == 1)
        driver.send(.keyChanged("a"))
        driver.pass(30) { .content($0) }
        #expect(driver.started.count == 2)
        #expect(driver.plan(id)?.reason == .idle)
    }

    /// Otherwise, a daily fetch would wait for its scheduled time and be shown as failed until then.
    @Test func timetableIsFetchedAtOnceWithNewKey() {
        let timetable = DatasetID("a", .static)
        var configuration = RefreshConfiguration.feed("a", [.static])
        configuration.datasets[timetable]?.source.isKeyed = true
        var driver = EngineDriver(configuration)
        driver.pass(60) { .content($0) }
        driver.pass(86_400 * 2) { .failed($0, .status(401)) }
        let started = driver.started.count
        #expect(driver.plan(timetable)?.reason == .keyRejected)
        driver.send(.keyChanged("a"))
        driver.pass(30) { .content($0) }
        #expect(driver.started.count == started + 1)
        #expect(driver.engine.record(timetable)?.lastUpdate?.outcome.isSuccess == true)
    }

    /// No request was sent, so the full budget is available once there is a key.
    @Test func fetchesWithoutKeyAreNotCharged() {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates, .alerts], key: "k")
        configuration.budgets["k"] = BudgetPolicy(
            key: "k", limits: [BudgetLimit(60, per: .rolling(seconds: 3600))])
        for id in configuration.datasets.keys { configuration.datasets[id]?.source.isKeyed = true }
        var driver = EngineDriver(configuration)
        driver.pass(1800) { .failed($0, .unsent("there is no key")) }
        #expect(driver.started.count > 4)
        #expect(driver.engine.budget(of: "k")?.spends.isEmpty == true)
        driver.send(.keyChanged("a"))
        let begin = driver.second
        // Requests without demand are 100 s apart.
        driver.pass(150) { .content($0) }
        #expect(driver.started.count { $0.second >= begin } == 2)
        #expect(driver.engine.budget(of: "k")?.spends.count == 2)
    }

    @Test func fetchThatFailedWithoutKeyIsRetriedAtOnce() {
        var driver = driver()
        driver.pass(3600) { .failed($0, .local("there is no key")) }
        let started = driver.started.count
        driver.send(.keyChanged("a"))
        driver.pass(30) { .content($0) }
        #expect(driver.started.count == started + 1)
    }

    /// `setup` adds a feed, sets its key and requests its timetable, but the daemon's own first fetch starts before
    /// there is a key.
    @Test(arguments: [FetchFailure.unsent("there is no key"), .status(401), .status(403)])
    func requestWaitsForFetchWithNewKey(_ failure: FetchFailure) throws {
        var driver = driver()
        driver.pass(60)
        let order = try #require(driver.orders.first)
        driver.send(.keyChanged("a"))
        driver.send(.requested(RefreshRequest(id: 1, scope: .all)))
        driver.finish(.failed(order, failure))
        #expect(driver.answers[1] == nil)
        driver.pass(30) { .content($0) }
        #expect(driver.started.count == 2)
        guard case .ended(let update)? = driver.answers[1]?[id] else {
            Issue.record("\(driver.answers)")
            return
        }
        #expect(update.outcome.isSuccess)
    }

    /// If the new key is also rejected, requests are answered.
    @Test func rejectedNewKeyEndsTheWait() throws {
        var driver = driver()
        driver.pass(60)
        let order = try #require(driver.orders.first)
        driver.send(.keyChanged("a"))
        driver.send(.requested(RefreshRequest(id: 1, scope: .all)))
        driver.finish(.failed(order, .status(401)))
        driver.pass(500) { .failed($0, .status(401)) }
        #expect(driver.started.count == 2)
        #expect(driver.answers[1]?[id] != nil)
        #expect(driver.plan(id)?.reason == .keyRejected)
    }

    @Test func restartKeepsRejection() {
        var first = driver()
        first.pass(60) { .failed($0, .status(401)) }
        var second = driver(ledger: first.ledger, at: first.now)
        second.pass(500) { .failed($0, .status(401)) }
        #expect(second.started.isEmpty)
        #expect(second.plan(id)?.reason == .keyRejected)
        second.pass(60) { .failed($0, .status(401)) }
        #expect(second.started.count == 1)
        // The number of rejections is also kept: the next retry is after an hour rather than after ten minutes.
        var third = driver(ledger: second.ledger, at: second.now)
        third.pass(3500) { .failed($0, .status(401)) }
        #expect(third.started.isEmpty)
        third.pass(120) { .failed($0, .status(401)) }
        #expect(third.started.count == 1)
    }

    @Test func status403WithoutKeyIsOrdinaryFailure() {
        var driver = driver(isKeyed: false)
        driver.pass(3600) { .failed($0, .status(403)) }
        #expect(driver.started.count > 1)
        #expect(driver.plan(id)?.reason == .refused)
    }
}
