internal import TransitModel

/// The input of the rules about one departure at one moment: its data, its timing, and the alternatives.
struct DepartureRuleContext {
    let now: Instant
    let departure: WatchedDeparture
    let kind: SubjectKind
    let name: String
    let timing: DepartureTiming
    let settings: NotificationSettings
    /// The running departures that can be caught instead at their expected times, in that order, at most 3.
    let next: [Alternative]
    /// The departures between this one and the first of ``next`` that do not run either.
    let alsoCanceled: [WatchedDeparture]
    /// See ``WatchedSubject/change``.
    let change: WatchedChange?
    /// See ``WatchedSubject/replacement``.
    let replacement: WatchedReplacement?
    /// See ``WatchedSubject/isReplacementSearched``.
    let isReplacementSearched: Bool
    /// See ``WatchedSubject/lastJourney``.
    let lastJourney: WatchedLastJourney?
    /// Whether the subject takes the user home.
    let leadsHome: Bool
    /// See ``WatchedSubject/isBoarded``.
    let isBoarded: Bool
    /// What the last notification about the departure said.
    let shown: DepartureState.Shown?

    /// How much earlier than this departure a late one may leave to be an alternative, in seconds.
    private static let nearlyAsLate = 120

    /// A departure that can be taken instead.
    struct Alternative {
        var departure: WatchedDeparture
        var timing: DepartureTiming
    }

    init(
        _ departure: WatchedDeparture, of subject: WatchedSubject, now: Instant, settings: NotificationSettings,
        after state: DepartureState? = nil
    ) {
        self.now = now
        self.departure = departure
        self.settings = settings
        shown = state?.shown
        kind = subject.kind
        name = subject.name
        (change, replacement, isBoarded) = (subject.change, subject.replacement, subject.isBoarded)
        (isReplacementSearched, lastJourney) = (subject.isReplacementSearched, subject.lastJourney)
        leadsHome = subject.leadsHome
        timing = Self.timing(departure, in: subject, settings)
        next = Self.alternatives(to: departure, in: subject, now: now, settings).map {
            Alternative(departure: $0, timing: Self.timing($0, in: subject, settings))
        }
        let first = next.first?.departure.key.scheduled
        alsoCanceled = subject.others(than: departure).filter { other in
            !other.observation.status.isRunning
                && other.key.scheduled >= departure.key.scheduled
                && other.key.scheduled <= first ?? other.key.scheduled
        }.sorted { $0.key.scheduled < $1.key.scheduled }
    }

    /// Returns the running departures that can be caught instead at their expected times, in that order, at most 3.
    ///
    /// A departure that was scheduled earlier is an alternative if it is so late that it leaves about as late as this one. When
    /// the last one of the day does not run, the one before it is the alternative.
    private static func alternatives(
        to departure: WatchedDeparture, in subject: WatchedSubject, now: Instant, _ settings: NotificationSettings
    ) -> [WatchedDeparture] {
        let own = departure.key.scheduled
        var found: [(leaves: Instant, position: Int)] = []
        let others = subject.others(than: departure)
        for (position, other) in others.enumerated() {
            let (observation, scheduled) = (other.observation, other.key.scheduled)
            guard observation.status.isRunning, observation.status != .departed else { continue }
            // The margin is omitted: it requires a search for the next departure and does not matter here.
            let timing = DepartureTiming(observation, walk: subject.walk, margin: 0, settings: settings.timing)
            guard timing.canBeCaughtAsExpected(at: now) else { continue }
            let leaves = timing.basis
            let isLate = leaves >= scheduled.advanced(by: 60) && leaves.advanced(by: nearlyAsLate) >= own
            let isLast = other.key == subject.last?.key && !departure.observation.status.isRunning
            if scheduled >= own || isLate || isLast { found.append((leaves, position)) }
        }
        return found.sorted {
            ($0.leaves, others[$0.position].key.scheduled)
                < ($1.leaves, others[$1.position].key.scheduled)
        }.prefix(3).map { others[$0.position] }
    }

    /// The timing of a departure with the margin for its headway.
    static func timing(
        _ departure: WatchedDeparture, in subject: WatchedSubject, _ settings: NotificationSettings
    ) -> DepartureTiming {
        DepartureTiming(
            departure.observation, walk: subject.walk, margin: margin(departure, in: subject, settings),
            settings: settings.timing)
    }

    /// The margin in seconds, by the time until the next departure of the subject.
    static func margin(
        _ departure: WatchedDeparture, in subject: WatchedSubject, _ settings: NotificationSettings
    ) -> Int {
        let following = subject.departures.lazy.filter {
            $0.key != departure.key && $0.observation.status.isRunning
                && $0.key.scheduled >= departure.key.scheduled
        }.map(\.key.scheduled).min()
        let leave = settings.timing.leave
        guard let following else { return leave.marginLong }
        let headway = departure.key.scheduled.seconds(to: following)
        return headway <= 900 ? leave.marginShort : headway <= 1800 ? leave.marginMedium : leave.marginLong
    }

    var observation: DepartureObservation { departure.observation }

    /// The delay in seconds if it can be relied on; negative if early.
    var delay: Int? {
        DepartureTiming.reliable(observation).map { observation.departure.scheduled.seconds(to: $0) }
    }

    /// The platform if it differs from the scheduled one.
    var changedPlatform: String? {
        guard let scheduled = observation.scheduledPlatform, let platform = observation.platform,
            observation.isFresh, scheduled != platform
        else { return nil }
        return platform
    }

    /// A departure that can still be caught and leaves at least two minutes before this one, which is late.
    var overtaking: Alternative? {
        guard let delay, delay >= 60 else { return nil }
        return next.first { $0.timing.basis.advanced(by: 120) <= timing.basis }
    }

    var leaveBy: Instant? { timing.leaveBy(at: now) }

    /// The time to leave that the last notification named.
    var advised: Instant?

    /// Whether a notification names the time to leave. A person who has already left is not shown a later time, because
    /// a correction would come too late if it became earlier again.
    var namesLeaveBy: Bool {
        guard let advised, let leaveBy, now >= advised.advanced(by: -DepartureState.departing) else { return true }
        return leaveBy <= advised
    }

    /// Adds the departures that can be taken instead, for which the notification is valid until the first of them leaves.
    func nameAlternatives(in decision: inout NotificationDecision) {
        decision.next = next.map(\.departure)
        guard let first = next.first else { return }
        decision.validUntil = max(decision.validUntil, first.departure.observation.time)
    }

    /// Whether the notice to leave is due, and the departure can be caught.
    var isLeaveDue: Bool {
        now >= timing.notice(at: now, settings: settings.timing.leave) && timing.canBeCaught(at: now)
    }

    /// Whether one message from the source is enough because the time to leave is near.
    var isNear: Bool { isNear(at: now) }

    private func isNear(at now: Instant) -> Bool {
        timing.target(at: now).advanced(by: -settings[DelayRule.self].near) < now
    }

    /// Returns the moment after which one message is enough; `nil` unless there is exactly one and more are needed now.
    func momentOfNearness(_ evidence: DepartureState.Evidence?) -> Instant? {
        guard evidence?.count == 1, !isNear else { return nil }
        return timing.firstMoment(after: now) { isNear(at: $0) }
    }

    func isOn(_ rule: NotificationRule) -> Bool { settings.isOn(rule, for: kind) }

    /// Creates a decision about the departure. The ledger numbers it.
    func decision(
        _ rule: NotificationRule, title: String, body: [String?], reason: String,
        urgency: NotificationDecision.Urgency = .normal, hasSound: Bool = false,
        operation: NotificationDecision.Operation = .show
    ) -> NotificationDecision {
        var decision = NotificationDecision(
            id: "", key: departure.key.notificationKey, revision: 0, operation: operation, rule: rule, at: now,
            validUntil: observation.time.advanced(by: 120),
            title: title,
            body: (body + [rule == .leave ? WeatherRule.line(self) : nil]).compactMap { $0 }.joined(separator: "\n"),
            subjectKind: kind.rawValue, subjectName: name,
            reason: reason)
        decision.urgency = urgency
        decision.hasSound = hasSound
        decision.departure = departure
        decision.date = departure.key.serviceDate
        decision.previous = shown.map {
            NotificationDecision.Previous(
                expected: $0.expected, delay: $0.delay, platform: $0.platform, status: $0.status)
        }
        decision.leaveBy = observation.status.isRunning && namesLeaveBy ? leaveBy : nil
        decision.walk = timing.walk
        if !observation.status.isRunning || rule == .unseen || rule == .delay { decision.next = next.map(\.departure) }
        return decision
    }
}

/// What a rule decides about a departure: the notification, and the state after it is shown.
struct DepartureDecision {
    var decision: NotificationDecision
    var state: DepartureState
}
