package import TransitModel
package import TransitQueries

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

extension NotificationRule {
    package static let timetable = NotificationRule(
        "timetable", "Notifies you when a timetable moves or drops one of your departures.",
        subjects: [.pinned, .usual])
}

/// Notifies that a pinned or usual departure is gone or moved in a new timetable: in the next digest, and in the evening
/// before the first of the user's days that it affects.
///
/// A change that a later version reverses is withdrawn if it was not shown yet, and corrected if it was.
package enum TimetableRule: GeneralRule {
    package static let rules: [NotificationRule] = [.timetable]

    package struct Settings: RuleSettings {
        /// In seconds.
        package var moved: Int

        package init(_ read: inout SettingReader) {
            moved = read.duration(
                "moved", .minutes, 2, 1...60, "Notify when the timetable moves a departure by at least this much.")
        }
    }

    /// A change of one departure.
    struct Entry: Codable, Hashable, Sendable {
        var feed: FeedID
        /// Identifies the departure (a hash of its `identity`).
        var departure: String
        /// Identifies the change that was shown.
        var digest: String
        var key: String
        /// The time of the departure: `08:12`.
        var clock: String
        /// The change: "does not run", "leaves at 08:19".
        var outcome: String
        /// The text after the day: "08:19 is nearest"; may be empty.
        var alternative: String
        /// The route and the stop.
        var place: String
        var subjectName: String
        var isPinned: Bool
        var dates: [ServiceDate]
        /// How many days after the service date the departure leaves: 1 for one after midnight.
        var daysLater: UInt8 = 0
        /// Whether all later days are affected.
        var isLasting: Bool
        /// When the change became an entry of the digest.
        var announced: Instant
        var isReminded: Bool
    }

    struct ComparedVersion: Codable, Comparable, Hashable, Identifiable, Sendable {
        var feed: FeedID
        var version: Int

        var id: FeedID { feed }

        static func < (left: Self, right: Self) -> Bool { left.feed < right.feed }
    }

    package struct Memory: RuleMemory {
        var entries: [Entry] = []
        /// The latest compared version of each feed.
        @SavedAsList var versions: [FeedID: ComparedVersion] = [:]

        static let maximumEntries = 200
        static let maximumVersions = 100

        package init() {}
    }

    package static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        let today = context.today
        var memory = state[Self.self]
        defer { state[Self.self] = memory }
        var decisions: [NotificationDecision] = []
        // A feed is compared once.
        for timetable in context.input.timetables where memory.versions[timetable.feed]?.version != timetable.version {
            if memory.versions.count < Memory.maximumVersions || memory.versions[timetable.feed] != nil {
                memory.versions[timetable.feed] = ComparedVersion(feed: timetable.feed, version: timetable.version)
            }
            guard let statuses = timetable.statuses else { continue }
            decisions += takeBack(timetable.feed, statuses, &memory, context)
            for status in statuses where memory.entries.count < Memory.maximumEntries {
                guard let entry = entry(status, timetable.feed, context),
                    !memory.entries.contains(where: {
                        $0.departure == entry.departure && $0.feed == entry.feed && $0.digest == entry.digest
                    })
                else { continue }
                // A new change of a departure replaces the previous one.
                memory.entries.removeAll { $0.departure == entry.departure && $0.feed == entry.feed }
                decisions.append(decision(entry, context, "The timetable of \(entry.feed) changed."))
                memory.entries.append(entry)
            }
        }
        // An evening during which the machine was suspended has passed.
        let isEvening = context.isTime(context.evening)
        for position in memory.entries.indices where isEvening && !memory.entries[position].isReminded {
            let entry = memory.entries[position]
            guard let first = entry.dates.first, today.days(to: first) == 1 else { continue }
            memory.entries[position].isReminded = true
            let evening = context.moment(context.evening, on: today)
            // This evening's digest contains the first message.
            guard nextDigest(after: entry.announced, context) < evening else { continue }
            decisions.append(decision(entry, context, "It affects you from tomorrow on."))
        }
        memory.entries.removeAll { entry in entry.dates.last.map { $0 < today } ?? true }
        return decisions
    }

    /// Returns the time of the first digest after a moment.
    private static func nextDigest(after moment: Instant, _ context: GeneralRuleContext) -> Instant {
        let date = context.zone.civil(at: moment).date
        let morning = context.settings.quiet.isOn ? context.settings.quiet.until : context.evening
        let times = (0...1).flatMap { day in
            [morning, context.evening].map { context.moment($0, on: date.advanced(by: day)) }
        }
        return times.filter { $0 > moment }.min() ?? moment
    }

    /// The next evening on which a change is shown once more.
    package static func nextMoment(_ context: GeneralRuleContext, _ state: RuleMemories) -> Instant? {
        let dates = state[Self.self].entries.filter { !$0.isReminded }.compactMap { $0.dates.first?.advanced(by: -1) }
        return dates.map { context.moment(context.evening, on: $0) }.filter { $0 > context.now }.min()
    }

    /// Withdraws or corrects the changes that the version does not contain.
    private static func takeBack(
        _ feed: FeedID, _ statuses: [UsualDepartureStatus], _ memory: inout Memory, _ context: GeneralRuleContext
    ) -> [NotificationDecision] {
        var decisions: [NotificationDecision] = []
        memory.entries.removeAll { entry in
            guard entry.feed == feed else { return false }
            let status = statuses.first { StableHash.hexadecimal($0.identity) == entry.departure }
            let open = entry.dates.filter { $0 >= context.today }
            guard let status else {
                // The user no longer takes the departure.
                decisions.append(withdrawal(entry, context, "You no longer take this departure."))
                return true
            }
            guard !open.isEmpty, open.allSatisfy({ status.running.contains($0) }) else { return false }
            let isShown = nextDigest(after: entry.announced, context) <= context.now
            decisions.append(withdrawal(entry, context, "The timetable has the departure again."))
            guard isShown else { return true }
            var correction = decision(entry, context, "The timetable has the departure again.")
            correction.key += "-again"
            correction.title = "Your \(entry.clock) runs after all"
            decisions.append(correction)
            return true
        }
        return decisions
    }

    private static func entry(
        _ status: UsualDepartureStatus, _ feed: FeedID, _ context: GeneralRuleContext
    ) -> Entry? {
        guard var change = status.change else { return nil }
        if !status.isPinned { change.dates.removeAll { context.settings.daysOff.contains($0) } }
        change.dates.removeAll { $0 < context.today }
        guard let first = change.dates.first else { return nil }
        let (outcome, alternative) =
            switch change.outcome {
            case .gone(let nearest): ("does not run", nearest.map { "\($0.timeOfDay) is nearest" } ?? "")
            case .moved(let time): ("leaves at \(time.timeOfDay)", "")
            }
        let clock = status.time.timeOfDay
        return Entry(
            feed: feed, departure: StableHash.hexadecimal(status.identity),
            digest: StableHash.hexadecimal("\(outcome) \(first)"),
            key: "timetable-" + StableHash.hexadecimal("\(feed) \(status.identity)"), clock: clock,
            outcome: outcome, alternative: alternative,
            place: GeneralText.line("\(status.route) from \(status.stop)") ?? "",
            subjectName: GeneralText.line("\(clock) \(status.route)") ?? clock, isPinned: status.isPinned,
            dates: change.dates, daysLater: UInt8(clamping: status.time.seconds / 86_400),
            isLasting: change.isLasting, announced: context.now, isReminded: false)
    }

    private static func decision(
        _ entry: Entry, _ context: GeneralRuleContext, _ reason: String
    ) -> NotificationDecision {
        var decision = context.decision(
            .timetable, entry.key, title: entry.title(from: context.today), body: entry.place,
            validUntil: context.now.advanced(by: 2 * 86_400), subject: entry.subject, reason: reason)
        decision.isForDigest = true
        return decision
    }

    private static func withdrawal(
        _ entry: Entry, _ context: GeneralRuleContext, _ reason: String
    ) -> NotificationDecision {
        context.decision(
            .timetable, entry.key, title: "The change to your \(entry.clock) was reversed", subject: entry.subject,
            reason: reason, operation: .withdraw)
    }
}

extension NotificationEngine {
    /// The version of a feed that was compared last, for ``GeneralRuleInput/timetables``; `nil` before the first one.
    ///
    /// When a version comes into use, it is compared with the one before it. After a start, the caller compares the
    /// current version with this one, if they differ and it still exists, and otherwise gives the current version with
    /// the statuses `nil`, so that no history is shown.
    package func comparedVersion(of feed: FeedID) -> Int? { state.general[TimetableRule.self].versions[feed]?.version }

    /// The changes of the user's departures on a date, for ``Tomorrow/timetable``: "Your 08:12 leaves at 08:15".
    package func timetableChanges(on date: ServiceDate) -> [String] {
        state.general[TimetableRule.self].entries.filter { $0.dates.contains(date) }
            .map { "Your \($0.clock) \($0.outcome)" }
    }
}

extension TimetableRule.Entry {
    fileprivate var subject: (kind: String, name: String) { (isPinned ? "pinned" : "usual", subjectName) }

    /// "Your 08:12 does not run from Monday on; 08:19 is nearest".
    func title(from today: ServiceDate) -> String {
        "Your \(clock) \(outcome) \(when(from: today))" + (alternative.isEmpty ? "" : "; \(alternative)")
    }

    /// "from Monday on", "on Monday and Tuesday", "tomorrow", "tomorrow and on 2 other days". A departure after midnight has
    /// the date on which it leaves, not its service date.
    private func when(from today: ServiceDate) -> String {
        let coming = dates.filter { $0 >= today }
        guard let first = coming.first else { return "" }
        let days = coming.map { GeneralText.date($0.advanced(by: Int(daysLater)), from: today) }
        if isLasting { return "from \(days[0]) on" }
        let isNear = today.days(to: first) + Int(daysLater) < 2
        guard days.count > 2 else { return (isNear ? "" : "on ") + GeneralText.list(days) }
        return (isNear ? "\(days[0]) and on" : "on \(days[0]) and") + " \(days.count - 1) other days"
    }
}
