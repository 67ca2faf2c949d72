import Foundation
import Testing
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport

/// A month of a commuter who pins the same journey in ``FeedBuilder/valley`` each working day: from home, five minutes from
/// Alder, with train T at 08:00 and bus 1 at 08:25 from Cedar to Zinnia. Trains and buses are late, catch up and are canceled
/// by chance, from a seed. `TRANSIT_RECORD=1` records the diary; read it before committing.
@Suite struct JourneyDiaryTests {
    /// What happens on one day: the delays of each trip in seconds, by call, and when they become known.
    private struct Day {
        struct Event {
            /// Minutes after 07:30.
            var minute: Int
            var trip: TripID
            var stop: StopID
            /// `nil` for a cancellation.
            var delay: Int32?
        }

        var date: ServiceDate
        var events: [Event] = []

        init(_ date: ServiceDate, _ random: inout SeededGenerator) {
            self.date = date
            func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }
            func number(_ range: ClosedRange<Int>) -> Int {
                range.lowerBound + Int(random.next() % UInt64(range.count))
            }
            if chance(25) {
                // The train loses time after a stop, and catches up later on some days.
                let (minute, late) = (number(32...48), number(3...14))
                events.append(Event(minute: minute, trip: "t0", stop: "c", delay: Int32(late * 60)))
                if chance(40) {
                    events.append(Event(minute: minute + 3, trip: "t0", stop: "c", delay: Int32(late * 20)))
                }
            }
            if chance(20) {
                events.append(
                    Event(minute: number(20...52), trip: "n25", stop: "c", delay: Int32(number(1...10) * 60)))
            }
            for (trip, stop, percent, minutes) in [("n25", "c", 8, 5...52), ("t0", "a", 4, 2...25)]
                as [(TripID, StopID, UInt64, ClosedRange<Int>)]
            where chance(percent) {
                // A canceled trip remains so.
                let minute = number(minutes)
                events.removeAll { $0.trip == trip && $0.minute > minute }
                events.append(Event(minute: minute, trip: trip, stop: stop, delay: nil))
            }
            // The later train is canceled on some days, so that the journey becomes the last one.
            if date.weekday == .wednesday, Int(date.daysSince1970) / 7 % 2 == 0 {
                events.append(Event(minute: 4, trip: "t90", stop: "a", delay: nil))
            }
            events.sort { $0.minute < $1.minute }
        }

        /// Returns the message of a minute: every trip, with its last reported delay.
        func updates(at minute: Int, _ now: Instant) -> [TripUpdate] {
            let trips: [(TripID, StopID)] = [
                ("t0", "a"), ("n25", "c"), ("n55", "c"), ("m15", "b"), ("k40", "d"), ("t90", "a"),
            ]
            return trips.map { trip, stop in
                let known = events.filter { $0.trip == trip && $0.minute <= minute }.last
                if let known, known.delay == nil {
                    return TripUpdate(
                        id: EntityID(trip.rawValue),
                        trip: TripDescriptor(tripID: trip, startDate: date, relationship: .canceled),
                        timestamp: now)
                }
                var stops = [(stop, Int32(0))]
                if let known, let delay = known.delay {
                    stops = known.stop == stop ? [(stop, delay)] : [(stop, Int32(0)), (known.stop, delay)]
                }
                return TripUpdate(
                    id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip, startDate: date),
                    updates: stops.map { stop, delay in
                        StopTimeUpdate(
                            stopID: stop, arrival: StopTimeEvent(delay: delay, uncertainty: 30),
                            departure: StopTimeEvent(delay: delay, uncertainty: 30))
                    }, timestamp: now)
            }
        }
    }

    private static let zone = SavedJourney.valleyZone

    private static func diary() throws -> String {
        let fixture = try QueryFixture([("valley", .valley, nil)])
        fixture.personal.places["home"] = .valleyHome
        var random = SeededGenerator(seed: 7)
        var engine = NotificationEngine(
            settings: NotificationSettings(machine: [:], personal: ["notifications.on": "on"]))
        var lines: [String] = []
        let first = ServiceDate(iso8601: "2026-03-30")!
        for offset in 0..<33 {
            let date = first.advanced(by: offset)
            guard Weekday.workingDays.contains(date.weekday) else { continue }
            let day = Day(date, &random)
            lines += ["", "\(date.weekday.rawValue < 5 ? names[Int(date.weekday.rawValue)] : "") \(date)"]
            lines += day.events.map { event in
                let clock = "\(zone.timeOfDay(at: zone.instant(date: date, secondsOfDay: 27_000 + event.minute * 60)))"
                let what = event.delay.map { "\($0) s late from \(event.stop)" } ?? "canceled"
                return "  \(clock)  (\(event.trip) \(what))"
            }
            fixture.personal.journeys = [.valley(on: date, isFromHome: true)]
            var finder: SubjectFinder?
            for minute in 0...120 {
                fixture.now = zone.instant(date: date, secondsOfDay: 27_000 + minute * 60 + 20)
                try fixture.receive(day.updates(at: minute, fixture.now), of: "valley")
                let context = fixture.context
                // A restart in the middle of the journey.
                if finder == nil || minute == 42 { finder = SubjectFinder(context) }
                let input = finder?.input(context, changed: ["valley"], for: engine)
                for decision in input.map({ engine.evaluate($0) }) ?? [] {
                    lines += text(decision, at: context.now)
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private static func text(_ decision: NotificationDecision, at now: Instant) -> [String] {
        let clock = zone.timeOfDay(at: now)
        if let reason = decision.suppression {
            return ["  \(clock)  not shown, \(decision.rule.rawValue): \(decision.title) [\(reason)]"]
        }
        let sound = decision.hasSound ? "!" : " "
        let head = "  \(clock)\(sound) \(decision.operation.rawValue) \(decision.rule.rawValue): \(decision.title)"
        return [head] + decision.body.split(separator: "\n").map { "              \($0)" }
    }

    @Test func monthEqualsItsDiary() throws {
        let text = try Self.diary()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/journey.txt")
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let difference = zip(text.split(separator: "\n"), golden.split(separator: "\n")).first { $0 != $1 }
        #expect(text == golden, "first difference: \(difference.map { "\($0.0) instead of \($0.1)" } ?? "the length")")
    }
}
