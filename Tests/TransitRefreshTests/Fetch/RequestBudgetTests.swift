import Testing
import TransitModel

@testable import TransitRefresh

@Suite struct RequestBudgetTests {
    private let id = DatasetID("ct", .tripUpdates)
    private let policy = BudgetPolicy(key: "511", limits: [BudgetLimit(60, per: .rolling(seconds: 3600))])

    private func reading(_ second: Int) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: 1_700_000_000 + Int64(second)),
            boot: BootTime(milliseconds: Int64(second) * 1000))
    }

    private func spend(_ second: Int, _ priority: FetchPriority = .user) -> BudgetSpend {
        BudgetSpend(key: "511", dataset: id, priority: priority, at: reading(second))
    }

    /// Sends requests for a number of seconds, each as soon as it is allowed, and returns their times.
    private func run(_ priority: FetchPriority, from start: Int, to end: Int, _ budget: inout RequestBudget) -> [Int] {
        var moments: [Int] = []
        for second in start..<end where budget.earliest(priority, now: reading(second).boot) <= reading(second).boot {
            budget.spend(spend(second, priority))
            moments.append(second)
        }
        return moments
    }

    private func maximumCount(_ moments: [Int], in seconds: Int) -> Int {
        moments.map { start in moments.count { $0 >= start && $0 < start + seconds } }.max() ?? 0
    }

    @Test func userMayUseWholeBudget() {
        var budget = RequestBudget(policy)
        let moments = run(.user, from: 0, to: 9000, &budget)
        #expect(Array(moments.prefix(60)) == Array(0..<60))
        #expect(maximumCount(moments, in: 3600) == 60)
        // The 61st request waits until the first request has left the window, plus the margin.
        #expect(moments[60] == 3660)
    }

    @Test func backgroundLeavesRoomAndIsSpread() {
        var budget = RequestBudget(policy)
        let moments = run(.background, from: 0, to: 7200, &budget)
        #expect(maximumCount(moments, in: 3600) <= 36)
        #expect(moments.count >= 60)
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 <= 310 })
        #expect(budget.earliest(.commute, now: reading(7200).boot) <= reading(7200).boot)
        let users = run(.user, from: 7200, to: 7300, &budget)
        #expect(users.count >= 24)
    }

    /// A share that is not a multiple of twelve was used up within 46 minutes, and the rest of the hour had no requests.
    @Test(arguments: [12, 20, 25, 30, 45, 60, 100]) func backgroundIsSpreadOverTheWholeWindow(hourly: Int) {
        var budget = RequestBudget(
            BudgetPolicy(key: "511", limits: [BudgetLimit(hourly, per: .rolling(seconds: 3600))]))
        let moments = run(.background, from: 0, to: 6 * 3600, &budget)
        let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
        let allowance = Int((Double(hourly) * 0.6).rounded(.up))
        #expect(gaps.allSatisfy { $0 <= max(366, 3660 / allowance + 1) }, "\(gaps.max() ?? 0)")
        #expect(moments.count >= allowance * 6 * 95 / 100 && maximumCount(moments, in: 3600) <= allowance)
    }

    /// Found by the simulation: each boot with the clock behind makes all charges as recent as the boot.
    @Test func chargesThatNeverExpireAreLimited() {
        var budget = RequestBudget(policy)
        var clock = 0
        for _ in 0..<10 {
            _ = run(.user, from: clock, to: clock + 40_000, &budget)
            clock += 40_000
            _ = budget.prune(at: reading(clock).boot)
            budget = RequestBudget(policy, spends: budget.spends.map { _ in spend(clock) })
        }
        #expect(budget.spends.count <= 60 * 25)
        #expect(budget.earliest(.user, now: reading(clock).boot) == reading(clock + 3660).boot)
    }

    @Test func calendarDayIsAnyTwentyFiveHours() {
        var budget = RequestBudget(BudgetPolicy(key: "511", limits: [BudgetLimit(3, per: .calendarDay(.utc))]))
        let moments = run(.user, from: 0, to: 200_000, &budget)
        #expect(moments == [0, 1, 2, 90_060, 90_061, 90_062, 180_120, 180_121, 180_122])
    }

    /// Seed 24 of the simulation: a part of the day's budget was used up within fifty minutes, and realtime data waited
    /// for an hour.
    @Test func dailyBudgetIsSpread() {
        let limits = [BudgetLimit(60, per: .rolling(seconds: 3600)), BudgetLimit(700, per: .calendarDay(.utc))]
        var budget = RequestBudget(BudgetPolicy(key: "511", limits: limits))
        let moments = run(.commute, from: 0, to: 20_000, &budget)
        #expect(moments.count >= 100)
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 <= 900 })
    }

    @Test func probesUseQuarterOfEachWindow() {
        func spacing(_ limits: BudgetLimit...) -> Int? {
            RequestBudget(BudgetPolicy(key: "511", limits: limits)).probeSpacing
        }
        #expect(spacing() == 0)
        #expect(spacing(BudgetLimit(60, per: .rolling(seconds: 3600))) == 240)
        #expect(spacing(BudgetLimit(10, per: .rolling(seconds: 3600))) == 1800)
        #expect(spacing(BudgetLimit(3, per: .rolling(seconds: 3600))) == nil)
        // If there are several limits, the smallest one applies. A day can have 25 hours.
        #expect(
            spacing(BudgetLimit(60, per: .rolling(seconds: 3600)), BudgetLimit(700, per: .calendarDay(.utc))) == 515)
    }

    /// A burst of timetable requests leaves enough of the budget for realtime data in the next few minutes.
    @Test func collectionDoesNotBlockRealtimeData() {
        let day = BudgetPolicy(key: "511", limits: [BudgetLimit(4644, per: .rolling(seconds: 86_400))])
        var budget = RequestBudget(day)
        for second in 0..<125 {
            #expect(budget.earliest(.background, isRealtime: false, now: reading(second).boot) <= reading(second).boot)
            budget.spend(
                BudgetSpend(
                    key: "511", dataset: DatasetID("ct", .static), priority: .background, at: reading(second)))
        }
        #expect(budget.earliest(.commute, now: reading(125).boot) <= reading(125).boot)
        let moments = run(.commute, from: 125, to: 725, &budget)
        #expect(moments.count == 28)
    }

    /// Requests of users use up the part of a window that other requests may use, but postpone these only for so long.
    @Test(arguments: [(10, 1220), (60, 360)]) func requestsOfUsersCauseNoLongGap(hourly: Int, longest: Int) {
        var budget = RequestBudget(
            BudgetPolicy(key: "511", limits: [BudgetLimit(hourly, per: .rolling(seconds: 3600))]))
        let start = run(.background, from: 0, to: 9000, &budget).last ?? 0
        let users = run(.user, from: start + 1, to: start + 1 + hourly * 3 / 10, &budget)
        #expect(users.count == hourly * 3 / 10)
        let last = start + users.count
        let later = run(.background, from: last + 1, to: last + 7200, &budget)
        let gaps = zip([last] + later, later).map { $1 - $0 }
        #expect((gaps.max() ?? .max) <= longest, "\(gaps)")
        #expect(maximumCount(users + later, in: 3600) <= hourly)
    }

    @Test func allLimitsApply() {
        var budget = RequestBudget(
            BudgetPolicy(
                key: "511",
                limits: [BudgetLimit(2, per: .rolling(seconds: 10)), BudgetLimit(4, per: .rolling(seconds: 1000))]))
        let moments = run(.user, from: 0, to: 1100, &budget)
        #expect(moments == [0, 1, 70, 71, 1060, 1061])
    }

    @Test func refundedChargeDoesNotCount() {
        var budget = RequestBudget(BudgetPolicy(key: "511", limits: [BudgetLimit(1, per: .rolling(seconds: 100))]))
        budget.spend(spend(5))
        #expect(budget.earliest(.user, now: reading(6).boot) == reading(165).boot)
        budget.refund(spend(5))
        #expect(budget.earliest(.user, now: reading(6).boot) <= reading(6).boot)
    }

    @Test func pruningKeepsCurrentCharges() {
        var budget = RequestBudget(policy)
        for second in [0, 1, 100_000, 100_001] { budget.spend(spend(second)) }
        let early = budget.prune(at: reading(90_000).boot)
        #expect(early == nil)
        let late = budget.prune(at: reading(100_001).boot)
        #expect(late == reading(10_001).boot)
        #expect(budget.spends.map(\.at) == [reading(100_000), reading(100_001)])
    }

    @Test func reportIsConsistent() throws {
        var budget = RequestBudget(policy)
        for second in 0..<10 { budget.spend(spend(second * 10, second < 7 ? .background : .user)) }
        let report = budget.report(at: reading(100))
        let window = try #require(report.windows.first)
        #expect(window.spent == 10)
        #expect(window.left == 50)
        #expect(window.ends == reading(3660).wall)
        #expect(window.forecast > 10 && window.forecast <= 60)
        #expect(report.spenders.map(\.fetches) == [7, 3])
        #expect(report.spenders.map(\.priority) == [.background, .user])
    }
}
