import Testing
import TransitModel

@testable import TransitEngine

/// Who asks while a host fails does not wait for the end of its pause.
@Suite struct ProbeTests {
    private let live = DatasetID("a", .tripUpdates)

    private func driver(_ kinds: [DatasetKind] = [.tripUpdates], hourly: Int? = nil) -> EngineDriver {
        var configuration = RefreshConfiguration.feed("a", kinds, key: hourly == nil ? nil : "k")
        if let hourly {
            let limit = BudgetLimit(hourly, per: .rolling(seconds: 3600))
            configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [limit])
        }
        return EngineDriver(configuration)
    }

    private func ask(_ driver: inout EngineDriver) {
        driver.send(.demand("a", Demand(lastRequest: driver.now)))
    }

    /// Somebody asks every so many seconds.
    private func ask(
        _ driver: inout EngineDriver, every pause: Int, for seconds: Int,
        _ answer: @escaping (DatasetFetch) -> FetchOutcome
    ) {
        for _ in 0..<(seconds / pause) {
            ask(&driver)
            driver.pass(pause, answer)
        }
    }

    /// The seconds at which something was asked from a moment on.
    private func begun(_ driver: EngineDriver, from second: Int) -> [Int] {
        driver.begun.map(\.second).filter { $0 >= second }
    }

    @Test func aQuestionAfterAnOutageIsTheNextTry() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        #expect(driver.plan(live)?.reason == .circuitOpen)
        let back = driver.second
        // The recovery of the host stays unnoticed until the next question.
        driver.pass(60) { .content($0) }
        #expect(begun(driver, from: back).isEmpty)
        ask(&driver)
        driver.pass(1) { .content($0) }
        #expect(begun(driver, from: back) == [back + 60])
        #expect(driver.plan(live)?.reason == .fresh)
    }

    @Test func questionsBringItForwardOnceAMinute() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        let begin = driver.second
        ask(&driver, every: 7, for: 3600) { .failed($0, .timeout) }
        let tries = begun(driver, from: begin)
        #expect((58...61).contains(tries.count), "\(tries)")
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 - $0 >= 60 }, "\(tries)")
        // What comes then comes at the pace of before.
        let end = driver.second
        driver.pass(3600) { .failed($0, .timeout) }
        #expect(begun(driver, from: end).count < 6)
    }

    @Test func aQuestionThatComesTooSoonIsNotForgotten() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.pass(60)
        ask(&driver)
        driver.pass(20) { .failed($0, .timeout) }
        let probed = driver.second
        ask(&driver)
        driver.pass(60) { .content($0) }
        #expect(begun(driver, from: probed) == [probed + 40])
    }

    /// Questions keep the pause from growing, so that a recovery is noticed soon after the questions end.
    @Test func probesDoNotMakeThePauseLonger() {
        var driver = driver()
        driver.pass(100) { .failed($0, .timeout) }
        ask(&driver, every: 60, for: 1800) { .failed($0, .timeout) }
        let end = driver.second
        driver.pass(300) { .failed($0, .timeout) }
        #expect(!begun(driver, from: end).isEmpty)
    }

    @Test func aForcedRefreshIsTheNextTry() {
        var driver = driver()
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.pass(60)
        let begin = driver.second
        driver.send(.asked(RefreshRequest(id: 1, scope: .all, force: true)))
        driver.pass(1) { .failed($0, .timeout) }
        #expect(begun(driver, from: begin) == [begin])
        guard case .ended(let update)? = driver.answers[1]?[live] else {
            Issue.record("\(driver.answers)")
            return
        }
        #expect(update.priority == .user)
        // The next one waits for the minute to be over.
        driver.send(.asked(RefreshRequest(id: 2, scope: .all, force: true)))
        driver.pass(58) { .content($0) }
        #expect(begun(driver, from: begin).count == 1)
        driver.pass(2) { .content($0) }
        #expect(begun(driver, from: begin) == [begin, begin + 60])
    }

    @Test func nobodyIsAskedBeforeRetryAfterIsOver() {
        var driver = driver()
        driver.pass(4) { .failed($0, .status(503), retryAfter: "900") }
        let begin = driver.second
        ask(&driver, every: 60, for: 840) { .content($0) }
        driver.send(.asked(RefreshRequest(id: 1, scope: .all, force: true)))
        #expect(begun(driver, from: begin).isEmpty)
        ask(&driver, every: 60, for: 120) { .content($0) }
        #expect(!begun(driver, from: begin).isEmpty)
    }

    @Test func aQuestionDoesNotTryARejectedKey() {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates])
        configuration.datasets[live]?.source.isKeyed = true
        var driver = EngineDriver(configuration)
        driver.pass(5) { .failed($0, .status(403)) }
        ask(&driver, every: 60, for: 540) { .content($0) }
        #expect(driver.begun.count == 1)
    }

    @Test func theSpacingOfAnEndpointHolds() {
        var driver = driver()
        driver.pass(1) { .failed($0, .timeout) }
        ask(&driver, every: 1, for: 120) { .failed($0, .timeout) }
        let tries = driver.begun.map(\.second)
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 - $0 >= 5 }, "\(tries)")
    }

    /// 511 allows 60 requests an hour: one probe in four minutes.
    @Test func onAMeteredKeyProbesSpendAQuarter() {
        var driver = driver([.tripUpdates, .alerts], hourly: 60)
        driver.pass(2 * 3600) { .failed($0, .timeout) }
        let begin = driver.second
        ask(&driver, every: 20, for: 3600) { .failed($0, .timeout) }
        let tries = begun(driver, from: begin)
        #expect((13...16).contains(tries.count), "\(tries)")
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 - $0 >= 240 }, "\(tries)")
    }

    @Test func aBudgetTooSmallHasNoneToSpare() {
        var driver = driver(hourly: 3)
        driver.pass(4 * 3600) { .failed($0, .timeout) }
        var asked = driver
        let begin = driver.second
        driver.pass(3600) { .failed($0, .timeout) }
        ask(&asked, every: 60, for: 3600) { .failed($0, .timeout) }
        // Whoever asks may spend more of it on the tries that come anyway.
        #expect(begun(asked, from: begin).count <= begun(driver, from: begin).count + 1)
    }

    /// Each of them would have waited for a pause of its own.
    @Test func whatFailedWithTheHostComesBackWithIt() {
        var driver = driver([.tripUpdates, .vehicles, .alerts])
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.pass(60)
        let begin = driver.second
        ask(&driver)
        driver.pass(10) { .content($0) }
        let kinds = driver.begun.filter { $0.second >= begin }.map(\.order.dataset.kind)
        #expect(Set(kinds) == [.tripUpdates, .vehicles, .alerts])
        #expect(kinds.count == 3)
    }

    @Test func aDatasetThatFailsAloneIsProbedToo() {
        var driver = driver([.tripUpdates, .alerts])
        let answer = { (order: DatasetFetch) -> FetchOutcome in
            order.dataset.kind == .alerts ? .content(order) : .failed(order, .status(404))
        }
        driver.pass(2 * 3600, answer)
        ask(&driver)
        let begin = driver.second
        ask(&driver, every: 60, for: 120) { .content($0) }
        let kinds = driver.begun.filter { $0.second >= begin && $0.second < begin + 70 }.map(\.order.dataset.kind)
        #expect(kinds.contains(.tripUpdates))
    }

    /// The host answers again, but for one endpoint: the probes of that one do not keep the others away.
    @Test(arguments: [DatasetKind.tripUpdates, .vehicles, .alerts])
    func anEndpointThatKeepsFailingDoesNotHoldTheOthersBack(_ kind: DatasetKind) {
        let kinds: [DatasetKind] = [.tripUpdates, .vehicles, .alerts]
        var driver = driver(kinds)
        driver.pass(600) { .content($0) }
        ask(&driver, every: 60, for: 25 * 60) { .failed($0, .timeout) }
        ask(&driver, every: 60, for: 5 * 60) { order in
            order.dataset.kind == kind ? .failed(order, .timeout) : .content(order)
        }
        for other in kinds where other != kind {
            let record = driver.engine.record(DatasetID("a", other))
            #expect(record?.lastUpdate?.outcome.isSuccess == true, "\(other)")
            #expect((record?.age(at: driver.now) ?? .max) < 300, "\(other)")
        }
    }

    @Test func aMissingTimetableIsProbed() {
        let timetable = DatasetID("a", .static)
        var driver = driver([.static])
        driver.pass(6 * 3600) { .failed($0, .timeout) }
        driver.pass(60)
        var begin = driver.second
        driver.send(.missed("a"))
        driver.pass(1) { .failed($0, .timeout) }
        #expect(begun(driver, from: begin) == [begin])
        // One that cannot be used is large, and the same in a minute.
        driver.pass(24 * 3600) { driver in
            FetchOutcome(ticket: driver.ticket, dataset: driver.dataset, result: .refused("no stops"), status: 200)
        }
        #expect(driver.plan(timetable)?.reason == .refused)
        begin = driver.second
        driver.send(.missed("a"))
        driver.pass(1) { .content($0) }
        #expect(begun(driver, from: begin).isEmpty)
    }

    /// A silent host holds a download for a quarter of an hour: what is small is not kept waiting by it.
    @Test func aDownloadThatHangsHoldsNoProbeBack() throws {
        var driver = driver([.static, .tripUpdates])
        driver.pass(25 * 60) { .failed($0, .timeout) }
        driver.send(.asked(RefreshRequest(id: 1, scope: .dataset(DatasetID("a", .static)), force: true)))
        driver.pass(60)
        _ = try #require(driver.orders.first { $0.dataset.kind == .static })
        driver.orders = driver.orders.filter { $0.dataset.kind != .static }
        let begin = driver.second
        ask(&driver, every: 60, for: 120) { .content($0) }
        #expect(driver.begun.contains { $0.second >= begin && $0.order.dataset == live })
    }
}
