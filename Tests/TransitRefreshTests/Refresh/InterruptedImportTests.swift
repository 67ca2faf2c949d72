import Testing
import TransitModel

@testable import TransitRefresh

/// Tests how a timetable is handled if the daemon was killed during its import.
@Suite struct InterruptedImportTests {
    private let timetable = DatasetID("a", .static)

    /// Returns a daemon that is killed after it starts its due fetch, and the time in seconds at which the fetch
    /// started.
    private func crashedDriver(_ ledger: RefreshLedger, at now: ClockReading) -> (EngineDriver, second: Int?) {
        var driver = EngineDriver(.feed("a", [.static]), ledger: ledger, at: now)
        while driver.started.isEmpty, driver.second < 100_000 { driver.pass(10) }
        return (driver, driver.started.first?.second)
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
