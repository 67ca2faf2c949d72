package import TransitModel
package import TransitQueries

/// What the rules about the network, the machine and the user's days are decided from, at one moment.
///
/// Values that did not change are given again, because time alone can change a decision.
package struct NetworkInput: Hashable, Sendable {
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
    package var machine: [MachineCondition]?
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

/// The rules that are not about one departure's realtime data: alerts, changes of the timetable, the machine, crowding,
/// badges, the streak and the evening brief.
///
/// The decisions have no identifiers and revisions. The engine numbers them, and puts those with
/// ``NotificationDecision/isForDigest`` into the next digest.
package struct NetworkRules: Sendable {
    package var memory: NetworkMemory
    package var thresholds: NetworkThresholds
    /// Dates on which the user does not travel.
    package var daysOff: DaysOff

    package init(
        memory: NetworkMemory = NetworkMemory(), thresholds: NetworkThresholds = NetworkThresholds(),
        daysOff: DaysOff = DaysOff()
    ) {
        self.memory = memory
        self.thresholds = thresholds
        self.daysOff = daysOff
    }

    /// Applies an input. The order of the decisions is that of the rules.
    package mutating func evaluate(_ input: NetworkInput) -> [NotificationDecision] {
        let (zone, now) = (input.zone, input.now)
        forget(except: input.rules)
        var decisions: [NotificationDecision] = []
        if input.rules.contains(.alert), let alerts = input.alerts {
            decisions += AlertRule.evaluate(alerts, memory: &memory.alerts, thresholds: thresholds.alert, now: now)
        }
        if input.rules.contains(.timetable) {
            decisions += TimetableRule.evaluate(
                input.timetables, daysOff: daysOff, memory: &memory.timetable, thresholds: thresholds, zone: zone,
                now: now)
            decisions += ServiceRule.evaluate(
                input.service, daysOff: daysOff, memory: &memory.service, thresholds: thresholds, zone: zone,
                now: now)
        }
        if input.rules.contains(.machine), let machine = input.machine {
            decisions += MachineRule.evaluate(
                machine, memory: &memory.machine, thresholds: thresholds.machine, zone: zone, now: now)
        }
        if input.rules.contains(.crowding) {
            decisions += EventCrowdingRule.evaluate(
                input.events, memory: &memory.crowding, thresholds: thresholds.crowding, zone: zone, now: now)
        }
        if input.rules.contains(.badge), let badges = input.badges {
            decisions += BadgeRule.evaluate(badges, memory: &memory.badges, now: now)
        }
        if input.rules.contains(.streak) {
            decisions += StreakRule.evaluate(
                input.streak, memory: &memory.streak, thresholds: thresholds, zone: zone, now: now)
        }
        if input.rules.contains(.brief) {
            decisions += BriefRule.evaluate(
                input.tomorrow, memory: &memory.brief, thresholds: thresholds, zone: zone, now: now)
        }
        return decisions
    }

    /// Forgets what rules that are off have told, so that they begin quietly when they are turned on.
    private mutating func forget(except rules: Set<NotificationRule>) {
        let empty = NetworkMemory()
        if !rules.contains(.alert) { memory.alerts = empty.alerts }
        if !rules.contains(.timetable) { (memory.timetable, memory.service) = (empty.timetable, empty.service) }
        if !rules.contains(.machine) { memory.machine = empty.machine }
        if !rules.contains(.crowding) { memory.crowding = empty.crowding }
        if !rules.contains(.badge) { memory.badges = empty.badges }
    }

    /// Returns the next moment at which a decision can change without new data; `nil` if there is none.
    package func nextMoment(_ input: NetworkInput, after now: Instant) -> Instant? {
        var moments: [Instant] = []
        if input.rules.contains(.alert), let alerts = input.alerts {
            AlertRule.nextMoment(alerts, after: now).map { moments.append($0) }
            moments += memory.alerts.entries.filter(\.isOpen).compactMap {
                $0.missingSince?.advanced(by: thresholds.alert.absence)
            }
        }
        if input.rules.contains(.crowding), let events = input.events {
            EventCrowdingRule.nextMoment(events, thresholds.crowding, after: now).map { moments.append($0) }
        }
        let zone = input.zone
        let evening = thresholds.eveningDigest
        func add(_ date: ServiceDate, _ secondsOfDay: Int) {
            moments.append(zone.instant(date: date, secondsOfDay: secondsOfDay))
        }
        if input.rules.contains(.timetable) {
            for date in memory.timetable.reminderDates { add(date, evening) }
            if let service = input.service, memory.service.told != service.date {
                add(service.date.advanced(by: -1), evening)
            }
        }
        let today = zone.civil(at: now).date
        if input.rules.contains(.streak), let streak = input.streak, streak.isCommuteDay, !streak.hasTripToday {
            add(today, thresholds.streakWarning)
        }
        if input.rules.contains(.brief), let tomorrow = input.tomorrow,
            !BriefRule.lines(tomorrow, thresholds, zone).isEmpty
        {
            add(tomorrow.date.advanced(by: -1), thresholds.brief)
        }
        return moments.filter { $0 > now }.min()
    }
}

extension TimetableRule.Memory {
    /// The evenings on which a change is told once more.
    fileprivate var reminderDates: [ServiceDate] {
        entries.filter { !$0.isReminded }.compactMap { $0.dates.first?.advanced(by: -1) }
    }
}
