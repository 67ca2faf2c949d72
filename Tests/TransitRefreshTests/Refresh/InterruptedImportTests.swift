import Testing
import TransitModel

@testable import TransitRefresh

/// Tests how a timetable is handled if the daemon was killed during its import.
@Suite struct InterruptedImportTests {
    private let timetable = DatasetID("a", .static)

    /// Returns a daemon that is killed while it reads a timetable, and the time in seconds at which the fetch started.
    ///
    /// - Parameter waits: Whether it is killed while the import waits for memory.
    private func crashedDriver(
        _ ledger: RefreshLedger, at now: ClockReading, waits: Bool = false
    ) -> (EngineDriver, second: Int?) {
        var driver = EngineDriver(.feed("a", [.static]), ledger: ledger, at: now)
        while driver.started.isEmpty, driver.second < 100_000 { driver.pass(10) }
        if let order = driver.orders.first {
            driver.send(.importing(ticket: order.ticket, order.dataset, isReading: true))
            if waits { driver.send(.importing(ticket: order.ticket, order.dataset, isReading: false)) }
        }
        return (driver, driver.started.first?.second)
    }

    @Test func importThatWaitedForMemoryIsNotBlamed() throws {
        var (ledger, now) = (RefreshLedger(), EngineDriver(.feed("a", [.static])).now)
        for _ in 0..<4 {
            let (driver, started) = crashedDriver(ledger, at: now, waits: true)
            #expect(try #require(started) <= 10)
            #expect(driver.engine.record(timetable)?.consecutiveFailures == 0)
            (ledger, now) = (driver.ledger, driver.now)
        }
        // Nor does the wait end the pause of an import that stopped the daemon before and after it.
        let (first, _) = crashedDriver(ledger, at: now)
        let (second, _) = crashedDriver(first.ledger, at: first.now, waits: true)
        let (third, _) = crashedDriver(second.ledger, at: second.now)
        let (_, later) = crashedDriver(third.ledger, at: third.now)
        #expect((3600...4600).contains(try #require(later)))
    }

    @Test func downloadIsNotBlamed() throws {
        var (ledger, now) = (RefreshLedger(), EngineDriver(.feed("a", [.static])).now)
        for _ in 0..<3 {
            var driver = EngineDriver(.feed("a", [.static]), ledger: ledger, at: now)
            while driver.started.isEmpty, driver.second < 100_000 { driver.pass(10) }
            #expect(try #require(driver.started.first?.second) <= 10)
            (ledger, now) = (driver.ledger, driver.now)
        }
    }

    @Test func importBeginsWhenLedgerContainsIt() throws {
        var driver = EngineDriver(.feed("a", [.static]))
        driver.pass(10)
        let order = try #require(driver.orders.first)
        #expect(driver.ledger.datasets[timetable]?.isImporting == false)
        driver.send(.importing(ticket: order.ticket, timetable, isReading: true))
        #expect(driver.steps.map(\.answer) == [.allowed])
        #expect(driver.ledger.datasets[timetable]?.isImporting == true)
        driver.send(.importing(ticket: order.ticket, timetable, isReading: false))
        #expect(driver.ledger.datasets[timetable]?.isImporting == false)
        // A disk that is full does not stop imports.
        driver.canSave = false
        for _ in 0..<2 { driver.send(.importing(ticket: order.ticket, timetable, isReading: true)) }
        #expect(driver.steps.map(\.answer) == [.allowed, .allowed, .allowed])
        driver.send(.importing(ticket: 99, timetable, isReading: true))
        #expect(driver.steps.last?.answer == .canceled)
    }

    @Test func firstCrashIsRetriedAtOnceSecondAfterAnHour() throws {
        let (first, started) = crashedDriver(RefreshLedger(), at: EngineDriver(.feed("a", [.static])).now)
        #expect(started == 0)
        let (second, again) = crashedDriver(first.ledger, at: first.now)
        #expect(try #require(again) <= 10)
        let (third, later) = crashedDriver(second.ledger, at: second.now)
        #expect((3600...4600).contains(try #require(later)))
        let (fourth, muchLater) = crashedDriver(third.ledger, at: third.now)
        #expect((7200...9100).contains(try #require(muchLater)))
        #expect(fourth.engine.record(timetable)?.consecutiveFailures == 3)
    }

    /// The time of the second attempt is impossible, because it is later than the clock of the third start.
    @Test func pauseAfterSecondCrashSurvivesClockThatWasSetBack() throws {
        let start = EngineDriver(.feed("a", [.static])).now
        let (first, _) = crashedDriver(RefreshLedger(), at: start)
        let (second, _) = crashedDriver(first.ledger, at: first.now)
        var ledger = second.ledger
        ledger.datasets[timetable]?.lastAttempt = ClockReading(
            wall: start.wall.advanced(by: 100_000), boot: start.boot.advanced(by: 100_000))
        let (third, later) = crashedDriver(ledger, at: start)
        #expect((3600...4600).contains(try #require(later)))
        #expect(third.engine.record(timetable)?.consecutiveFailures == 2)
    }

    @Test func forcedRefreshDoesNotWait() {
        let (first, _) = crashedDriver(RefreshLedger(), at: EngineDriver(.feed("a", [.static])).now)
        let (second, _) = crashedDriver(first.ledger, at: first.now)
        var third = EngineDriver(.feed("a", [.static]), ledger: second.ledger, at: second.now)
        third.send(.requested(RefreshRequest(id: 1, scope: .all, force: true)))
        third.pass(30)
        #expect(third.started.count == 1)
    }

    @Test func regularStopIsNotACrash() throws {
        var ledger = RefreshLedger()
        var now = EngineDriver(.feed("a", [.static])).now
        for _ in 0..<5 {
            var (driver, started) = crashedDriver(ledger, at: now)
            #expect(try #require(started) <= 10)
            driver.send(.stopping)
            driver.pass(3600)
            #expect(driver.started.count == 1)
            #expect(driver.ledger.datasets[timetable]?.isInProgress == false)
            (ledger, now) = (driver.ledger, driver.now)
        }
        #expect(ledger.datasets[timetable]?.consecutiveFailures == 0)
    }

    @Test func successBetweenCrashesResetsCount() throws {
        let (first, _) = crashedDriver(RefreshLedger(), at: EngineDriver(.feed("a", [.static])).now)
        var (second, _) = crashedDriver(first.ledger, at: first.now)
        second.finish(.content(second.orders[0]))
        while second.orders.isEmpty, second.second < 200_000 { second.pass(10) }
        #expect(second.orders.count == 1)
        let (_, again) = crashedDriver(second.ledger, at: second.now)
        #expect(try #require(again) <= 10)
    }
}
