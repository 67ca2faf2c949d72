import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// ``DepartureBoard`` and ``DirectTripFinder`` must find the same results as ``ReferenceBoard`` in random timetables
/// around changes to or from daylight saving time.
struct BoardPropertyTests {
    static let days = [
        ("Europe/Berlin", "2026-03-29"), ("Europe/Berlin", "2026-10-25"), ("America/Los_Angeles", "2026-03-08"),
        ("America/Los_Angeles", "2026-11-01"), ("Pacific/Auckland", "2026-04-05"), ("Pacific/Auckland", "2026-09-27"),
        ("Australia/Lord_Howe", "2026-10-04"), ("Pacific/Apia", "2011-12-30"), ("Europe/Dublin", "2026-03-29"),
        ("Europe/Berlin", "2026-06-10"),
    ]

    /// A random query in a random timetable.
    struct Scene {
        var timetable: RandomTimetable
        var context: TimetableCalendar
        var plain: ReferenceBoard
        var at: Instant
        var end: Instant
        var count: Int
        var horizonDays: Int

        /// Every third timetable has routes in two time zones.
        init(seed: UInt64, zone: ServiceZone, other: ServiceZone, day: ServiceDate) {
            timetable = RandomTimetable(seed: seed, around: day)
            let zones = seed % 3 == 0 ? [zone, other] : [zone, zone]
            let agencies = [AgencyIndex(0), AgencyIndex(1), AgencyIndex(0)]
            context = TimetableCalendar(
                services: timetable.services, agencyZones: zones, routeAgencies: agencies,
                latestStopTime: timetable.latestStopTime)
            plain = ReferenceBoard(timetable, dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 9)) { route in
                zones[agencies[route.position].position]
            }
            var generator = SeededGenerator(seed: seed &+ 77)
            at = zone.serviceDayStart(day).advanced(by: Int.random(in: -72...144, using: &generator) * 900)
            count = Int.random(in: 1...12, using: &generator)
            horizonDays = Int.random(in: 0...4, using: &generator)
            let today = zone.civil(at: at).date
            end = zone.instant(date: today.advanced(by: horizonDays + 1), secondsOfDay: 0)
        }
    }

    func scene(_ seed: UInt64, _ zone: String, _ day: String) throws -> Scene {
        let day = try #require(ServiceDate(iso8601: day))
        return Scene(seed: seed, zone: try systemZone(zone), other: try systemZone("Asia/Tokyo"), day: day)
    }

    @Test("The board equals the reference", arguments: days)
    func boardEqualsReference(zone: String, day: String) throws {
        var listed = 0
        for seed in UInt64(0)..<30 {
            var scene = try scene(seed, zone, day)
            let stops = scene.timetable.stops(2)
            let visits = scene.timetable.patterns.flatMap { pattern in
                pattern.calls.indices.filter { stops.contains(pattern.calls[$0].stop) }.map {
                    PatternCallPosition(pattern: pattern, position: $0)
                }
            }
            let found = DepartureBoard.departures(
                visits: visits.shuffled(using: &scene.timetable.generator), context: scene.context, at: scene.at,
                count: scene.count, horizonDays: scene.horizonDays)
            let expected = scene.plain.departures(stops: stops, from: scene.at, before: scene.end)
            #expect(found.map(\.line) == expected.prefix(scene.count).map(\.line), "seed \(seed)")
            listed += found.count
        }
        #expect(listed > 50)
    }

    @Test("The direct trips equal the reference", arguments: days)
    func directTripsEqualReference(zone: String, day: String) throws {
        var listed = 0
        for seed in UInt64(1000)..<1030 {
            var scene = try scene(seed, zone, day)
            let origins = scene.timetable.walks(2)
            let destinations = scene.timetable.walks(3)
            let found = DirectTripFinder.next(
                origins: origins, destinations: destinations,
                patterns: scene.timetable.patterns.shuffled(using: &scene.timetable.generator), context: scene.context,
                at: scene.at, count: scene.count, horizonDays: scene.horizonDays)
            let expected = scene.plain.directTrips(
                origins: origins, destinations: destinations, from: scene.at, before: scene.end
            ).prefix(scene.count)
            #expect(found.map { $0.departure.line } == expected.map(\.board.line), "seed \(seed)")
            #expect(found.map { $0.arrival.line } == expected.map(\.alight.line), "seed \(seed)")
            #expect(
                found.map { $0.walkBefore } == expected.map { origins[$0.board.pattern.calls[$0.board.position].stop] },
                "seed \(seed)")
            listed += found.count
        }
        #expect(listed > 30)
    }
}
