import Foundation
import TransitControl
import TransitFeeds
import TransitModel
import TransitTestSupport

/// A week of recorded days with trouble on top, and what the commuters must be notified of.
struct ScriptedTrouble {
    typealias Entry = CommuterSimulation.Entry
    typealias Outcome = CommuterDiary.Situation.Outcome

    /// One kind of trouble for one person. The expectation is written down here, before the run.
    struct Situation: Sendable {
        var commuter: String
        var date: ServiceDate
        var name: String
        /// What is right, as a sentence.
        var expectation: String
        /// Receives the person's events of the day.
        var judge: @Sendable ([Entry]) -> (Outcome, String)
    }

    let zone: ServiceZone
    private(set) var scripts: [ServiceDate: DayScript] = [:]
    private(set) var situations: [Situation] = []

    /// The Sunday before the week.
    static let start = ServiceDate(iso8601: "2026-04-19")!

    init(zone: ServiceZone) {
        self.zone = zone
        for offset in 0...7 { scripts[Self.start.advanced(by: offset), default: DayScript()].sendsAlerts = true }
        monday(Self.start.advanced(by: 1))
        tuesday(Self.start.advanced(by: 2))
        wednesday(Self.start.advanced(by: 3))
        thursday(Self.start.advanced(by: 4))
        friday(Self.start.advanced(by: 5))
        saturday(Self.start.advanced(by: 6))
    }

    // MARK: The days

    private mutating func monday(_ date: ServiceDate) {
        // A cancellation that toggles with every second message.
        let toggling = at(date, "16:28")..<at(date, "17:08")
        change(date) { now, trips in
            guard toggling.contains(now), toggling.lowerBound.seconds(to: now) / 240 % 2 == 0 else { return }
            Self.cancel("522", date, &trips)
        }
        expect(
            "Pia", date, "a cancellation that toggles",
            "At most four sounding notifications about 17:20, one of them with an alternative, and the last before 17:13 "
                + "says to leave or that it runs."
        ) { [zone] entries in
            let own = entries.filter {
                $0.shown != nil && $0.event.departure?.trip == "522" && $0.event.op != .withdraw
            }
            let sounding = own.filter(\.isSounding)
            guard !own.isEmpty else { return (.missing, "nothing about 17:20") }
            if sounding.count > 4 { return (.wrong, "\(sounding.count) sounding notifications") }
            guard own.contains(where: { !$0.event.next.isEmpty }) else { return (.wrong, "no alternative is named") }
            let before = own.last { $0.shown! <= zone.instant(date: date, secondsOfDay: 17 * 3600 + 13 * 60) }
            let isLeave = before.map { $0.event.departure?.status != .canceled } ?? false
            return isLeave
                ? (.right, "\(sounding.count) sounding") : (.wrong, "the last word: \(before?.event.title ?? "none")")
        }
        // A cancellation.
        change(date) { [from = at(date, "06:40")] now, trips in if now >= from { Self.cancel("405", date, &trips) } }
        scripts[date]?.notServed.append(("405", nil))
        expect(
            "Lena", date, "a cancellation",
            "A sounding \"canceled\" before 07:05 names a later departure, and a notice says in time to leave for it."
        ) { [zone] entries in
            let canceled = entries.first { $0.shown != nil && $0.event.rule == "canceled" }
            guard let canceled else { return (.missing, "no \"canceled\"") }
            let deadline = zone.instant(date: date, secondsOfDay: 7 * 3600 + 5 * 60)
            guard canceled.shown! <= deadline, canceled.isSounding else { return (.wrong, "late or silent") }
            guard let next = canceled.event.next.first else { return (.wrong, "no alternative is named") }
            let leave = entries.contains {
                $0.shown != nil && $0.event.rule == "leave" && $0.event.departure?.trip == next.trip
            }
            return leave ? (.right, next.trip.rawValue) : (.missing, "no notice to leave for \(next.trip)")
        }
    }

    private mutating func tuesday(_ date: ServiceDate) {
        // A vehicle that does not stop.
        change(date) { [from = at(date, "07:10")] now, trips in
            guard now >= from else { return }
            Self.update("507", date, &trips) {
                $0.updates.removeAll { $0.stopID == "70091" }
                $0.updates.append(StopTimeUpdate(stopID: "70091", relationship: .skipped))
            }
        }
        scripts[date]?.notServed.append(("507", "70091"))
        expect(
            "Pia", date, "a skipped stop", "A sounding notification before 07:48 says so and names an alternative."
        ) { [zone] entries in
            let found = entries.first { $0.shown != nil && ["skipped", "canceled"].contains($0.event.rule) }
            guard let found else { return (.missing, "nothing says that 07:59 does not stop") }
            guard found.isSounding, found.shown! <= zone.instant(date: date, secondsOfDay: 7 * 3600 + 48 * 60) else {
                return (.wrong, "late or silent")
            }
            return found.event.next.isEmpty ? (.wrong, "no alternative is named") : (.right, found.event.title)
        }
        // An outage of 20 minutes before a departure.
        let outage = at(date, "17:25")..<at(date, "17:45")
        scripts[date]?.outages.append(outage)
        expect(
            "Lena", date, "an outage of 20 minutes", "The notice to leave comes by 17:36 in spite of it."
        ) { [zone] entries in
            let deadline = zone.instant(date: date, secondsOfDay: 17 * 3600 + 36 * 60)
            let leave = entries.first { $0.isSounding && $0.event.rule == "leave" && $0.event.departure?.trip == "424" }
            guard let leave else { return (.missing, "no notice to leave for 17:48") }
            return leave.shown! <= deadline ? (.right, leave.event.title) : (.wrong, "too late")
        }
        expect(
            "Nora", date, "a window in the quiet hours",
            "The way home at 04:55 is suppressed, with the quiet hours as reason."
        ) { [zone] entries in
            let early = entries.filter { $0.event.at.instant < zone.instant(date: date, secondsOfDay: 7 * 3600) }
            if let loud = early.first(where: \.isSounding) { return (.wrong, "a sound: \(loud.event.title)") }
            let isListed = early.contains { $0.suppression?.lowercased().contains("quiet") ?? false }
            return isListed ? (.right, "") : (.missing, "nothing is listed")
        }
    }

    private mutating func wednesday(_ date: ServiceDate) {
        // An outage over a departure.
        let outage = at(date, "07:28")..<at(date, "08:25")
        scripts[date]?.outages.append(outage)
        expect(
            "Pia", date, "an outage over a departure",
            "The notice to leave for 07:59 comes by 07:48, and says since when there is no realtime data."
        ) { [zone] entries in
            let leave = entries.first { $0.isSounding && $0.event.rule == "leave" && $0.event.departure?.trip == "507" }
            guard let leave else { return (.missing, "no notice to leave for 07:59") }
            guard leave.shown! <= zone.instant(date: date, secondsOfDay: 7 * 3600 + 48 * 60) else {
                return (.wrong, "too late")
            }
            let text = (leave.event.title + leave.event.body).lowercased()
            return ["since", "no realtime", "not current"].contains { text.contains($0) }
                ? (.right, "") : (.wrong, "it does not say that the source is silent: \(leave.event.body)")
        }
        // Three less urgent alerts shortly before a departure.
        for (number, minute) in ["17:01", "17:02", "17:03"].enumerated() {
            alert(
                date, EntityID("busy-\(number)"), "Crowded platforms at San Francisco, part \(number + 1)", .detour,
                from: minute, until: "18:30", concerns: [])
        }
        expect(
            "Pia", date, "three alerts before a departure",
            "The notice to leave for 17:20 comes by 17:12, with a sound."
        ) { [zone] entries in
            let leave = entries.first {
                $0.shown != nil && $0.event.rule == "leave" && $0.event.departure?.trip == "522"
            }
            guard let leave else { return (.missing, "no notice to leave for 17:20") }
            let isInTime = leave.shown! <= zone.instant(date: date, secondsOfDay: 17 * 3600 + 12 * 60)
            return isInTime && leave.isSounding ? (.right, "") : (.wrong, "late or silent")
        }
        // An elevator.
        alert(
            date, "elevator", "Elevator out of service at San Francisco", .accessibilityIssue, from: "12:00",
            until: "20:00", concerns: [])
        for commuter in Commuter.all {
            expect(commuter.name, date, "an elevator alert", "It makes no sound.") { entries in
                let loud = entries.first { $0.isSounding && $0.event.title.contains("Elevator") }
                return loud.map { (.wrong, "a sound: \($0.event.title)") } ?? (.right, "")
            }
        }
    }

    private mutating func thursday(_ date: ServiceDate) {
        // An alert that ends.
        alert(
            date, "police", "Major delays: police activity at Millbrae", .significantDelays, from: "16:30",
            until: "17:40",
            concerns: ["Lena", "Willa", "Tom"])
        for name in ["Lena", "Willa", "Tom"] {
            expect(
                name, date, "an alert that ends", "It is shown once, and withdrawn from the screen by 17:52."
            ) { [zone] entries in
                let own = entries.filter { $0.event.key.hasPrefix("alert-") || $0.event.rule == "alert" }
                guard let first = own.first(where: { $0.shown != nil && $0.event.op != .withdraw }) else {
                    return (.missing, "it was not shown")
                }
                let count = own.count { $0.shown != nil && $0.event.op == .show }
                guard count == 1 else { return (.wrong, "shown \(count) times") }
                let end = zone.instant(date: date, secondsOfDay: 17 * 3600 + 52 * 60)
                if first.event.validUntil.instant <= end { return (.right, "expired") }
                let withdrawn = own.first { $0.event.op == .withdraw }
                guard let withdrawn else { return (.wrong, "never withdrawn") }
                guard let shown = withdrawn.shown else { return (.wrong, "the withdrawal was not handed out") }
                return shown <= end ? (.right, "") : (.wrong, "withdrawn too late")
            }
        }
        scripts[date]?.daysOff = ["Pia"]
        expect("Pia", date, "a day off", "Nothing makes a sound.") { entries in
            let loud = entries.first(where: \.isSounding)
            return loud.map { (.wrong, "a sound: \($0.event.title)") } ?? (.right, "")
        }
    }

    private mutating func friday(_ date: ServiceDate) {
        // A delay that shrinks after the advice.
        let (late, less) = (at(date, "17:32"), at(date, "17:23"))
        change(date) { [from = at(date, "16:40"), turn = at(date, "17:10")] now, trips in
            guard now >= from, now < less.advanced(by: 60) else { return }
            Self.update("522", date, &trips) { update in
                let time = StopTimeEvent(time: now < turn ? late : less)
                update.updates = [StopTimeUpdate(stopID: "70012", arrival: time, departure: time)]
                update.timestamp = now
            }
        }
        scripts[date]?.departures[RecordedDay.Visit(trip: "522", stop: "70012", date: date)] = less
        expect(
            "Pia", date, "a delay that shrinks after the advice",
            "Between 17:09 and 17:14, a sounding notification says to leave now for the departure at 17:20, expected at 17:23."
        ) { [zone] entries in
            let own = entries.filter {
                $0.shown != nil && $0.event.departure?.trip == "522" && $0.event.op != .withdraw
            }
            let range =
                zone.instant(
                    date: date, secondsOfDay: 17 * 3600 + 9 * 60)...zone.instant(
                    date: date, secondsOfDay: 17 * 3600 + 14 * 60)
            let correction = own.first {
                range.contains($0.shown!) && $0.event.departure?.expected.map { $0.instant <= less } ?? false
            }
            guard let correction else { return (.missing, own.isEmpty ? "nothing at all" : "no correction") }
            return correction.isSounding
                ? (.right, correction.event.title) : (.wrong, "it is silent: \(correction.event.title)")
        }
        // Another platform.
        change(date) { [from = at(date, "17:25"), end = at(date, "17:50")] now, trips in
            guard now >= from, now < end else { return }
            Self.update("424", date, &trips) { update in
                for position in update.updates.indices where update.updates[position].stopID == "70012" {
                    update.updates[position].assignedStopID = "70011"
                }
            }
        }
        expect(
            "Lena", date, "another platform", "A notification before 17:46 names platform 5."
        ) { [zone] entries in
            let end = zone.instant(date: date, secondsOfDay: 17 * 3600 + 46 * 60)
            let found = entries.first {
                $0.shown.map { $0 <= end } ?? false && ($0.event.title + $0.event.body).contains("latform 5")
            }
            return found.map { (.right, $0.event.title) } ?? (.missing, "nothing names platform 5")
        }
        // No agent for an hour.
        let absence = at(date, "07:00")..<at(date, "08:00")
        scripts[date]?.withoutAgent.append(absence)
        for commuter in Commuter.all {
            expect(
                commuter.name, date, "no agent from 07:00 to 08:00",
                "At 08:00, nothing is shown about a departure that cannot be caught any more."
            ) { [zone] entries in
                let back = zone.instant(date: date, secondsOfDay: 8 * 3600)
                let late = entries.first { entry in
                    guard let shown = entry.shown, shown >= back, entry.event.at.instant < back else { return false }
                    let left = entry.event.departure.flatMap { ($0.expected ?? $0.scheduled)?.instant }
                    return entry.event.op != .withdraw && left.map { $0 < shown } ?? false
                }
                return late.map { (.wrong, "shown at 08:00: \($0.event.title)") } ?? (.right, "")
            }
        }
    }

    private mutating func saturday(_ date: ServiceDate) {
        expect(
            "Nora", date, "the last train, after a trip that was reported",
            "A sounding notice says in time to leave for 00:05, by 23:58."
        ) { [zone] entries in
            let end = zone.instant(date: date, secondsOfDay: 23 * 3600 + 58 * 60)
            let own = entries.filter {
                $0.shown != nil && $0.event.departure?.trip == "668" && $0.event.op != .withdraw
            }
            guard !own.isEmpty else { return (.missing, "nothing about 00:05") }
            let leave = own.first { $0.isSounding && $0.shown! <= end && $0.event.leaveBy != nil }
            return leave.map { (.right, $0.event.title) } ?? (.wrong, "silent or late: \(own[0].event.title)")
        }
        expect(
            "Willa", date, "the last train, at home", "It makes no sound."
        ) { entries in
            let loud = entries.first { $0.isSounding && $0.event.rule == "last" }
            return loud.map { (.wrong, "a sound: \($0.event.title)") } ?? (.right, "")
        }
    }

    // MARK: Making trouble

    private func at(_ date: ServiceDate, _ clock: String) -> Instant {
        zone.instant(date: date, secondsOfDay: Int(clock.prefix(2))! * 3600 + Int(clock.suffix(2))! * 60)
    }

    private mutating func change(
        _ date: ServiceDate, _ body: @escaping @Sendable (Instant, inout [TripUpdate]) -> Void
    ) { scripts[date]?.changes.append(body) }

    private mutating func expect(
        _ commuter: String, _ date: ServiceDate, _ name: String, _ expectation: String,
        _ judge: @escaping @Sendable ([Entry]) -> (Outcome, String)
    ) {
        situations.append(
            Situation(commuter: commuter, date: date, name: name, expectation: expectation, judge: judge))
    }

    private mutating func alert(
        _ date: ServiceDate, _ id: EntityID, _ text: String, _ effect: AlertEffect, from: String, until: String,
        concerns: Set<String>
    ) {
        let (from, until) = (at(date, from), at(date, until))
        let alert = Alert(
            id: id, informed: [InformedEntity(agencyID: "CT")], effect: effect,
            header: TranslatedText([TranslatedText.Translation(text, language: "en")]))
        scripts[date]?.alerts.append(
            DayScript.ScriptedAlert(alert: alert, from: from, until: until, concerns: concerns))
    }

    /// Changes the update of a trip, which is added if the source does not report the trip yet.
    private static func update(
        _ trip: TripID, _ date: ServiceDate, _ trips: inout [TripUpdate], _ body: (inout TripUpdate) -> Void
    ) {
        if let position = trips.firstIndex(where: { $0.trip.tripID == trip && $0.trip.startDate == date }) {
            body(&trips[position])
        } else {
            var update = TripUpdate(
                id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip, startDate: date))
            body(&update)
            if !update.updates.isEmpty { trips.append(update) }
        }
    }

    private static func cancel(_ trip: TripID, _ date: ServiceDate, _ trips: inout [TripUpdate]) {
        trips.removeAll { $0.trip.tripID == trip && $0.trip.startDate == date }
        trips.append(
            TripUpdate(
                id: EntityID(trip.rawValue),
                trip: TripDescriptor(tripID: trip, startDate: date, relationship: .canceled)))
    }

    // MARK: The timetable

    /// Writes the timetable with platforms for San Francisco and with service until the end of the year.
    static func archive(in folder: TestFolder) throws -> String {
        let archive = try ZipArchive(FileByteSource(path: RecordedDay.archive))
        var feed = FeedBuilder()
        for table in archive.tables {
            var bytes: [UInt8] = []
            try archive.inflate(table) { bytes += $0 }
            var text = String(decoding: bytes, as: UTF8.self)
            switch table.name {
            case "calendar.txt", "feed_info.txt": text = text.replacingOccurrences(of: "20260831", with: "20261231")
            case "stops.txt":
                text =
                    text.split(whereSeparator: \.isNewline).map { line in
                        line.hasPrefix("70011,") ? "\(line)5" : line.hasPrefix("70012,") ? "\(line)6" : String(line)
                    }.joined(separator: "\n") + "\n"
            default: break
            }
            feed = feed.file(table.name, text)
        }
        let path = folder("caltrain.zip")
        try Data(feed.zip()).write(to: URL(fileURLWithPath: path))
        return path
    }
}
