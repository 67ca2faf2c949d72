import Testing
import TransitModel

@testable import TransitRefresh

/// Tests that the datasets whose requests are charged to one key share its budget.
@Suite struct SharedKeyTests {
    private static let feeds: [FeedID] = ["a", "b", "c"]

    private static func driver(
        _ hourly: Int, feeds: [FeedID] = feeds, kinds: [DatasetKind] = [.tripUpdates, .vehicles, .alerts]
    ) -> EngineDriver {
        var configuration = RefreshConfiguration()
        for feed in feeds { configuration.add(feed, kinds, key: "k") }
        configuration.budgets["k"] = BudgetPolicy(
            key: "k", limits: [BudgetLimit(hourly, per: .rolling(seconds: 3600))])
        return EngineDriver(configuration)
    }

    private func watch(_ driver: inout EngineDriver, _ feeds: [FeedID]) {
        for feed in feeds { driver.send(.demand(feed, Demand(subscribers: 1))) }
    }

    private func counts(_ driver: EngineDriver, from second: Int = 0) -> [FeedID: Int] {
        Dictionary(grouping: driver.started.filter { $0.second >= second }, by: \.order.dataset.feed)
            .mapValues(\.count)
    }

    private func gaps(_ driver: EngineDriver, from second: Int = 0) -> [Int] {
        let seconds = driver.started.map(\.second).filter { $0 >= second }
        return zip(seconds, seconds.dropFirst()).map { $1 - $0 }
    }

    private func maximumPerHour(_ driver: EngineDriver) -> Int {
        let seconds = driver.started.map(\.second)
        return seconds.map { end in seconds.count { $0 > end - 3600 && $0 <= end } }.max() ?? 0
    }

    @Test(arguments: [false, true], [20, 30, 45, 60, 100])
    func feedsOnOneKeyTakeTurnsAtEqualDemand(isWatched: Bool, hourly: Int) throws {
        var driver = Self.driver(hourly)
        if isWatched { watch(&driver, Self.feeds) }
        driver.pass(24 * 3600) { .content($0) }
        let counts = counts(driver)
        let (least, most) = (try #require(counts.values.min()), try #require(counts.values.max()))
        #expect(counts.count == 3 && Double(most - least) <= 0.1 * Double(most), "\(counts)")
        // Kind by kind, too.
        for kind in [DatasetKind.tripUpdates, .vehicles, .alerts] {
            let ofKind = Self.feeds.map { feed in
                driver.started.count { $0.order.dataset == DatasetID(feed, kind) }
            }
            #expect((ofKind.max() ?? 0) - (ofKind.min() ?? 0) <= 2 + (ofKind.max() ?? 0) / 10, "\(kind): \(ofKind)")
        }
    }

    @Test(arguments: [false, true], [20, 25, 30, 45, 60, 100])
    func requestsAreSpreadOverTheWindow(isWatched: Bool, hourly: Int) {
        var driver = Self.driver(hourly)
        if isWatched { watch(&driver, Self.feeds) }
        driver.pass(24 * 3600) { .content($0) }
        let longest = gaps(driver).max() ?? .max
        #expect(longest <= 366, "\(longest) s")
        // The requests of people always find a part of the budget.
        let reserved = maximumPerHour(driver)
        #expect(Double(reserved) <= (Double(hourly) * 0.85).rounded(.up), "\(reserved)")
    }

    @Test(arguments: [(100, false), (100, true), (700, false), (45, false), (45, true)])
    func requestsAreSpreadOverTheDay(daily: Int, isWatched: Bool) {
        var configuration = RefreshConfiguration()
        for feed in Self.feeds { configuration.add(feed, [.tripUpdates, .vehicles], key: "k") }
        configuration.budgets["k"] = BudgetPolicy(
            key: "k",
            limits: [
                BudgetLimit(60, per: .rolling(seconds: 3600)), BudgetLimit(daily, per: .rolling(seconds: 86_400)),
            ])
        var driver = EngineDriver(configuration)
        if isWatched { watch(&driver, Self.feeds) }
        driver.pass(5 * 86_400) { .content($0) }
        let longest = gaps(driver).max() ?? .max
        #expect(longest <= 8640, "\(longest) s")
    }

    /// A person's script refreshes one dataset every five minutes, which takes twelve requests an hour.
    @Test(arguments: [20, 30], [false, true])
    func forcedRefreshOfOneDatasetDoesNotStarveOthers(hourly: Int, isWatched: Bool) {
        var driver = Self.driver(hourly, feeds: ["a"])
        if isWatched { watch(&driver, ["a"]) }
        for request in 0..<UInt64(48 * 12) {
            driver.send(
                .requested(RefreshRequest(id: request, scope: .dataset(DatasetID("a", .tripUpdates)), force: true)))
            driver.pass(300) { .content($0) }
        }
        for kind in [DatasetKind.vehicles, .alerts] {
            let seconds = driver.started.filter { $0.order.dataset.kind == kind }.map(\.second)
            let longest = zip(seconds, seconds.dropFirst()).map { $1 - $0 }.max() ?? .max
            #expect(seconds.count > 48, "\(kind): \(seconds.count) requests")
            #expect(longest <= 3900, "\(kind): \(longest) s")
        }
        let forced = driver.started.count { $0.order.priority == .user }
        #expect(forced >= 48 * 12 * 9 / 10, "\(forced)")
    }

    /// The script takes the whole budget, so the other datasets wait for an hour, but not forever.
    @Test func requestsOfPeopleThatTakeTheWholeBudgetLeaveOneRequestAnHour() {
        var driver = Self.driver(12, feeds: ["a"])
        for request in 0..<UInt64(24 * 12) {
            driver.send(
                .requested(RefreshRequest(id: request, scope: .dataset(DatasetID("a", .tripUpdates)), force: true)))
            driver.pass(300) { .content($0) }
        }
        for kind in [DatasetKind.vehicles, .alerts] {
            let seconds = driver.started.filter { $0.order.dataset.kind == kind }.map(\.second)
            let longest = zip(seconds, seconds.dropFirst()).map { $1 - $0 }.max() ?? .max
            #expect(seconds.count >= 12 && longest <= 2 * 3600, "\(kind): \(seconds)")
        }
        #expect(maximumPerHour(driver) <= 12)
    }

    /// The requests of people take the budget of the day. When the next requests are allowed, two timetables of one host
    /// are due, of which the second waits for the first. The requests of people leave it one.
    @Test func requestsOfPeopleLeaveRequestToEachTimetableThatIsDue() {
        var configuration = RefreshConfiguration()
        for feed in Self.feeds.prefix(2) { configuration.add(feed, [.static, .tripUpdates], key: "k") }
        for id in configuration.datasets.keys {
            configuration.datasets[id]?.source.host = "host"
            if id.kind == .static { configuration.datasets[id]?.policy.quietHours = nil }
        }
        configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [BudgetLimit(10, per: .rolling(seconds: 86_400))])
        var driver = EngineDriver(configuration)
        func refresh(_ feed: FeedID) {
            let id = UInt64(driver.started.count)
            driver.send(.requested(RefreshRequest(id: id, scope: .dataset(DatasetID(feed, .tripUpdates)), force: true)))
        }
        driver.pass(60) { .content($0) }
        while driver.started.count < 10, driver.second < 3600 {
            refresh("a")
            driver.pass(60) { .content($0) }
        }
        #expect(driver.started.count == 10)
        driver.pass(86_455 - driver.second) { .content($0) }
        #expect(driver.started.count == 10)
        // The first three requests leave the window within seconds.
        for feed in Self.feeds.prefix(2) { refresh(feed) }
        for _ in 0..<15 {
            driver.pass(1)
            for order in driver.orders where order.dataset.kind.isRealtime { driver.finish(.content(order)) }
        }
        #expect(driver.started.dropFirst(10).map(\.order.dataset.kind) == [.static, .tripUpdates])
        driver.pass(2) { .content($0) }
        #expect(driver.started.dropFirst(12).map(\.order.dataset.kind) == [.static])
    }

    /// The requests at the start, and timetables that are due together, leave no gap at the end of a window.
    @Test(arguments: [38, 60, 83], [false, true]) func timetablesLeaveNoGapInTheWindow(hourly: Int, isWatched: Bool) {
        var driver = Self.driver(hourly, kinds: [.static, .tripUpdates, .alerts])
        if isWatched { watch(&driver, Self.feeds) }
        driver.pass(3 * 86_400) { .content($0) }
        let longest = gaps(driver).max() ?? .max
        #expect(longest <= 366, "\(longest) s")
        for feed in Self.feeds {
            #expect(driver.started.count { $0.order.dataset == DatasetID(feed, .static) } >= 3)
        }
    }

    /// Eight datasets share six requests an hour, so each of them waits for more than an hour. Two requests of a person
    /// are no reason to send those of all datasets together.
    @Test func fewRequestsOfPeopleDoNotReleaseWaitingData() {
        var driver = Self.driver(10, feeds: ["a", "b", "c", "d"], kinds: [.tripUpdates, .vehicles])
        driver.pass(4 * 3600) { .content($0) }
        for request in UInt64(1)...2 {
            driver.send(
                .requested(RefreshRequest(id: request, scope: .dataset(DatasetID("a", .tripUpdates)), force: true)))
            driver.pass(3000) { .content($0) }
        }
        driver.pass(3 * 3600) { .content($0) }
        let seconds = driver.started.filter { $0.order.priority != .user }.map(\.second)
        let gaps = zip(seconds, seconds.dropFirst()).map { $1 - $0 }
        #expect((gaps.min() ?? 0) >= 600 && (gaps.max() ?? .max) <= 1300, "\(gaps)")
    }

    /// A person watches for 40 minutes of each 90, which takes more than the share of data without demand.
    @Test(arguments: [43, 60]) func dataIsFetchedAfterDemandThatTookItsShare(hourly: Int) {
        var driver = Self.driver(hourly, feeds: ["a"])
        for _ in 0..<12 {
            watch(&driver, ["a"])
            driver.pass(2400) { .content($0) }
            driver.send(.demand("a", Demand()))
            driver.pass(3000) { .content($0) }
        }
        for kind in [DatasetKind.tripUpdates, .vehicles, .alerts] {
            let seconds = driver.started.filter { $0.order.dataset.kind == kind }.map(\.second)
            let longest = zip(seconds, seconds.dropFirst()).map { $1 - $0 }.max() ?? .max
            #expect(longest <= 2280, "\(kind): \(longest) s")
        }
    }

    /// A feed that is watched all day takes most of the budget, and the feeds that nobody uses are not forgotten.
    @Test func watchedFeedLeavesOthersAShare() {
        var driver = Self.driver(60)
        watch(&driver, ["b"])
        driver.pass(48 * 3600) { .content($0) }
        let counts = counts(driver, from: 3600)
        let unwatched = [counts["a"] ?? 0, counts["c"] ?? 0]
        #expect(unwatched.allSatisfy { $0 > 47 * 5 }, "\(counts)")
        #expect(abs(unwatched[0] - unwatched[1]) <= unwatched[0] / 10, "\(counts)")
        #expect((counts["b"] ?? 0) > 47 * 60 * 55 / 100, "\(counts)")
    }
}
