internal import TransitModel

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

extension NotificationRule {
    package static let badge = NotificationRule("badge", "Notifies you when you earn a badge.")
}

/// Shows each badge once. Badges that were earned before the first run are not shown.
enum BadgeRule: GeneralRule {
    static let name = "badges"
    static let rules: [NotificationRule] = [.badge]

    struct Memory: RuleMemory {
        /// The badges of which the user was notified; `nil` before the first run.
        var reported: Set<String>?

        static let maximumBadges = 100

        private enum CodingKeys: String, CodingKey { case reported = "told" }
    }

    static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        guard let badges = context.input.badges else { return [] }
        guard let reported = state[Self.self].reported else {
            state[Self.self].reported = Set(badges.prefix(Memory.maximumBadges).map(\.id))
            return []
        }
        // A badge that is lost again, because a trip was undone, stays shown.
        let new = badges.filter { !reported.contains($0.id) }.prefix(max(0, Memory.maximumBadges - reported.count))
        state[Self.self].reported = reported.union(new.map(\.id))
        return new.map { badge in
            context.decision(
                .badge, "badge-\(badge.id)", title: GeneralText.line("Badge earned: \(badge.name)") ?? "Badge earned",
                body: GeneralText.line(badge.detail) ?? "", validUntil: context.now.advanced(by: 86_400),
                subject: ("digest", badge.name), reason: "The last logged trip earned the badge.")
        }
    }
}
