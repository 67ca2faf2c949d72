internal import TransitModel

/// A token bucket that limits how many notifications disturb a person. Less urgent notifications do not use up what the
/// notices to leave need.
enum NotificationBucket: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
    /// Everything else. The raw values are members of the state document.
    case general = "bucket"
    /// Notices that a person acts on immediately: to leave, early departures, platforms, the last way home and getting
    /// off.
    case departures = "departure_bucket"
}

/// Numbers decisions, and decides which of them are shown: mutes, days off, quiet hours, the buckets and the digest.
struct NotificationLedger {
    let now: Instant
    let zone: ServiceZone
    let settings: NotificationSettings

    enum Outcome {
        /// The user receives the notification, with its number.
        case shown(NotificationDecision)
        /// The decision was suppressed; its `suppression` says why.
        case suppressed(NotificationDecision)
        /// The decision changes nothing that the user sees.
        case needless
    }

    // MARK: Numbering

    /// Numbers a decision, or suppresses it.
    ///
    /// - Parameter isForDate: Whether the user pinned the departure for its date alone.
    func admit(
        _ decision: NotificationDecision, isForDate: Bool = false, to state: inout NotificationState
    ) -> Outcome {
        // Even after the clock was set back, a bucket takes no longer to fill than an empty one.
        for (bucket, full) in state.buckets {
            state.buckets[bucket] = min(full, now.advanced(by: settings.bucket.burst * interval))
        }
        let shown = state.bubbles[decision.key].map { $0.isShown && $0.validUntil > now } ?? false
        if decision.operation != .show, !shown { return .needless }
        var decision = decision
        decision.operation = decision.operation == .withdraw ? .withdraw : shown ? .update : .show
        if decision.operation != .withdraw,
            let reason = decision.suppression ?? suppression(of: decision, isForDate: isForDate, state)
        {
            decision.suppression = reason
            return .suppressed(decision)
        }
        if let bucket = bucket(of: decision) { take(from: bucket, &state) }
        return .shown(number(decision, &state))
    }

    /// The minimum time for which a withdrawal is valid, in seconds: long enough for a failed hook to try again.
    private static let minimumWithdrawal = 600

    func number(_ decision: NotificationDecision, _ state: inout NotificationState) -> NotificationDecision {
        var decision = decision
        decision.revision = (state.bubbles[decision.key]?.revision ?? 0) + 1
        // The time keeps the identifier unique if the state is lost and revisions begin anew.
        decision.id = "\(decision.key)-\(decision.revision)-\(now.secondsSince1970)"
        if decision.operation == .withdraw {
            withdraw(&decision, state.bubbles[decision.key])
        } else {
            decision.validUntil = max(decision.validUntil, now.advanced(by: 60))
        }
        let isShown = decision.operation != .withdraw
        state.bubbles[decision.key] = NotificationState.Bubble(
            revision: decision.revision, validUntil: decision.validUntil, isShown: isShown,
            content: isShown
                ? .init(
                    rule: decision.rule, title: decision.title.limited(to: NotificationState.Limit.title),
                    body: decision.body.limited(to: NotificationState.Limit.body)) : nil)
        return decision
    }

    /// Gives a withdrawal the rule and the texts of the notification that it withdraws, so that the hooks that showed
    /// it run.
    private func withdraw(_ decision: inout NotificationDecision, _ shown: NotificationState.Bubble?) {
        if let content = shown?.content {
            (decision.rule, decision.title, decision.body) = (content.rule, content.title, content.body)
        }
        decision.validUntil = max(shown?.validUntil ?? now, now.advanced(by: Self.minimumWithdrawal))
        (decision.urgency, decision.hasSound) = (.low, false)
    }

    /// Records a suppressed decision, and gives it an identifier.
    func record(_ decision: NotificationDecision, _ state: inout NotificationState) -> NotificationDecision {
        var decision = decision
        state.suppressedCount += 1
        decision.id = "suppressed-\(state.suppressedCount)-\(now.secondsSince1970)"
        state.suppressed.append(
            NotificationState.Suppressed(
                at: now, rule: decision.rule, key: decision.key,
                title: decision.title.limited(to: NotificationState.Limit.title),
                reason: decision.suppression ?? ""))
        return decision
    }

    // MARK: Suppression

    private func suppression(
        of decision: NotificationDecision, isForDate: Bool, _ state: NotificationState
    ) -> String? {
        if decision.isTest { return nil }
        if let end = mutedUntil(decision.rule, state) {
            let words =
                end == state.mutes.all ? "Notifications are muted" : "The rule \(decision.rule.rawValue) is muted"
            return end == Self.always ? "\(words)." : "\(words) until \(dateAndClock(end))."
        }
        // An alert that is active now concerns today.
        let date = decision.date ?? (decision.rule == .alert ? zone.civil(at: now).date : nil)
        if let date, settings.daysOff.contains(date), !isForDate { return "\(date) is a day off." }
        if let end = quietEnd(at: now), !passesQuietHours(decision) { return "Quiet hours last until \(clock(end))." }
        if let bucket = bucket(of: decision), let next = nextToken(of: bucket, state), next > now {
            return
                "At most \(settings.bucket.perHour) notifications per hour are shown, and \(settings.bucket.burst) in quick succession. The next one can follow at \(clock(next))."
        }
        return nil
    }

    /// The end of a mute that lasts until further notice.
    static let always = Instant(secondsSince1970: 253_402_300_799)

    private func mutedUntil(_ rule: NotificationRule, _ state: NotificationState) -> Instant? {
        [state.mutes.all, state.mutes.rules[rule]].compactMap { $0 }.filter { $0 > now }.max()
    }

    private func passesQuietHours(_ decision: NotificationDecision) -> Bool {
        let kinds: [SubjectKind] = [.pinned, .journey, .connection]
        return kinds.contains { $0.rawValue == decision.subjectKind } && decision.rule.passesQuietHours
    }

    private func clock(_ instant: Instant) -> String { NotificationText.clock(instant, zone) }

    /// "08:10", and "08:10 on 2026-03-27" if that is more than a day ahead.
    private func dateAndClock(_ instant: Instant) -> String {
        now.seconds(to: instant) < 86_400 ? clock(instant) : "\(clock(instant)) on \(zone.civil(at: instant).date)"
    }

    // MARK: Quiet hours

    /// Returns the end of the quiet hours at a moment; `nil` outside of them.
    func quietEnd(at now: Instant) -> Instant? {
        guard settings.quiet.isOn else { return nil }
        let (from, until) = (settings.quiet.from, settings.quiet.until)
        guard from != until else { return nil }
        let (date, second) = zone.civil(at: now)
        let isQuiet = from < until ? second >= from && second < until : second >= from || second < until
        guard isQuiet else { return nil }
        let end = zone.instant(date: second < until ? date : date.advanced(by: 1), secondsOfDay: until)
        return end > now ? end : now.advanced(by: 60)
    }

    // MARK: Buckets

    /// The bucket that limits a decision; `nil` for cancellations, which are exempt, and for silent updates in place.
    private func bucket(of decision: NotificationDecision) -> NotificationBucket? {
        guard !decision.isTest, decision.operation == .show || decision.hasSound else { return nil }
        switch decision.rule.limit {
        case .none: return nil
        case .departures: break
        case .departuresIfSounding where decision.hasSound: break
        case .general, .departuresIfSounding: return .general
        }
        return decision.subjectKind == SubjectKind.favorite.rawValue ? .general : .departures
    }

    private var interval: Int { 3600 / max(1, settings.bucket.perHour) }

    /// Returns the time from which a bucket allows a notification; `nil` if the bucket is full.
    private func nextToken(of bucket: NotificationBucket, _ state: NotificationState) -> Instant? {
        guard let full = state.buckets[bucket] else { return nil }
        // After the clock was set back, the bucket is never further from full than empty.
        let bounded = min(full, now.advanced(by: settings.bucket.burst * interval))
        return bounded.advanced(by: -(settings.bucket.burst - 1) * interval)
    }

    private func take(from bucket: NotificationBucket, _ state: inout NotificationState) {
        let full = min(state.buckets[bucket] ?? now, now.advanced(by: (settings.bucket.burst - 1) * interval))
        state.buckets[bucket] = max(full, now).advanced(by: interval)
    }

    /// Returns the times at which a suppressed notification may be shown.
    func releases(_ state: NotificationState) -> [Instant] {
        var moments = state.mutes.rules.values.filter { $0 != Self.always }
        moments += [state.mutes.all, quietEnd(at: now)].compactMap { $0 }
        moments += NotificationBucket.allCases.compactMap { nextToken(of: $0, state) }
        return moments.filter { $0 > now }
    }

    // MARK: Digest

    /// Adds a decision to the next digest. A later decision with the same key replaces an earlier one.
    func queue(_ decision: NotificationDecision, _ state: inout NotificationState) {
        state.digest.removeAll { $0.key == decision.key }
        let item = NotificationDecision.Item(
            rule: decision.rule, title: decision.title.limited(to: NotificationState.Limit.title),
            body: decision.body.limited(to: NotificationState.Limit.body), url: decision.url)
        state.digest.append(
            NotificationState.QueuedItem(
                key: decision.key, at: now, validUntil: max(decision.validUntil, now), item: item, date: decision.date))
    }

    /// Returns the digest if its moment has come.
    func digest(_ state: inout NotificationState) -> NotificationDecision? {
        let since = state.digestedThrough ?? now
        // A clock that was set back repeats no digest.
        guard since <= now else {
            if since > now.advanced(by: 86_400) { state.digestedThrough = now }
            return nil
        }
        guard let moment = digestMoments(after: since.advanced(by: -1)).last(where: { $0 <= now }) else { return nil }
        let isNew = moment > since
        guard isNew || moment.seconds(to: now) <= 300 else { return nil }
        if isNew { state.digestedThrough = moment }
        let waiting = state.digest
        state.digest = waiting.filter { $0.validUntil >= now && settings.isOn($0.item.rule) }
        // A mute of everything keeps the messages for the next digest. Notifications of a muted rule are suppressed.
        if (state.mutes.all ?? now) <= now {
            let before = state
            state.digest.removeAll { mutedUntil($0.item.rule, before) != nil }
        }
        // Messages about a day off are dropped. On a day off, alerts wait for the next digest.
        state.digest.removeAll { $0.date.map(settings.daysOff.contains) ?? false }
        let isDayOff = settings.daysOff.contains(zone.civil(at: now).date)
        // A message that arrives within five minutes after a digest belongs to the next one.
        let items = state.digest.filter { (isNew || $0.at >= moment) && !(isDayOff && $0.item.rule == .alert) }
        guard !items.isEmpty, settings.isOn(.digest), quietEnd(at: now) == nil, mutedUntil(.digest, state) == nil
        else { return nil }
        let keys = Set(items.map(\.key))
        state.digest.removeAll { keys.contains($0.key) }
        let digest = DigestComposer.digest(
            of: items.map(\.item), limit: settings[DigestRule.self].items,
            key: "digest-\(zone.civil(at: now).date)-\(clock(now).prefix(2))\(clock(now).suffix(2))"
                + (isNew ? "" : "-\(now.secondsSince1970)"), now: now)
        return digest.map { number($0, &state) }
    }

    /// Returns the times of digests from shortly after a moment until the end of tomorrow, in order.
    func digestMoments(after start: Instant) -> [Instant] {
        var times = [settings[DigestRule.self].at]
        if settings.quiet.isOn { times.append(settings.quiet.until) }
        let first = max(zone.civil(at: start).date, zone.civil(at: now).date.advanced(by: -1))
        return (0...3).flatMap { day in
            times.map { zone.instant(date: first.advanced(by: day), secondsOfDay: $0) }
        }
        .filter { $0 > start }.sorted()
    }
}
