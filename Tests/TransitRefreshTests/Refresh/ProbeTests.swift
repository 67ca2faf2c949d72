import Testing
import TransitModel

@testable import TransitRefresh

/// Tests that user requests do not wait for the end of a failing host's pause.
@Suite struct ProbeTests {
    private let realtime = DatasetID("a", .tripUpdates)

    private func driver(_ kinds: [DatasetKind] = [.tripUpdates], hourly: Int? = nil) -> EngineDriver {
        var configuration = RefreshConfiguration.feed("a", kinds, key: hourly == nil ? nil : "k")
        if let hourly {
            let limit = BudgetLimit(hourly, per: .rolling(seconds: 3600))
            configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [limit])
        }
        return EngineDriver(configuration)
    }

    private func request(_ driver: inout EngineDriver) {
        driver.send(.demand("a", Demand(lastRequest: driver.now)))
    }

    /// Sends requests at an interval in seconds.
    private func request(
        _ driver: inout EngineDriver, every pause: Int, for seconds: Int,
        _ response: @escaping (DatasetFetch) -> FetchOutcome
    ) {
        for _ in 0..<(seconds / pause) {
            request(&driver)
            driver.pass(pause, response)
        }
    }

    /// Returns the times in seconds at which fetches started, beginning with a given time.
    private func startTimes(_ driver: EngineDriver, from second: Int) -> [Int] {
        driver.started.map(\.second).filter { $0 >= second }
    }

    @Test func requestAfterOutageCausesProbe() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        #expect(driver.plan(realtime)?.reason == .circuitOpen)
        let back = driver.second
        // The recovery of the host is not noticed until the next request.
        driver.pass(60) { .content($0) }
        #expect(startTimes(driver, from: back).isEmpty)
        request(&driver)
        driver.pass(1) { .content($0) }
        #expect(startTimes(driver, from: back) == [back + 60])
        #expect(driver.plan(realtime)?.reason == .fresh)
    }

    @Test func requestsProbeOnceAMinute() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        let begin = driver.second
        request(&driver, every: 7, for: 3600) { .failed($0, .timeout) }
        let starts = startTimes(driver, from: begin)
        #expect((58...61).contains(starts.count), "\(starts)")
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 60 }, "\(starts)")
        // Afterward, the scheduled rate applies.
        let end = driver.second
        driver.pass(3600) { .failed($0, .timeout) }
        #expect(startTimes(driver, from: end).count < 6)
    }

    @Test func earlyRequestIsProbedLater() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.pass(60)
        request(&driver)
        driver.pass(20) { .failed($0, .timeout) }
        let probed = driver.second
        request(&driver)
        driver.pass(60) { .content($0) }
        #expect(startTimes(driver, from: probed) == [probed + 40])
    }

    /// The requests prevent the pause from growing, so that a recovery is noticed soon after the requests end.
    @Test func probesDoNotExtendPause() {
        var driver = driver()
        driver.pass(100) { .failed($0, .timeout) }
        request(&driver, every: 60, for: 1800) { .failed($0, .timeout) }
        let end = driver.second
        driver.pass(300) { .failed($0, .timeout) }
        #expect(!startTimes(driver, from: end).isEmpty)
    }

    @Test func forcedRefreshCausesProbe() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.pass(60)
        let begin = driver.second
        driver.send(.requested(RefreshRequest(id: 1, scope: .all, force: true)))
        driver.pass(1) { .failed($0, .timeout) }
        #expect(startTimes(driver, from: begin) == [begin])
        guard case .ended(let update)? = driver.answers[1]?[realtime] else {
            Issue.record("\(driver.answers)")
            return
        }
        #expect(update.priority == .user)
        // The next probe waits for the rest of the minute.
        driver.send(.requested(RefreshRequest(id: 2, scope: .all, force: true)))
        driver.pass(58) { .content($0) }
        #expect(startTimes(driver, from: begin).count == 1)
        driver.pass(2) { .content($0) }
        #expect(startTimes(driver, from: begin) == [begin, begin + 60])
    }

    @Test func probesHonorRetryAfter() {
        var driver = driver()
        driver.pass(4) { .failed($0, .status(503), retryAfter: "900") }
        let begin = driver.second
        request(&driver, every: 60, for: 840) { .content($0) }
        driver.send(.requested(RefreshRequest(id: 1, scope: .all, force: true)))
        #expect(startTimes(driver, from: begin).isEmpty)
        request(&driver, every: 60, for: 120) { .content($0) }
        #expect(!startTimes(driver, from: begin).isEmpty)
    }

    @Test func requestDoesNotRetryRejectedKey() {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates])
        configuration.datasets[realtime]?.source.isKeyed = true
        var driver = EngineDriver(configuration)
        driver.pass(5) { .failed($0, .status(403)) }
        request(&driver, every: 60, for: 540) { .content($0) }
        #expect(driver.started.count == 1)
    }

    @Test func endpointSpacingApplies() {
        var driver = driver()
        driver.pass(1) { .failed($0, .timeout) }
        request(&driver, every: 1, for: 120) { .failed($0, .timeout) }
        let starts = driver.started.map(\.second)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 5 }, "\(starts)")
    }

    /// 511.org allows 60 requests an hour, which is one probe every four minutes.
    @Test func probesOnMeteredKeyUseQuarterOfBudget() {
        var driver = driver([.tripUpdates, .alerts], hourly: 60)
        driver.pass(2 * 3600) { .failed($0, .timeout) }
        let begin = driver.second
        request(&driver, every: 20, for: 3600) { .failed($0, .timeout) }
        let starts = startTimes(driver, from: begin)
        #expect((13...16).contains(starts.count), "\(starts)")
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 240 }, "\(starts)")
    }

    @Test func smallBudgetAllowsNoProbes() {
        var driver = driver(hourly: 3)
        driver.pass(4 * 3600) { .failed($0, .timeout) }
        var asked = driver
        let begin = driver.second
        driver.pass(3600) { .failed($0, .timeout) }
        request(&asked, every: 60, for: 3600) { .failed($0, .timeout) }
        // User requests may use more of the budget for the scheduled retries.
        #expect(startTimes(asked, from: begin).count <= startTimes(driver, from: begin).count + 1)
    }

    /// Without the recovery, each dataset would wait for a pause of its own.
    @Test func datasetsRecoverWithTheirHost() {
        var driver = driver([.tripUpdates, .vehicles, .alerts])
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.pass(60)
        let begin = driver.second
        request(&driver)
        driver.pass(10) { .content($0) }
        let kinds = driver.started.filter { $0.second >= begin }.map(\.order.dataset.kind)
        #expect(Set(kinds) == [.tripUpdates, .vehicles, .alerts])
        #expect(kinds.count == 3)
    }

    @Test func datasetThatFailsAloneIsProbed() {
        var driver = driver([.tripUpdates, .alerts])
        let response = { (order: DatasetFetch) -> FetchOutcome in
            order.dataset.kind == .alerts ? .content(order) : .failed(order, .status(404))
        }
        driver.pass(2 * 3600, response)
        request(&driver)
        let begin = driver.second
        request(&driver, every: 60, for: 120) { .content($0) }
        let kinds = driver.started.filter { $0.second >= begin && $0.second < begin + 70 }.map(\.order.dataset.kind)
        #expect(kinds.contains(.tripUpdates))
    }

    /// The host recovers except for one endpoint, whose probes do not delay the other endpoints.
    @Test(arguments: [DatasetKind.tripUpdates, .vehicles, .alerts])
    func failingEndpointDoesNotDelayOthers(_ kind: DatasetKind) {
        let kinds: [DatasetKind] = [.tripUpdates, .vehicles, .alerts]
        var driver = driver(kinds)
        driver.pass(600) { .content($0) }
        request(&driver, every: 60, for: 25 * 60) { .failed($0, .timeout) }
        request(&driver, every: 60, for: 5 * 60) { order in
            order.dataset.kind == kind ? .failed(order, .timeout) : .content(order)
        }
        for other in kinds where other != kind {
            let record = driver.engine.record(DatasetID("a", other))
            #expect(record?.lastUpdate?.outcome.isSuccess == true, "\(other)")
            #expect((record?.age(at: driver.now) ?? .max) < 300, "\(other)")
        }
    }

    @Test func missingTimetableIsProbed() {
        let timetable = DatasetID("a", .static)
        var driver = driver([.static])
        driver.pass(6 * 3600) { .failed($0, .timeout) }
        driver.pass(60)
        var begin = driver.second
        driver.send(.requestedWithoutTimetable("a"))
        driver.pass(1) { .failed($0, .timeout) }
        #expect(startTimes(driver, from: begin) == [begin])
        // An unusable archive is large and does not change within a minute.
        driver.pass(24 * 3600) { driver in
            FetchOutcome(ticket: driver.ticket, dataset: driver.dataset, result: .refused("no stops"), status: 200)
        }
        #expect(driver.plan(timetable)?.reason == .refused)
        begin = driver.second
        driver.send(.requestedWithoutTimetable("a"))
        driver.pass(1) { .content($0) }
        #expect(startTimes(driver, from: begin).isEmpty)
    }

    /// A silent host blocks a download for a quarter of an hour, which does not delay small fetches.
    @Test func hangingDownloadDoesNotBlockProbe() throws {
        var driver = driver([.static, .tripUpdates])
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.send(.requested(RefreshRequest(id: 1, scope: .dataset(DatasetID("a", .static)), force: true)))
        driver.pass(60)
        _ = try #require(driver.orders.first { $0.dataset.kind == .static })
        driver.orders = driver.orders.filter { $0.dataset.kind != .static }
        let begin = driver.second
        request(&driver, every: 60, for: 120) { .content($0) }
        #expect(driver.started.contains { $0.second >= begin && $0.order.dataset == realtime })
    }
}
