import Testing
import TransitModel

@testable import TransitRefresh

/// A morning with a metered key: data about a departure is needed from 06:45 to 07:14, and 511.org allows 60 requests an
/// hour.
@Suite struct MeteredMorningTests {
    private static let start = Instant(secondsSince1970: 1_774_591_200)

    private static func configuration(_ kinds: [DatasetKind], _ limits: [BudgetLimit]) -> RefreshConfiguration {
        var configuration = RefreshConfiguration.feed("a", kinds, key: "511")
        configuration.budgets["511"] = BudgetPolicy(key: "511", limits: limits)
        return configuration
    }

    private static let hourly = [BudgetLimit(60, per: .rolling(seconds: 3600))]

    /// The driver at 05:00, two hours before minute 0.
    private static func driver(
        _ kinds: [DatasetKind] = [.tripUpdates, .alerts], _ limits: [BudgetLimit] = hourly
    ) -> EngineDriver {
        EngineDriver(
            configuration(kinds, limits),
            at: ClockReading(wall: start.advanced(by: -7200), boot: BootTime(milliseconds: 1_000_000)))
    }

    private static func period(_ minutes: ClosedRange<Int>, _ level: Demand.Level) -> Demand.Period {
        Demand.Period(
            start.advanced(by: minutes.lowerBound * 60)...start.advanced(by: minutes.upperBound * 60), level)
    }

    /// The minutes, from 07:00 on, at which trip updates were requested.
    private static func minutes(_ driver: EngineDriver, _ kind: DatasetKind = .tripUpdates) -> [Double] {
        driver.started.filter { $0.order.dataset.kind == kind }.map { Double($0.second - 7200) / 60 }
    }

    private static func gaps(_ minutes: [Double], in range: ClosedRange<Double>) -> [Double] {
        let inside = minutes.filter { range.contains($0) }
        return zip([range.lowerBound] + inside, inside + [range.upperBound]).map { $1 - $0 }
    }

    @Test func departureIsFollowedAtTheFullRateUntilItHasLeft() {
        var driver = Self.driver()
        driver.send(.demand("a", Demand(periods: [Self.period(-80...(-15), .ahead), Self.period(-15...14, .full)])))
        driver.pass(4 * 3600) { .content($0) }
        let minutes = Self.minutes(driver)
        // Every five minutes before, every minute until the departure, and every five minutes after it.
        #expect(zip(minutes, minutes.dropFirst()).filter { $1 < -15 }.allSatisfy { $1 - $0 >= 4.4 })
        #expect(Self.gaps(minutes, in: -15...14).allSatisfy { $0 <= 2 }, "\(minutes)")
        #expect(minutes.count { (-15...14).contains($0) } >= 28)
        #expect(zip(minutes, minutes.dropFirst()).filter { $0.0 > 14 }.allSatisfy { $1 - $0 >= 4.4 }, "\(minutes)")
        let inUse = driver.started.filter { $0.order.priority == .commute }.map { Double($0.second - 7200) / 60 }
        // The wall clock of the driver falls behind by some seconds, because it shows whole ones.
        #expect(inUse.count >= 28 && inUse.allSatisfy { (-15...15).contains($0) }, "\(inUse)")
    }

    @Test func demandThatEndsEarlyIsNotFetched() {
        var driver = Self.driver()
        driver.send(.demand("a", Demand(periods: [Self.period(-15...14, .full)])))
        driver.pass(7200) { .content($0) }
        // The user took an earlier departure.
        driver.send(.demand("a", Demand()))
        driver.pass(3600) { .content($0) }
        let minutes = Self.minutes(driver)
        #expect(minutes.count { (-15...0).contains($0) } >= 14)
        #expect(zip(minutes, minutes.dropFirst()).filter { $0.0 > 0.1 }.allSatisfy { $1 - $0 >= 4.4 })
    }

    /// A window of two hours, in which the rate must be lower, so that the last minutes have data too.
    @Test(arguments: [[DatasetKind.tripUpdates, .alerts], [.tripUpdates, .vehicles, .alerts]])
    func budgetLastsToTheEndOfALongWindow(_ kinds: [DatasetKind]) {
        var driver = Self.driver(kinds)
        driver.send(.demand("a", Demand(periods: [Self.period(-15...105, .full)])))
        driver.pass(5 * 3600) { .content($0) }
        let gaps = Self.gaps(Self.minutes(driver), in: -15...105)
        #expect(gaps.allSatisfy { $0 <= 4 }, "\(gaps)")
        #expect(!driver.notices.contains { if case .budgetExhausted = $0 { true } else { false } })
        // A user's request is still possible in each minute.
        let spends = driver.started.map(\.second)
        #expect(spends.allSatisfy { second in spends.count { $0 > second - 3600 && $0 <= second } <= 51 })
    }

    /// What the morning leaves of a day's budget is enough for the evening.
    @Test func budgetOfADayIsSharedByItsWindows() {
        let limits = [BudgetLimit(150, per: .rolling(seconds: 86_400))]
        var driver = Self.driver([.tripUpdates], limits)
        let windows = [Self.period(0...60, .full), Self.period(600...660, .full)]
        driver.send(.demand("a", Demand(periods: windows)))
        driver.pass(14 * 3600) { .content($0) }
        let minutes = Self.minutes(driver)
        let counts = windows.indices.map { window in
            minutes.count { (window == 0 ? 0.0...60.0 : 600.0...660.0).contains($0) }
        }
        #expect(counts.allSatisfy { $0 >= 15 }, "\(counts)")
        #expect(Self.gaps(minutes, in: 600...660).allSatisfy { $0 <= 8 }, "\(Self.gaps(minutes, in: 600...660))")
        #expect(Self.gaps(minutes, in: 0...60).allSatisfy { $0 <= 8 }, "\(Self.gaps(minutes, in: 0...60))")
    }
}
