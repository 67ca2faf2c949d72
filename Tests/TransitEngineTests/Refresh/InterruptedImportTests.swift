import Testing
import TransitModel

@testable import TransitEngine

/// What the engine does about a timetable in whose import the daemon died.
@Suite struct InterruptedImportTests {
    private let timetable = DatasetID("a", .static)

    /// A daemon that begins its due fetches and is then killed, and the second after its start at which it began.
    private func died(_ ledger: RefreshLedger, at now: ClockReading) -> (EngineDriver, second: Int?) {
        var driver = EngineDriver(.feed("a", [.static]), ledger: ledger, at: now)
        while driver.begun.isEmpty, driver.second < 100_000 { driver.pass(10) }
        return (driver, driver.begun.first?.second)
    }

    @Test func oneDeathCostsNothingAndTheSecondAnHour() throws {
        let (first, begun) = died(RefreshLedger(), at: EngineDriver(.feed("a", [.static])).now)
        #expect(begun == 0)
        let (second, again) = died(first.ledger, at: first.now)
        #expect(try #require(again) <= 10)
        let (third, later) = died(second.ledger, at: second.now)
        #expect((3600...4600).contains(try #require(later)))
        let (fourth, muchLater) = died(third.ledger, at: third.now)
        #expect((7200...9100).contains(try #require(muchLater)))
        #expect(fourth.engine.record(timetable)?.consecutiveFailures == 3)
    }

    @Test func aForcedRefreshDoesNotWait() {
        let (first, _) = died(RefreshLedger(), at: EngineDriver(.feed("a", [.static])).now)
        let (second, _) = died(first.ledger, at: first.now)
        var third = EngineDriver(.feed("a", [.static]), ledger: second.ledger, at: second.now)
        third.send(.asked(RefreshRequest(id: 1, scope: .all, force: true)))
        third.pass(30)
        #expect(third.begun.count == 1)
    }

    @Test func aStopByRequestIsNoDeath() throws {
        var ledger = RefreshLedger()
        var now = EngineDriver(.feed("a", [.static])).now
        for _ in 0..<5 {
            var (driver, begun) = died(ledger, at: now)
            #expect(try #require(begun) <= 10)
            driver.send(.stopping)
            driver.pass(3600)
            #expect(driver.begun.count == 1)
            #expect(driver.ledger.datasets[timetable]?.isInProgress == false)
            (ledger, now) = (driver.ledger, driver.now)
        }
        #expect(ledger.datasets[timetable]?.consecutiveFailures == 0)
    }

    @Test func aSuccessBetweenTwoDeathsForgetsTheFirst() throws {
        let (first, _) = died(RefreshLedger(), at: EngineDriver(.feed("a", [.static])).now)
        var (second, _) = died(first.ledger, at: first.now)
        second.finish(.content(second.orders[0]))
        while second.orders.isEmpty, second.second < 200_000 { second.pass(10) }
        #expect(second.orders.count == 1)
        let (_, again) = died(second.ledger, at: second.now)
        #expect(try #require(again) <= 10)
    }
}
