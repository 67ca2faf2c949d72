package import TransitModel
package import TransitQueries
package import TransitWire

/// The status of the user's departures in the current version of a feed.
package struct ComparedTimetable: Hashable, Sendable {
    package var feed: FeedID
    package var version: Int
    /// `nil` if the version is new to the user but was not compared with another one.
    package var statuses: [UsualDepartureStatus]?

    package init(feed: FeedID, version: Int, statuses: [UsualDepartureStatus]?) {
        self.feed = feed
        self.version = version
        self.statuses = statuses
    }
}

/// Tells that a pinned or usual departure is gone or moved in a new timetable: in the next digest, and in the evening
/// before the first of the user's days that it affects.
///
/// A change that a later version takes back is withdrawn if it was not told yet, and corrected if it was.
package enum TimetableRule {
    /// A change of one departure.
    struct Entry: Hashable, Sendable {
        var feed: FeedID
        /// Identifies the departure (a digest of its `identity`).
        var departure: String
        /// Identifies what was told about it.
        var digest: String
        var key: String
        /// The time of the departure: `08:12`.
        var clock: String
        /// What becomes of it: "does not run", "leaves at 08:19".
        var outcome: String
        /// What follows the day: "08:19 is nearest"; may be empty.
        var alternative: String
        /// The route and the stop.
        var place: String
        var subjectName: String
        var isPinned: Bool
        var dates: [ServiceDate]
        /// How many days after the service date the departure leaves: 1 for one after midnight.
        var daysLater = 0
        /// Whether all later days are affected.
        var isLasting: Bool
        /// When the change became an entry of the digest.
        var announced: Instant
        var isReminded: Bool
    }

    package struct Memory: RuleMemory {
        var entries: [Entry] = []
        /// The latest compared version of each feed.
        var versions: [FeedID: Int] = [:]

        static let maximumEntries = 200
        static let maximumVersions = 100

        package init() {}
    }

    /// - Parameters:
    ///   - compared: The comparisons of feeds whose version is new. A feed is compared once; others may be left out.
    ///   - daysOff: Dates on which the user does not travel. Pinned departures are told anyway.
    package static func evaluate(
        _ compared: [ComparedTimetable], daysOff: DaysOff = DaysOff(), memory: inout Memory,
        thresholds: NetworkThresholds, zone: ServiceZone, now: Instant
    ) -> [NotificationDecision] {
        let clock = zone.civil(at: now)
        var decisions: [NotificationDecision] = []
        for timetable in compared where memory.versions[timetable.feed] != timetable.version {
            if memory.versions.count < Memory.maximumVersions || memory.versions[timetable.feed] != nil {
                memory.versions[timetable.feed] = timetable.version
            }
            guard let statuses = timetable.statuses else { continue }
            decisions += takeBack(timetable.feed, statuses, &memory, thresholds, zone, now)
            for status in statuses where memory.entries.count < Memory.maximumEntries {
                guard let entry = entry(status, timetable.feed, daysOff, today: clock.date, now),
                    !memory.entries.contains(where: {
                        $0.departure == entry.departure && $0.feed == entry.feed && $0.digest == entry.digest
                    })
                else { continue }
                // A new statement about a departure replaces the former one.
                memory.entries.removeAll { $0.departure == entry.departure && $0.feed == entry.feed }
                decisions.append(decision(entry, zone, now, "The timetable of \(entry.feed) changed."))
                memory.entries.append(entry)
            }
        }
        // An evening that was slept through is over.
        let seconds = clock.secondsOfDay - thresholds.eveningDigest
        let isEvening = seconds >= 0 && seconds < thresholds.lateness
        for position in memory.entries.indices where isEvening && !memory.entries[position].isReminded {
            let entry = memory.entries[position]
            guard let first = entry.dates.first, clock.date.days(to: first) == 1 else { continue }
            memory.entries[position].isReminded = true
            let evening = zone.instant(date: clock.date, secondsOfDay: thresholds.eveningDigest)
            // This evening's digest contains the first message.
            guard nextDigest(after: entry.announced, thresholds, zone) < evening else { continue }
            decisions.append(decision(entry, zone, now, "The first of your days that it affects is tomorrow."))
        }
        memory.entries.removeAll { entry in entry.dates.last.map { $0 < clock.date } ?? true }
        return decisions
    }

    /// Returns the time of the first digest after a moment.
    static func nextDigest(after moment: Instant, _ thresholds: NetworkThresholds, _ zone: ServiceZone) -> Instant {
        let date = zone.civil(at: moment).date
        let times = (0...1).flatMap { day in
            [thresholds.morningDigest, thresholds.eveningDigest].map {
                zone.instant(date: date.advanced(by: day), secondsOfDay: $0)
            }
        }
        return times.filter { $0 > moment }.min() ?? moment
    }

    /// Withdraws or corrects the changes that the version does not contain.
    private static func takeBack(
        _ feed: FeedID, _ statuses: [UsualDepartureStatus], _ memory: inout Memory, _ thresholds: NetworkThresholds,
        _ zone: ServiceZone,
        _ now: Instant
    ) -> [NotificationDecision] {
        var decisions: [NotificationDecision] = []
        memory.entries.removeAll { entry in
            guard entry.feed == feed else { return false }
            let status = statuses.first { StableDigest.hexadecimal($0.identity) == entry.departure }
            let today = zone.civil(at: now).date
            let open = entry.dates.filter { $0 >= today }
            guard let status else {
                // The user no longer takes the departure.
                decisions.append(withdrawal(entry, now, "You no longer take this departure."))
                return true
            }
            guard !open.isEmpty, open.allSatisfy({ status.running.contains($0) }) else { return false }
            let isTold = nextDigest(after: entry.announced, thresholds, zone) <= now
            decisions.append(withdrawal(entry, now, "The timetable has the departure again."))
            guard isTold else { return true }
            var correction = decision(entry, zone, now, "The timetable has the departure again.")
            correction.key += "-again"
            correction.title = "Your \(entry.clock) runs after all"
            decisions.append(correction)
            return true
        }
        return decisions
    }

    private static func entry(
        _ status: UsualDepartureStatus, _ feed: FeedID, _ daysOff: DaysOff, today: ServiceDate,
        _ now: Instant
    ) -> Entry? {
        guard var change = status.change else { return nil }
        if !status.isPinned { change.dates.removeAll { daysOff.contains($0) } }
        change.dates.removeAll { $0 < today }
        guard let first = change.dates.first else { return nil }
        let (outcome, alternative) =
            switch change.outcome {
            case .gone(let nearest): ("does not run", nearest.map { "\($0.clockText) is nearest" } ?? "")
            case .moved(let time): ("leaves at \(time.clockText)", "")
            }
        let clock = status.time.clockText
        return Entry(
            feed: feed, departure: StableDigest.hexadecimal(status.identity),
            digest: StableDigest.hexadecimal("\(outcome) \(first)"),
            key: "timetable-" + StableDigest.hexadecimal("\(feed) \(status.identity)"), clock: clock,
            outcome: outcome, alternative: alternative,
            place: NetworkText.line("\(status.route) from \(status.stop)") ?? "",
            subjectName: NetworkText.line("\(clock) \(status.route)") ?? clock, isPinned: status.isPinned,
            dates: change.dates, daysLater: Int(status.time.seconds) / 86_400,
            isLasting: change.isLasting, announced: now, isReminded: false)
    }

    private static func decision(
        _ entry: Entry, _ zone: ServiceZone, _ now: Instant, _ reason: String
    ) -> NotificationDecision {
        var decision = NotificationDecision(
            id: "", key: entry.key, revision: 0, operation: .show, rule: .timetable, at: now,
            validUntil: now.advanced(by: 2 * 86_400), title: entry.title(from: zone.civil(at: now).date),
            body: entry.place, subjectKind: entry.isPinned ? "pinned" : "usual", subjectName: entry.subjectName,
            reason: reason)
        decision.isForDigest = true
        return decision
    }

    private static func withdrawal(_ entry: Entry, _ now: Instant, _ reason: String) -> NotificationDecision {
        NotificationDecision(
            id: "", key: entry.key, revision: 0, operation: .withdraw, rule: .timetable, at: now, validUntil: now,
            title: "The change of your \(entry.clock) is taken back", body: "",
            subjectKind: entry.isPinned ? "pinned" : "usual",
            subjectName: entry.subjectName, reason: reason)
    }
}

extension TimetableRule.Entry {
    /// "Your 08:12 does not run from Monday on; 08:19 is nearest".
    func title(from today: ServiceDate) -> String {
        "Your \(clock) \(outcome) \(when(from: today))" + (alternative.isEmpty ? "" : "; \(alternative)")
    }

    /// "from Monday on", "on Monday and Tuesday", "tomorrow", "tomorrow and on 2 other days". A departure after midnight has
    /// the date on which it leaves, not its service date.
    private func when(from today: ServiceDate) -> String {
        let coming = dates.filter { $0 >= today }
        guard let first = coming.first else { return "" }
        let days = coming.map { NetworkText.date($0.advanced(by: daysLater), from: today) }
        if isLasting { return "from \(days[0]) on" }
        let isNear = today.days(to: first) + daysLater < 2
        guard days.count > 2 else { return (isNear ? "" : "on ") + NetworkText.list(days) }
        return (isNear ? "\(days[0]) and on" : "on \(days[0]) and") + " \(days.count - 1) other days"
    }
}

extension TimetableRule.Memory {
    package init?(_ json: JSONValue) {
        guard case .object = json else { return nil }
        entries = json["entries"]?.elements.prefix(Self.maximumEntries).compactMap { TimetableRule.Entry($0) } ?? []
        for row in json["versions"]?.elements.prefix(Self.maximumVersions) ?? [] {
            if let feed = row["feed"]?.text, let number = row["version"]?.intValue { versions[FeedID(feed)] = number }
        }
    }

    package var json: JSONValue {
        [
            "entries": .array(entries.map(\.json)),
            "versions": .array(
                versions.sorted { $0.key < $1.key }.map { feed, version in
                    ["feed": .string(feed.rawValue), "version": .int(Int64(version))]
                }),
        ]
    }
}

extension TimetableRule.Entry {
    fileprivate init?(_ json: JSONValue) {
        guard let feed = json["feed"]?.text, let departure = json["departure"]?.text,
            let digest = json["digest"]?.text, let key = json["key"]?.text, let clock = json["clock"]?.text,
            let outcome = json["outcome"]?.text, let announced = json["announced"]?.instantValue
        else { return nil }
        self.init(
            feed: FeedID(feed), departure: departure, digest: digest, key: key, clock: clock,
            outcome: outcome, alternative: json["alternative"]?.text ?? "", place: json["place"]?.text ?? "",
            subjectName: json["subject"]?.text ?? "",
            isPinned: json["pinned"]?.isTrue ?? false,
            dates: json["dates"]?.elements.prefix(UsualDepartureComparison.days).compactMap(\.dateValue) ?? [],
            daysLater: min(3, max(0, json["later"]?.intValue ?? 0)),
            isLasting: json["lasting"]?.isTrue ?? false, announced: announced,
            isReminded: json["reminded"]?.isTrue ?? false
        )
    }

    fileprivate var json: JSONValue {
        [
            "feed": .string(feed.rawValue), "departure": .string(departure), "digest": .string(digest),
            "key": .string(key), "clock": .string(clock), "outcome": .string(outcome),
            "alternative": .string(alternative),
            "place": .string(place), "lasting": .bool(isLasting), "subject": .string(subjectName),
            "pinned": .bool(isPinned), "dates": .array(dates.map { .date($0) }), "later": .int(Int64(daysLater)),
            "announced": .seconds(announced),
            "reminded": .bool(isReminded),
        ]
    }
}
