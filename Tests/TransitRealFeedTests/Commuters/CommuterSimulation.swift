import Foundation
import Testing
import TransitControl
import TransitModel
import TransitNotifications
import TransitStore
import TransitTestSupport

@testable import TransitNotificationSimulation

/// Plays recorded days to a daemon, and collects what its users are notified of and what they do.
///
/// It is deterministic: the recorded messages, the seeds of the commuters and the virtual clock determine everything.
final class CommuterSimulation {
    typealias Usefulness = NotificationUsefulness

    /// A way of a person on one date.
    struct Journey {
        var way: Commuter.Way
        var date: ServiceDate
        var facts: Usefulness.Journey
        var departures: [TripID: Departure]
        /// What the daemon knew about the departures when the person was ready to leave: their delays in seconds.
        var known: [TripID: Int] = [:]
        var isReported = false
        /// When the window opens; for a departure, its scheduled time.
        var opens: Instant
    }

    /// An event of the daemon, as a person saw it.
    struct Entry {
        var event: NotificationEvent
        var stage: SavedNotificationEvent.Stage
        var suppression: String?
        /// When the agent handed it out; `nil` if it did not.
        var shown: Instant?
        var journey: Int?
        var verdict: Usefulness.Verdict?

        var isSounding: Bool { event.sound && shown != nil && event.op != .withdraw }
    }

    struct Person {
        var commuter: Commuter
        var journeys: [Journey] = []
        var entries: [Entry] = []
        var handedOut: [String: Instant] = [:]
    }

    let zone: ServiceZone
    private(set) var people: [Person]
    private(set) var days: [ServiceDate: RecordedDay] = [:]
    private var scripts: [ServiceDate: DayScript]
    /// The recorded day that is played on a date, if it is another one.
    private var recordings: [ServiceDate: ServiceDate]
    let daemon: CommuterDaemon
    private let first: ServiceDate
    private(set) var refusals: [String] = []

    init(
        _ commuters: [Commuter], from first: ServiceDate, archive: String = RecordedDay.archive,
        scripts: [ServiceDate: DayScript] = [:], recordings: [ServiceDate: ServiceDate] = [:]
    ) async throws {
        zone = try systemZone("America/Los_Angeles")
        self.first = first
        self.scripts = scripts
        self.recordings = recordings
        people = commuters.map { Person(commuter: $0) }
        daemon = try CommuterDaemon(archive: archive, at: zone.instant(date: first, secondsOfDay: 0))
        try await daemon.importTimetable()
        for commuter in commuters {
            try commuter.setup(daemon, commuter.uid)
            try daemon.ask(NotifyEnableParameters(isOn: true), uid: commuter.uid)
            // Without the refresh engine, the timetable would seem to be unconfirmed after a week.
            try daemon.ask(NotifySetParameters(key: "machine", value: "off"), uid: commuter.uid)
        }
        daemon.pass()
        for commuter in commuters {
            for problem in daemon.problems(of: commuter.uid) { Issue.record("\(commuter.name): \(problem)") }
        }
    }

    // MARK: Days

    private struct Step {
        enum Action {
            case message(RecordedDay.Message)
            case ready(person: Int, journey: Int)
            case report(person: Int, journey: Int)
        }

        var at: Instant
        var action: Action
    }

    /// Plays the days from the first one on.
    ///
    /// - Parameter each: Is called at the beginning of each day, for changes of settings.
    func run(days count: Int, each: (CommuterDaemon, ServiceDate) throws -> Void = { _, _ in }) throws {
        for offset in 0..<count {
            let date = first.advanced(by: offset)
            try load(date)
            try load(date.advanced(by: 1))
            daemon.set(max(daemon.now, zone.instant(date: date, secondsOfDay: 0)))
            try each(daemon, date)
            try setDaysOff(date)
            let steps = try plan(date)
            for step in steps { try perform(step) }
            try advance(to: zone.instant(date: date.advanced(by: 1), secondsOfDay: 0))
            days[date.advanced(by: -1)]?.messages = []
        }
        try collect(until: first.advanced(by: count))
    }

    private func load(_ date: ServiceDate) throws {
        guard days[date] == nil else { return }
        days[date] = try RecordedDay(
            date, recorded: recordings[date], script: scripts[date] ?? DayScript(), zone: zone)
    }

    private func setDaysOff(_ date: ServiceDate) throws {
        // A person enters a day off on the day before.
        let tomorrow = date.advanced(by: 1)
        for person in people where scripts[tomorrow]?.daysOff.contains(person.commuter.name) ?? false {
            try daemon.ask(
                NotifyDaysOffParameters(add: [DateSpan(first: tomorrow, last: tomorrow)]), uid: person.commuter.uid)
        }
    }

    private func plan(_ date: ServiceDate) throws -> [Step] {
        var steps = days[date]!.messages.map { Step(at: $0.at.advanced(by: 15), action: .message($0)) }
        for number in people.indices {
            let commuter = people[number].commuter
            guard !(scripts[date]?.daysOff.contains(commuter.name) ?? false) else { continue }
            for (position, way) in commuter.ways.enumerated() where way.days.contains(date.weekday) {
                guard let journey = try journey(way, position, date, commuter) else { continue }
                people[number].journeys.append(journey)
                let index = people[number].journeys.count - 1
                steps.append(Step(at: journey.facts.ready, action: .ready(person: number, journey: index)))
                if journey.isReported, let departed = journey.facts.taken?.departed {
                    steps.append(Step(at: departed.advanced(by: 60), action: .report(person: number, journey: index)))
                }
            }
        }
        return steps.sorted { $0.at < $1.at }
    }

    /// Determines what a person does on a date. What the person does depends on the recorded departures and the seed, and
    /// not on the notifications.
    private func journey(
        _ way: Commuter.Way, _ position: Int, _ date: ServiceDate, _ commuter: Commuter
    ) throws -> Journey? {
        let ordinal = UInt64(date.days(to: ServiceDate(iso8601: "2027-01-01")!))
        var random = SeededGenerator(seed: UInt64(commuter.uid) &* 7919 &+ ordinal &* 31 &+ UInt64(position))
        let clock: String =
            switch way.habit {
            case .departure(let clock), .window(let clock): clock
            }
        let base = instant(clock, date)
        let found = try daemon.ask(
            NextParameters(commute: way.commute, at: base.advanced(by: -2700).rfc3339(), count: 30), uid: commuter.uid)
        var trains: [Usefulness.Train] = []
        var departures: [TripID: Departure] = [:]
        for departure in found.departures {
            guard let scheduled = departure.scheduled?.instant,
                let arrives = (departure.arrival?.scheduled ?? departure.arrival?.expected)?.instant
            else { continue }
            let departed = departed(departure, scheduled, date)
            departures[departure.trip] = departure
            let delay = departed.map { scheduled.seconds(to: $0) } ?? 0
            trains.append(
                Usefulness.Train(
                    trip: departure.trip, scheduled: scheduled, departed: departed,
                    arrives: recorded(departure, date) ?? arrives.advanced(by: max(0, delay))))
        }
        guard let walk = found.departures.first?.walk else { return nil }
        var intended: TripID?
        var ready: Instant
        switch way.habit {
        case .departure:
            guard let train = trains.first(where: { $0.scheduled == base }) else { return nil }
            intended = train.trip
            ready = base.advanced(by: -walk - random.number(120...300))
            if random.number(1...12) == 1, way.isWatched { ready = ready.advanced(by: random.number(420...1200)) }
        case .window:
            ready = base.advanced(by: random.number(0...240))
            if random.number(1...6) == 1 { ready = ready.advanced(by: random.number(480...2400)) }
        }
        let facts = Usefulness.Journey(walk: walk, ready: ready, trains: trains, intended: intended)
        return Journey(
            way: way, date: date, facts: facts, departures: departures,
            isReported: Double(random.number(0...999)) / 1000 < way.reports, opens: base)
    }

    /// When a departure really reached the destination; `nil` if that was not recorded.
    private func recorded(_ departure: Departure, _ date: ServiceDate) -> Instant? {
        guard let arrival = departure.arrival else { return nil }
        let visit = RecordedDay.Visit(
            trip: departure.trip, stop: (arrival.scheduledStop ?? arrival.stop).id, date: departure.serviceDate)
        return [date, date.advanced(by: 1)].lazy.compactMap { self.days[$0]?.departures[visit] }.first
    }

    /// When a departure really left; `nil` if it did not serve the stop.
    private func departed(_ departure: Departure, _ scheduled: Instant, _ date: ServiceDate) -> Instant? {
        let stop = departure.scheduledStop?.id ?? departure.stop.id
        let visit = RecordedDay.Visit(trip: departure.trip, stop: stop, date: departure.serviceDate)
        for day in [date, date.advanced(by: 1)] {
            let script = scripts[day] ?? DayScript()
            if script.notServed.contains(where: { $0.0 == departure.trip && ($0.1 == nil || $0.1 == stop) }),
                departure.serviceDate == day
            {
                return nil
            }
        }
        for day in [date, date.advanced(by: 1)] {
            if let time = days[day]?.departures[visit], abs(scheduled.seconds(to: time)) < 7200 { return time }
        }
        // A snapshot every two minutes can miss a stop of a train that ran.
        let ran = [date, date.advanced(by: 1)].contains { day in
            days[day]?.departures.keys.contains { $0.trip == visit.trip && $0.date == visit.date } ?? false
        }
        // Where nothing was recorded, trains ran as planned.
        let isRecorded = days[zone.civil(at: scheduled).date]?.times.contains { abs($0.seconds(to: scheduled)) < 600 }
        return ran || !(isRecorded ?? false) ? scheduled : nil
    }

    private func instant(_ clock: String, _ date: ServiceDate) -> Instant {
        let (hours, minutes) = (Int(clock.prefix(2))!, Int(clock.suffix(2))!)
        // As in a timetable, 24:05 is after midnight.
        return hours < 24
            ? zone.instant(date: date, secondsOfDay: hours * 3600 + minutes * 60)
            : zone.serviceDayStart(date).advanced(by: hours * 3600 + minutes * 60)
    }

    // MARK: Steps

    private func perform(_ step: Step) throws {
        try advance(to: step.at)
        switch step.action {
        case .message(let message):
            for (body, kind) in [
                (message.updates, DatasetKind.tripUpdates), (message.vehicles, .vehicles),
                (message.alerts ?? [], .alerts),
            ] where !body.isEmpty {
                if let refusal = daemon.receive(body, of: kind) { refusals.append("\(step.at) \(kind): \(refusal)") }
            }
        case .ready(let person, let journey):
            let uid = people[person].commuter.uid
            let way = people[person].journeys[journey].way
            let found = try daemon.ask(NextParameters(commute: way.commute, count: 8), uid: uid)
            for departure in found.departures {
                people[person].journeys[journey].known[departure.trip] = departure.delay
            }
        case .report(let person, let journey):
            let known = people[person].journeys[journey]
            guard let trip = known.facts.taken?.trip, let departure = known.departures[trip] else { return }
            try daemon.ask(TakenAddParameters(departure: departure.id), uid: people[person].commuter.uid)
        }
        try pass()
    }

    /// Decides at each moment that the daemon planned until a time.
    private func advance(to time: Instant) throws {
        var count = 0
        while let planned = daemon.plannedPass, planned < time {
            daemon.set(max(daemon.now, planned))
            try pass()
            count += 1
            if count > 20_000 {
                Issue.record("The daemon plans a pass each second at \(daemon.now).")
                break
            }
        }
        daemon.set(max(daemon.now, time))
    }

    private func pass() throws {
        daemon.pass()
        let now = daemon.now
        let script = scripts[zone.civil(at: now).date]
        guard !(script?.withoutAgent.contains { $0.contains(now) } ?? false) else { return }
        for number in people.indices {
            let uid = people[number].commuter.uid
            let events = daemon.unfinished(of: uid)
            guard !events.isEmpty else { continue }
            for event in events { people[number].handedOut[event.id] = people[number].handedOut[event.id] ?? now }
            try daemon.acknowledge(events, of: uid)
        }
    }

    // MARK: Judgment

    private func collect(until end: ServiceDate) throws {
        for number in people.indices {
            let saved = try daemon.decisions(
                of: people[number].commuter.uid, since: zone.instant(date: first, secondsOfDay: 0))
            for one in saved.sorted(by: { ($0.decided, $0.id) < ($1.decided, $1.id) }) {
                guard let event = NotificationEvent.parsed(one.event) else { continue }
                people[number].entries.append(
                    Entry(
                        event: event, stage: one.stage, suppression: one.stage == .suppressed ? one.failure : nil,
                        shown: people[number].handedOut[one.id]))
            }
            people[number].judge(scripts, zone)
        }
    }
}

extension CommuterSimulation.Person {
    /// Finds the journey of each event, when the person left, and how useful each event was.
    fileprivate mutating func judge(_ scripts: [ServiceDate: DayScript], _ zone: ServiceZone) {
        for index in entries.indices { entries[index].journey = journey(of: entries[index].event) }
        for index in journeys.indices {
            // A person who was notified leaves by the advised time.
            let facts = journeys[index].facts
            guard let taken = facts.taken, let departed = taken.departed else { continue }
            // Later advice counts until the person has left.
            var left = facts.leavesUnadvised
            for entry in entries where entry.journey == index && entry.event.op != .withdraw {
                if ["canceled", "skipped"].contains(entry.event.rule), let shown = entry.shown, shown <= left,
                    entry.event.departure?.trip == facts.wanted, taken.trip != facts.wanted
                {
                    // The person waits for the alternative.
                    left = max(facts.ready, taken.scheduled.advanced(by: -facts.walk - 120))
                }
                guard let shown = entry.shown, shown <= left, entry.event.departure?.trip == taken.trip,
                    let leaveBy = entry.event.leaveBy?.instant
                else { continue }
                left = max(facts.ready, leaveBy.advanced(by: -60), shown)
            }
            journeys[index].facts.left = min(left, max(facts.ready, departed.advanced(by: -facts.walk)))
        }
        let notices = entries.map { notice($0, scripts, zone) }
        for index in entries.indices where entries[index].shown != nil && entries[index].event.op != .withdraw {
            let later = notices.indices.filter {
                $0 > index && entries[$0].shown != nil && notices[$0].trip == notices[index].trip
                    && entries[$0].event.op != .withdraw && notices[index].trip != nil
                    && entries[$0].journey == entries[index].journey
            }
            entries[index].verdict = NotificationUsefulness.verdict(
                notices[index], entries[index].journey.map { journeys[$0].facts }, later: later.map { notices[$0] })
        }
    }

    private func journey(of event: NotificationEvent) -> Int? {
        guard let departure = event.departure else {
            // An alert belongs to the next journey of the day.
            return journeys.indices.first { index in
                let facts = journeys[index].facts
                return (facts.taken?.departed ?? facts.ready) > event.at.instant
                    && facts.ready < event.at.instant.advanced(by: 3 * 3600)
            }
        }
        // A departure can be one of two journeys of a day. It belongs to the nearer one.
        let own = journeys.indices.filter { index in
            journeys[index].departures[departure.trip].map {
                $0.serviceDate == departure.serviceDate && $0.stop.id == (departure.scheduledStop ?? departure.stop).id
            } ?? false
        }
        let at = departure.scheduled?.instant ?? event.at.instant
        return own.min { abs(journeys[$0].opens.seconds(to: at)) < abs(journeys[$1].opens.seconds(to: at)) }
    }

    private func notice(
        _ entry: CommuterSimulation.Entry, _ scripts: [ServiceDate: DayScript], _ zone: ServiceZone
    ) -> NotificationUsefulness.Notice {
        let event = entry.event
        var notice = NotificationUsefulness.Notice(
            rule: NotificationRule(rawValue: event.rule) ?? .machine, shown: entry.shown ?? event.at.instant,
            trip: event.departure?.trip)
        notice.scheduled = event.departure?.scheduled?.instant
        notice.expected = event.departure?.expected?.instant
        notice.leaveBy = event.leaveBy?.instant
        notice.isReinstatement =
            event.next.isEmpty && event.departure.map { ![.canceled, .skipped].contains($0.status) } ?? false
        let alerts = scripts[zone.civil(at: event.at.instant).date]?.alerts ?? []
        notice.isRelevantAlert = alerts.contains {
            $0.concerns.contains(commuter.name) && $0.alert.id.rawValue == event.alert?.id
        }
        return notice
    }
}

extension NotificationEvent {
    static func parsed(_ json: String) -> NotificationEvent? { CommuterDaemon.event(json) }
}
