package import TransitModel
package import TransitQueries

/// A condition of the machine or of a feed that a person should know about.
package enum HealthCondition: Hashable, Sendable {
    /// The last service date of a feed is near or has passed.
    case expiring(FeedID, last: ServiceDate, days: Int)
    /// A feed's sources rejected its key, and rejected it again at least 10 minutes later.
    case keyRejected(FeedID, since: Instant)
    /// A feed's timetable was not confirmed by its source for a week.
    case withoutRefresh(FeedID, since: Instant)
    /// The request limit of a key is exhausted.
    case budgetExhausted(key: String, until: Instant?)
    /// A damaged file was replaced.
    case cacheRepaired(file: String, at: Instant)

    /// The conditions of the feeds at a moment.
    ///
    /// - Parameters:
    ///   - rejections: The latest rejection of each feed's key.
    ///   - budgets: The keys whose request limit is exhausted, with the end of that, if known.
    ///   - repairs: The files that were replaced, with the time of that.
    package static func all(
        _ feeds: [FeedView], rejections: [FeedID: Instant], budgets: [(key: String, until: Instant?)] = [],
        repairs: [(file: String, at: Instant)] = [], settings: HealthRule.Settings, now: Instant
    ) -> [HealthCondition] {
        var conditions: [HealthCondition] = []
        for feed in feeds {
            let source = feed.source
            if let timetable = feed.timetable, let last = timetable.serviceDates?.upperBound {
                let days = timetable.zone.civil(at: now).date.days(to: last)
                if days <= settings.expiryDays.max() ?? 0 {
                    conditions.append(.expiring(feed.id, last: last, days: days))
                }
            }
            if let since = source.keyRejectedSince, let latest = rejections[feed.id],
                since.seconds(to: latest) >= settings.keyRejection
            {
                conditions.append(.keyRejected(feed.id, since: since))
            }
            // A source with long intervals between checks is not late after a week.
            let limit = max(settings.withoutRefresh, 2 * source.refreshInterval)
            if let confirmed = source.confirmed, confirmed.seconds(to: now) >= limit {
                conditions.append(.withoutRefresh(feed.id, since: confirmed))
            }
        }
        conditions += budgets.map { .budgetExhausted(key: $0.key, until: $0.until) }
        conditions += repairs.map { .cacheRepaired(file: $0.file, at: $0.at) }
        return conditions
    }
}

extension NotificationRule {
    package static let machine = NotificationRule(
        "machine", "Notifies you about an expiring timetable, a rejected key and other problems of the daemon.")
}

/// Shows the conditions of feeds and of the machine: each once, and its end by withdrawing the notification.
package enum HealthRule: GeneralRule {
    package static let rules: [NotificationRule] = [.machine]

    package struct Settings: RuleSettings {
        /// The days before a feed's last service date on which it is shown, descending.
        package var expiryDays: [Int]
        /// The time between the first and a later rejection of a key in seconds.
        package var keyRejection: Int
        /// The time without a confirmation of a timetable by its source in seconds.
        package var withoutRefresh: Int
        /// How long after its end the same condition is not shown again, in seconds.
        let repeatAfter = 86_400
        let validity = 86_400

        package init(_ read: inout SettingReader) {
            let expiry =
                read.duration(
                    "expiry", .days, 7, 1...60,
                    "Notify this long before a timetable expires, and again 3 days and 1 day before.")
                / 86_400
            expiryDays = [expiry, 3, 1].filter { $0 <= expiry }
            keyRejection = read.duration(
                "key", .minutes, 10, 1...1440,
                "Notify when a key was rejected twice, at least this long apart.")
            withoutRefresh = read.duration(
                "refresh", .days, 7, 1...60, "Notify when a timetable has not been refreshed for this long.")
        }
    }

    struct Entry: Codable, Hashable, Sendable {
        var key: String
        /// The step of the condition that was shown last, such as the days before a feed expires.
        var step: Int
        var isOpen: Bool
        var ended: Instant?
    }

    package struct Memory: RuleMemory {
        var entries: [Entry] = []

        static let maximumEntries = 300

        package init() {}
    }

    package static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        guard let conditions = context.input.health else { return [] }
        let (settings, now) = (context.settings[Self.self], context.now)
        var memory = state[Self.self]
        defer { state[Self.self] = memory }
        var decisions: [NotificationDecision] = []
        var present: Set<String> = []
        for condition in conditions {
            let (key, step) = (condition.key, condition.step(settings))
            guard present.insert(key).inserted else { continue }
            if let position = memory.entries.firstIndex(where: { $0.key == key }) {
                memory.entries[position].ended = nil
                // A lower step is news. A condition that returns soon is not shown again.
                if step >= memory.entries[position].step { continue }
                memory.entries[position].step = step
                memory.entries[position].isOpen = true
            } else {
                guard memory.entries.count < Memory.maximumEntries else { continue }
                memory.entries.append(Entry(key: key, step: step, isOpen: true, ended: nil))
            }
            decisions.append(condition.decision(context))
        }
        for position in memory.entries.indices where !present.contains(memory.entries[position].key) {
            if memory.entries[position].ended == nil { memory.entries[position].ended = now }
            guard memory.entries[position].isOpen else { continue }
            memory.entries[position].isOpen = false
            decisions.append(
                context.decision(
                    .machine, memory.entries[position].key, title: "The problem is solved", subject: ("machine", ""),
                    reason: "The condition has ended.", operation: .withdraw))
        }
        memory.entries.removeAll { entry in
            entry.ended.map { $0.seconds(to: now) >= settings.repeatAfter } ?? false
        }
        return decisions
    }
}

extension HealthCondition {
    /// The key of the notification.
    package var key: String {
        let (name, subject): (String, String) =
            switch self {
            case .expiring(let feed, let last, _): ("expiring", "\(feed) \(last)")
            case .keyRejected(let feed, _): ("key", "\(feed)")
            case .withoutRefresh(let feed, _): ("refresh", "\(feed)")
            case .budgetExhausted(let key, _): ("budget", key)
            case .cacheRepaired(let file, let at): ("repaired", "\(file) \(at.secondsSince1970)")
            }
        return "machine-\(name)-" + StableHash.hexadecimal(subject)
    }

    /// A condition that gets worse has lower steps.
    fileprivate func step(_ settings: HealthRule.Settings) -> Int {
        guard case .expiring(_, _, let days) = self else { return 0 }
        return settings.expiryDays.filter { days <= $0 }.min() ?? Int.max
    }

    private var subject: (kind: String, name: String) {
        switch self {
        case .expiring(let feed, _, _), .keyRejected(let feed, _), .withoutRefresh(let feed, _):
            ("feed", feed.rawValue)
        case .budgetExhausted(let key, _): ("machine", key)
        case .cacheRepaired(let file, _): ("machine", file)
        }
    }

    fileprivate func decision(_ context: GeneralRuleContext) -> NotificationDecision {
        let (settings, zone, now) = (context.settings[HealthRule.self], context.zone, context.now)
        let (title, body): (String, String) =
            switch self {
            case .expiring(let feed, let last, let days) where days < 0:
                (
                    "The timetable of \(feed) has expired",
                    "Its last day was \(GeneralText.fullDate(last)). Departures are missing until it is updated."
                )
            case .expiring(let feed, let last, let days):
                (
                    "The timetable of \(feed) ends " + (days < 2 ? "" : "in ")
                        + (days == 0 ? "today" : days == 1 ? "tomorrow" : GeneralText.count(days, "day")),
                    "Its last day is \(GeneralText.fullDate(last))."
                )
            case .keyRejected(let feed, let since):
                (
                    "The key for \(feed) is rejected",
                    "Since \(NotificationText.clock(since, zone)). Set a new one with: transitctl key set \(feed)"
                )
            case .withoutRefresh(let feed, let since):
                (
                    "The timetable of \(feed) has not been refreshed",
                    "Its source last confirmed it \(GeneralText.count(since.seconds(to: now) / 86_400, "day")) ago."
                )
            case .budgetExhausted(let key, let until):
                (
                    "The request limit of the key \(key) is used up",
                    until.map { "Realtime data is older than usual until \(when($0, zone, now))." }
                        ?? "Realtime data is older than usual."
                )
            case .cacheRepaired(let file, _):
                ("A damaged file was replaced", "\(file) was damaged. It was restored or downloaded again.")
            }
        return context.decision(
            .machine, key, title: GeneralText.line(title) ?? "", body: GeneralText.line(body, limit: 300) ?? "",
            validUntil: now.advanced(by: settings.validity), subject: subject, reason: reason(settings))
    }

    /// "13:00", and "00:00 on Wednesday, April 1" if that is more than a day ahead.
    private func when(_ instant: Instant, _ zone: ServiceZone, _ now: Instant) -> String {
        let clock = NotificationText.clock(instant, zone)
        if now.seconds(to: instant) < 86_400 { return clock }
        return "\(clock) on \(GeneralText.fullDate(zone.civil(at: instant).date))"
    }

    private func reason(_ settings: HealthRule.Settings) -> String {
        switch self {
        case .expiring(_, _, let days) where days < 0: "The last service date has passed."
        case .expiring(_, _, 0): "The last service date is today."
        case .expiring(_, _, let days): "The last service date is \(GeneralText.count(days, "day")) away."
        case .keyRejected:
            "The key was rejected twice, at least \(GeneralText.count(settings.keyRejection / 60, "minute")) apart."
        case .withoutRefresh:
            "The source has not confirmed the timetable for at least "
                + "\(GeneralText.count(settings.withoutRefresh / 86_400, "day"))."
        case .budgetExhausted: "The request limit of the key is used up."
        case .cacheRepaired: "A file failed its check."
        }
    }
}
