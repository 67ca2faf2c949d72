import Testing
import TransitModel
import TransitRefresh

@testable import TransitReplies

/// Tests what a person reads while the budget of a key delays a request.
@Suite struct BudgetHoldTests {
    private func limit(_ requests: Int, _ seconds: Int) -> BudgetLimit {
        BudgetLimit(requests, per: .rolling(seconds: seconds))
    }

    @Test func sentenceSaysTheTrueCauseWithNumbers() {
        #expect(
            BudgetHold(cause: .exhausted, limit: limit(60, 3600), used: 60, allowed: 60).sentence
                == "All 60 requests of the key in 1 hour have been sent.")
        #expect(
            BudgetHold(cause: .reserved, limit: limit(60, 3600), used: 37, allowed: 36).sentence
                == "37 of 60 requests of the key in 1 hour have been sent. The rest is reserved for more important requests."
        )
        #expect(
            BudgetHold(
                cause: .spread, limit: limit(4644, 86_400), used: 3, allowed: 2787, spacing: 33,
                last: DatasetID("ct", .tripUpdates)
            ).sentence
                == "The requests of the key are spread over 24 hours: 3 of 4644 have been sent, one every 33 s. "
                + "The last one was for ct trip updates.")
    }

    /// Three of sixty requests are used, so the budget is not used up.
    @Test func spreadBudgetIsNotCalledUsedUp() throws {
        var budget = RequestBudget(BudgetPolicy(key: "511", limits: [limit(60, 3600)]))
        let now = ClockReading(wall: Instant(secondsSince1970: 1_700_000_000), boot: BootTime(milliseconds: 1_000_000))
        let spends = (0..<3).map { _ in
            BudgetSpend(key: "511", dataset: DatasetID("ct", .vehicles), priority: .background, at: now)
        }
        budget = RequestBudget(budget.policy, spends: spends)
        let hold = try #require(budget.slot(.background, now: now.boot).hold)
        #expect(hold.cause == .spread && hold.used == 3 && hold.allowed == 36)
        #expect(!hold.sentence.contains("used up") && hold.sentence.contains("3 of 60"))
        #expect(budget.slot(.user, now: now.boot).hold == nil)
    }
}
