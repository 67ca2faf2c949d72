import Testing
import TransitModel

@testable import TransitRefresh

/// Tests that optional data, such as weather, never delays the data of a feed.
@Suite struct ExternalDatasetTests {
    private static func configuration() -> RefreshConfiguration {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates])
        for feed in ["b", "c", "d"] as [FeedID] { configuration.add(feed, [.tripUpdates]) }
        for id in DatasetID.externalData { configuration.add(id.feed, [id.kind]) }
        return configuration
    }

    /// The fetches of data that belongs to no feed take no slot of the four simultaneous fetches, but wait for one.
    @Test func externalDataTakesNoSlot() throws {
        var driver = EngineDriver(Self.configuration())
        driver.pass(20)
        #expect(driver.orders.allSatisfy { !$0.dataset.kind.isExternal } && driver.orders.count == 4)
        let first = try #require(driver.orders.first)
        driver.finish(.content(first))
        driver.pass(10)
        #expect(driver.orders.count { $0.dataset.kind.isExternal } == DatasetID.externalData.count)
        driver.send(.requested(RefreshRequest(id: 1, scope: .dataset(first.dataset), force: true)))
        driver.pass(10)
        #expect(driver.orders.count == 4 + DatasetID.externalData.count)
    }

    /// A hanging weather service does not delay the data of feeds.
    @Test func hangingSourceDelaysNothing() {
        var driver = EngineDriver(Self.configuration())
        for feed in ["a", "b", "c", "d"] as [FeedID] { driver.send(.demand(feed, Demand(subscribers: 1))) }
        for _ in 0..<60 {
            driver.pass(10)
            for order in driver.orders where !order.dataset.kind.isExternal { driver.finish(.content(order)) }
        }
        for feed in ["a", "b", "c", "d"] as [FeedID] {
            #expect(driver.started.count { $0.order.dataset.feed == feed } >= 9)
        }
    }

    /// In a catch-up, the data of feeds comes first.
    @Test(arguments: Int64(1)...20) func externalDataComesLastInCatchUp(seed: Int64) {
        let wall = Instant(rfc3339: "2026-03-23T12:00:00Z") ?? Instant(secondsSince1970: 0)
        var driver = EngineDriver(
            Self.configuration(), at: ClockReading(wall: wall, boot: BootTime(milliseconds: seed * 1_000_003)))
        driver.pass(60) { .content($0) }
        let kinds = driver.started.prefix(6).map(\.order.dataset.kind.isExternal)
        #expect(kinds == [false, false, false, false, true, true])
    }

    @Test func externalDataHasItsOwnCadence() {
        var driver = EngineDriver(Self.configuration())
        driver.pass(24 * 3600) { .content($0) }
        let counts = Dictionary(grouping: driver.started, by: \.order.dataset).mapValues(\.count)
        #expect((48...54).contains(counts[.weather] ?? 0), "\(counts)")
        #expect((4...6).contains(counts[.events] ?? 0), "\(counts)")
    }
}
