import Testing
import TransitModel

@testable import TransitRefresh

/// What is kept about failures across restarts.
@Suite struct ArrivalsBackoffTests {
    private func restarted(_ driver: ArrivalsDriver, boot: BootID = "a", after seconds: Int) -> ArrivalsDriver {
        var next = ArrivalsDriver()
        next.now = driver.now
        next.pass(seconds)
        // Another boot has a different boot clock.
        if boot != "a" { next.now.boot = BootTime(milliseconds: 7000) }
        next.plan.restore(driver.plan.backoff(in: "a", at: driver.now), in: boot, at: next.now)
        return next
    }

    @Test(arguments: ["a", "b"] as [BootID])
    func restartKeepsRejections(_ boot: BootID) {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A", "kmb/2"])
        driver.endAll(.failed(.status(422)))
        var next = restarted(driver, boot: boot, after: 600)
        next.addDemand(["kmb/1A", "kmb/3"])
        #expect(next.orders.map(\.query) == ["kmb/3"])
        #expect(next.arrivalsStatus("kmb/1A")?.lastFailure == .refused(status: 422))
        next.pass(3600)
        next.addDemand(["kmb/1A"])
        #expect(next.count("kmb/1A") == 1)
        // Expired pauses are not restored.
        #expect(restarted(driver, boot: boot, after: 3700).arrivalsStatus("kmb/2") == nil)
    }

    @Test(arguments: ["a", "b"] as [BootID])
    func restartKeepsRetryAfter(_ boot: BootID) {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.endAll(.failed(.status(429), retryAfter: "300"))
        var next = restarted(driver, boot: boot, after: 200)
        next.addDemand(["kmb/2"], for: 1000)
        #expect(next.orders.isEmpty)
        next.pass(110)
        #expect(next.count("kmb/2") == 1)
    }

    @Test func savedBackoffIsBounded() {
        var driver = ArrivalsDriver(ArrivalsPolicy(batch: 300), capacity: 600)
        driver.addDemand((1...300).map { "kmb/\($0)" })
        driver.endAll(.failed(.status(403)))
        #expect(driver.plan.backoff(in: "a", at: driver.now).refused.count == ArrivalsBackoff.maximumRefused)
    }
}
