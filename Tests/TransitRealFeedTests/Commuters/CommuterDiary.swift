import TransitControl
import TransitModel
import TransitNotificationSimulation
import TransitStore

/// The days of one commuter as text, and their sums.
struct CommuterDiary {
    typealias Person = CommuterSimulation.Person

    let person: Person
    let zone: ServiceZone
    /// What the person must be notified of besides the recorded situations.
    var scripted: [ScriptedTrouble.Situation] = []

    /// What should have happened at a moment of the simulation, and what did.
    struct Situation {
        enum Outcome: String { case right, wrong, missing, quiet }

        var date: ServiceDate
        var name: String
        var outcome: Outcome
        var reason: String
    }

    // MARK: Situations

    /// The situations of the recorded days: a notice to leave in time for each journey, a delay that was known when the
    /// person got ready, and the end of each notification.
    var situations: [Situation] {
        person.journeys.indices.flatMap { index in [leave(index), late(index)].compactMap { $0 } } + endings
            + scriptedSituations
    }

    var scriptedSituations: [Situation] {
        scripted.filter { $0.commuter == person.commuter.name }.map { situation in
            let entries = person.entries.filter { zone.civil(at: $0.event.at.instant).date == situation.date }
            let (outcome, reason) = situation.judge(entries)
            return Situation(date: situation.date, name: situation.name, outcome: outcome, reason: reason)
        }
    }

    private func shown(_ journey: Int) -> [CommuterSimulation.Entry] {
        person.entries.filter { $0.journey == journey && $0.shown != nil && $0.event.op != .withdraw }
    }

    private func leave(_ index: Int) -> Situation? {
        let journey = person.journeys[index]
        guard let taken = journey.facts.taken, let departed = taken.departed, isExpected(journey, departed) else {
            return nil
        }
        let name = "\(journey.way.commute) leave for \(taken.trip)"
        let notices = shown(index).filter { entry in
            let names = entry.event.departure?.trip == taken.trip || entry.event.next.contains { $0.trip == taken.trip }
            return names && ["leave", "delay", "canceled", "skipped", "last"].contains(entry.event.rule)
        }
        let inTime = notices.contains { $0.shown!.advanced(by: journey.facts.walk) <= departed }
        // Who left in time for a departure that was overtaken needs no other notice.
        let helped = shown(index).contains { $0.event.rule == "leave" && $0.verdict?.isUseful ?? false }
        if inTime || helped { return Situation(date: journey.date, name: name, outcome: .right, reason: "") }
        let suppressed = person.entries.first {
            $0.journey == index && $0.suppression != nil && $0.event.departure?.trip == taken.trip
        }
        if let suppressed {
            return Situation(date: journey.date, name: name, outcome: .quiet, reason: suppressed.suppression ?? "")
        }
        let isHeld = person.entries.contains {
            $0.journey == index && $0.shown == nil && $0.suppression == nil && $0.event.op != .withdraw
                && $0.event.departure?.trip == taken.trip
        }
        if isHeld { return Situation(date: journey.date, name: name, outcome: .quiet, reason: "No agent ran.") }
        let reason =
            notices.first.map { "it came at \(clock($0.shown!)), the train left at \(clock(departed))" }
            ?? "nothing named \(taken.trip) (\(clock(taken.scheduled)), left \(clock(departed)), ready \(clock(journey.facts.ready)))"
        return Situation(date: journey.date, name: name, outcome: .missing, reason: reason)
    }

    /// Whether a notice to leave is expected: not for a person who was too late for the only departure that is watched, and
    /// not for a departure that required leaving before the window opened.
    private func isExpected(_ journey: CommuterSimulation.Journey, _ departed: Instant) -> Bool {
        guard journey.way.isWatched else { return false }
        switch journey.way.habit {
        case .departure:
            guard let intended = journey.facts.train(journey.facts.intended) else { return false }
            return journey.facts.taken?.trip == intended.trip || intended.departed == nil
        case .window:
            return departed.advanced(by: -journey.facts.walk) >= journey.opens
        }
    }

    private func late(_ index: Int) -> Situation? {
        let journey = person.journeys[index]
        guard let wanted = journey.facts.train(journey.facts.wanted), let known = journey.known[wanted.trip],
            known >= 300, let departed = wanted.departed, wanted.scheduled.seconds(to: departed) >= 300
        else { return nil }
        let name = "\(journey.way.commute) \(wanted.trip) known \(known / 60) min late"
        let shown = shown(index).filter { entry in
            entry.event.departure?.trip == wanted.trip
                && (entry.event.departure?.expected?.instant).map { wanted.scheduled.seconds(to: $0) >= 180 } ?? false
                && entry.shown! < departed
        }
        guard shown.isEmpty else { return Situation(date: journey.date, name: name, outcome: .right, reason: "") }
        let isQuiet = person.entries.contains { $0.journey == index && $0.suppression != nil }
        return Situation(
            date: journey.date, name: name, outcome: isQuiet ? .quiet : .missing,
            reason: "left \(clock(departed)), planned \(clock(wanted.scheduled)), ready \(clock(journey.facts.ready))")
    }

    /// Notifications that stay on the screen for more than ten minutes after their departure.
    private var endings: [Situation] {
        var last: [String: CommuterSimulation.Entry] = [:]
        var situations: [Situation] = []
        func end(_ entry: CommuterSimulation.Entry, _ until: Instant) {
            guard let index = entry.journey,
                let train = person.journeys[index].facts.train(entry.event.departure?.trip),
                entry.event.rule != "getoff"
            else { return }
            // A cancellation helps until the alternative that it names has left.
            let alternative = entry.event.next.first.flatMap { ($0.expected ?? $0.scheduled)?.instant }
            let over = [train.departed ?? train.scheduled, train.scheduled, alternative ?? train.scheduled].max()!
                .advanced(by: 600)
            guard until > over else { return }
            situations.append(
                Situation(
                    date: person.journeys[index].date, name: "end of \(entry.event.rule) \(train.trip)",
                    outcome: .wrong,
                    reason: "\"\(entry.event.title)\" stays until \(clock(until))"))
        }
        for entry in person.entries where entry.shown != nil {
            if let previous = last[entry.event.key] {
                let until = min(previous.event.validUntil.instant, entry.shown!)
                if entry.event.op == .withdraw || previous.event.departure?.trip != entry.event.departure?.trip {
                    end(previous, until)
                }
            }
            last[entry.event.key] = entry.event.op == .withdraw ? nil : entry
        }
        for entry in last.values { end(entry, entry.event.validUntil.instant) }
        return situations.sorted { ($0.date, $0.name) < ($1.date, $1.name) }
    }

    // MARK: Sums

    struct Sums {
        var days = 0
        var shown = 0
        var sounding = 0
        var useful = 0
        /// The largest number of sounding notifications on a day without trouble, and the number of such days with more
        /// than three.
        var largestCalm = 0
        var loudCalmDays = 0
        var calmDays = 0
        var soundingCalm = 0
        var situations: [Situation.Outcome: Int] = [:]

        var share: Double { sounding == 0 ? 1 : Double(useful) / Double(sounding) }
    }

    var sums: Sums {
        var sums = Sums()
        for (date, entries) in days {
            let isTravelDay = person.journeys.contains { $0.date == date }
            let shown = entries.filter { $0.shown != nil && $0.event.op != .withdraw }
            let sounding = shown.filter(\.isSounding)
            if isTravelDay { sums.days += 1 }
            sums.shown += shown.count
            sums.sounding += sounding.count
            sums.useful += sounding.count { $0.verdict?.isUseful ?? false }
            if !hasTrouble(date) {
                if isTravelDay { sums.calmDays += 1 }
                sums.soundingCalm += sounding.count
                sums.largestCalm = max(sums.largestCalm, sounding.count)
                sums.loudCalmDays += sounding.count > 3 ? 1 : 0
            }
        }
        for situation in situations { sums.situations[situation.outcome, default: 0] += 1 }
        return sums
    }

    /// Whether a departure that the person wanted left at least five minutes late or not at all.
    private func hasTrouble(_ date: ServiceDate) -> Bool {
        person.journeys.contains { journey in
            guard journey.date == date, let wanted = journey.facts.train(journey.facts.wanted) else { return false }
            return wanted.departed.map { wanted.scheduled.seconds(to: $0) >= 300 } ?? true
        }
    }

    private var days: [(ServiceDate, [CommuterSimulation.Entry])] {
        var days: [ServiceDate: [CommuterSimulation.Entry]] = [:]
        for journey in person.journeys { days[journey.date] = [] }
        for entry in person.entries { days[zone.civil(at: entry.event.at.instant).date, default: []].append(entry) }
        return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Text

    var text: String {
        var lines = ["\(person.commuter.name): \(person.commuter.about)", ""]
        for (date, entries) in days {
            lines.append("\(date) \(date.weekday)\(hasTrouble(date) ? " (trouble)" : "")")
            for journey in person.journeys where journey.date == date { lines.append("  " + describe(journey)) }
            for entry in entries { lines += describe(entry) }
            lines.append("")
        }
        lines.append("Situations that were not right:")
        for situation in situations where situation.outcome != .right {
            lines.append("  \(situation.date) \(situation.outcome.rawValue): \(situation.name): \(situation.reason)")
        }
        lines += ["", row]
        return lines.joined(separator: "\n") + "\n"
    }

    static let header =
        "name    days  shown/day  sounding/day  calm: sounding/day (max, days > 3)  useful  right  wrong  missing  quiet"

    /// The sums in one line.
    var row: String {
        let sums = sums
        func per(_ count: Int, _ days: Int) -> String { decimal(Double(count) / Double(max(1, days))) }
        let calm = "\(per(sums.soundingCalm, sums.calmDays)) (\(sums.largestCalm), \(sums.loudCalmDays))"
        let cells: [(String, Int)] = [
            (person.commuter.name, 8), ("\(sums.days)", 6), (per(sums.shown, sums.days), 11),
            (per(sums.sounding, sums.days), 14), (calm, 36), ("\(Int((sums.share * 100).rounded())) %", 8),
            ("\(sums.situations[.right] ?? 0)", 7), ("\(sums.situations[.wrong] ?? 0)", 7),
            ("\(sums.situations[.missing] ?? 0)", 9), ("\(sums.situations[.quiet] ?? 0)", 5),
        ]
        return cells.map { $0.0 + String(repeating: " ", count: max(1, $0.1 - $0.0.count)) }.joined()
    }

    private func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func describe(_ journey: CommuterSimulation.Journey) -> String {
        let facts = journey.facts
        var text = "\(journey.way.commute): ready \(clock(facts.ready))"
        if let wanted = facts.train(facts.wanted) {
            text += ", wanted \(wanted.trip) \(clock(wanted.scheduled))"
            text += journey.known[wanted.trip].map { " (known then: \($0) s late)" } ?? ""
        }
        guard let taken = facts.taken, let departed = taken.departed else { return text + ", took none" }
        return text
            + ", left \(clock(facts.left)), took \(taken.trip) \(clock(taken.scheduled)), departed \(clock(departed))"
            + (journey.isReported ? ", reported it" : "")
    }

    private func describe(_ entry: CommuterSimulation.Entry) -> [String] {
        let event = entry.event
        if let suppression = entry.suppression {
            return ["    \(clock(event.at.instant))  suppressed \(event.rule): \(event.title) [\(suppression)]"]
        }
        let sound = event.sound ? "!" : " "
        let delivery =
            switch entry.shown {
            case nil: " (not handed out)"
            case let shown? where event.at.instant.seconds(to: shown) > 5: " (shown \(clock(shown)))"
            default: ""
            }
        var lines = [
            "    \(clock(event.at.instant))\(sound) \(event.op.rawValue) \(event.rule): \(event.title)\(delivery)"
        ]
        lines += event.body.split(separator: "\n").map { "             \($0)" }
        lines += event.items.map { "             - \($0.title)" }
        if let verdict = entry.verdict, event.sound {
            lines.append("             -> \(verdict.isUseful ? "useful" : "NOT useful"): \(verdict.reason)")
        } else if event.op == .withdraw {
            lines.append("             -> \(event.reason)")
        }
        return lines
    }

    private func clock(_ instant: Instant) -> String {
        String(zone.rfc3339(instant).dropFirst(11).prefix(8))
    }
}
