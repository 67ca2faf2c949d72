package import TransitModel
package import TransitWire

/// A badge that the user has earned.
package struct EarnedBadge: Hashable, Sendable {
    /// A stable identifier, such as `week_warrior`.
    package var id: String
    package var name: String
    /// What it was earned for: "5 commute days in a row".
    package var detail: String

    package init(id: String, name: String, detail: String) {
        self.id = id
        self.name = name
        self.detail = detail
    }
}

/// Tells each badge once. Badges that were earned before the first run are not told.
package enum BadgeRule {
    package struct Memory: RuleMemory {
        /// `nil` before the first run.
        var told: Set<String>?

        static let maximumBadges = 100

        package init() {}

        package init?(_ json: JSONValue) {
            guard case .object = json else { return nil }
            told = json["told"].map { Set($0.elements.prefix(Self.maximumBadges).compactMap(\.text)) }
        }

        package var json: JSONValue { .object(JSONObject([("told", told.map { .texts($0.sorted()) })])) }
    }

    package static func evaluate(_ badges: [EarnedBadge], memory: inout Memory, now: Instant) -> [NotificationDecision]
    {
        guard let told = memory.told else {
            memory.told = Set(badges.prefix(Memory.maximumBadges).map(\.id))
            return []
        }
        // A badge that is lost again, because a trip was undone, stays told.
        let new = badges.filter { !told.contains($0.id) }.prefix(max(0, Memory.maximumBadges - told.count))
        memory.told = told.union(new.map(\.id))
        return new.map { badge in
            NotificationDecision(
                id: "", key: "badge-\(badge.id)", revision: 0, operation: .show, rule: .badge, at: now,
                validUntil: now.advanced(by: 86_400),
                title: NetworkText.line("Badge earned: \(badge.name)") ?? "Badge earned",
                body: NetworkText.line(badge.detail) ?? "", subjectKind: "digest", subjectName: badge.name,
                reason: "The last logged trip earned the badge.")
        }
    }
}

/// The user's streak of commute days.
package struct StreakStatus: Hashable, Sendable {
    /// The number of days, without today.
    package var days: Int
    /// Whether today is a commute day. Weekends and days off do not break a streak.
    package var isCommuteDay: Bool
    /// Whether a trip of today is logged.
    package var hasTripToday: Bool

    package init(days: Int, isCommuteDay: Bool, hasTripToday: Bool) {
        self.days = days
        self.isCommuteDay = isCommuteDay
        self.hasTripToday = hasTripToday
    }
}

/// Warns once on the evening of a commute day without a logged trip that the streak ends.
package enum StreakRule {
    package static func evaluate(
        _ streak: StreakStatus?, memory: inout OncePerDay, thresholds: NetworkThresholds, zone: ServiceZone,
        now: Instant
    ) -> [NotificationDecision] {
        let clock = zone.civil(at: now)
        let seconds = clock.secondsOfDay - thresholds.streakWarning
        guard let streak, streak.isCommuteDay, memory.last != clock.date || streak.hasTripToday else { return [] }
        let key = "streak-\(clock.date)"
        if streak.hasTripToday {
            guard memory.last == clock.date else { return [] }
            memory.last = clock.date.advanced(by: -1)
            return [
                NotificationDecision(
                    id: "", key: key, revision: 0, operation: .withdraw, rule: .streak, at: now, validUntil: now,
                    title: "Your streak goes on", body: "", subjectKind: "digest", subjectName: "",
                    reason: "A trip of today was logged.")
            ]
        }
        guard streak.days >= thresholds.minimumStreak, seconds >= 0, seconds < thresholds.lateness else { return [] }
        memory.last = clock.date
        var decision = NotificationDecision(
            id: "", key: key, revision: 0, operation: .show, rule: .streak, at: now,
            validUntil: zone.instant(date: clock.date.advanced(by: 1), secondsOfDay: 0),
            title: "Your \(streak.days)-day streak ends today",
            body: "No trip is logged for today. Log one with: transitctl taken", subjectKind: "digest",
            subjectName: "\(streak.days)", reason: "Today is a commute day without a logged trip.")
        decision.date = clock.date
        return [decision]
    }
}
