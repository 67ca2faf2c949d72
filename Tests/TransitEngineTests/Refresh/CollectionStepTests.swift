import Testing
import TransitModel

@testable import TransitEngine

/// A fetch that takes many requests pays for each of them, before it is sent.
@Suite struct CollectionStepTests {
    private let id = DatasetID("a", .static)

    private func driver(_ limit: Int, _ change: (inout RefreshConfiguration) -> Void = { _ in }) -> EngineDriver {
        var configuration = RefreshConfiguration.feed("a", [.static, .tripUpdates], key: "k")
        configuration.datasets[id]?.isCollected = true
        configuration.budgets["k"] = BudgetPolicy(key: "k", limits: [BudgetLimit(limit, per: .rolling(seconds: 3600))])
        change(&configuration)
        var driver = EngineDriver(configuration)
        driver.send(.asked(RefreshRequest(id: 1, scope: .dataset(id), force: true)))
        driver.pass(10)
        return driver
    }

    private func ticket(_ driver: EngineDriver) throws -> UInt64 {
        try #require(driver.orders.first { $0.dataset == id }?.ticket)
    }

    @Test func aStepIsInTheLedgerBeforeItIsAllowed() throws {
        var driver = driver(100)
        let before = driver.ledger.spends.count
        driver.send(.step(ticket: try ticket(driver), id))
        #expect(driver.steps.map(\.answer) == [.allowed])
        #expect(driver.ledger.spends.count == before + 1)
    }

    @Test func withoutALedgerNothingIsAllowed() throws {
        var driver = driver(100)
        let spent = driver.engine.budgets(at: driver.now).first?.windows.first?.spent
        driver.canSave = false
        driver.send(.step(ticket: try ticket(driver), id))
        guard case .held = driver.steps.last?.answer else {
            Issue.record("\(driver.steps)")
            return
        }
        // It was not sent, so it is not counted.
        #expect(driver.engine.budgets(at: driver.now).first?.windows.first?.spent == spent)
        driver.canSave = true
        driver.pass(60)
        driver.send(.step(ticket: try ticket(driver), id))
        #expect(driver.steps.last?.answer == .allowed)
    }

    @Test func aSpentBudgetHoldsAStepUntilThereIsRoom() throws {
        var driver = driver(5)
        let ticket = try ticket(driver)
        for _ in 0..<20 {
            driver.send(.step(ticket: ticket, id))
            driver.pass(1)
        }
        let allowed = driver.steps.count { $0.answer == .allowed }
        #expect((3...4).contains(allowed))
        guard case .held(let moment) = driver.steps.last?.answer else {
            Issue.record("\(driver.steps)")
            return
        }
        driver.move(to: moment)
        driver.send(.step(ticket: ticket, id))
        #expect(driver.steps.last?.answer == .allowed)
    }

    @Test func aFetchThatHasEndedGetsNoMore() throws {
        var driver = driver(100)
        let order = try #require(driver.orders.first { $0.dataset == id })
        driver.finish(.content(order))
        driver.send(.step(ticket: order.ticket, id))
        #expect(driver.steps.map(\.answer) == [.gone])
    }

    @Test func nobodyWaitsForACollectionToEnd() {
        var driver = driver(1000) { $0.startSpacing = ["a": 1] }
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(600) { order in order.dataset == id ? .failed(order, .timeout) : .content(order) }
        #expect(driver.begun.contains { $0.order.dataset.kind == .tripUpdates })
    }
}
