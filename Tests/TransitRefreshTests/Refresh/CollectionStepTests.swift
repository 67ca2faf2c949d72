import Testing
import TransitModel

@testable import TransitRefresh

/// Tests that each request of a collection is charged before it is sent.
@Suite struct CollectionStepTests {
    private let id = DatasetID("a", .static)

    private func driver(_ limit: Int, _ change: (inout RefreshConfiguration) -> Void = { _ in }) -> EngineDriver {
        var configuration = RefreshConfiguration.feed("a", [.static, .tripUpdates], key: "k")
        configuration.datasets[id]?.isCollected = true
        configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [BudgetLimit(limit, per: .rolling(seconds: 3600))])
        change(&configuration)
        var driver = EngineDriver(configuration)
        driver.send(.requested(RefreshRequest(id: 1, scope: .dataset(id), force: true)))
        driver.pass(10)
        return driver
    }

    private func ticket(_ driver: EngineDriver) throws -> UInt64 {
        try #require(driver.orders.first { $0.dataset == id }?.ticket)
    }

    @Test func stepIsSavedBeforeItIsAllowed() throws {
        var driver = driver(100)
        let before = driver.ledger.spends.count
        driver.send(.step(ticket: try ticket(driver), id))
        #expect(driver.steps.map(\.answer) == [.allowed])
        #expect(driver.ledger.spends.count == before + 1)
    }

    @Test func stepIsHeldWhileLedgerCannotBeSaved() throws {
        var driver = driver(100)
        let spent = driver.engine.budgets(at: driver.now).first?.windows.first?.spent
        driver.canSave = false
        driver.send(.step(ticket: try ticket(driver), id))
        guard case .held = driver.steps.last?.answer else {
            Issue.record("\(driver.steps)")
            return
        }
        // The request was not sent, so it is not charged.
        #expect(driver.engine.budgets(at: driver.now).first?.windows.first?.spent == spent)
        driver.canSave = true
        driver.pass(60)
        driver.send(.step(ticket: try ticket(driver), id))
        #expect(driver.steps.last?.answer == .allowed)
    }

    @Test func exhaustedBudgetHoldsStep() throws {
        var driver = driver(100)
        let ticket = try ticket(driver)
        for _ in 0..<20 {
            driver.send(.step(ticket: ticket, id))
            driver.pass(1)
        }
        // The background share of five minutes, minus the fetches that started.
        let allowed = driver.steps.count { $0.answer == .allowed }
        #expect((3...4).contains(allowed), "\(driver.steps)")
        guard case .held(let moment) = driver.steps.last?.answer else {
            Issue.record("\(driver.steps)")
            return
        }
        driver.move(to: moment)
        driver.send(.step(ticket: ticket, id))
        #expect(driver.steps.last?.answer == .allowed)
    }

    /// A user who is waiting for the network is also waiting for realtime data.
    @Test func collectionHasBackgroundPriority() throws {
        var driver = driver(100)
        let order = try #require(driver.orders.first { $0.dataset == id })
        #expect(order.priority == .background)
        driver.send(.step(ticket: order.ticket, id))
        #expect(driver.ledger.spends.filter { $0.dataset == id }.map(\.priority) == [.background, .background])
    }

    /// Tranzy's budget is 4,644 requests a day, and a network takes 125, which are sent within minutes together with
    /// realtime fetches.
    @Test func collectionDoesNotDelayRealtimeData() throws {
        var driver = driver(1) { configuration in
            configuration.budgets["k"] = BudgetPolicy(
                key: "k", limits: [BudgetLimit(4644, per: .rolling(seconds: 24 * 3600))])
            configuration.datasets[DatasetID("a", .tripUpdates)]?.policy.interval = 30
        }
        let ticket = try ticket(driver)
        for order in driver.orders where order.dataset != id { driver.finish(.content(order)) }
        driver.send(.demand("a", Demand(lastRequest: driver.now)))
        let begin = driver.second
        var allowed = 0
        for _ in 0..<300 {
            if allowed < 125 { driver.send(.step(ticket: ticket, id)) }
            driver.pass(1)
            for order in driver.orders where order.dataset != id { driver.finish(.content(order)) }
            allowed = driver.steps.count { $0.answer == .allowed }
        }
        #expect(allowed == 125)
        let realtime = driver.started.filter { $0.second > begin && $0.order.dataset != id }
        #expect((9...12).contains(realtime.count), "\(realtime.map(\.second))")
    }

    /// The available budget is used for data that users can see.
    @Test func dueRealtimeDataTakesPrecedenceOverStep() throws {
        var driver = driver(100)
        driver.pass(400) { .content($0) }
        driver.send(.requested(RefreshRequest(id: 2, scope: .dataset(id), force: true)))
        driver.pass(1)
        let ticket = try ticket(driver)
        // The realtime data becomes due at the time of the step.
        let due = try #require(driver.plan(DatasetID("a", .tripUpdates))?.due?.boot)
        driver.move(to: due)
        driver.send(.step(ticket: ticket, id))
        #expect(driver.steps.last?.answer == .held(until: due.advanced(by: 1)))
        #expect(driver.orders.contains { $0.dataset.kind == .tripUpdates })
        driver.move(to: due.advanced(by: 1))
        driver.send(.step(ticket: ticket, id))
        #expect(driver.steps.last?.answer == .allowed)
    }

    @Test func stepOfEndedFetchIsCanceled() throws {
        var driver = driver(100)
        let order = try #require(driver.orders.first { $0.dataset == id })
        driver.finish(.content(order))
        driver.send(.step(ticket: order.ticket, id))
        #expect(driver.steps.map(\.answer) == [.canceled])
    }

    @Test func collectionDoesNotBlockOtherFetches() {
        var driver = driver(1000) { $0.startSpacing = ["a": 1] }
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(600) { order in order.dataset == id ? .failed(order, .timeout) : .content(order) }
        #expect(driver.started.contains { $0.order.dataset.kind == .tripUpdates })
    }
}
