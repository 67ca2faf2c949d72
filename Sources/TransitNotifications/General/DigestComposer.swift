package import TransitModel

extension NotificationRule {
    package static let digest = NotificationRule(
        "digest", "Collects less urgent notifications and shows them together.", limit: .none
    ) { engine, now in
        engine.ledger(now).digestMoments(after: now).first.map {
            "The next digest is at \(NotificationText.clock($0, engine.zone))."
        }
    }
}

/// The collected messages after quiet hours and in the evening, which ``NotificationLedger`` decides.
enum DigestRule: GeneralRule {
    static let rules: [NotificationRule] = [.digest]

    struct Settings: RuleSettings {
        /// In seconds after midnight.
        let at: Int
        /// The number of entries.
        let items: Int

        init(_ read: inout SettingReader) {
            at = read.time("at", 18, "The time of day of the digest, which also comes at the end of quiet hours.")
            items = read.number("items", "entries", 10, 1...50, "The number of entries that the digest shows.")
        }
    }
}

/// Composes the digest, which is shown after quiet hours and in the evening, from the messages that wait for it.
package enum DigestComposer {
    /// Returns `nil` if there are no messages.
    ///
    /// Messages of one rule are grouped, and those with the same title become one entry.
    ///
    /// - Parameters:
    ///   - messages: The messages that are still valid and not muted, oldest first.
    ///   - dropped: The number of messages that did not fit into the queue.
    ///   - limit: The maximum number of entries. The last one then says how many more there are.
    ///   - key: The key of the notification.
    package static func digest(
        of messages: [NotificationDecision.Item], dropped: Int = 0, limit: Int,
        key: String, now: Instant
    ) -> NotificationDecision? {
        var entries = grouped(messages)
        guard !entries.isEmpty else { return nil }
        let count = entries.count + dropped
        let title = count == 1 ? entries[0].title : "\(count) transit updates"
        var lines = count == 1 ? [entries[0].body].filter { !$0.isEmpty } : []
        if count > 1 {
            let shown = count > limit ? max(1, limit - 1) : limit
            entries = Array(entries.prefix(shown))
            if count > entries.count {
                entries.append(.init(rule: .digest, title: "and \(count - entries.count) more", body: ""))
            }
            lines = entries.map { "- \($0.title)" }
        }
        var decision = NotificationDecision(
            id: "", key: key, revision: 0, operation: .show, rule: .digest, at: now,
            validUntil: now.advanced(by: 12 * 3600), title: title, body: lines.joined(separator: "\n"),
            subjectKind: "digest", subjectName: "digest",
            reason: "These messages were collected for the digest.")
        decision.urgency = .low
        decision.items = entries
        return decision
    }

    /// Sorts the messages by rule, keeps their order otherwise, and joins those with the same title.
    private static func grouped(_ messages: [NotificationDecision.Item]) -> [NotificationDecision.Item] {
        var entries: [NotificationDecision.Item] = []
        var counts: [Int] = []
        for rule in NotificationRule.allCases {
            for message in messages where message.rule == rule {
                guard let known = entries.firstIndex(where: { $0.rule == rule && $0.title == message.title }) else {
                    entries.append(message)
                    counts.append(1)
                    continue
                }
                counts[known] += 1
                if entries[known].body.isEmpty { entries[known].body = message.body }
            }
        }
        for (position, count) in counts.enumerated() where count > 1 { entries[position].title += " (\(count) times)" }
        return entries
    }
}
