package import TransitModel
package import TransitQueries
package import TransitWire

/// A condition of the machine or of a feed that a person should know about.
package enum MachineCondition: Hashable, Sendable {
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
        repairs: [(file: String, at: Instant)] = [], thresholds: MachineThresholds, now: Instant
    ) -> [MachineCondition] {
        var conditions: [MachineCondition] = []
        for feed in feeds {
            let source = feed.source
            if let timetable = feed.timetable, let last = timetable.serviceDates?.upperBound {
                let days = timetable.zone.civil(at: now).date.days(to: last)
                if days <= thresholds.expiryDays.max() ?? 0 {
                    conditions.append(.expiring(feed.id, last: last, days: days))
                }
            }
            if let since = source.keyRejectedSince, let latest = rejections[feed.id],
                since.seconds(to: latest) >= thresholds.keyRejection
            {
                conditions.append(.keyRejected(feed.id, since: since))
            }
            // A source that is rarely checked is not late after a week.
            let limit = max(thresholds.withoutRefresh, 2 * source.refreshInterval)
            if let confirmed = source.confirmed, confirmed.seconds(to: now) >= limit {
                conditions.append(.withoutRefresh(feed.id, since: confirmed))
            }
        }
        conditions += budgets.map { .budgetExhausted(key: $0.key, until: $0.until) }
        conditions += repairs.map { .cacheRepaired(file: $0.file, at: $0.at) }
        return conditions
    }
}

/// Tells the conditions of the machine: each once, and its end by withdrawing the bubble.
package enum MachineRule {
    struct Entry: Hashable, Sendable {
        var key: String
        /// The step of the condition that was told last, such as the days before a feed expires.
        var step: Int
        var isOpen: Bool
        var ended: Instant?
    }

    package struct Memory: RuleMemory {
        var entries: [Entry] = []

        static let maximumEntries = 300

        package init() {}

        package init?(_ json: JSONValue) {
            guard case .object = json else { return nil }
            entries =
                json["entries"]?.elements.prefix(Self.maximumEntries).compactMap { row in
                    guard let key = row["key"]?.text, let step = row["step"]?.intValue else { return nil }
                    return Entry(
                        key: key, step: step, isOpen: row["open"]?.isTrue ?? false, ended: row["ended"]?.instantValue)
                } ?? []
        }

        package var json: JSONValue {
            [
                "entries": .array(
                    entries.map { entry in
                        .object(
                            JSONObject([
                                ("key", .string(entry.key)), ("step", .int(Int64(entry.step))),
                                ("open", .bool(entry.isOpen)), ("ended", entry.ended.map { .seconds($0) }),
                            ]))
                    })
            ]
        }
    }

    package static func evaluate(
        _ conditions: [MachineCondition], memory: inout Memory, thresholds: MachineThresholds, zone: ServiceZone,
        now: Instant
    ) -> [NotificationDecision] {
        var decisions: [NotificationDecision] = []
        var present: Set<String> = []
        for condition in conditions {
            let (key, step) = (condition.key, condition.step(thresholds))
            guard present.insert(key).inserted else { continue }
            if let position = memory.entries.firstIndex(where: { $0.key == key }) {
                memory.entries[position].ended = nil
                // A lower step is news. A condition that returns soon is not.
                if step >= memory.entries[position].step { continue }
                memory.entries[position].step = step
                memory.entries[position].isOpen = true
            } else {
                guard memory.entries.count < Memory.maximumEntries else { continue }
                memory.entries.append(Entry(key: key, step: step, isOpen: true, ended: nil))
            }
            decisions.append(condition.decision(thresholds, zone, now))
        }
        for position in memory.entries.indices where !present.contains(memory.entries[position].key) {
            if memory.entries[position].ended == nil { memory.entries[position].ended = now }
            guard memory.entries[position].isOpen else { continue }
            memory.entries[position].isOpen = false
            decisions.append(
                NotificationDecision(
                    id: "", key: memory.entries[position].key, revision: 0, operation: .withdraw, rule: .machine,
                    at: now, validUntil: now, title: "The problem is solved", body: "", subjectKind: "machine",
                    subjectName: "", reason: "The condition has ended."))
        }
        memory.entries.removeAll { entry in
            entry.ended.map { $0.seconds(to: now) >= thresholds.repeatAfter } ?? false
        }
        return decisions
    }
}

extension MachineCondition {
    /// The key of the bubble.
    package var key: String {
        let (name, subject): (String, String) =
            switch self {
            case .expiring(let feed, let last, _): ("expiring", "\(feed) \(last)")
            case .keyRejected(let feed, _): ("key", "\(feed)")
            case .withoutRefresh(let feed, _): ("refresh", "\(feed)")
            case .budgetExhausted(let key, _): ("budget", key)
            case .cacheRepaired(let file, let at): ("repaired", "\(file) \(at.secondsSince1970)")
            }
        return "machine-\(name)-" + StableDigest.hexadecimal(subject)
    }

    /// A condition that gets worse has lower steps.
    fileprivate func step(_ thresholds: MachineThresholds) -> Int {
        guard case .expiring(_, _, let days) = self else { return 0 }
        return thresholds.expiryDays.filter { days <= $0 }.min() ?? Int.max
    }

    private var subject: (kind: String, name: String) {
        switch self {
        case .expiring(let feed, _, _), .keyRejected(let feed, _), .withoutRefresh(let feed, _):
            ("feed", feed.rawValue)
        case .budgetExhausted(let key, _): ("machine", key)
        case .cacheRepaired(let file, _): ("machine", file)
        }
    }

    fileprivate func decision(
        _ thresholds: MachineThresholds, _ zone: ServiceZone, _ now: Instant
    ) -> NotificationDecision {
        let (title, body): (String, String) =
            switch self {
            case .expiring(let feed, let last, let days) where days < 0:
                (
                    "The timetable of \(feed) has expired",
                    "Its last day was \(NetworkText.fullDate(last)). Departures are missing until it is updated."
                )
            case .expiring(let feed, let last, let days):
                (
                    "The timetable of \(feed) ends " + (days < 2 ? "" : "in ")
                        + (days == 0 ? "today" : days == 1 ? "tomorrow" : NetworkText.count(days, "day")),
                    "Its last day is \(NetworkText.fullDate(last))."
                )
            case .keyRejected(let feed, let since):
                (
                    "The key for \(feed) is rejected",
                    "Since \(NotificationText.clock(since, zone)). Set a new one with: transitctl key set \(feed)"
                )
            case .withoutRefresh(let feed, let since):
                (
                    "The timetable of \(feed) has not been refreshed",
                    "Its source last confirmed it \(NetworkText.count(since.seconds(to: now) / 86_400, "day")) ago."
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
        let subject = subject
        return NotificationDecision(
            id: "", key: key, revision: 0, operation: .show, rule: .machine, at: now,
            validUntil: now.advanced(by: thresholds.validity),
            title: NetworkText.line(title) ?? "", body: NetworkText.line(body, limit: 300) ?? "",
            subjectKind: subject.kind, subjectName: subject.name, reason: reason(thresholds))
    }

    /// "13:00", and "00:00 on Wednesday, April 1" if that is more than a day ahead.
    private func when(_ instant: Instant, _ zone: ServiceZone, _ now: Instant) -> String {
        let clock = NotificationText.clock(instant, zone)
        if now.seconds(to: instant) < 86_400 { return clock }
        return "\(clock) on \(NetworkText.fullDate(zone.civil(at: instant).date))"
    }

    private func reason(_ thresholds: MachineThresholds) -> String {
        switch self {
        case .expiring(_, _, let days) where days < 0: "The last service date has passed."
        case .expiring(_, _, 0): "The last service date is today."
        case .expiring(_, _, let days): "The last service date is \(NetworkText.count(days, "day")) away."
        case .keyRejected:
            "The key was rejected twice, at least \(NetworkText.count(thresholds.keyRejection / 60, "minute")) apart."
        case .withoutRefresh:
            "The source has not confirmed the timetable for at least "
                + "\(NetworkText.count(thresholds.withoutRefresh / 86_400, "day"))."
        case .budgetExhausted: "The request limit of the key is used up."
        case .cacheRepaired: "A file failed its check."
        }
    }
}
