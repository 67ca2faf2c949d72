import Testing
import TransitNotifications

struct NotificationRuleTests {
    @Test func onlyTimeCriticalRulesAreUrgent() {
        let urgent = NotificationRule.allCases.filter(\.isUrgent)
        #expect(urgent == [.leave, .canceled, .skipped, .change, .unseen, .early, .getoff])
    }
}
