internal import TransitEngine
internal import TransitModel
import TransitTestSupport

/// A source that reports the trips of a small network by a habit of its own, one message a minute.
struct SimulatedSource {
    /// A scheduled trip of the network.
    struct Trip {
        var number: Int
        /// Counts the trips of all days, so that a habit can treat each of them differently.
        var serial: Int
        var date: ServiceDate
        var start: Instant
        var end: Instant
        var pattern: Pattern
        var position: Int
    }

    static let calls = (0..<9).map { ($0, $0 * 300) }
    let zone: ServiceZone
    var timetable = SmallTimetable()
    /// The number of trips of each route, every ten minutes from 05:00.
    let tripsOfRoute: Int
    /// Whether a message at a time mentions a trip.
    var mentions: (Trip, Instant) -> Bool
    /// Whether the source sends no message at a time.
    var isSilent: (Instant) -> Bool = { _ in false }
    var habits = ReportingHabits()
    /// The positions of the calls that are judged.
    var positions = [0, 3, 6]

    init(_ zone: ServiceZone, routes: Int = 3, trips: Int = 36, mentions: @escaping (Trip, Instant) -> Bool) {
        self.zone = zone
        self.mentions = mentions
        tripsOfRoute = trips
        for route in 0..<routes {
            timetable.add(
                Self.calls.map { (stop: route * 10 + $0.0, time: $0.1) },
                starts: (0..<trips).map { Self.clock(300 + $0 * 10 + route) },
                route: route)
        }
    }

    private static func clock(_ minutes: Int) -> String {
        "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }

    func trips(on date: ServiceDate, day: Int) -> [Trip] {
        timetable.patterns.enumerated().flatMap { route, pattern in
            (0..<tripsOfRoute).map { position in
                let number = route * tripsOfRoute + position
                let start = zone.serviceDayStart(date).advanced(by: Int(pattern.timingGroups[0].starts[position]))
                return Trip(
                    number: number, serial: day * 10_000 + number, date: date, start: start,
                    end: start.advanced(by: 2400), pattern: pattern, position: position)
            }
        }
    }

    /// Plays days from 04:30 to 11:30, and judges the departures of all but the first `learned` days.
    ///
    /// - Parameter isRestarted: whether the program is restarted each morning, with the habits that it has stored.
    mutating func play(days: Int, learned: Int, isRestarted: Bool = false) throws -> MissingHindsight {
        var hindsight = MissingHindsight()
        let table = InMemoryTimetable(timetable, zone)
        var tracker = ReportingTracker(habits: habits)
        var previous: RealtimeDataset?
        let matcher = TripMatcher(table)
        for day in 0..<days {
            let date = ServiceDate(iso8601: "2026-06-10")!.advanced(by: day)
            if isRestarted, let stored = ReportingHabits(tracker.habits.encoded) {
                tracker = ReportingTracker(habits: stored)
                previous = nil
            }
            let trips = trips(on: date, day: day)
            var reports: [Int: [Instant]] = [:]
            var calls: [(trip: Trip, position: Int, at: Instant, departure: Instant, isMissing: Bool)] = []
            for minute in 0..<420 {
                let now = zone.serviceDayStart(date).advanced(by: 4 * 3600 + 1800 + minute * 60)
                if isSilent(now) { continue }
                let mentioned = trips.filter { mentions($0, now) }
                var builder = RealtimeDatasetBuilder(
                    header: RealtimeHeader(version: "2.0", timestamp: now), received: now, matcher: matcher)
                for trip in mentioned {
                    reports[trip.serial, default: []].append(now)
                    try builder.apply(
                        .update(
                            trip.number,
                            [
                                .late(
                                    UInt32(min(8, max(0, trip.start.seconds(to: now) / 300))), Int32(trip.serial % 200))
                            ],
                            date: "\(date)"))
                }
                let dataset = try builder.finish()
                let evidence = try tracker.observe(dataset, after: previous, in: table, policy: FreshnessPolicy())
                previous = dataset
                guard day >= learned else { continue }
                let realtime = RealtimeDatasets(tripUpdates: dataset, reporting: evidence)
                for trip in trips {
                    for position in positions {
                        let departure = trip.start.advanced(by: position * 300)
                        guard (540..<600).contains(now.seconds(to: departure) - 1) else { continue }
                        let call = ScheduledCall(
                            pattern: trip.pattern, timingGroup: 0, tripPosition: trip.position, serviceDate: date,
                            position: position, start: trip.start)
                        let isMissing = realtime.expected(call, now: now)?.isMissingFromRealtime ?? false
                        calls.append((trip, position, now, departure, isMissing))
                    }
                }
            }
            for call in calls {
                hindsight.add(
                    wasCalled: call.isMissing, at: call.at, departure: call.departure,
                    reports: reports[call.trip.serial] ?? [])
            }
        }
        habits = tracker.habits
        return hindsight
    }
}
