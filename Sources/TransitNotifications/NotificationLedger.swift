internal import TransitModel

/// Numbers decisions, and decides which of them are told: mutes, days off, quiet hours, the bucket and the digest.
struct NotificationLedger {
    let now: Instant
    let zone: ServiceZone
    let settings: NotificationSettings

    enum Outcome {
        /// The decision is told, with its number.
        case told(NotificationDecision)
        /// The decision is not told, for the reason that it contains.
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
        let shown = state.bubbles[decision.key].map { $0.isShown && $0.validUntil > now } ?? false
        if decision.operation != .show, !shown { return .needless }
        var decision = decision
        decision.operation = decision.operation == .withdraw ? .withdraw : shown ? .update : .show
        if decision.operation != .withdraw,
            let reason = suppression(of: decision, isForDate: isForDate, state)
        {
            decision.suppression = reason
            return .suppressed(decision)
        }
        if takesFromBucket(decision) { take(&state) }
        return .told(number(decision, &state))
    }

    func number(_ decision: NotificationDecision, _ state: inout NotificationState) -> NotificationDecision {
        var decision = decision
        decision.revision = (state.bubbles[decision.key]?.revision ?? 0) + 1
        // The time keeps the identifier unique if the state is lost and revisions begin anew.
        decision.id = "\(decision.key)-\(decision.revision)-\(now.secondsSince1970)"
        decision.validUntil = max(decision.validUntil, decision.operation == .withdraw ? now : now.advanced(by: 60))
        state.bubbles[decision.key] = NotificationState.Bubble(
            revision: decision.revision, validUntil: decision.validUntil, isShown: decision.operation != .withdraw)
        return decision
    }

    /// Records a suppressed decision, and gives it an identifier.
    func record(_ decision: NotificationDecision, _ state: inout NotificationState) -> NotificationDecision {
        var decision = decision
        state.suppressedCount += 1
        decision.id = "suppressed-\(state.suppressedCount)-\(now.secondsSince1970)"
        state.suppressed.append(
            NotificationState.Suppressed(
                at: now, rule: decision.rule, key: decision.key,
                title: String(decision.title.prefix(NotificationState.Limit.title)),
                reason: decision.suppression ?? ""))
        return decision
    }

    // MARK: Suppression

    private func suppression(
        of decision: NotificationDecision, isForDate: Bool, _ state: NotificationState
    ) -> String? {
        if decision.isTest { return nil }
        if let end = mutedUntil(decision.rule, state) {
            return end == Self.always
                ? "The rule \(decision.rule.rawValue) is muted." : "It is muted until \(clock(end))."
        }
        let date = decision.departure?.key.serviceDate ?? zone.civil(at: now).date
        if settings.daysOff.contains(date), !isForDate { return "\(date) is a day off." }
        if let end = quietEnd(at: now), !passesQuietHours(decision) { return "Quiet hours last until \(clock(end))." }
        if takesFromBucket(decision), let next = nextToken(state), next > now {
            return
                "\(settings["bucket.per_hour"]) notifications an hour are told, \(settings["bucket.burst"]) in quick succession. The next can be told at \(clock(next))."
        }
        return nil
    }

    /// The end of a mute without an end.
    static let always = Instant(secondsSince1970: 253_402_300_799)

    private func mutedUntil(_ rule: NotificationRule, _ state: NotificationState) -> Instant? {
        [state.mutes.all, state.mutes.rules[rule]].compactMap { $0 }.filter { $0 > now }.max()
    }

    private func passesQuietHours(_ decision: NotificationDecision) -> Bool {
        decision.subjectKind == SubjectKind.pinned.rawValue && (decision.rule == .leave || decision.rule == .canceled)
    }

    private func clock(_ instant: Instant) -> String { NotificationText.clock(instant, zone) }

    // MARK: Quiet hours

    /// Returns the end of the quiet hours at a moment; `nil` outside of them.
    func quietEnd(at now: Instant) -> Instant? {
        guard settings["quiet.on"] != 0 else { return nil }
        let (from, until) = (settings["quiet.from"], settings["quiet.until"])
        guard from != until else { return nil }
        let (date, second) = zone.civil(at: now)
        let isQuiet = from < until ? second >= from && second < until : second >= from || second < until
        guard isQuiet else { return nil }
        let end = zone.instant(date: second < until ? date : date.advanced(by: 1), secondsOfDay: until)
        return end > now ? end : now.advanced(by: 60)
    }

    // MARK: Bucket

    /// Whether the decision disturbs the user. Cancellations are exempt, and so are silent updates in place.
    private func takesFromBucket(_ decision: NotificationDecision) -> Bool {
        switch decision.rule {
        case .canceled, .skipped, .digest: false
        default: !decision.isTest && (decision.operation == .show || decision.hasSound)
        }
    }

    private var interval: Int { 3600 / max(1, settings["bucket.per_hour"]) }

    /// Returns the moment from which on a notification can be told; `nil` if the bucket is full.
    func nextToken(_ state: NotificationState) -> Instant? {
        guard let full = state.bucket else { return nil }
        // After the clock was set back, the bucket is never further from full than empty.
        let bounded = min(full, now.advanced(by: settings["bucket.burst"] * interval))
        return bounded.advanced(by: -(settings["bucket.burst"] - 1) * interval)
    }

    private func take(_ state: inout NotificationState) {
        let full = min(state.bucket ?? now, now.advanced(by: (settings["bucket.burst"] - 1) * interval))
        state.bucket = max(full, now).advanced(by: interval)
    }

    /// Returns the moments at which a suppressed decision can be told.
    func releases(_ state: NotificationState) -> [Instant] {
        var moments = state.mutes.rules.values.filter { $0 != Self.always }
        moments += [state.mutes.all, quietEnd(at: now), nextToken(state)].compactMap { $0 }
        return moments.filter { $0 > now }
    }

    // MARK: Digest

    /// Adds a decision to the next digest. A later decision with the same key replaces an earlier one.
    func queue(_ decision: NotificationDecision, _ state: inout NotificationState) {
        state.digest.removeAll { $0.key == decision.key }
        let item = NotificationDecision.Item(
            rule: decision.rule, title: String(decision.title.prefix(NotificationState.Limit.title)),
            body: String(decision.body.prefix(NotificationState.Limit.body)), url: decision.url)
        state.digest.append(
            NotificationState.QueuedItem(
                key: decision.key, at: now, validUntil: max(decision.validUntil, now), item: item))
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
        // A mute of everything keeps the messages for the next digest. A message of a muted rule is not told.
        if (state.mutes.all ?? now) <= now {
            let before = state
            state.digest.removeAll { mutedUntil($0.item.rule, before) != nil }
        }
        // What arrives within five minutes after a digest is told in another one.
        let items = isNew ? state.digest : state.digest.filter { $0.at >= moment }
        guard !items.isEmpty, settings.isOn(.digest), !settings.daysOff.contains(zone.civil(at: now).date),
            quietEnd(at: now) == nil, mutedUntil(.digest, state) == nil
        else { return nil }
        let keys = Set(items.map(\.key))
        state.digest.removeAll { keys.contains($0.key) }
        let digest = DigestComposer.digest(
            of: items.map(\.item), limit: settings["digest.items"],
            key: "digest-\(zone.civil(at: now).date)-\(clock(now).prefix(2))\(clock(now).suffix(2))"
                + (isNew ? "" : "-\(now.secondsSince1970)"), now: now)
        return digest.map { number($0, &state) }
    }

    /// Returns the moments of digests from shortly after one moment until the day after the present one, in order.
    func digestMoments(after start: Instant) -> [Instant] {
        var times = [settings["digest.at"]]
        if settings["quiet.on"] != 0 { times.append(settings["quiet.until"]) }
        let first = max(zone.civil(at: start).date, zone.civil(at: now).date.advanced(by: -1))
        return (0...3).flatMap { day in
            times.map { zone.instant(date: first.advanced(by: day), secondsOfDay: $0) }
        }
        .filter { $0 > start }.sorted()
    }
}
