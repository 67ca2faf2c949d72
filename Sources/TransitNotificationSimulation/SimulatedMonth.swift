package import TransitModel
package import TransitNotifications
internal import TransitTestSupport

/// A commuter's month: the tram at 08:12 to work, which is usual, and a commute home from 17:00 to 18:30. The daemon is
/// simulated with its messages, restarts, suspends and deaths.
package struct SimulatedMonth {
    let city: SimulatedCity
    let first: ServiceDate
    let zone: ServiceZone
    package private(set) var diary: [String] = []
    /// What the engine was shown, for a rehearsal.
    package private(set) var events: [Rehearsal.Event] = []
    package private(set) var shown: [NotificationDecision] = []
    package private(set) var takenTrips: [(at: Instant, departure: DepartureKey)] = []
    package private(set) var evaluations = 0
    let keepsInputs: Bool
    let rendersDiary: Bool

    private var engine: NotificationEngine
    private var plan: MonthPlan
    private var outbox: [NotificationDecision] = []

    package init(
        seed: UInt64, first: ServiceDate, days: Int, zone: ServiceZone, settings: NotificationSettings,
        keepsInputs: Bool = false, rendersDiary: Bool = true
    ) {
        self.first = first
        self.zone = zone
        self.keepsInputs = keepsInputs
        self.rendersDiary = rendersDiary
        var city = SimulatedCity(zone: zone, seed: seed)
        plan = MonthPlan(seed: seed, first: first, days: days, city: &city)
        self.city = city
        var settings = settings
        settings.daysOff = plan.daysOff
        engine = NotificationEngine(settings: settings)
        for offset in 0..<days { run(plan.days[offset]) }
    }

    // MARK: A day

    private mutating func run(_ day: MonthPlan.Day) {
        write("\n\(Self.weekdays[Int(day.date.weekday.rawValue)]) \(day.date)  \(day.notes.joined(separator: " "))")
        let midnight = zone.instant(date: day.date, secondsOfDay: 0)
        let end = zone.instant(date: day.date.advanced(by: 1), secondsOfDay: 0)
        var now = midnight
        while now < end {
            if let suspend = day.suspends.first(where: { $0.contains(now) }) {
                now = suspend.upperBound
                step(now, day, resumed: true)
            } else {
                if let restart = day.restarts.first(where: { $0 <= now && now < $0.advanced(by: 61) }),
                    restarted != restart
                {
                    restarted = restart
                    reload()
                    now = now.advanced(by: 10)
                }
                step(now, day, resumed: false)
            }
            commute(now, day)
            for alert in (day.alerts + day.urgentAlerts).sorted() where alert <= now && alert > alerted {
                admit(alert, now, isForDigest: day.alerts.contains(alert))
            }
            // The daemon sleeps until the next message, the next change of the subjects or the engine's next moment.
            let message = nextMessage(after: now, day)
            now = min(min(message, end), engine.nextMoment(after: now) ?? end)
        }
    }

    private var restarted: Instant?
    private var killedOn: ServiceDate?

    /// Messages come while a departure is near; otherwise the subjects change once an hour.
    private func nextMessage(after now: Instant, _ day: MonthPlan.Day) -> Instant {
        let (_, second) = zone.civil(at: now)
        let isBusy = [
            day.busy.contains { $0.contains(now) }, (24_000..<33_000).contains(second),
            (59_400..<67_200).contains(second),
        ]
        let hasService = day.date.weekday.rawValue < 5 || !day.pinned.isEmpty
        if isBusy[0] || (hasService && (isBusy[1] || isBusy[2])) {
            return now.advanced(by: 60 - Int((now.secondsSince1970 - 20) % 60))
        }
        return now.advanced(by: 1800 - Int(now.secondsSince1970 % 1800))
    }

    private mutating func step(_ now: Instant, _ day: MonthPlan.Day, resumed: Bool) {
        var input = NotificationInput(now: now, zone: zone, subjects: subjects(now, day))
        input.hasResumed = resumed
        if keepsInputs { events.append(.input(input)) }
        evaluations += 1
        let decisions = engine.evaluate(input)
        guard !decisions.isEmpty else { return }
        if day.isKilled, killedOn != day.date, decisions.contains(where: { $0.suppression == nil && $0.rule.isUrgent })
        {
            // The decisions and the state are on disk, and the daemon dies before it hands them out.
            killedOn = day.date
            outbox = decisions.filter { $0.suppression == nil }
            reload()
            let later = now.advanced(by: 45)
            shown += outbox
            for decision in outbox where decision.rule.isUrgent && decision.validUntil > later {
                write(decision, at: later, note: " (handed out after the daemon was killed)")
            }
            return
        }
        for decision in decisions { write(decision, at: now) }
        shown += decisions.filter { $0.suppression == nil }
    }

    /// A new process reads the state of the old one.
    private mutating func reload() {
        engine = NotificationEngine(state: NotificationState(json: engine.state.json)!, settings: engine.settings)
        engine.restore(zone)
    }

    /// What the commuter does: on some days, the button "I took it", on one day "Next one".
    private mutating func commute(_ now: Instant, _ day: MonthPlan.Day) {
        guard let last = shown.last(where: { $0.rule == .leave && $0.operation != .withdraw }), last.at <= now,
            let departure = last.departure
        else { return }
        // A rehearsal knows what was taken, but no other button.
        if day.asksForNext, !keepsInputs, asked != day.date, now >= last.at.advanced(by: 30),
            last.at.seconds(to: now) < 600
        {
            asked = day.date
            write("  \(clock(now))  The commuter presses \"Next one\".")
            for decision in engine.act(last.id, "next", at: now) ?? [] { deliver(decision, now) }
        }
        let leaves = city.leaves(departure.key)
        guard day.takes, !takenTrips.contains(where: { $0.departure == departure.key }), now >= leaves,
            now < leaves.advanced(by: 100)
        else { return }
        takenTrips.append((now, departure.key))
        write("  \(clock(now))  The commuter presses \"I took it\" for \(clock(departure.key.scheduled)).")
        if keepsInputs { events.append(.taken(departure.key, at: now)) }
        for decision in engine.taken(departure.key, at: now) { deliver(decision, now) }
    }

    private var asked: ServiceDate?
    private var alerted = Instant(secondsSince1970: 0)

    private mutating func admit(_ alert: Instant, _ now: Instant, isForDigest: Bool) {
        alerted = alert
        var decision = NotificationDecision(
            id: "", key: "alert-\(clock(alert))", revision: 0, operation: .show, rule: .alert, at: now,
            validUntil: now.advanced(by: 86_400), title: "Tram 5: works at Harbor since \(clock(alert))",
            body: "Expect short delays.", subjectKind: "feed", subjectName: "city", reason: "An alert of the route.")
        decision.isForDigest = isForDigest
        for decision in engine.admit([decision], now: now) { deliver(decision, now) }
    }

    package var settings: NotificationSettings { engine.settings }

    private mutating func deliver(_ decision: NotificationDecision, _ now: Instant) {
        write(decision, at: now)
        if decision.suppression == nil { shown.append(decision) }
    }

    // MARK: Subjects

    private func subjects(_ now: Instant, _ day: MonthPlan.Day) -> [WatchedSubject] {
        var city = city
        city.identifiers = now < plan.newTimetable ? "a" : "b"
        let followed = engine.followedDepartures
        var subjects: [WatchedSubject] = []
        let morning = departures(0, day, now, city, followed)
        if day.date.weekday.rawValue < 5 {
            let usual = city.key(0, day.date, 492)
            if let own = morning.first(where: { $0.key == usual }) {
                subjects.append(
                    WatchedSubject(
                        kind: .usual, name: "08:12 Tram 5", departures: [own] + morning.filter { $0.key != usual },
                        walk: 480))
            }
            subjects.append(
                WatchedSubject(
                    kind: .commute, name: "home-to-work", departures: morning, walk: 480,
                    window: window(day.date, 450, 540)))
            let evening = departures(1, day, now, city, followed)
            let last = city.key(1, day.date, 1326)
            subjects.append(
                WatchedSubject(
                    kind: .commute, name: "work-to-home", departures: evening, walk: 300,
                    window: window(day.date, 1020, 1110), leadsHome: true,
                    last: last.scheduled > now ? city.departure(last, line: 1, at: now) : nil))
        }
        for key in day.pinned {
            let line = key.route == "9" ? 2 : 0
            guard key.scheduled >= now.advanced(by: -300) else { continue }
            let others = departures(line, day, now, city, followed).filter { $0.key != key }
            subjects.append(
                WatchedSubject(
                    kind: .pinned, name: "\(clock(key.scheduled)) \(SimulatedCity.lines[line].route)",
                    departures: [city.departure(key, line: line, at: now)] + others, walk: 600, isForDate: true))
        }
        return subjects
    }

    private func window(_ date: ServiceDate, _ from: Int, _ to: Int) -> ClosedRange<Instant> {
        zone.instant(date: date, secondsOfDay: from * 60)...zone.instant(date: date, secondsOfDay: to * 60)
    }

    private func departures(
        _ line: Int, _ day: MonthPlan.Day, _ now: Instant, _ city: SimulatedCity, _ followed: Set<DepartureKey>
    ) -> [WatchedDeparture] {
        var departures: [WatchedDeparture] = []
        for key in city.keys(line, day.date, isHoliday: day.isHoliday) where departures.count < 10 {
            let isOver = max(key.scheduled, city.leaves(key)).advanced(by: 180) < now
            if !isOver || followed.contains(key) { departures.append(city.departure(key, line: line, at: now)) }
        }
        return departures
    }

    // MARK: Writing

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private func clock(_ instant: Instant) -> String { zone.timeOfDay(at: instant) }

    private mutating func write(_ line: String) {
        if rendersDiary { diary.append(line) }
    }

    private mutating func write(_ decision: NotificationDecision, at now: Instant, note: String = "") {
        guard rendersDiary else { return }
        if let reason = decision.suppression {
            return write("  \(clock(now))  not shown, \(decision.rule.rawValue): \(decision.title) [\(reason)]")
        }
        let sound = decision.hasSound ? "!" : " "
        if decision.operation == .withdraw {
            return write("  \(clock(now))  withdrawn: \(bubbles[decision.key] ?? "?") [\(decision.reason)]")
        }
        bubbles[decision.key] = decision.title
        write(
            "  \(clock(now))\(sound) \(decision.operation.rawValue) \(decision.rule.rawValue): \(decision.title)\(note)"
        )
        for line in decision.body.split(separator: "\n") { write("              \(line)") }
    }

    private var bubbles: [String: String] = [:]
}
