import Testing
import TransitModel

@testable import TransitRefresh

/// Tests of a dataset whose URL the configuration changes while the daemon runs.
@Suite struct ReplacedSourceTests {
    private let id = DatasetID("a", .static)
    private let former = RefreshConfiguration.feed("a", [.static])

    /// The same dataset from another host.
    private var replaced: RefreshConfiguration {
        var configuration = former
        configuration.datasets[id]?.source = DatasetSource(endpoint: "https://new/a.zip", host: "new")
        return configuration
    }

    /// `feed edit` changes the URL and requests the timetable, while the former URL is still being fetched.
    @Test func requestWaitsForNewSource() throws {
        var driver = EngineDriver(former)
        driver.pass(10)
        let order = try #require(driver.orders.first)
        driver.send(.configured(replaced))
        #expect(driver.canceled == [order.ticket])
        driver.send(.requested(RefreshRequest(id: 1, scope: .dataset(id))))
        // The response may have arrived before the cancellation.
        driver.finish(.failed(order, .status(404)))
        #expect(driver.answers[1] == nil)
        driver.pass(30) { .content($0) }
        #expect(driver.started.map(\.order.source.endpoint).last == "https://new/a.zip")
        guard case .ended(let update)? = driver.answers[1]?[id] else {
            Issue.record("\(driver.answers)")
            return
        }
        #expect(update.outcome.isSuccess)
    }

    /// The content of the former source has no age for the new one.
    @Test func newSourceIsFetchedSoonAfterFormerOne() {
        var driver = EngineDriver(former)
        driver.pass(10) { .content($0) }
        #expect(driver.started.count == 1)
        driver.send(.requested(RefreshRequest(id: 1, scope: .dataset(id))))
        guard case .fresh? = driver.answers[1]?[id] else {
            Issue.record("\(driver.answers)")
            return
        }
        driver.send(.configured(replaced))
        driver.send(.requested(RefreshRequest(id: 2, scope: .dataset(id))))
        driver.pass(30) { .content($0, "2") }
        #expect(driver.started.count == 2)
        guard case .ended? = driver.answers[2]?[id] else {
            Issue.record("\(driver.answers)")
            return
        }
    }

    @Test func sameSourceContinues() {
        var driver = EngineDriver(former)
        driver.pass(10)
        driver.send(.configured(former))
        #expect(driver.canceled.isEmpty && driver.orders.count == 1)
    }
}
