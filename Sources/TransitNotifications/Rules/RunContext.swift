internal import TransitModel

/// What the rules see of one run at one moment: the departure, its timing, and what can be taken instead.
struct RunContext {
    let now: Instant
    let departure: WatchedDeparture
    let kind: SubjectKind
    let name: String
    let timing: DepartureTiming
    let settings: DepartureRuleSettings
    /// The running departures that can be caught instead at their expected times, in that order, at most 3.
    let next: [Alternative]
    /// The departures between this one and the first of ``next`` that do not run either.
    let alsoCanceled: [WatchedDeparture]

    /// How much earlier than this departure a late one may leave to be an alternative, in seconds.
    private static let nearlyAsLate = 120

    /// A departure that can be taken instead.
    struct Alternative {
        var departure: WatchedDeparture
        var timing: DepartureTiming
    }

    init(
        _ departure: WatchedDeparture, of subject: WatchedSubject, now: Instant, settings: DepartureRuleSettings
    ) {
        self.now = now
        self.departure = departure
        self.settings = settings
        kind = subject.kind
        name = subject.name
        timing = Self.timing(departure, in: subject, settings)
        let others = subject.others(than: departure)
        // A departure that was scheduled earlier is an alternative if it is so late that it leaves about as late as this one.
        // When the last one of the day does not run, the one before it is the alternative.
        let alternatives = others.filter { $0.observation.status.isRunning && $0.observation.status != .departed }
            .map { Alternative(departure: $0, timing: Self.timing($0, in: subject, settings)) }
            .filter { other in
                let scheduled = other.departure.key.scheduled
                return other.timing.canBeCaughtAsExpected(at: now)
                    && (scheduled >= departure.key.scheduled
                        || other.departure.key == subject.last?.key && !departure.observation.status.isRunning
                        || other.timing.basis > scheduled
                            && other.timing.basis.advanced(by: Self.nearlyAsLate) >= departure.key.scheduled)
            }
        next = Array(
            alternatives.sorted {
                ($0.timing.basis, $0.departure.key.scheduled) < ($1.timing.basis, $1.departure.key.scheduled)
            }.prefix(3))
        let later = others.filter { $0.key.scheduled >= departure.key.scheduled }
            .sorted { $0.key.scheduled < $1.key.scheduled }
        let first = next.first?.departure.key.scheduled
        alsoCanceled = later.filter {
            !$0.observation.status.isRunning && $0.key.scheduled <= first ?? $0.key.scheduled
        }
    }

    /// The timing of a departure with the margin for its headway.
    static func timing(
        _ departure: WatchedDeparture, in subject: WatchedSubject, _ settings: DepartureRuleSettings
    ) -> DepartureTiming {
        DepartureTiming(
            departure.observation, walk: subject.walk, margin: margin(departure, in: subject, settings),
            settings: settings)
    }

    /// The margin in seconds, by the time until the next departure of the subject.
    static func margin(
        _ departure: WatchedDeparture, in subject: WatchedSubject, _ settings: DepartureRuleSettings
    ) -> Int {
        let following = subject.departures.lazy.filter {
            $0.key != departure.key && $0.observation.status.isRunning
                && $0.key.scheduled >= departure.key.scheduled
        }.map(\.key.scheduled).min()
        guard let following else { return settings.marginLong }
        let headway = departure.key.scheduled.seconds(to: following)
        return headway <= 900 ? settings.marginShort : headway <= 1800 ? settings.marginMedium : settings.marginLong
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

    /// The line about rain or snow at the arrival.
    private var weatherLine: String? {
        isOn(.weather) ? departure.weather?.line(settings.weather, departure.names.zone) : nil
    }

    /// Whether one message of the source is enough because the time to leave is near.
    var isNear: Bool { timing.target(at: now).advanced(by: -settings.delayNear) < now }

    func isOn(_ rule: NotificationRule) -> Bool { settings.isOn(rule, for: kind) }

    /// Creates a decision about the run. The ledger numbers it.
    func decision(
        _ rule: NotificationRule, title: String, body: [String?], reason: String, memory: RunMemory,
        urgency: NotificationDecision.Urgency = .normal, hasSound: Bool = false,
        operation: NotificationDecision.Operation = .show
    ) -> NotificationDecision {
        var decision = NotificationDecision(
            id: "", key: memory.bubbleKey, revision: 0, operation: operation, rule: rule, at: now,
            validUntil: observation.time.advanced(by: 120),
            title: title,
            body: (body + [rule == .leave ? weatherLine : nil]).compactMap { $0 }.joined(separator: "\n"),
            subjectKind: kind.rawValue, subjectName: name,
            reason: reason)
        decision.urgency = urgency
        decision.hasSound = hasSound
        decision.departure = departure
        decision.date = departure.key.serviceDate
        decision.previous = memory.told.map {
            NotificationDecision.Previous(
                expected: $0.expected, delay: $0.delay, platform: $0.platform, status: $0.status)
        }
        decision.leaveBy = observation.status.isRunning ? leaveBy : nil
        decision.walk = timing.walk
        if !observation.status.isRunning || rule == .unseen || rule == .delay { decision.next = next.map(\.departure) }
        return decision
    }
}

/// What a rule decides about a run: the notification, and what is then known to be told.
struct RunDecision {
    var decision: NotificationDecision
    var memory: RunMemory
}
