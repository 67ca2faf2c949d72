import Testing
import TransitModel

@testable import TransitRefresh

@Suite struct ArrivalsSchedulerTests {
    @Test func demandIsSentAtOnce() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        #expect(driver.orders.map(\.query.description) == ["kmb/1A"])
        #expect(driver.orders.first?.priority == .user)
        #expect(driver.arrivalsStatus("kmb/1A")?.isInFlight == true)
        #expect(driver.arrivalsStatus("kmb/1A")?.isFresh == false)
        driver.pass(milliseconds: 200)
        driver.endAll()
        #expect(driver.arrivalsStatus("kmb/1A")?.isFresh == true)
        #expect(driver.arrivalsStatus("kmb/1A")?.age == 0)
        #expect(driver.arrivalsStatus("kmb/2") == nil)
    }

    @Test func simultaneousDemandSharesOneRequest() {
        var driver = ArrivalsDriver()
        for _ in 0..<10 { driver.addDemand(["kmb/1A"]) }
        driver.pass(milliseconds: 300)
        driver.addDemand(["kmb/1A"])
        driver.endAll()
        driver.addDemand(["kmb/1A"])
        driver.pass(20, .answered)
        #expect(driver.count("kmb/1A") == 1)
    }

    @Test func responseStaysFreshForItsLifetime() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.endAll()
        driver.pass(milliseconds: 49_999, .answered)
        driver.addDemand(["kmb/1A"])
        #expect(driver.count("kmb/1A") == 1)
        driver.pass(milliseconds: 1)
        driver.addDemand(["kmb/1A"])
        #expect(driver.count("kmb/1A") == 2)
    }

    @Test func noRequestWithoutDemand() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.endAll()
        driver.pass(3600, .answered)
        #expect(driver.count("kmb/1A") == 1)
        #expect(driver.plan.nextWake(at: driver.now) == nil)
    }

    @Test func demandSatisfiedByFreshResponseCausesNoLaterRequest() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.endAll()
        driver.pass(30, .answered)
        driver.addDemand(["kmb/1A"])
        driver.pass(60, .answered)
        #expect(driver.count("kmb/1A") == 1)
    }

    @Test func continuousDemandKeepsResponseFreshUntilItsEnd() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"], .commute, for: 600)
        driver.endAll()
        driver.pass(600, .answered)
        #expect(driver.count("kmb/1A") == 12)
        driver.pass(600, .answered)
        #expect(driver.count("kmb/1A") == 12)
    }

    @Test func batchesAreLimitedAndSpaced() {
        var driver = ArrivalsDriver()
        driver.addDemand((1...12).map { "kmb/\($0)" })
        #expect(driver.orders.count == 5)
        driver.pass(milliseconds: 100)
        driver.endAll()
        #expect(driver.orders.isEmpty)
        driver.pass(milliseconds: 499)
        #expect(driver.orders.isEmpty)
        driver.pass(milliseconds: 1)
        #expect(driver.orders.count == 5)
        driver.endAll()
        driver.pass(milliseconds: 500)
        #expect(driver.orders.count == 2)
    }

    @Test func slowRequestOccupiesOnlyItsOwnPlace() throws {
        var driver = ArrivalsDriver()
        driver.addDemand((1...12).map { "kmb/\($0)" })
        let slow = try #require(driver.orders.first)
        for order in driver.orders where order != slow { driver.end(order.ticket, .answered) }
        driver.pass(milliseconds: 1999)
        #expect(driver.orders == [slow])
        driver.pass(milliseconds: 1)
        #expect(driver.orders.count == 5)
    }

    @Test func requestsAreOrderedByPriorityThenByDemand() {
        var driver = ArrivalsDriver(ArrivalsPolicy(batch: 1))
        driver.addDemand(["kmb/0"])
        driver.addDemand(["kmb/b1", "kmb/b2"], .background)
        driver.addDemand(["kmb/c1"], .commute)
        driver.addDemand(["kmb/u1", "kmb/b2"], .user)
        var order: [String] = []
        for _ in 0..<5 {
            order += driver.orders.map(\.query.description)
            driver.endAll()
            driver.pass(1)
        }
        #expect(order == ["kmb/0", "kmb/u1", "kmb/b2", "kmb/c1", "kmb/b1"])
    }

    // MARK: Failures

    @Test func transientFailureIsRetriedAfterCooldown() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.endAll(.failed(.timeout))
        #expect(driver.arrivalsStatus("kmb/1A")?.lastFailure == .failed(.timeout))
        driver.pass(milliseconds: 4999)
        #expect(driver.orders.isEmpty)
        driver.pass(milliseconds: 1)
        #expect(driver.count("kmb/1A") == 2)
        driver.endAll()
        #expect(driver.arrivalsStatus("kmb/1A")?.lastFailure == nil)
    }

    @Test func demandExpires() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.endAll(.failed(.timeout))
        driver.pass(3600, .failed(.timeout))
        // Demand expires after half a minute.
        #expect((2...4).contains(driver.count("kmb/1A")))
    }

    @Test(arguments: [403, 422]) func rejectedQueryIsPaused(_ status: Int) {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A", "kmb/2"])
        for order in driver.orders {
            driver.end(order.ticket, order.query == ArrivalsQueryID("kmb/1A") ? .failed(.status(status)) : .answered)
        }
        for _ in 0..<59 {
            driver.pass(60, .answered)
            driver.addDemand(["kmb/1A", "kmb/2"])
            driver.endAll()
        }
        #expect(driver.count("kmb/1A") == 1)
        #expect(driver.count("kmb/2") > 50)
        #expect(driver.arrivalsStatus("kmb/1A")?.reason == .refused)
        #expect(driver.arrivalsStatus("kmb/1A")?.lastFailure == .refused(status: status))
        driver.pass(60, .answered)
        driver.addDemand(["kmb/1A"])
        driver.pass(1, .answered)
        #expect(driver.count("kmb/1A") == 2)
    }

    @Test(arguments: [429, 503]) func retryAfterPausesOnlyItsHost(_ status: Int) {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.endAll(.failed(.status(status), retryAfter: "120"))
        driver.pass(60)
        driver.addDemand(["kmb/1A", "kmb/2", "ctb/3"])
        driver.pass(milliseconds: 600)
        // The pause does not apply to the host of the other company.
        #expect(driver.orders.map(\.query.description) == ["ctb/3"])
        driver.endAll()
        driver.pass(59, .answered)
        #expect(driver.arrivalsStatus("kmb/2")?.reason == .retryAfter)
        driver.pass(2, .answered)
        driver.addDemand(["kmb/2"])
        driver.pass(1, .answered)
        #expect(driver.count("kmb/2") == 1)
    }

    /// Somebody requests departures every minute.
    @Test func rateLimitWithoutRetryAfterDoublesPausesOfTheHost() {
        var driver = ArrivalsDriver()
        for _ in 0..<(6 * 60) {
            driver.addDemand(["kmb/1A", "kmb/2"])
            driver.endAll(.failed(.status(429)))
            driver.pass(60, .failed(.status(429)))
        }
        // Two requests of one batch are one refusal.
        let seconds = Set(driver.requests.values.map { Int($0.began / 1000) }).sorted()
        let minutes = zip(seconds, seconds.dropFirst()).map { Int((Double($1 - $0) / 60).rounded()) }
        #expect(Array(minutes.prefix(8)) == [1, 2, 4, 8, 16, 32, 60, 60], "\(seconds)")
        // Other hosts are not affected, and a response ends the pauses.
        driver.addDemand(["ctb/1"])
        driver.endAll()
        #expect(driver.arrivalsStatus("ctb/1")?.isFresh == true)
        driver.pass(3600)
        driver.addDemand(["kmb/1A"])
        driver.endAll()
        driver.pass(60)
        driver.addDemand(["kmb/1A"])
        #expect(driver.arrivalsStatus("kmb/1A")?.isInFlight == true)
        driver.endAll(.failed(.status(429)))
        driver.pass(61)
        driver.addDemand(["kmb/1A"])
        #expect(driver.arrivalsStatus("kmb/1A")?.isInFlight == true)
    }

    @Test func failingHostIsProbedByOneRequest() {
        var driver = ArrivalsDriver()
        driver.addDemand((1...5).map { "kmb/\($0)" }, .commute, for: 3600)
        driver.endAll(.failed(.connection("no connection")))
        #expect(driver.arrivalsStatus("kmb/1")?.reason == .circuitOpen)
        let before = driver.requests.count
        driver.pass(milliseconds: 36_000)
        #expect(driver.requests.count == before + 1)
        driver.endAll()
        driver.pass(10, .answered)
        #expect(driver.requests.count > before + 1)
    }

    /// Returns a driver whose host has failed so often that its pause is a quarter of an hour.
    private func driverWithFailingHost() -> ArrivalsDriver {
        var driver = ArrivalsDriver()
        driver.addDemand((1...5).map { "kmb/\($0)" }, .commute, for: 3000)
        driver.endAll(.failed(.timeout))
        driver.pass(3000, .failed(.timeout))
        #expect(driver.arrivalsStatus("kmb/1")?.reason == .circuitOpen)
        driver.pass(61)
        return driver
    }

    @Test func userRequestBringsProbeForward() throws {
        var driver = driverWithFailingHost()
        let before = driver.requests.count
        driver.addDemand(["kmb/1", "kmb/2"])
        // One request probes the host. Clients do not wait for the request.
        #expect(driver.requests.count == before + 1)
        let soon = driver.now.boot.advanced(by: 3)
        #expect(driver.arrivalsStatus("kmb/1")?.isComing(by: soon) == false)
        #expect(driver.arrivalsStatus("kmb/2")?.isComing(by: soon) == false)
        driver.endAll()
        driver.pass(2, .answered)
        // The other queries do not wait for pauses of their own.
        #expect(driver.arrivalsStatus("kmb/2")?.isFresh == true)
        #expect(driver.arrivalsStatus("kmb/2")?.lastFailure == nil)
    }

    @Test func userRequestsProbeOnceAMinute() {
        var driver = driverWithFailingHost()
        let (before, start) = (driver.requests.count, driver.time)
        for _ in 0..<180 {
            driver.addDemand(["kmb/1", "kmb/2"])
            driver.endAll(.failed(.timeout))
            driver.pass(20, .failed(.timeout))
        }
        let begun = driver.requests.values.map(\.began).filter { $0 >= start }.sorted()
        #expect((58...61).contains(begun.count) && driver.requests.count == before + begun.count)
        #expect(zip(begun, begun.dropFirst()).allSatisfy { $1 - $0 >= 60_000 }, "\(begun)")
        // Preloading continues at the scheduled rate.
        driver.addDemand(["kmb/1"], .commute, for: 3600)
        driver.endAll(.failed(.timeout))
        let end = driver.time
        driver.pass(3600, .failed(.timeout))
        #expect(driver.requests.values.count { $0.began >= end } < 8)
    }

    @Test func userRequestHonorsRetryAfter() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1"])
        driver.endAll(.failed(.status(503), retryAfter: "600"))
        for _ in 0..<9 {
            driver.pass(60, .answered)
            driver.addDemand(["kmb/1"])
            driver.endAll()
        }
        #expect(driver.requests.count == 1)
        #expect(driver.arrivalsStatus("kmb/1")?.reason == .retryAfter)
    }

    @Test func probesOnMeteredKeyUseQuarterOfBudget() {
        let policy = BudgetPolicy(key: "key", limits: [BudgetLimit(60, per: .rolling(seconds: 3600))])
        var driver = ArrivalsDriver(budget: policy)
        driver.addDemand(["kmb/1"], .commute, for: 7200)
        driver.endAll(.failed(.timeout))
        driver.pass(7200, .failed(.timeout))
        let start = driver.time
        for _ in 0..<120 {
            driver.addDemand(["kmb/1"])
            driver.endAll(.failed(.timeout))
            driver.pass(30, .failed(.timeout))
        }
        let begun = driver.requests.values.count { $0.began >= start }
        #expect((12...16).contains(begun))
    }

    @Test func nothingIsSentOfflineAndFailuresDoNotCount() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"])
        driver.plan.setOnline(false)
        driver.endAll(.failed(.connection("no network")))
        driver.pass(10)
        driver.addDemand(["kmb/1A"])
        #expect(driver.orders.isEmpty)
        #expect(driver.arrivalsStatus("kmb/1A")?.reason == .offline)
        driver.plan.setOnline(true)
        #expect(driver.begin() == ["kmb/1A"])
    }

    @Test func unparsableResponseIsNotRetriedSoon() {
        var driver = ArrivalsDriver()
        driver.addDemand(["kmb/1A"], .commute, for: 3600)
        driver.endAll(.unreadable("not JSON"))
        driver.pass(59, .answered)
        #expect(driver.count("kmb/1A") == 1)
        #expect(driver.plan.summary(at: driver.now).lastFailure == .unreadable("not JSON"))
        driver.pass(20, .answered)
        #expect(driver.count("kmb/1A") == 2)
        #expect(driver.plan.summary(at: driver.now).lastFailure == nil)
    }

    @Test func requestThatNeverEndsIsAbandoned() throws {
        var driver = ArrivalsDriver(ArrivalsPolicy(batch: 1))
        driver.addDemand(["kmb/1A"])
        let lost = try #require(driver.orders.first)
        driver.pass(ArrivalsRequestInFlight.abandonTimeout)
        driver.addDemand(["kmb/2"])
        driver.pass(10)
        #expect(driver.count("kmb/2") == 1)
        // A late completion has no effect.
        driver.end(lost.ticket, .answered)
        #expect(driver.arrivalsStatus("kmb/1A")?.isFresh == false)
    }

    // MARK: Budget and capacity

    @Test func budgetOfKeyIsObserved() {
        let policy = BudgetPolicy(key: "key", limits: [BudgetLimit(10, per: .rolling(seconds: 3600))])
        var driver = ArrivalsDriver(budget: policy)
        for number in 0..<40 {
            driver.addDemand(["kmb/\(number)"])
            driver.pass(30, .answered)
        }
        #expect(driver.requests.count == 10)
        #expect(driver.arrivalsStatus("kmb/39")?.reason == .budget)
    }

    @Test func backgroundRequestsLeaveBudgetForUsers() {
        let policy = BudgetPolicy(key: "key", limits: [BudgetLimit(100, per: .rolling(seconds: 3600))])
        var driver = ArrivalsDriver(budget: policy)
        for number in 0..<100 {
            driver.addDemand(["kmb/\(number)"], .background)
            driver.pass(30, .answered)
        }
        #expect(driver.requests.count <= 60)
        driver.addDemand(["kmb/user"])
        #expect(driver.count("kmb/user") == 1)
    }

    @Test func oldestDemandIsEvicted() {
        var driver = ArrivalsDriver(capacity: 5)
        driver.addDemand((1...5).map { "kmb/\($0)" })
        driver.endAll()
        driver.pass(6)
        driver.addDemand(["kmb/1", "kmb/6"])
        #expect(driver.arrivalsStatus("kmb/1") != nil)
        #expect(driver.arrivalsStatus("kmb/2") == nil)
        #expect(driver.arrivalsStatus("kmb/6") != nil)
    }

    @Test func queryInCooldownIsNotEvicted() {
        var driver = ArrivalsDriver(capacity: 5)
        driver.addDemand((1...5).map { "kmb/\($0)" })
        driver.endAll()
        driver.pass(2)
        driver.addDemand(["kmb/6"])
        #expect(driver.arrivalsStatus("kmb/6") == nil)
        driver.addDemand(["kmb/1"])
        #expect(driver.count("kmb/1") == 1)
    }

    @Test func responseOfEarlierRunCountsByAge() {
        var driver = ArrivalsDriver()
        driver.plan.recordResponse(
            ArrivalsDriver.demands(["kmb/1A"])[0], answered: driver.now.boot.advanced(by: -30), at: driver.now)
        #expect(driver.arrivalsStatus("kmb/1A")?.age == 30)
        driver.addDemand(["kmb/1A"], .commute, for: 100)
        #expect(driver.orders.isEmpty)
        driver.pass(20)
        #expect(driver.count("kmb/1A") == 1)
    }

    @Test func statusReportsExpectedResponse() throws {
        var driver = ArrivalsDriver()
        driver.addDemand((1...6).map { "kmb/\($0)" })
        let soon = driver.now.boot.advanced(by: 3)
        #expect(driver.arrivalsStatus("kmb/1")?.isComing(by: soon) == true)
        #expect(driver.arrivalsStatus("kmb/6")?.isComing(by: soon) == true)
        driver.endAll(.failed(.status(422)))
        #expect(driver.arrivalsStatus("kmb/1")?.isComing(by: soon) == false)
    }

    @Test func rejectedQueryIsNotEvicted() {
        var driver = ArrivalsDriver(capacity: 5)
        driver.addDemand(["kmb/1A"])
        driver.endAll(.failed(.status(403)))
        driver.pass(60)
        for number in 1...8 {
            driver.addDemand(["kmb/\(number)"])
            driver.endAll()
            driver.pass(10)
        }
        driver.addDemand(["kmb/1A"])
        #expect(driver.count("kmb/1A") == 1)
    }
}
