import Testing
import TransitModel

@testable import TransitEngine

/// A key that the upstream rejects is not tried again and again.
@Suite struct RejectedKeyTests {
    private let id = DatasetID("a", .tripUpdates)

    private func driver(isKeyed: Bool = true, ledger: RefreshLedger? = nil, at now: ClockReading? = nil) -> EngineDriver
    {
        var configuration = RefreshConfiguration.feed("a", [.tripUpdates])
        configuration.datasets[id]?.source.isKeyed = isKeyed
        guard let ledger, let now else { return EngineDriver(configuration) }
        return EngineDriver(configuration, ledger: ledger, at: now)
    }

    @Test(arguments: [401, 403])
    func itIsTriedOnceADay(_ status: Int) {
        var driver = driver()
        driver.send(.demand("a", Demand(subscribers: 1)))
        driver.pass(86_400 * 3) { .failed($0, .status(status)) }
        #expect((3...4).contains(driver.begun.count), "\(driver.begun.map(\.second))")
        #expect(driver.plan(id)?.reason == .keyRejected)
        #expect(driver.engine.record(id)?.lastUpdate?.reason == "the key is rejected (HTTP status \(status))")
    }

    @Test func whoAsksIsToldAndWhoInsistsAsksTheSource() {
        var driver = driver()
        driver.pass(60) { .failed($0, .status(401)) }
        #expect(driver.begun.count == 1)
        driver.send(.asked(RefreshRequest(id: 1, scope: .all)))
        driver.pass(60) { .failed($0, .status(401)) }
        #expect(driver.begun.count == 1)
        guard case .held(.keyRejected, let until?)? = driver.answers[1]?[id] else {
            Issue.record("\(driver.answers)")
            return
        }
        #expect((86_000...86_400).contains(driver.now.wall.seconds(to: until)))
        driver.send(.asked(RefreshRequest(id: 2, scope: .all, force: true)))
        driver.pass(60) { .failed($0, .status(401)) }
        #expect(driver.begun.count == 2)
    }

    @Test func anotherKeyIsTriedAtOnce() {
        var driver = driver()
        driver.pass(3600) { .failed($0, .status(403)) }
        driver.send(.keyChanged("b"))
        driver.pass(3600) { .failed($0, .status(403)) }
        #expect(driver.begun.count == 1)
        driver.send(.keyChanged("a"))
        driver.pass(30) { .content($0) }
        #expect(driver.begun.count == 2)
        #expect(driver.plan(id)?.reason == .idle)
    }

    /// What is asked once a day would otherwise wait for its time, and be told as failed until then.
    @Test func aTimetableIsAskedForAtOnceWithAnotherKey() {
        let timetable = DatasetID("a", .static)
        var configuration = RefreshConfiguration.feed("a", [.static])
        configuration.datasets[timetable]?.source.isKeyed = true
        var driver = EngineDriver(configuration)
        driver.pass(60) { .content($0) }
        driver.pass(86_400 * 2) { .failed($0, .status(401)) }
        let begun = driver.begun.count
        #expect(driver.plan(timetable)?.reason == .keyRejected)
        driver.send(.keyChanged("a"))
        driver.pass(30) { .content($0) }
        #expect(driver.begun.count == begun + 1)
        #expect(driver.engine.record(timetable)?.lastUpdate?.outcome.isSuccess == true)
    }

    @Test func whatFailedWithoutAKeyIsAskedForAtOnceWithOne() {
        var driver = driver()
        driver.pass(3600) { .failed($0, .local("there is no key")) }
        let begun = driver.begun.count
        driver.send(.keyChanged("a"))
        driver.pass(30) { .content($0) }
        #expect(driver.begun.count == begun + 1)
    }

    @Test func aRestartKnowsOfIt() {
        var first = driver()
        first.pass(60) { .failed($0, .status(401)) }
        var second = driver(ledger: first.ledger, at: first.now)
        second.pass(3600) { .failed($0, .status(401)) }
        #expect(second.begun.isEmpty)
        #expect(second.plan(id)?.reason == .keyRejected)
    }

    @Test func withoutAKeyItIsAFailureAsAnyOther() {
        var driver = driver(isKeyed: false)
        driver.pass(3600) { .failed($0, .status(403)) }
        #expect(driver.begun.count > 1)
        #expect(driver.plan(id)?.reason == .refused)
    }
}
