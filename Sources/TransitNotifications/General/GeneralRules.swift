package import TransitModel
package import TransitQueries

/// The data from which the general rules decide at one moment.
///
/// Unchanged values are passed again, because time alone can change a decision.
package struct GeneralRuleInput: Hashable, Sendable {
    package var now: Instant
    package var zone: ServiceZone
    /// The rules that the user turned on. The others are not evaluated, and begin as in a first run when they are on.
    package var rules: Set<NotificationRule>
    package var alerts: WatchedAlerts?
    /// The comparisons of feeds with new versions.
    package var timetables: [ComparedTimetable] = []
    /// Tomorrow's service if it is unusual.
    package var service: UnusualService?
    /// `nil` if the conditions are not known.
    package var health: [HealthCondition]?
    /// `nil` if the events are not known.
    package var events: [EventNearStation]?
    /// `nil` if nothing was logged.
    package var badges: [EarnedBadge]?
    package var streak: StreakStatus?
    package var tomorrow: Tomorrow?

    package init(now: Instant, zone: ServiceZone, rules: Set<NotificationRule> = Set(NotificationRule.allCases)) {
        self.now = now
        self.zone = zone
        self.rules = rules
    }
}

/// What a general rule sees at one moment.
package struct GeneralRuleContext: Sendable {
    package let input: GeneralRuleInput
    package let settings: NotificationSettings

    package init(_ input: GeneralRuleInput, _ settings: NotificationSettings) {
        self.input = input
        self.settings = settings
    }

    var now: Instant { input.now }
    var zone: ServiceZone { input.zone }
    var today: ServiceDate { zone.civil(at: now).date }

    /// The time of day of the evening digest in seconds, at which other rules also notify.
    var evening: Int { settings[DigestRule.self].at }

    /// Returns a moment of a date.
    func moment(_ secondsOfDay: Int, on date: ServiceDate) -> Instant {
        zone.instant(date: date, secondsOfDay: secondsOfDay)
    }

    /// Whether it is the time of a daily notification, or at most an hour later, for example after a suspend.
    func isTime(_ secondsOfDay: Int) -> Bool { (0..<3600).contains(zone.civil(at: now).secondsOfDay - secondsOfDay) }

    /// Creates a decision. The ledger numbers it.
    func decision(
        _ rule: NotificationRule, _ key: String, title: String, body: String = "", validUntil: Instant? = nil,
        subject: (kind: String, name: String), reason: String, operation: NotificationDecision.Operation = .show
    ) -> NotificationDecision {
        NotificationDecision(
            id: "", key: key, revision: 0, operation: operation, rule: rule, at: now, validUntil: validUntil ?? now,
            title: title, body: body, subjectKind: subject.kind, subjectName: subject.name, reason: reason)
    }
}

/// Evaluates the general rules, with what they remember.
///
/// The decisions have no identifiers and revisions. The engine numbers them, and puts those with
/// ``NotificationDecision/isForDigest`` into the next digest.
package struct GeneralRules: Sendable {
    package var memories: RuleMemories = RuleMemories()
    package var settings: NotificationSettings = NotificationSettings()

    /// Applies an input. The order of the decisions is that of the rules.
    package mutating func evaluate(_ input: GeneralRuleInput) -> [NotificationDecision] {
        let context = GeneralRuleContext(input, settings)
        var decisions: [NotificationDecision] = []
        for rule in Rules.general {
            if isOn(rule, input) {
                decisions += rule.decide(context, &memories)
            } else if rule.forgetsWhenOff {
                memories.forget(rule)
            }
        }
        return decisions
    }

    /// Returns the next moment at which a decision can change without new data; `nil` if there is none.
    package func nextMoment(_ input: GeneralRuleInput, after now: Instant) -> Instant? {
        var input = input
        input.now = now
        let context = GeneralRuleContext(input, settings)
        let moments = Rules.general.compactMap { isOn($0, input) ? $0.nextMoment(context, memories) : nil }
        return moments.filter { $0 > now }.min()
    }

    private func isOn(_ rule: any GeneralRule.Type, _ input: GeneralRuleInput) -> Bool {
        rule.rules.contains(where: input.rules.contains)
    }
}

extension NotificationEngine {
    /// Evaluates the general rules, numbers their decisions and applies mutes, days off, quiet hours, the bucket and the
    /// digest (``admit(_:now:)``).
    ///
    /// The rules that are off are not evaluated, even if ``GeneralRuleInput/rules`` contains them.
    package mutating func evaluate(_ input: GeneralRuleInput) -> [NotificationDecision] {
        guard settings.isEnabled else { return [] }
        var rules = GeneralRules(memories: state.general, settings: settings)
        let decisions = rules.evaluate(effective(input))
        state.general = rules.memories
        zone = input.zone
        return admit(decisions, now: input.now)
    }

    /// Returns the next moment at which a decision of one of these rules can change without new data; `nil` if there is
    /// none.
    package func nextMoment(_ input: GeneralRuleInput, after now: Instant) -> Instant? {
        guard settings.isEnabled else { return nil }
        return GeneralRules(memories: state.general, settings: settings).nextMoment(effective(input), after: now)
    }

    private func effective(_ input: GeneralRuleInput) -> GeneralRuleInput {
        var input = input
        input.rules = input.rules.filter { settings.isOn($0) }
        return input
    }
}
