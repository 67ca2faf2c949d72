import TransitModel
import TransitNotifications

/// The texts about departures. Minute 72 is 08:12.
extension TextTable {
    private func pinned(
        _ minute: Int, late: Int? = nil, status: CallStatus = .scheduled, uncertainty: Int? = 0, missing: Bool = false,
        fresh: Bool = true, walk: Int? = 480, others: [WatchedDeparture] = [Scene.departure(82), Scene.departure(92)],
        _ change: (inout WatchedDeparture) -> Void = { _ in }
    ) -> WatchedSubject {
        var departure = Scene.departure(
            72, late: late, at: Scene.minute(minute), status: status, fresh: fresh, missing: missing,
            uncertainty: late == nil ? nil : uncertainty)
        change(&departure)
        return WatchedSubject(kind: .pinned, name: "08:12 Tram 5", departures: [departure] + others, walk: walk)
    }

    /// What is decided at the first minute at which anything is, with the same observation from 07:20 on.
    private func first(
        _ settings: [String: String], from minute: Int = 20, _ subject: WatchedSubject
    ) -> [NotificationDecision] {
        var scene = Scene(settings)
        for step in minute * 4..<400 {
            let decisions = scene.at(Double(step) / 4, subject)
            if !decisions.isEmpty { return decisions }
        }
        return []
    }

    // MARK: Leaving

    mutating func addLeaving() {
        let quiet = ["delay.on": "off", "early.on": "off", "platform.on": "off", "unseen.on": "off"]
        add("on the timetable", first([:], pinned(20)))
        add("on time", first([:], pinned(20, late: 0)))
        add("at once", first([:], from: 62, pinned(62)))
        add("less than a minute to walk", first([:], pinned(20, walk: 30)))
        add("without a place", first([:], pinned(20, walk: nil)))
        add("without a place, late", first(quiet, pinned(20, late: 300, walk: nil)))
        add("train number", first([:], pinned(20) { ($0.names.route, $0.names.number) = ("Local", "153") }))
        add("without a headsign", first([:], pinned(20) { $0.names.headsign = nil }))
        add("late", first(quiet, pinned(20, late: 240)))
        add("early", first(quiet, pinned(20, late: -120)))
        add("overtaken", first(quiet, from: 60, pinned(60, late: 1500)))
        add(
            "overtaken by another route", first(quiet, from: 60, pinned(60, late: 1500, others: [other(82, late: 240)]))
        )
        add("overtaken, at once", first(quiet, from: 73, pinned(73, late: 1500)))
        add("silent source", first([:], pinned(20, fresh: false) { $0.silentSince = Scene.minute(41) }))
        add("silent source, last delay", first([:], pinned(40, late: 430, fresh: false)))
        add("old data", first([:], pinned(40, late: 20, fresh: false) { $0.observation.measured = nil }))
        add("not reported", first(quiet.merging(["unseen.on": "on"]) { $1 }, from: 57, pinned(57, missing: true)))
        add(
            "platform",
            first(
                [:],
                pinned(20) { ($0.observation.scheduledPlatform, $0.observation.platform) = ("1", "1") }))
        add(
            "other platform",
            first(quiet, pinned(20) { ($0.observation.scheduledPlatform, $0.observation.platform) = ("1", "2") }))
        add(
            "rain",
            first([:], pinned(20) { $0.weather = .init(at: Scene.minute(100), probability: 80, millimeters: 2) }))
        add("snow", first([:], pinned(20) { $0.weather = .init(at: Scene.minute(100), snowfall: 1) }))
        var scene = Scene()
        scene.at(50, pinned(50))
        let leave = scene.at(57).shown[0]
        add("next one", scene.engine.act(leave.id, "next", at: Scene.minute(58)) ?? [])
        var late = Scene()
        late.at(50, pinned(50, others: [other(82, late: 300)]))
        add("next one, late", late.engine.act(late.at(57).shown[0].id, "next", at: Scene.minute(58)) ?? [])
        add("taken", scene.engine.taken(Scene.departure(82).key, at: Scene.minute(59)))
        add("test", scene.engine.test(.leave, at: scene.now))
    }

    /// A departure of another route from another stop.
    private func other(_ minute: Int, late: Int? = nil) -> WatchedDeparture {
        var departure = Scene.departure(minute, route: "6", late: late, uncertainty: late == nil ? nil : 0)
        departure.names.stop = "Old Town"
        return departure
    }

    // MARK: Corrections of the time to leave

    mutating func addCorrections() {
        let quiet = ["delay.on": "off", "early.on": "off"]
        var earlier = Scene()
        earlier.at(20, pinned(20, late: 1200))
        earlier.at(21, pinned(21, late: 1200))
        add("earlier", earlier.at(22, pinned(22, late: 600)))
        add("earlier, at once", earlier.at(64, pinned(64, late: 180)))
        var missed = Scene()
        missed.at(30, pinned(30, late: 1200))
        missed.at(31, pinned(31, late: 1200))
        add("cannot be caught", missed.at(70, pinned(70, late: 180)))
        var last = Scene()
        last.at(30, pinned(30, late: 1200, others: []))
        last.at(31, pinned(31, late: 1200, others: []))
        add("cannot be caught, no other", last.at(70, pinned(70, late: 180, others: [])))
        var left = Scene(quiet)
        left.at(50, pinned(50, late: 0))
        left.at(57, pinned(57, late: 0))
        add("left early", left.at(64, pinned(64, late: -500, status: .departed)))
        var later = Scene(quiet)
        later.at(50, pinned(50, late: 0))
        later.at(57)
        add("later", later.at(59, pinned(59, late: 480)))
        add("later, repeated", later.at(65))
        var now = Scene(quiet)
        now.at(50, pinned(50, late: 0))
        now.at(57)
        add("later, but now", now.at(67, pinned(67, late: 360)))
    }

    // MARK: Delays

    mutating func addDelays() {
        var scene = Scene()
        scene.at(20, pinned(20, late: 240))
        add("first", scene.at(21, pinned(21, late: 240)))
        add("again", scene.at(22, pinned(22, late: 480)))
        scene.at(23, pinned(23, late: 0))
        add("on time again", scene.at(24, pinned(24, late: 0)))
        var overtaken = Scene()
        overtaken.at(50, pinned(50, late: 1500))
        add("overtaken", overtaken.at(51, pinned(51, late: 1500)))
        var withoutPlace = Scene()
        withoutPlace.at(20, pinned(20, late: 3900, walk: nil))
        add("an hour, without a place", withoutPlace.at(21, pinned(21, late: 3900, walk: nil)))
        var early = Scene()
        early.at(20, pinned(20, late: -75))
        add("early", early.at(21, pinned(21, late: -75)))
        early.at(22, pinned(22, late: 0))
        add("on time again", early.at(23, pinned(23, late: 0)))
    }

    // MARK: Cancellations

    mutating func addCancellations() {
        func canceled(_ minutes: [Int], _ status: CallStatus = .canceled) -> [WatchedDeparture] {
            minutes.map { Scene.departure($0, at: Scene.minute(20), status: status) }
        }
        add("first", first([:], pinned(20, status: .canceled)))
        add("at the time to leave for the next one", first([:], from: 72, pinned(72, status: .canceled)))
        add("no other", first([:], pinned(20, status: .canceled, others: [])))
        add("other route and stop", first([:], pinned(20, status: .canceled, others: [other(82, late: 300)])))
        add("without a place", first([:], pinned(20, status: .canceled, walk: nil)))
        add("two", first([:], pinned(20, status: .canceled, others: canceled([79]) + [Scene.departure(90)])))
        add("three", first([:], pinned(20, status: .canceled, others: canceled([79, 86]) + [Scene.departure(90)])))
        add(
            "seven",
            first(
                [:],
                pinned(
                    20, status: .canceled,
                    others: canceled([75, 76, 77, 78, 79, 80]) + [Scene.departure(90)])))
        add(
            "two skipped",
            first([:], pinned(20, status: .skipped, others: canceled([79], .skipped) + [Scene.departure(90)])))
        add(
            "canceled and skipped",
            first([:], pinned(20, status: .canceled, others: canceled([79], .skipped) + [Scene.departure(90)])))
        add("skipped", first([:], pinned(20, status: .skipped)))
        add("old data", first([:], pinned(20, status: .canceled, fresh: false)))
        add("old data", first([:], pinned(20, status: .skipped, fresh: false)))
        for status in [CallStatus.canceled, .skipped] {
            var scene = Scene()
            scene.at(20, pinned(20, status: status))
            scene.at(21, pinned(21, late: 0))
            add("reinstated", scene.at(22, pinned(22, late: 0)))
        }
        for isCanceled in [true, false] {
            var scene = Scene()
            var rest: [NotificationDecision] = []
            for minute in 19..<50 {
                let status: CallStatus =
                    (20..<22).contains(minute) || minute >= 24 && (isCanceled || minute < 26) ? .canceled : .scheduled
                let subject = pinned(minute, late: status == .canceled ? nil : 0, status: status)
                let decisions = scene.at(Double(minute), subject)
                if minute >= 24 { rest += decisions }
            }
            add(isCanceled ? "contradiction, canceled in the end" : "contradiction, runs in the end", rest)
        }
    }

    // MARK: Reports and platforms

    mutating func addReports() {
        for late in [0, 60, -60] {
            var scene = Scene(["early.on": "off"])
            scene.at(20, pinned(20, missing: true))
            if late == 0 { add("not reported", scene.at(52)) } else { scene.at(52) }
            add("reported after all", scene.at(53, pinned(53, late: late)))
        }
        var scene = Scene(["leave.on": "off"])
        func platform(_ platform: String, _ minute: Int) -> WatchedSubject {
            pinned(minute, late: 0) { ($0.observation.scheduledPlatform, $0.observation.platform) = ("1", platform) }
        }
        add("other platform", scene.at(12, platform("2", 12)))
        add("soon", scene.at(57, platform("3", 57)))
        add("as scheduled again", scene.at(58, platform("1", 58)))
    }

    // MARK: The last departure and the arrival

    mutating func addArrivals() {
        func home(_ last: WatchedDeparture, out: Bool) -> WatchedSubject {
            var subject = Scene.commute(
                last, window: out ? 500...700 : -120 ... -60, home: true)
            subject.last = last
            return subject
        }
        for (name, out, late) in [("out", true, nil), ("at home", false, nil), ("late", true, 300)]
            as [(String, Bool, Int?)]
        {
            var scene = Scene(["quiet.on": "off", "delay.on": "off"])
            let last = Scene.departure(600, late: late, at: Scene.minute(527), uncertainty: late == nil ? nil : 0)
            scene.at(495, home(last, out: out))
            add(name, scene.at(532, home(last, out: out)))
            if late == nil { add(name, scene.at(582, home(last, out: out))) }
        }
        for destination in ["Harbor", nil] {
            var scene = Scene()
            func ride(_ minute: Int) -> WatchedSubject {
                pinned(minute, late: 0) {
                    $0.arrival = Scene.minute(90)
                    $0.names.destination = destination
                }
            }
            scene.at(72, ride(72))
            _ = scene.engine.taken(Scene.departure(72).key, at: scene.now)
            add(destination == nil ? "without a destination" : "destination", scene.at(88, ride(88)))
        }
    }

    // MARK: What is not shown

    mutating func addSuppressions() {
        let early = WatchedSubject(
            kind: .usual, name: "x", departures: [Scene.departure(-20), Scene.departure(-10)], walk: 480)
        add("quiet hours", first([:], from: -60, early))
        for (rule, until) in [(nil, 59), (nil, 3000), (.leave, nil), (.leave, 59)] as [(NotificationRule?, Int?)] {
            var scene = Scene()
            scene.at(50, pinned(50))
            scene.engine.mute(rule, until: until.map(Scene.minute))
            add("muted", scene.at(57))
        }
        var dayOff = Scene()
        dayOff.engine.settings.daysOff = (try? DaysOff(list: "\(Scene.date)")) ?? DaysOff()
        dayOff.at(50, pinned(50))
        add("day off", dayOff.at(57))
        var bucket = Scene(["bucket.burst": "1"])
        bucket.at(50, pinned(50))
        bucket.at(57)
        let other = WatchedSubject(kind: .pinned, name: "x", departures: [Scene.departure(73, route: "7")], walk: 480)
        add("too many", bucket.at(58, pinned(58), other))
        var slept = Scene()
        slept.at(50, pinned(50))
        add("slept", slept.at(63, pinned(63), resumed: true))
        for isOwn in [true, false] {
            var scene = Scene(["leave.per_window": "1"])
            let departures = [20, 30, 40, 50].map { Scene.departure($0, late: 0) }
            var decisions: [NotificationDecision] = []
            for minute in 0..<50 {
                let rest = departures.filter { $0.key.scheduled.advanced(by: 180) > Scene.minute(minute) }
                let commute = WatchedSubject(
                    kind: .commute, name: "home-to-work", departures: rest, walk: 480,
                    window: Scene.minute(0)...Scene.minute(120))
                let own = WatchedSubject(kind: .usual, name: "x", departures: [departures[0]], walk: 480)
                decisions +=
                    isOwn && minute < 23
                    ? scene.at(Double(minute), own, commute) : scene.at(Double(minute), commute)
            }
            add(
                isOwn ? "own departure" : "window",
                Array(decisions.filter { $0.suppression != nil }.prefix(1)))
        }
    }
}
