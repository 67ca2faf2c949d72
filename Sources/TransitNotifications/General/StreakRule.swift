internal import TransitModel

/// The user's streak of commute days.
package struct StreakStatus: Hashable, Sendable {
    /// The number of days, without today.
    package var days: Int
    /// Whether today is a commute day. Weekends and days off do not break a streak.
    package var isCommuteDay: Bool
    /// Whether a trip was logged today.
    package var hasTripToday: Bool

    package init(days: Int, isCommuteDay: Bool, hasTripToday: Bool) {
        self.days = days
        self.isCommuteDay = isCommuteDay
        self.hasTripToday = hasTripToday
    }
}

extension NotificationRule {
    package static let streak = NotificationRule(
        "streak", "Reminds you in the evening when your streak would end today.", isOn: false)
}

/// Warns once on the evening of a commute day without a logged trip that the streak ends.
enum StreakRule: GeneralRule {
    static let rules: [NotificationRule] = [.streak]
    static let forgetsWhenOff = false

    struct Memory: RuleMemory {
        /// The last date on which the user was warned.
        var last: ServiceDate?
    }

    /// The minimum length in days of a streak whose end is worth a warning.
    private static let minimumDays = 3

    static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        let (today, last) = (context.today, state[Self.self].last)
        guard let streak = context.input.streak, streak.isCommuteDay, last != today || streak.hasTripToday else {
            return []
        }
        let key = "streak-\(today)"
        if streak.hasTripToday {
            guard last == today else { return [] }
            state[Self.self].last = today.advanced(by: -1)
            return [
                context.decision(
                    .streak, key, title: "Your streak continues", subject: ("digest", ""),
                    reason: "You logged a trip today.", operation: .withdraw)
            ]
        }
        guard streak.days >= minimumDays, context.isTime(context.evening) else { return [] }
        state[Self.self].last = today
        var decision = context.decision(
            .streak, key, title: "Your \(streak.days)-day streak ends today",
            body: "You have not logged a trip today. Log one with: transitctl taken",
            validUntil: context.moment(0, on: today.advanced(by: 1)), subject: ("digest", "\(streak.days)"),
            reason: "Today is a commute day without a logged trip.")
        decision.date = today
        return [decision]
    }

    static func nextMoment(_ context: GeneralRuleContext, _ state: RuleMemories) -> Instant? {
        guard let streak = context.input.streak, streak.isCommuteDay, !streak.hasTripToday else { return nil }
        return context.moment(context.evening, on: context.today)
    }
}
