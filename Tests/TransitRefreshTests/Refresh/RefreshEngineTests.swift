import Testing
import TransitModel

@testable import TransitRefresh

@Suite struct RefreshEngineTests {
    private let realtime = DatasetID("a", .tripUpdates)

    private func gaps(_ driver: EngineDriver) -> [Int] {
        zip(driver.started, driver.started.dropFirst()).map { $1.second - $0.second }
    }

    // MARK: Freshness

    @Test func demandRaisesFetchRate() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        driver.pass(3600) { .content($0) }
        #expect(gaps(driver).allSatisfy { (265...300).contains($0) })
        #expect(driver.plan(realtime)?.reason == .idle)
        driver.started = []
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(3600) { .content($0) }
        #expect(gaps(driver).allSatisfy { (53...60).contains($0) }, "\(gaps(driver))")
        #expect(driver.plan(realtime)?.reason == .fresh)
        #expect(driver.plan(realtime)?.priority == .commute)
    }

    @Test func timeUntilDepartureSetsFetchRate() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        let departure = driver.now.wall.advanced(by: 3 * 3600)
        driver.send(.demand("a", Demand(periods: Demand.periods(aroundDeparture: departure))))
        driver.pass(2 * 3600 - 60) { .content($0) }
        #expect(gaps(driver).allSatisfy { $0 > 260 })
        driver.pass(120) { .content($0) }
        driver.started = []
        driver.pass(1700) { .content($0) }
        #expect(gaps(driver).allSatisfy { (106...120).contains($0) })
        driver.pass(120) { .content($0) }
        driver.started = []
        driver.pass(2200) { .content($0) }
        #expect(gaps(driver).allSatisfy { (53...60).contains($0) })
        driver.pass(600) { .content($0) }
        driver.started = []
        driver.pass(3600) { .content($0) }
        #expect(gaps(driver).allSatisfy { $0 > 260 })
    }

    @Test func timetableIsFetchedAtQuietHour() {
        let id = DatasetID("a", .static)
        var driver = EngineDriver(.feed("a", [.static]))
        driver.pass(5 * 86_400) { .content($0) }
        #expect(driver.started.count == 6)
        for fetch in driver.started.dropFirst() { #expect((15 * 3600...17 * 3600).contains(fetch.second % 86_400)) }
        #expect(driver.engine.record(id)?.unchangedContentStreak == 0)
    }

    // MARK: Restarts

    @Test func restartDoesNotFetchFreshData() {
        var driver = EngineDriver(.feed("a", [.static, .tripUpdates]))
        driver.pass(60) { .content($0, etag: "x") }
        #expect(driver.started.count == 2)
        var restarted = EngineDriver(.feed("a", [.static, .tripUpdates]), ledger: driver.ledger, at: driver.now)
        restarted.pass(150)
        #expect(restarted.started.isEmpty)
        restarted.pass(120)
        #expect(restarted.started.map(\.order.dataset) == [realtime])
        #expect(restarted.started.first?.order.validators == Validators(etag: "x"))
    }

    @Test(arguments: [-400 * 86_400, -7200, 7200, 400 * 86_400])
    func rebootWithWrongClockSpreadsFetchesAndRefreshesAll(jump: Int) {
        var configuration = RefreshConfiguration()
        for number in 0..<3 { configuration.add(FeedID("f\(number)"), [.static, .tripUpdates]) }
        var driver = EngineDriver(configuration)
        driver.pass(120) { .content($0) }
        let now = ClockReading(wall: driver.now.wall.advanced(by: jump), boot: BootTime(milliseconds: 5000))
        var rebooted = EngineDriver(configuration, ledger: driver.ledger, boot: "b", at: now)
        rebooted.pass(360) { .content($0) }
        let realtime = rebooted.started.filter { $0.order.dataset.kind == .tripUpdates }
        #expect(Set(realtime.map(\.order.dataset)).count == 3)
        for start in 0..<360 { #expect(rebooted.started.count { (start..<start + 10).contains($0.second) } <= 6) }
        rebooted.pass(27 * 3600) { .content($0) }
        #expect(Set(rebooted.started.map(\.order.dataset)).count == 6)
        #expect(rebooted.ledger.boot == "b")
    }

    @Test func fetchThatKillsDaemonIsDelayed() {
        var driver = EngineDriver(.feed("a", [.static]))
        driver.pass(10)
        #expect(driver.orders.count == 1)
        var ledger = driver.ledger
        var pauses: [Int] = []
        for _ in 0..<6 {
            var next = EngineDriver(.feed("a", [.static]), ledger: ledger, at: driver.now)
            next.pass(4000)
            pauses.append(next.started.first?.second ?? -1)
            ledger = next.ledger
            driver.now = next.now
        }
        #expect(pauses.last ?? 0 > 60)
        #expect(ledger.datasets[DatasetID("a", .static)]?.history.last?.outcome == .failed)
    }

    // MARK: Failures

    @Test func quickRetriesThenCircuitOpens() {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates])
        configuration.limits.endpointSpacing = 0
        var driver = EngineDriver(configuration)
        driver.pass(25) { .failed($0, .timeout) }
        #expect(driver.started.map(\.second) == [0, 1, 3, 7] || driver.started.count == 4)
        #expect(driver.plan(realtime)?.reason == .circuitOpen)
        #expect(driver.notices.contains { if case .circuitOpened = $0 { true } else { false } })
        driver.pass(3600) { .failed($0, .timeout) }
        #expect(gaps(driver).suffix(2).allSatisfy { (900...1100).contains($0) })
        driver.pass(1200) { .content($0) }
        #expect(driver.notices.last == .circuitClosed("a"))
        #expect(driver.plan(realtime)?.reason == .idle)
    }

    @Test func spacingDelaysRetry() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        driver.pass(25) { .failed($0, .timeout) }
        // The pauses would be 1, 2 and 4 s.
        #expect(gaps(driver) == [5, 5, 5])
    }

    @Test(arguments: [429, 503]) func forcedRefreshHonorsRetryAfter(status: Int) {
        var driver = EngineDriver(.feed("a", [.tripUpdates, .alerts]))
        driver.pass(4) { .failed($0, .status(status), retryAfter: "600") }
        driver.started = []
        driver.send(.requested(RefreshRequest(id: 5, scope: .all, force: true)))
        #expect(driver.started.isEmpty)
        guard case .held(.retryAfter, let until?) = driver.answers[5]?[realtime] else {
            Issue.record("\(driver.answers)")
            return
        }
        #expect((590...600).contains(driver.now.wall.seconds(to: until)))
        driver.pass(595) { .content($0) }
        #expect(driver.started.isEmpty)
        driver.pass(30) { .content($0) }
        #expect(driver.started.count == 2)
    }

    @Test func permanentFailureIsNotRetriedQuickly() {
        var driver = EngineDriver(.feed("a", [.tripUpdates, .alerts]))
        driver.pass(50) { $0.dataset.kind == .alerts ? .failed($0, .status(404)) : .content($0) }
        #expect(driver.started.count { $0.order.dataset.kind == .alerts } == 1)
        #expect(driver.plan(DatasetID("a", .alerts))?.reason == .refused)
        #expect(driver.plan(realtime)?.reason == .idle)
    }

    // MARK: Content

    @Test func falseNotModifiedIsDetected() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        driver.send(.demand("a", Demand(subscribers: 1)))
        var number = 0
        driver.pass(3000) { order in
            number += 1
            return order.validators == nil ? .content(order, "\(number)", etag: "\(number)") : .notModified(order)
        }
        #expect(driver.notices.contains(.falseNotModified(realtime)))
        driver.started = []
        driver.pass(600) { .content($0, "\($0.ticket)", etag: "\($0.ticket)") }
        #expect(driver.started.allSatisfy { $0.order.validators == nil })
    }

    @Test func ignoredConditionalRequestsAreReportedOnce() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        driver.pass(7200) { .content($0, "same", etag: "x") }
        #expect(driver.notices.count { $0 == .ignoresConditionalRequests(realtime) } == 1)
        #expect(driver.notices.count { if case .unchanging = $0 { true } else { false } } == 1)
        #expect(driver.engine.record(realtime)?.history.count == 20)
    }

    @Test(arguments: [false, true]) func lostContentIsFetchedAgain(isNotModified: Bool) throws {
        let id = DatasetID("a", .static)
        var driver = EngineDriver(.feed("a", [.static]))
        driver.pass(60) { .content($0, etag: "x") }
        // The content is lost while the next fetch is in flight.
        driver.send(.requested(RefreshRequest(id: 1, scope: .dataset(id), force: true)))
        let fetch = try #require(driver.orders.first)
        driver.send(.contentLost(id))
        driver.send(.requested(RefreshRequest(id: 2, scope: .dataset(id), force: true)))
        driver.finish(isNotModified ? .notModified(fetch) : .content(fetch, etag: "x"))
        driver.started = []
        driver.pass(60) { .content($0, etag: "x") }
        #expect(driver.started.map(\.order.validators) == [nil])
        // The content is lost while no fetch is in flight. The upstream does not allow requests for an hour.
        driver.send(.requested(RefreshRequest(id: 3, scope: .dataset(id), force: true)))
        driver.pass(2) { .failed($0, .status(429), retryAfter: "3600") }
        driver.send(.contentLost(id))
        driver.send(.requested(RefreshRequest(id: 4, scope: .dataset(id), force: true)))
        driver.started = []
        driver.pass(3500) { .content($0, etag: "x") }
        #expect(driver.started.isEmpty)
        driver.pass(3600) { .content($0, etag: "x") }
        #expect(driver.started.map(\.order.validators) == [nil])
    }

    // MARK: Requests

    @Test func requestDuringFetchThatSendsNothingIsFetchedAfterIt() throws {
        let id = DatasetID("a", .static)
        var driver = EngineDriver(.feed("a", [.static]))
        driver.pass(60) { .content($0, etag: "x") }
        driver.send(.requested(RefreshRequest(id: 1, scope: .dataset(id), force: true)))
        let fetch = try #require(driver.orders.first)
        driver.send(.requested(RefreshRequest(id: 2, scope: .dataset(id), force: true)))
        var unsent = FetchOutcome.notModified(fetch)
        unsent.requests = 0
        driver.finish(unsent)
        driver.started = []
        // The second fetch sends nothing either, and no request came during it.
        driver.pass(600) { order in
            var outcome = FetchOutcome.notModified(order)
            outcome.requests = 0
            return outcome
        }
        #expect(driver.started.count == 1)
    }

    @Test func requestsShareOneFetch() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        driver.pass(1)
        driver.send(.requested(RefreshRequest(id: 1, scope: .all)))
        driver.send(.requested(RefreshRequest(id: 2, scope: .dataset(realtime), force: true)))
        #expect(driver.started.count == 1)
        driver.finish(.content(driver.orders[0]))
        driver.pass(3)
        #expect(driver.started.count == 1)
        for request: UInt64 in [1, 2] {
            guard case .ended(let update) = driver.answers[request]?[realtime] else {
                Issue.record("request \(request) has no result")
                continue
            }
            #expect(update.outcome == .updated)
        }
    }

    @Test func unforcedRequestReturnsFreshData() {
        var driver = EngineDriver(.feed("a", [.alerts]))
        let alerts = DatasetID("a", .alerts)
        driver.pass(10) { .content($0, etag: "x") }
        driver.send(.requested(RefreshRequest(id: 1, scope: .feed("a"))))
        #expect(driver.answers[1]?[alerts] == .fresh(age: driver.engine.record(alerts)?.age(at: driver.now) ?? -1))
        driver.send(.requested(RefreshRequest(id: 2, scope: .feed("a"), force: true)))
        driver.pass(10) { .content($0, etag: "x") }
        #expect(driver.started.count == 2)
        #expect(driver.started.last?.order.validators == nil)
        #expect(driver.started.last?.order.priority == .user)
    }

    // MARK: Environment

    @Test func fetchesPauseOfflineAndAreSpreadAfterward() {
        var configuration = RefreshConfiguration()
        for number in 0..<20 { configuration.add(FeedID("f\(number)"), [.tripUpdates]) }
        var driver = EngineDriver(configuration)
        driver.pass(100) { .content($0) }
        driver.send(.network(isOnline: false))
        driver.started = []
        driver.pass(4000) { .content($0) }
        #expect(driver.started.isEmpty)
        #expect(driver.plan(DatasetID("f3", .tripUpdates))?.reason == .offline)
        driver.send(.network(isOnline: true))
        let start = driver.second
        driver.pass(60) { .content($0) }
        #expect(driver.started.count == 20)
        for second in start..<start + 60 {
            #expect(driver.started.count { (second..<second + 10).contains($0.second) } <= 6)
        }
    }

    @Test func suspendIsDetected() {
        var configuration = RefreshConfiguration()
        for number in 0..<20 { configuration.add(FeedID("f\(number)"), [.tripUpdates]) }
        var driver = EngineDriver(configuration)
        driver.pass(100) { .content($0) }
        driver.move(to: driver.now.boot.advanced(by: 8 * 3600))
        driver.started = []
        driver.send(.tick)
        while let order = driver.orders.first { driver.finish(.content(order)) }
        driver.pass(60) { .content($0) }
        #expect(driver.started.count == 20)
        #expect(Set(driver.started.map(\.second)).count > 10)
    }

    @Test func wallClockChangeDoesNotAffectAges() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        driver.pass(30) { .content($0) }
        let age = driver.engine.record(realtime)?.age(at: driver.now)
        driver.now.wall = driver.now.wall.advanced(by: -86_400)
        driver.send(.tick)
        #expect(driver.engine.record(realtime)?.age(at: driver.now) == age)
        #expect(driver.notices.contains(.clockJumped(seconds: -86_400)))
        driver.started = []
        driver.pass(300) { .content($0) }
        #expect(driver.started.count == 1)
    }

    /// The ledger of a full disk lacks the last request of the previous run, which ended a second ago.
    @Test(arguments: [false, true]) func requestAfterStartWithFullDiskKeepsSpacing(isRequested: Bool) {
        let configuration = RefreshConfiguration.feed("a", [.tripUpdates])
        var first = EngineDriver(configuration)
        first.send(.demand("a", Demand(subscribers: 1)))
        first.pass(10) { .content($0) }
        first.canSave = false
        while first.started.count < 2, first.second < 600 { first.pass(1) { .content($0) } }
        #expect(first.started.count == 2)
        var second = EngineDriver(configuration, ledger: first.ledger, at: first.now)
        second.canSave = false
        if isRequested {
            second.send(.requested(RefreshRequest(id: 1, scope: .dataset(realtime), force: true)))
        } else {
            second.send(.demand("a", Demand(subscribers: 1)))
        }
        #expect(second.started.isEmpty)
        second.pass(10) { .content($0) }
        #expect(second.started.map(\.second) == [5])
    }

    @Test func chargeThatCannotBeSavedBlocksFetch() {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates], key: "k")
        configuration.add("b", [.tripUpdates])
        configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [BudgetLimit(60, per: .rolling(seconds: 3600))])
        var driver = EngineDriver(configuration)
        driver.pass(20) { .content($0) }
        driver.canSave = false
        driver.started = []
        driver.pass(1200) { .content($0) }
        #expect(Set(driver.started.map(\.order.dataset.feed)) == ["b"])
        #expect(driver.notices.count { $0 == .ledgerUnsaved } == 1)
        #expect(driver.plan(realtime)?.reason == .ledger)
        driver.canSave = true
        driver.pass(60) { .content($0) }
        #expect(driver.started.last?.order.dataset.feed == "a")
        #expect(driver.ledger.spends.count == 2)
        #expect(driver.notices.contains(.ledgerSaved))
    }

    @Test func localDataIsReadAtOnce() {
        var configuration = RefreshConfiguration.feed("demo", DatasetKind.allCases)
        for id in configuration.datasets.keys { configuration.datasets[id]?.source.host = nil }
        var driver = EngineDriver(configuration)
        driver.pass(1) { .content($0) }
        #expect(Set(driver.started.map(\.order.dataset.kind)) == Set(DatasetKind.allCases))
    }

    /// Forty feeds that read one archive.
    @Test func localFilesAreReadWithoutSpacing() {
        var configuration = RefreshConfiguration()
        for number in 0..<40 {
            let feed = FeedID("f\(number)")
            configuration.add(feed, [.static], key: nil)
            configuration.datasets[DatasetID(feed, .static)]?.source = DatasetSource(endpoint: "file:/a.zip", host: nil)
        }
        var driver = EngineDriver(configuration)
        driver.pass(1) { .content($0) }
        #expect(driver.started.count == 40)
        // Nor do they wait for their turn after a restart.
        var ledger = driver.ledger
        ledger.datasets = [:]
        var restarted = EngineDriver(configuration, ledger: ledger, at: driver.now)
        restarted.pass(1) { .content($0) }
        #expect(restarted.started.count == 40)
    }

    @Test func feedsOfOneURLAreSpaced() {
        var configuration = RefreshConfiguration()
        for number in 0..<5 {
            let feed = FeedID("f\(number)")
            configuration.add(feed, [.static], key: nil)
            configuration.datasets[DatasetID(feed, .static)]?.source = DatasetSource(
                endpoint: "https://h/a.zip", host: "h")
        }
        var driver = EngineDriver(configuration)
        driver.pass(60) { .content($0) }
        #expect(driver.started.count == 5)
        #expect(gaps(driver).allSatisfy { $0 >= 5 }, "\(gaps(driver))")
    }

    @Test func startupRequestsToHostAreSpaced() {
        var configuration = RefreshConfiguration.feed("a", [.static, .tripUpdates, .vehicles, .alerts])
        configuration.startSpacing["a"] = 15
        var driver = EngineDriver(configuration)
        driver.pass(100) { .content($0) }
        #expect(driver.started.count == 4)
        #expect(gaps(driver).allSatisfy { $0 >= 15 })
    }

    @Test func removedDatasetIsForgotten() {
        var driver = EngineDriver(.feed("a", [.tripUpdates, .alerts]))
        driver.pass(10)
        #expect(driver.orders.count == 2)
        driver.send(.requested(RefreshRequest(id: 1, scope: .all)))
        driver.send(.configured(.feed("a", [.alerts])))
        #expect(driver.answers[1]?[realtime] == .removed)
        #expect(driver.canceled.count == 1)
        #expect(driver.ledger.datasets.keys.map(\.kind) == [.alerts])
        for order in driver.orders { driver.finish(.content(order)) }
        #expect(driver.ledger.datasets.keys.map(\.kind) == [.alerts])
    }

    @Test func fetchThatNeverEndsIsCanceledThenAbandoned() {
        var driver = EngineDriver(.feed("a", [.tripUpdates]))
        driver.pass(100)
        #expect(driver.canceled == [1])
        driver.pass(400)
        #expect(driver.orders.count == 2)
    }

    @Test func expiryWarningsAreIssuedOnSchedule() throws {
        var driver = EngineDriver(.feed("a", [.static]))
        let today = ServiceZone.utc.civil(at: driver.now.wall).date
        driver.send(.feedCalendar("a", FeedCalendarInfo(zone: .utc, lastDate: today.advanced(by: 9))))
        driver.pass(12 * 86_400) { .content($0) }
        let warned = driver.notices.compactMap { notice -> Int? in
            if case .expiring(_, let warning) = notice { warning.daysAhead } else { nil }
        }
        #expect(warned == [7, 3, 1, 0])
    }
}
