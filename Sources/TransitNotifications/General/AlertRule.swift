internal import TransitEngine
package import TransitModel
internal import TransitQueries

extension NotificationRule {
    package static let alert = NotificationRule(
        "alert", "Notifies you about alerts for your routes, directions and stops.",
        subjects: Set(SubjectKind.allCases))
}

/// Shows the alerts of the user's network: each visible text once, a changed text with the same key, which updates the
/// notification, and the end by withdrawing it.
///
/// Alerts whose effect is not in ``Settings/effects``, and those that already exist when the rule first sees the user's
/// selection in a feed, become entries of the next digest.
package enum AlertRule: GeneralRule {
    package static let name = "alerts"
    package static let rules: [NotificationRule] = [.alert]

    /// Users cannot change them.
    package struct Settings: RuleSettings {
        /// The effects that are shown immediately. Others are shown in the digest.
        package var effects: Set<AlertEffect> = [
            .noService, .reducedService, .significantDelays, .detour, .stopMoved,
        ]
        /// How long an alert must be missing from the messages before it counts as ended. Sources leave alerts out of
        /// single messages.
        package var absence = 600
        /// How long after its end the text of an alert is not shown again.
        package var repeatAfter = 86_400
        /// The maximum time for which the notification of an alert is valid.
        package var validity = 12 * 3600

        package init(_ read: inout SettingReader) {}
    }

    /// What was shown about one alert.
    struct Entry: Codable, Hashable, Sendable {
        /// The key of the notification.
        var key: String
        /// The texts that were shown (``WatchedAlert/textKey``), oldest first.
        var texts: [String]
        /// Hashes of the alert's identifiers in the latest messages.
        var references: Set<String>
        var feeds: Set<FeedID>
        /// Whether the notification or the entry of the digest was not withdrawn.
        var isOpen: Bool
        /// The time since which the alert is in no message.
        var missingSince: Instant?
    }

    package struct Memory: RuleMemory {
        var entries: [Entry] = []
        /// Hashes of the feeds with the selections whose existing alerts were seen.
        var known: Set<String> = []

        static let maximumEntries = 500
        static let maximumTexts = 8
        static let maximumKnown = 1000

        package init() {}
    }

    /// Alerts with the same text, as one.
    private struct Group {
        var alert: WatchedAlert
        var references: Set<String>
        var feeds: Set<FeedID>

        init(_ alert: WatchedAlert) {
            self.alert = alert
            references = [alert.reference.digest]
            feeds = [alert.reference.feed]
        }

        mutating func add(_ other: WatchedAlert, effects: Set<AlertEffect>) {
            references.insert(other.reference.digest)
            feeds.insert(other.reference.feed)
            // An alert without periods is always active.
            let isAlways = alert.periods.isEmpty || other.periods.isEmpty
            alert.periods = isAlways ? [] : (alert.periods + other.periods).uniqued()
            alert.lines = (alert.lines + other.lines).uniqued()
            alert.stations =
                alert.stations.isEmpty || other.stations.isEmpty
                ? [] : (alert.stations + other.stations).uniqued()
            alert.selections = (alert.selections + other.selections).uniqued().sorted()
            if effects.contains(other.effect), !effects.contains(alert.effect) { alert.effect = other.effect }
        }
    }

    package static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        guard let watched = context.input.alerts else { return [] }
        let (settings, now) = (context.settings[Self.self], context.now)
        var memory = state[Self.self]
        defer { state[Self.self] = memory }
        var groups: [String: Group] = [:]
        var order: [String] = []
        for alert in watched.alerts where watched.knownFeeds.contains(alert.reference.feed) {
            let key = alert.textKey
            if groups[key] == nil {
                groups[key] = Group(alert)
                order.append(key)
            } else {
                groups[key]?.add(alert, effects: settings.effects)
            }
        }
        var decisions: [NotificationDecision] = []
        var claims: [Int: [Group]] = [:]
        var unmatched: [String] = []
        for text in order {
            guard let group = groups[text] else { continue }
            if let known = memory.entries.firstIndex(where: { $0.texts.contains(text) }) {
                claims[known, default: []].append(group)
            } else {
                unmatched.append(text)
            }
        }
        for text in unmatched {
            guard let group = groups[text] else { continue }
            let isActive = group.alert.isActive(at: now)
            let changed = memory.entries.indices.first { position in
                claims[position] == nil && !memory.entries[position].references.isDisjoint(with: group.references)
            }
            if let changed {
                claims[changed] = [group]
                // The text of an inactive alert is shown when the alert becomes active.
                guard isActive else { continue }
                decisions.append(show(group, entry: &memory.entries[changed], text: text, memory.known, context))
            } else if isActive {
                var entry = Entry(
                    key: "alert-" + text, texts: [], references: [], feeds: [], isOpen: false, missingSince: nil)
                decisions.append(show(group, entry: &entry, text: text, memory.known, context))
                claims[memory.entries.count] = [group]
                memory.entries.append(entry)
            }
        }
        for position in memory.entries.indices {
            close(&memory.entries[position], claims[position] ?? [], watched, context).map {
                decisions.append($0)
            }
        }
        memory.learn(watched)
        memory.forget(before: now.advanced(by: -settings.repeatAfter))
        return decisions
    }

    private static func show(
        _ group: Group, entry: inout Entry, text: String, _ known: Set<String>, _ context: GeneralRuleContext
    ) -> NotificationDecision {
        let (alert, settings) = (group.alert, context.settings[Self.self])
        let subject = alert.subject(context.input.alerts?.travelTimes ?? [:], at: context.now)
        var decision = context.decision(
            .alert, entry.key, title: alert.title, body: alert.body,
            validUntil: alert.end(at: context.now, limit: settings.validity),
            subject: (subject?.kind.rawValue ?? "feed", subject?.title ?? alert.reference.feed.rawValue),
            reason: alert.reason(about: subject, isChanged: !entry.texts.isEmpty))
        decision.alert = alert.reference
        decision.url = alert.url
        let isNew = entry.texts.isEmpty
        let stoodAlready = group.feeds.allSatisfy { feed in
            alert.selections.allSatisfy { !known.contains(Memory.name($0, in: feed)) }
        }
        decision.isForDigest = !settings.effects.contains(alert.effect) || isNew && stoodAlready
        entry.texts = Array((entry.texts + [text]).suffix(Memory.maximumTexts))
        entry.isOpen = true
        return decision
    }

    /// Notes which messages contain an alert, and withdraws its notification when it is no longer active.
    private static func close(
        _ entry: inout Entry, _ groups: [Group], _ watched: WatchedAlerts, _ context: GeneralRuleContext
    ) -> NotificationDecision? {
        let now = context.now
        if groups.isEmpty {
            // If the alerts of a feed are not known, it is not known whether they have ended.
            guard entry.feeds.isSubset(of: watched.knownFeeds) else { return nil }
            if entry.missingSince == nil { entry.missingSince = now }
            // Sources leave alerts out of single messages.
            guard let since = entry.missingSince, since.seconds(to: now) >= context.settings[Self.self].absence else {
                return nil
            }
        } else {
            entry.references = groups.reduce(into: []) { $0.formUnion($1.references) }
            entry.feeds = groups.reduce(into: []) { $0.formUnion($1.feeds) }
            entry.missingSince = nil
            if groups.contains(where: { $0.alert.isActive(at: now) }) { return nil }
        }
        guard entry.isOpen else { return nil }
        entry.isOpen = false
        return context.decision(
            .alert, entry.key, title: "The alert has ended", subject: ("feed", entry.feeds.min()?.rawValue ?? ""),
            reason: "The alert is no longer active.", operation: .withdraw)
    }

    /// The next moment at which an alert becomes active or ends, or is missing for long enough.
    package static func nextMoment(_ context: GeneralRuleContext, _ state: RuleMemories) -> Instant? {
        guard let watched = context.input.alerts else { return nil }
        let absence = context.settings[Self.self].absence
        let ends = state[Self.self].entries.filter(\.isOpen).compactMap { $0.missingSince?.advanced(by: absence) }
        let periods = watched.alerts.flatMap(\.periods).flatMap { [$0.start, $0.end].compactMap(\.self) }
        return (ends + periods).filter { $0 > context.now }.min()
    }
}

extension AlertRule.Memory {
    static func name(_ selection: PersonalNetwork.Selection, in feed: FeedID) -> String {
        StableHash.hexadecimal("\(feed) \(selection.kind.rawValue) \(selection.name)")
    }

    /// Records the selections whose existing alerts were seen.
    fileprivate mutating func learn(_ watched: WatchedAlerts) {
        var names: Set<String> = []
        for (feed, selections) in watched.selections {
            for selection in selections {
                let name = Self.name(selection, in: feed)
                if watched.knownFeeds.contains(feed) || known.contains(name) { names.insert(name) }
            }
        }
        known = names.count > Self.maximumKnown ? Set(names.sorted().prefix(Self.maximumKnown)) : names
    }

    fileprivate mutating func forget(before moment: Instant) {
        entries.removeAll { entry in entry.missingSince.map { $0 <= moment } ?? false }
        guard entries.count > Self.maximumEntries else { return }
        // Alerts that are still in a message are kept.
        let missing = entries.indices.filter { entries[$0].missingSince != nil }
        let dropped = Set(missing.prefix(entries.count - Self.maximumEntries))
        entries = entries.indices.filter { !dropped.contains($0) }.map { entries[$0] }
        entries = Array(entries.suffix(Self.maximumEntries))
    }
}

extension NotificationDecision.AlertReference {
    /// Identifies the alert in a bounded length.
    var digest: String { StableHash.hexadecimal("\(feed):\(id)") }
}

extension WatchedAlert {
    package func isActive(at moment: Instant) -> Bool {
        periods.isEmpty || periods.contains { $0.contains(moment) }
    }

    /// The end of the current period, at most `limit` seconds later.
    fileprivate func end(at now: Instant, limit: Int) -> Instant {
        let latest = now.advanced(by: limit)
        let current = periods.filter { $0.contains(now) }
        if current.isEmpty || current.contains(where: { $0.end == nil }) { return latest }
        return min(latest, current.compactMap(\.end).max() ?? latest)
    }

    /// The selection that the alert concerns next: the one that the user travels with first while the alert is active or,
    /// if there is none, nearest to it in time. Of several at the same time, the most important one.
    func subject(
        _ travelTimes: [PersonalNetwork.Selection: [ClosedRange<Instant>]], at now: Instant
    ) -> PersonalNetwork.Selection? {
        let current = periods.filter { $0.contains(now) }
        let ends = current.compactMap(\.end)
        // Without periods, and in one without an end, the alert is active until further notice.
        let end = ends.count == current.count ? ends.max() : nil
        let uses = selections.flatMap { selection in
            (travelTimes[selection] ?? []).map { (selection: selection, range: $0) }
        }
        let coming = uses.filter { use in
            use.range.upperBound >= now && (end.map { use.range.lowerBound <= $0 } ?? true)
        }
        if let first = coming.min(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            return coming.first { $0.range.overlaps(first.range) }?.selection
        }
        func distance(_ range: ClosedRange<Instant>) -> Int {
            range.upperBound < now ? range.upperBound.seconds(to: now) : now.seconds(to: range.lowerBound)
        }
        return uses.min { distance($0.range) < distance($1.range) }?.selection ?? selections.first
    }

    /// The header, with the names of the stations or lines if it does not contain one: "Bus 24: Detour at Market Square",
    /// "Central Station: Elevator out of service".
    package var title: String {
        let header = GeneralText.line(header) ?? effect.words
        if !stations.isEmpty {
            let folded = SearchText.fold(header)
            if stations.contains(where: { folded.contains(SearchText.fold($0)) }) { return header }
            return GeneralText.limited(
                "\(GeneralText.list(stations, showing: 2)): \(header)", to: GeneralText.maximumTitle)
        }
        let names = lines.map { $0.split(separator: " ").last.map(String.init) ?? $0 }
        let words = header.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        let isNamed = names.contains { words.contains($0.lowercased()) }
        if isNamed || lines.isEmpty { return header }
        return GeneralText.limited(
            "\(GeneralText.list(lines, showing: 2)): \(header)", to: GeneralText.maximumTitle)
    }

    package var body: String {
        let header = GeneralText.line(header, limit: GeneralText.maximumBody)
        let text = GeneralText.line(description, limit: GeneralText.maximumBody)
        // A header that is too long for the title is whole in the body.
        let whole = header.flatMap { title.hasSuffix($0) ? nil : $0 }
        return [whole, text == header ? nil : text].compactMap(\.self).joined(separator: "\n")
    }

    fileprivate func reason(about selection: PersonalNetwork.Selection?, isChanged: Bool) -> String {
        let subject = selection.map { "your \($0.kind.words) \($0.title)" } ?? "your stops"
        return isChanged
            ? "The text of an alert for \(subject) changed." : "The alert is about \(subject): \(effect.words)."
    }
}

extension PersonalNetwork.Selection.Kind {
    /// The kind as part of a sentence.
    var words: String {
        switch self {
        case .pinned: "pinned departure"
        case .usual: "usual departure"
        case .commute: "commute"
        case .favorite: "favorite"
        }
    }
}

extension AlertEffect {
    /// The effect as riders call it.
    var words: String {
        switch self {
        case .noService: "No service"
        case .reducedService: "Reduced service"
        case .significantDelays: "Significant delays"
        case .detour: "Detour"
        case .additionalService: "Additional service"
        case .modifiedService: "Modified service"
        case .stopMoved: "Stop moved"
        case .accessibilityIssue: "Accessibility issue"
        case .noEffect, .other, .unknown: "Service alert"
        }
    }
}
