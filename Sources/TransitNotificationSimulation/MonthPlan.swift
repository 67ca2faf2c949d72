internal import TransitModel
internal import TransitNotifications
internal import TransitTestSupport

/// What happens on each day of a simulated month. The days are drawn from a seed, and each kind of day occurs.
struct MonthPlan {
    struct Day {
        var date: ServiceDate
        var notes: [String] = []
        var suspends: [Range<Instant>] = []
        var restarts: [Instant] = []
        var isKilled = false
        var takes = false
        var asksForNext = false
        /// When an alert comes that is for the digest.
        var alerts: [Instant] = []
        /// When an alert comes that is shown.
        var urgentAlerts: [Instant] = []
        var isHoliday = false
        var pinned: [DepartureKey] = []
        /// When messages come besides the commuting hours.
        var busy: [Range<Instant>] = []
    }

    private(set) var days: [Day] = []
    private(set) var daysOff = DaysOff()
    /// When all trips get other identifiers.
    private(set) var newTimetable: Instant

    private enum Morning: CaseIterable {
        case calm, slightlyLate, creeping, recovering, canceled, reinstated, severalCanceled, skipped, unseen, early
        case outage, stale, suspend, shortSuspend, restart, killed, next, lateAndTaken, veryLate, lateCancellation
        case contradicting, shrinkingDelay, reported, severalAlerts
    }

    private enum Evening: CaseIterable {
        case calm, taken, platform, platformAndTaken, late, canceled, lastHome, outage
    }

    init(seed: UInt64, first: ServiceDate, days count: Int, city: inout SimulatedCity) {
        var random = SeededGenerator(seed: seed)
        let zone = city.zone
        newTimetable = zone.instant(date: first.advanced(by: 15), secondsOfDay: 8 * 3600)
        var mornings: [Morning] = []
        var evenings: [Evening] = []
        for offset in 0..<count {
            let date = first.advanced(by: offset)
            var day = Day(date: date)
            if offset == 15 { day.notes.append("At 08:00 a new timetable renames all trips.") }
            if date.weekday.rawValue < 5 {
                if offset == 9 {
                    day.isHoliday = true
                    day.notes.append("A holiday, and a day off.")
                    daysOff.formUnion(try! DaysOff(list: "\(date)"))
                } else {
                    if mornings.isEmpty { mornings = Morning.allCases.shuffled(using: &random) }
                    if evenings.isEmpty { evenings = Evening.allCases.shuffled(using: &random) }
                    Self.plan(mornings.removeLast(), &day, &city, &random)
                    Self.plan(evenings.removeLast(), &day, &city, &random)
                }
            }
            pin(&day, &city, offset)
            days.append(day)
        }
    }

    /// Pins a tram on the second Saturday, one on the day off, and night buses on both sides of a change of the clock.
    private func pin(_ day: inout Day, _ city: inout SimulatedCity, _ offset: Int) {
        let zone = city.zone
        func pin(_ line: Int, _ minute: Int, _ note: String, _ disturbance: SimulatedCity.Disturbance? = nil) {
            let key = city.key(line, day.date, minute)
            day.pinned.append(key)
            day.notes.append(note)
            day.busy.append(key.scheduled.advanced(by: -5400)..<key.scheduled.advanced(by: 1800))
            if let disturbance { city.disturbances[key] = disturbance }
        }
        if day.isHoliday { pin(0, 552, "The tram at 09:12 is pinned for this date.") }
        if day.date.weekday == .saturday, offset < 14, offset > 6 {
            pin(0, 612, "The tram at 10:12 is pinned, and is 6 min late.", .init(delay: .steady(370)))
        }
        let midnight = zone.instant(date: day.date, secondsOfDay: 0)
        if zone.offset(at: midnight) != zone.offset(at: midnight.advanced(by: 86_400)) {
            // The service day begins at noon minus 12 hours.
            pin(2, 225, "The clock changes. The night bus at 03:45 is pinned.")
            let minute = zone.offset(at: midnight) > zone.offset(at: midnight.advanced(by: 86_400)) ? 105 : 75
            pin(
                2, minute, "So is the one 75 or 105 min after the start of the service day, and it is canceled.",
                .init(canceled: midnight..<midnight.advanced(by: 86_400)))
        }
    }

    private static func plan(
        _ morning: Morning, _ day: inout Day, _ city: inout SimulatedCity, _ random: inout SeededGenerator
    ) {
        let zone = city.zone
        let date = day.date
        let usual = city.key(0, date, 492)
        func time(_ hour: Int, _ minute: Int) -> Instant {
            zone.instant(date: date, secondsOfDay: hour * 3600 + minute * 60)
        }
        func disturb(_ key: DepartureKey, _ note: String, _ disturbance: SimulatedCity.Disturbance) {
            city.disturbances[key] = disturbance
            day.notes.append(note)
        }
        let end = time(23, 0)
        switch morning {
        case .calm: day.notes.append("08:12 is on time.")
        case .slightlyLate: disturb(usual, "08:12 is 2 min late.", .init(delay: .steady(130)))
        case .creeping:
            let to = random.number(8...14)
            disturb(
                usual, "08:12 creeps from 1 to \(to) min late until 07:58.",
                .init(delay: .creeping(from: 60, to: to * 60, starting: 50, ending: 14)))
        case .recovering:
            disturb(
                usual, "08:12 is 8 min late, and makes up all of it until 07:52.",
                .init(delay: .creeping(from: 480, to: 10, starting: 45, ending: 20)))
        case .canceled: disturb(usual, "08:12 is canceled at 07:30.", .init(canceled: time(7, 30)..<end))
        case .reinstated:
            disturb(
                usual, "08:12 is canceled at 07:20, and runs again at 07:40.",
                .init(canceled: time(7, 20)..<time(7, 40)))
        case .severalCanceled:
            for minute in [492, 502, 512] {
                city.disturbances[city.key(0, date, minute)] = .init(canceled: time(7, 25)..<end)
            }
            day.notes.append("08:12, 08:22 and 08:32 are canceled at 07:25.")
        case .skipped:
            disturb(usual, "08:12 skips the stop from 07:35.", .init(canceled: time(7, 35)..<end, isSkipped: true))
        case .unseen: disturb(usual, "08:12 is not reported.", .init(missing: true))
        case .early: disturb(usual, "08:12 is 2 min early.", .init(delay: .steady(-125)))
        case .outage:
            city.outages.append(time(7, 40)..<time(8, 30))
            disturb(
                usual, "08:12 is 7 min late, and the source sends nothing from 07:40 to 08:30.",
                .init(delay: .steady(430)))
        case .stale:
            city.outages.append(time(7, 50)..<time(7, 55))
            disturb(
                usual, "08:12 is 5 min late, and the source pauses from 07:50 to 07:55.", .init(delay: .steady(310)))
        case .suspend:
            day.suspends.append(time(7, 45)..<time(8, 40))
            day.notes.append("The machine sleeps from 07:45 to 08:40.")
        case .shortSuspend:
            day.suspends.append(time(7, 52)..<time(7, 59))
            day.notes.append("The machine sleeps from 07:52 to 07:59.")
        case .restart:
            day.restarts = [time(7, 40), time(7, 58), time(8, 5)]
            disturb(
                usual, "08:12 is 4 min late; the daemon restarts at 07:40, 07:58 and 08:05.", .init(delay: .steady(250))
            )
        case .killed:
            day.isKilled = true
            day.notes.append("The daemon is killed when it decides the first urgent notification.")
        case .next:
            day.asksForNext = true
            day.notes.append("The commuter asks for the next one.")
        case .lateAndTaken:
            day.takes = true
            disturb(usual, "08:12 is 6 min late, and is taken.", .init(delay: .steady(370)))
        case .veryLate: disturb(usual, "08:12 is 25 min late.", .init(delay: .steady(1510)))
        case .contradicting:
            disturb(
                usual, "From 07:20 on, 08:12 is canceled and reinstated every two minutes.",
                .init(canceled: time(7, 20)..<end, toggling: 120))
        case .shrinkingDelay:
            disturb(
                usual, "08:12 is 20 min late, and makes up 17 minutes from 08:05 to 08:07.",
                .init(delay: .creeping(from: 1210, to: 190, starting: 7, ending: 5)))
        case .reported:
            disturb(
                usual, "08:12 is not reported until 07:55.", .init(missing: true, missingUntil: time(7, 55)))
        case .severalAlerts:
            day.urgentAlerts = [time(7, 54), time(7, 55), time(7, 56)]
            day.notes.append("Three alerts come at 07:54, 07:55 and 07:56.")
        case .lateCancellation:
            disturb(usual, "08:12 is canceled at 08:05, after it was time to leave.", .init(canceled: time(8, 5)..<end))
        }
    }

    private static func plan(
        _ evening: Evening, _ day: inout Day, _ city: inout SimulatedCity, _ random: inout SeededGenerator
    ) {
        let zone = city.zone
        let date = day.date
        func time(_ hour: Int, _ minute: Int) -> Instant {
            zone.instant(date: date, secondsOfDay: hour * 3600 + minute * 60)
        }
        let first = city.key(1, date, 1026)
        let busy = time(20, 0)..<time(22, 30)
        switch evening {
        case .calm:
            day.alerts = [time(15, 0), time(22, 40)]
            day.notes.append("In the evening all is on time. Alerts come at 15:00 and at 22:40.")
        case .taken:
            day.takes = true
            day.notes.append("What is announced is taken.")
        case .platform, .platformAndTaken:
            day.takes = day.takes || evening == .platformAndTaken
            city.disturbances[city.key(1, date, 1041)] = .init(platform: "2", platformFrom: time(17, 11))
            city.disturbances[first] = .init(platform: "2")
            day.notes.append(
                "17:06 leaves from platform 2, and from 17:11 on 17:21 as well."
                    + (evening == .platformAndTaken ? " It is taken." : ""))
        case .late:
            let delay = random.number(4...9)
            city.disturbances[first] = .init(delay: .steady(delay * 60 + 15))
            day.notes.append("17:06 is \(delay) min late.")
        case .canceled:
            city.disturbances[first] = .init(canceled: time(16, 30)..<time(23, 0))
            day.notes.append("17:06 is canceled at 16:30.")
        case .lastHome:
            day.busy.append(busy)
            day.notes.append("The commuter works late; the last tram home leaves at 22:06.")
        case .outage:
            city.outages.append(time(16, 50)..<time(18, 40))
            day.notes.append("The source sends nothing from 16:50 to 18:40.")
        }
    }
}
