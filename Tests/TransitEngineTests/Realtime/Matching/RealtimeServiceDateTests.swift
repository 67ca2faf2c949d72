import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests which trip instance a message without a date refers to: around midnight, for trips longer than a day, and on
/// daylight saving days.
struct RealtimeServiceDateTests {
    let berlin: ServiceZone

    init() throws { berlin = try systemZone("Europe/Berlin") }

    struct Case: CustomTestStringConvertible {
        var name: String
        var start: String
        var duration: Int
        var now: String
        /// The time at the second call. If the time is `nil`, the delay is used.
        var time: String?
        var delay: Int32?
        var expected: String
        /// The weekdays of the service, as bits.
        var weekdays: UInt8 = 0b111_1111
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "trip of yesterday after midnight", start: "23:50", duration: 1800, now: "2026-06-10T00:05:00+02:00",
            time: "2026-06-10T00:22:00+02:00", expected: "2026-06-09"),
        Case(
            name: "trip of yesterday, matched by its delay alone", start: "23:50", duration: 1800,
            now: "2026-06-10T00:05:00+02:00", delay: 120, expected: "2026-06-09"),
        Case(
            name: "trip of tonight, reported before midnight", start: "23:50", duration: 1800,
            now: "2026-06-10T23:30:00+02:00",
            delay: 0, expected: "2026-06-10"),
        Case(
            name: "start after 24:00", start: "24:30", duration: 1800, now: "2026-06-10T00:20:00+02:00",
            time: "2026-06-10T01:05:00+02:00", expected: "2026-06-09"),
        Case(
            name: "start after 48:00", start: "49:00", duration: 1800, now: "2026-06-10T00:50:00+02:00",
            time: "2026-06-10T01:31:00+02:00", expected: "2026-06-08"),
        Case(
            name: "trip of two days, on the second day", start: "10:00", duration: 48 * 3600,
            now: "2026-06-10T12:00:00+02:00", time: "2026-06-11T10:07:00+02:00", expected: "2026-06-09"),
        Case(
            name: "early in the morning, before the start", start: "6:00", duration: 1800,
            now: "2026-06-10T05:50:00+02:00", delay: 0, expected: "2026-06-10"),
        Case(
            name: "evening before an early trip", start: "5:00", duration: 1800, now: "2026-06-10T23:50:00+02:00",
            delay: 0, expected: "2026-06-11"),
        Case(
            name: "very late", start: "20:00", duration: 3600, now: "2026-06-10T02:00:00+02:00", delay: 6 * 3600,
            expected: "2026-06-09"),
        Case(
            name: "trip that runs only on Tuesdays, never on Wednesday", start: "8:00", duration: 3600,
            now: "2026-06-10T00:30:00+02:00", delay: 0, expected: "2026-06-09", weekdays: 0b10),
        Case(
            name: "night in which the clock is set forward", start: "1:30", duration: 3600,
            now: "2026-03-29T01:00:00+01:00", time: "2026-03-29T01:31:00+01:00", expected: "2026-03-29"),
        Case(
            name: "trip of the date before that night", start: "25:30", duration: 3600,
            now: "2026-03-29T01:20:00+01:00",
            time: "2026-03-29T03:35:00+02:00", expected: "2026-03-28"),
        Case(
            name: "night in which the clock is set back", start: "25:30", duration: 3600,
            now: "2026-10-25T01:20:00+02:00", time: "2026-10-25T02:35:00+02:00", expected: "2026-10-24"),
        Case(
            name: "second 02:30 of that night", start: "1:30", duration: 3600,
            now: "2026-10-25T02:20:00+01:00", time: "2026-10-25T02:40:00+01:00", expected: "2026-10-25"),
    ]

    @Test("A message without a date matches the nearest trip", arguments: cases)
    func messageWithoutDateMatchesNearestTrip(_ test: Case) throws {
        var scene = RealtimeScenario(berlin)
        scene.now = instant(test.now)
        scene.timetable.services[0].weekdays = test.weekdays
        scene.timetable.add([(1, 0), (2, test.duration)], starts: [test.start])
        let event = StopTimeEvent(time: test.time.map(instant), delay: test.delay)
        let realtime = try scene.realtime([.update(0, [StopTimeUpdate(sequence: 1, arrival: event)])])
        let dataset = try #require(realtime.tripUpdates)
        #expect(dataset.statistics.unmatchedTrips.isEmpty)
        #expect(dataset.trips.map { $0.key.serviceDate.description } == [test.expected])
        #expect(dataset.trips.first?.match == .trip)
    }

    @Test("On both daylight saving days, delays count from the scheduled times")
    func delaysCountFromScheduledTimesOnDaylightSavingDays() throws {
        for (day, now) in [("2026-03-29", "2026-03-29T03:20:00+02:00"), ("2026-10-25", "2026-10-25T02:50:00+01:00")] {
            var scene = RealtimeScenario(berlin)
            scene.now = instant(now)
            scene.timetable.add([(1, 0), (2, 3600), (3, 7200)], starts: ["3:30"])
            let realtime = try scene.realtime([.update(0, [.late(0, 300)], date: day)])
            #expect(scene.board(2, realtime, count: 1) == ["04:30>04:35 scheduled live medium"], "\(day)")
        }
    }

    @Test("The stated date is used, but not a date without service")
    func statedDateWinsUnlessServiceDoesNotRun() throws {
        var scene = RealtimeScenario(berlin)
        scene.timetable.services[0].weekdays = 0b100  // Wednesdays. 10 June 2026 is a Wednesday.
        scene.timetable.add([(1, 0), (2, 600)], starts: ["06:20"])
        let realtime = try scene.realtime([.update(0, [.late(0, 60)], date: "2026-06-10")])
        #expect(realtime.tripUpdates?.trips.map(\.match) == [.tripAndDate])
        let other = try scene.realtime([
            .update(0, [.late(0, 60)], date: "2026-06-11"), .update(7), .update(0, start: "9:00"),
        ])
        #expect(other.tripUpdates?.statistics.unmatchedTrips == [.notRunning: 1, .unknownTrip: 1])
        #expect(other.tripUpdates?.statistics.examples.count == 2)
    }

    @Test("Route, direction and start time match a trip if only one fits")
    func tripIsMatchedByRouteDirectionAndStart() throws {
        var scene = RealtimeScenario(berlin)
        scene.timetable.add([(1, 0), (2, 600)], starts: ["06:20", "06:40", "06:40"], route: 0)
        scene.timetable.add([(1, 0), (2, 600)], starts: ["06:20"], route: 1)
        func match(_ route: String?, _ start: String?) throws -> RealtimeDatasets {
            let trip = TripDescriptor(
                routeID: route.map { RouteID($0) }, startTime: start.map { ServiceTime(seconds: seconds($0)) })
            return try scene.realtime([.tripUpdate(TripUpdate(id: "e", trip: trip, updates: [.late(0, 60)]))])
        }
        let found = try #require(match("r0", "6:20").tripUpdates)
        #expect(found.trips.map(\.key.trip) == [TripIndex(0)])
        #expect(found.trips.map(\.match) == [.route])
        #expect(try match("r0", "6:40").tripUpdates?.statistics.unmatchedTrips == [.ambiguous: 1])
        #expect(try match("r0", "6:50").tripUpdates?.statistics.unmatchedTrips == [.unknownStart: 1])
        #expect(try match("r9", "6:20").tripUpdates?.statistics.unmatchedTrips == [.unknownRoute: 1])
        #expect(try match("r0", nil).tripUpdates?.statistics.unmatchedTrips == [.unidentified: 1])
    }

    @Test("Trips of frequencies.txt with exact_times 1 are matched by their start")
    func exactFrequencyTripIsMatchedByStart() throws {
        var scene = RealtimeScenario(berlin)
        let rows = [Frequency(trip: 0, start: seconds("6:00"), end: seconds("8:00"), headway: 1200, isExact: true)]
        scene.timetable.add([(1, 0), (2, 600), (3, 900)], starts: ["00:00"], frequencies: rows)
        let realtime = try scene.realtime([.update(0, [.late(1, 120)], start: "6:20"), .update(0, start: "6:30")])
        #expect(realtime.tripUpdates?.statistics.unmatchedTrips == [.unknownStart: 1])
        #expect(
            scene.board(2, realtime) == [
                "06:10>- scheduled scheduled medium", "06:30>06:32 scheduled live high",
                "06:50>- scheduled scheduled medium",
            ])
    }
}
