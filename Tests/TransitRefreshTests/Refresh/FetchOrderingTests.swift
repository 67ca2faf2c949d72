import Testing
import TransitModel

@testable import TransitRefresh

/// Tests the order of fetches if a budget does not allow all of them.
@Suite struct FetchOrderingTests {
    private func driver(_ hourly: Int, seed boot: Int64) -> EngineDriver {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates, .vehicles, .alerts], key: "k")
        configuration.budgets["k"] = BudgetPolicy(
            key: "k", limits: [BudgetLimit(hourly, per: .rolling(seconds: 3600))])
        let wall = Instant(rfc3339: "2026-03-23T12:00:00Z") ?? Instant(secondsSince1970: 0)
        return EngineDriver(
            configuration, at: ClockReading(wall: wall, boot: BootTime(milliseconds: boot * 1_000_003)))
    }

    /// The order of turns after a start is random, but if a budget does not allow all fetches, they are ordered by
    /// kind.
    @Test(arguments: Int64(1)...20) func tripUpdatesComeBeforeVehiclesBeforeAlerts(seed: Int64) {
        var driver = driver(20, seed: seed)
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(1200) { .content($0) }
        var kinds: [DatasetKind] = []
        for kind in driver.started.map(\.order.dataset.kind) where !kinds.contains(kind) { kinds.append(kind) }
        #expect(kinds == [.tripUpdates, .vehicles, .alerts])
    }

    @Test func everyKindIsEventuallyFetched() {
        var driver = driver(20, seed: 1)
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(6 * 3600) { .content($0) }
        let counts = Dictionary(grouping: driver.started, by: \.order.dataset.kind).mapValues(\.count)
        let (updates, vehicles, alerts) = (
            counts[.tripUpdates] ?? 0, counts[.vehicles] ?? 0, counts[.alerts] ?? 0
        )
        #expect(updates > vehicles && vehicles > alerts && alerts >= 4, "\(counts)")
    }

    /// Found by the simulation: users' requests that use up the budget left no share for the timetable.
    @Test(arguments: [false, true]) func continuousRequestsDoNotStarveTimetable(isDaily: Bool) {
        var configuration = RefreshConfiguration.feed("a", [.static, .tripUpdates, .vehicles, .alerts], key: "k")
        let window =
            isDaily ? BudgetLimit(200, per: .rolling(seconds: 24 * 3600)) : .init(20, per: .rolling(seconds: 3600))
        configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [window])
        var driver = EngineDriver(configuration)
        driver.pass(600) { .content($0) }
        for request in 0..<UInt64(72 * 60) {
            let kind = DatasetKind.realtime[Int(request % 3)]
            driver.send(.requested(RefreshRequest(id: request, scope: .dataset(DatasetID("a", kind)), force: true)))
            driver.pass(60) { .content($0) }
        }
        let seconds = driver.started.filter { $0.order.dataset.kind == .static }.map(\.second)
        #expect(seconds.count >= 3)
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 < 30 * 3600 }, "\(seconds)")
        let charged = driver.ledger.spends.filter { $0.dataset.kind == .static }
        #expect(charged.allSatisfy { $0.priority == .background })
    }

    // MARK: Simultaneous requests

    /// Two feeds with timetables and realtime data on one host.
    private func sharedHost() -> RefreshConfiguration {
        var configuration = RefreshConfiguration.feed("a", [.static, .tripUpdates, .vehicles, .alerts])
        configuration.add("b", [.static, .tripUpdates])
        configuration.add("other", [.static, .tripUpdates])
        for id in configuration.datasets.keys where id.feed != "other" {
            configuration.datasets[id]?.source.host = "shared"
        }
        return configuration
    }

    @Test(arguments: [false, true]) func oneHostReceivesAtMostTwoRequestsAtATime(isOnDemand: Bool) {
        var driver = EngineDriver(sharedHost())
        if isOnDemand { for feed in ["a", "b"] as [FeedID] { driver.send(.demand(feed, Demand(subscribers: 1))) } }
        var most = 0
        for _ in 0..<400 {
            driver.pass(3)
            most = max(most, driver.orders.count { $0.source.host == "shared" })
            // A download of a timetable takes long, the others end.
            if let done = driver.orders.first(where: { $0.dataset.kind.isRealtime }) { driver.finish(.content(done)) }
        }
        #expect(most == 2)
        #expect(driver.orders.contains { $0.dataset.kind == .static && $0.source.host == "shared" })
    }

    @Test func timetablesThatTakeLongLeaveRoomForRealtimeDataOfTheirHost() {
        var driver = EngineDriver(sharedHost())
        driver.send(.demand("a", Demand(subscribers: 1)))
        for _ in 0..<200 {
            driver.pass(3)
            for done in driver.orders.filter({ $0.dataset.kind.isRealtime }) { driver.finish(.content(done)) }
        }
        // Both timetables of the host are due and never end.
        #expect(driver.orders.count { $0.dataset.kind == .static && $0.source.host == "shared" } == 1)
        #expect(driver.started.count { $0.order.dataset == DatasetID("a", .tripUpdates) } >= 8)
    }
}
